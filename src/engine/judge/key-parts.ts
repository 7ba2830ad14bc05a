import type ts from 'typescript';
import { cannotThrow } from '../flow/call-words.js';
import { usesOf } from '../flow/promise-fate.js';
import { slotRole } from '../operations/lock-words.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { showTerm, walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { sourcesOf } from '../syntax/value-source.js';

/**
 * Whether all who compete for a lock ask for the same key. `time`, `random`, `process`: a part is made anew by each of them. `owner`: a part says who asks. `named`: a part is made
 * anew and is also what the work is about, so that it may be the row's own name.
 */
export type KeyParts =
  | { readonly kind: 'steady' | 'unknown' | 'named' }
  | { readonly kind: 'time' | 'random' | 'process' | 'owner'; readonly part: string; readonly at: Place };

/** Reads the key of one acquire; `all`: the lock operations of the file. */
export function keyParts(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): KeyParts {
  const { ts } = unit;
  const { key, node } = acquire;
  if (acquire.link === 'receiver') return { kind: 'unknown' };
  const owner = ownerInKey(unit, acquire);
  if (owner !== undefined) return { kind: 'owner', part: showTerm(owner), at: unit.placeOf(node) };
  const sources = sourcesOf(unit, key, node);
  const made = sources.filter((s) => s.kind === 'made' && s.fresh !== 'host' && (s.scope === 'run' || s.fresh === 'process'));
  for (const source of made) {
    if (source.kind !== 'made') continue;
    if (source.at !== undefined && isUsedOtherwise(source.at)) return { kind: 'named' };
    const kind = source.fresh === 'clock' ? 'time' : source.fresh === 'random' ? 'random' : 'process';
    const at = source.at !== undefined && source.at.getSourceFile() === unit.file ? source.at : node;
    return { kind, part: at === node ? showTerm(key) : shown(at).getText(unit.file), at: unit.placeOf(at) };
  }
  if (made.length === 0 && sources.some((s) => s.kind === 'made' || s.kind === 'unknown')) return { kind: 'unknown' };
  return { kind: 'steady' };

  /** The whole call that makes the value: `Date.now()`. */
  function shown(at: ts.Node): ts.Node {
    let e = at;
    while (!ts.isCallExpression(e) && !ts.isNewExpression(e) && e.parent.pos === e.pos && (ts.isPropertyAccessExpression(e.parent) || ts.isCallExpression(e.parent) || ts.isNewExpression(e.parent))) e = e.parent;
    return e;
  }

  /** The value has a name that more than the lock's calls speak of. */
  function isUsedOtherwise(at: ts.Node, depth = 0): boolean {
    const binding = ts.isIdentifier(at) ? unit.scopes.resolve(at) : undefined;
    if (binding === undefined || binding.id !== at || depth > 4) return false;
    return usesOf(unit, binding).some((use) => !isOfTheKey(use, depth));
  }

  function isOfTheKey(use: ts.Node, depth: number): boolean {
    for (let n = use; n.parent && !ts.isFunctionLike(n); n = n.parent) {
      if (all.some((o) => o.node === n)) return true;
      if (ts.isCallExpression(n) && cannotThrow(unit, n) && ts.isExpressionStatement(n.parent)) return true;
      if (ts.isVariableDeclaration(n)) return ts.isIdentifier(n.name) && !isUsedOtherwise(n.name, depth + 1);
    }
    return false;
  }
}

/** Words for whoever asks for a lock. A client or a token may be what the lock is about. */
const ASKER = /^(?:(?:the|my|our|this|own|current)(?=[A-Z]))?(?:[oO]wner(?:Id|Token)?|[lL]ockOwner\w*|[hH]older(?:Id)?|(?:[wW]orker|[iI]nstance|[pP]rocess)Id|[lL]ockToken)$/;

/** Names, by their last words, of what is locked. */
const LOCKED = /(?:^(?:key|resource)|Key|Resource|ockName|(?:^step|Step|^job|Job|^run|Run|^task|Task|^resource|Resource)Id)$/;

/** A part of the key that is the owner the same call names, or a parameter that stands beside a key in the list of an acquire. */
function ownerInKey(unit: Unit, { key, owner, node, evidence }: AcquireOperation): Term | undefined {
  const parts = key.kind === 'template' ? key.parts.filter((p) => p.kind !== 'const') : [];
  const asker = parts.find((p) => ASKER.test(nameOf(p)));
  if (asker === undefined || isBuiltInside(unit, node, evidence, key)) return undefined;
  if (owner !== undefined && mentionsTerm(owner, asker)) return asker;
  const fn = enclosingFunction(unit, node);
  if (evidence === 'body' || unit.ts.isSourceFile(fn) || owner === undefined) return undefined;
  const names = parameterNames(unit, fn);
  // A repository has an owner and a name.
  return names.includes(nameOf(asker)) && names.some((n) => LOCKED.test(n) && slotRole(n) === 'key') ? asker : undefined;
}

/** The function that is called builds the key, and is judged itself. */
function isBuiltInside(unit: Unit, node: AcquireOperation['node'], evidence: AcquireOperation['evidence'], key: Term): boolean {
  if (evidence !== 'body' || !unit.ts.isCallExpression(node)) return false;
  return !node.arguments.some((a) => !unit.ts.isSpreadElement(a) && sameTerm(termOf(unit, a), key));
}

function nameOf(term: Term): string {
  return term.kind === 'symbol' ? term.name : term.kind === 'path' ? term.prop : '';
}

function mentionsTerm(whole: Term, part: Term): boolean {
  let found = false;
  walkTerm(whole, (t) => {
    if (sameTerm(t, part)) found = true;
  });
  return found;
}

function parameterNames(unit: Unit, fn: ts.FunctionLikeDeclaration): readonly string[] {
  const { ts } = unit;
  const namesOf = (name: ts.BindingName): string[] => (ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((e) => (ts.isBindingElement(e) ? namesOf(e.name) : [])));
  return fn.parameters.flatMap((p) => namesOf(p.name));
}
