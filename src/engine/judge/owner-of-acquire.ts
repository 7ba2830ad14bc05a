import type ts from 'typescript';
import { slotRole } from '../operations/lock-words.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import { isOwnField, rootOf, showTerm, walkTerm, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { sourcesOf, type ValueSource } from '../syntax/value-source.js';

/**
 * How far the owner that an acquire names tells its holder from all others. `fresh`: from everybody. `constant` to `host`: from nobody, or by accident. `entity`: it repeats the key.
 * `default`: a constant where the caller gives none. `shared`: one value for all acquisitions of a module or an object; `keyVaries` where they may be about different rows.
 */
export type OwnerIdentity =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'constant' | 'clock' | 'process' | 'host' | 'entity' | 'default'; readonly text: string; readonly at: Place }
  | { readonly kind: 'shared'; readonly text: string; readonly at: Place; readonly keyVaries: boolean }
  | { readonly kind: 'given' | 'unknown' | 'none' };

/** What stands against an owner: whether anything compares it, or which step frees the lock of anybody. */
export type OwnerCompared = 'compared' | 'blind' | 'nobody';

/** The owner of one acquire, as a rule reads it. */
export interface OwnerOfAcquire {
  readonly identity: OwnerIdentity;
  readonly compared: OwnerCompared;
  /** A leader keeps its name from one term to the next. */
  readonly isElection: boolean;
  /** An acquire that stands before it in the file names the same value that was made once. */
  readonly isTold: boolean;
  /** Its words where all acquires of an object or a module share it, whichever of them stands first. */
  readonly sharedAs: string;
  /** The lock is a row that says who works on it. */
  readonly isRow: boolean;
}

/** Reads the owner of one acquire; `onSameKey`: what else the file does to the lock; `acquires`: all of the file. */
export function ownerOfAcquire(unit: Unit, acquire: AcquireOperation, onSameKey: readonly Operation[], acquires: readonly AcquireOperation[]): OwnerOfAcquire {
  const { owner } = acquire;
  const isTold = owner !== undefined && owner.kind !== 'const' && acquires.some((a) => a.node.pos < acquire.node.pos && a.evidence === acquire.evidence && a.owner !== undefined && sameTerm(a.owner, owner));
  return { identity: ownerIdentity(unit, acquire), isTold, sharedAs: sharedAs(unit, acquire), compared: ownerCompared(acquire, onSameKey), isElection: isElection(unit, acquire), isRow: acquire.api === 'INSERT' || acquire.api === 'UPDATE' };
}

function sharedAs(unit: Unit, { owner, node }: AcquireOperation): string {
  const text = owner === undefined ? '' : showTerm(owner);
  const fn = functionName(unit, enclosingFunction(unit, node));
  return /\bthis\./.test(text) ? `${fn.slice(0, fn.lastIndexOf('.') + 1)}${text}` : text;
}

function ownerIdentity(unit: Unit, acquire: AcquireOperation): OwnerIdentity {
  const { owner, node } = acquire;
  if (owner === undefined || (acquire.evidence === 'body' && !acquire.hasOwnerSlot)) return { kind: 'none' };
  const text = showTerm(owner);
  const place = ownerPlace(unit, node, owner);
  if (owner.kind === 'const') return owner.value === undefined || owner.value === null ? { kind: 'none' } : { kind: 'constant', text, at: place };
  const sources = sourcesOf(unit, owner, node);
  const made = sources.filter((s) => s.kind === 'made');
  if (made.some((s) => s.fresh === 'random' && s.scope === 'run')) return { kind: 'fresh' };
  if (repeatsKey(owner, acquire.key)) return { kind: 'entity', text, at: place };
  if (sources.some((s) => s.kind === 'given' || s.kind === 'unknown')) return { kind: sources.some((s) => s.kind === 'unknown') ? 'unknown' : 'given' };
  const fallback = sources.find((s) => s.kind === 'default');
  if (fallback !== undefined) return { kind: 'default', text: `'${fallback.text}'`, at: placeAt(fallback.at) };
  if (sources.length === 0) return { kind: 'constant', text, at: place };
  // A closure that is asked for one key after the other: `createLock()` gave it one owner.
  const isOuter = made.some((s) => s.scope === 'outer');
  if (isOuter && !isAskedForKeys(unit, acquire)) return { kind: 'unknown' };
  const kinds = new Set(made.map((s) => s.fresh));
  const madeAt = placeAt(made.find((s) => s.at !== undefined)?.at ?? sources.map(nodeOf).find((n) => n !== undefined));
  const isOne = kinds.size === 1 && sources.every((s) => s.kind === 'made');
  if (isOne && kinds.has('host')) return { kind: 'host', text, at: madeAt };
  if (isOne && kinds.has('process')) return { kind: 'process', text, at: madeAt };
  if (isOne && kinds.has('clock') && made.every((s) => s.scope === 'run')) return { kind: 'clock', text, at: place };
  // A process of a host can be told from others, and its clock tells one acquisition from the next.
  if (made.some((s) => s.fresh === 'clock' && s.scope === 'run')) return { kind: 'fresh' };
  return { kind: 'shared', text, at: madeAt, keyVaries: variesByCall(unit, acquire) };

  function placeAt(at: ts.Node | undefined): Place {
    return at === undefined || at.getSourceFile() !== unit.file ? place : unit.placeOf(at);
  }
}

function nodeOf(source: ValueSource): ts.Node | undefined {
  return 'at' in source ? source.at : undefined;
}

/** Where the call names the owner; the call itself where it is a part of something else. */
function ownerPlace(unit: Unit, call: AcquireOperation['node'], owner: Term): Place {
  const { ts } = unit;
  const isOwner = (e: ts.Expression): boolean => sameTerm(termOf(unit, e), owner);
  const find = (e: ts.Expression): ts.Expression | undefined => {
    if (isOwner(e)) return e;
    if (ts.isArrayLiteralExpression(e)) return e.elements.map(find).find((n) => n !== undefined);
    if (!ts.isObjectLiteralExpression(e)) return undefined;
    return e.properties.map((p) => (ts.isPropertyAssignment(p) ? find(p.initializer) : undefined)).find((n) => n !== undefined);
  };
  const found = ts.isCallExpression(call) ? call.arguments.map(find).find((n) => n !== undefined) : undefined;
  return unit.placeOf(found ?? call);
}

/** `set(`lock:${jobId}`, jobId)`: all who compete for the key write the same. */
function repeatsKey(owner: Term, key: Term): boolean {
  const parts = partsOf(owner);
  if (parts.length === 0 || parts.some(isNamedOwner)) return false;
  const ofKey = partsOf(key);
  return parts.every((p) => ofKey.some((k) => sameTerm(p, k)));
}

function isNamedOwner(term: Term): boolean {
  const name = term.kind === 'symbol' ? term.name : term.kind === 'path' ? term.prop : '';
  return name !== 'value' && slotRole(name) === 'owner';
}

function partsOf(term: Term): readonly Term[] {
  if (term.kind === 'const') return [];
  if (term.kind === 'template') return term.parts.flatMap(partsOf);
  if (term.kind === 'list') return term.items.flatMap(partsOf);
  return [term];
}

/** The key is made of what the caller hands over: acquisitions of one process may run at the same time. An object that knows its key is one lock. */
function variesByCall(unit: Unit, { key, node }: AcquireOperation): boolean {
  return partsOf(key).filter((p) => !isOwnField(p)).some((p) => sourcesOf(unit, p, node).some((s) => s.kind === 'given'));
}

/** The key is made of a parameter of the very function that takes the lock. */
function isAskedForKeys(unit: Unit, { key, node }: AcquireOperation): boolean {
  const fn = enclosingFunction(unit, node);
  const parameters = unit.ts.isFunctionLike(fn) ? fn.parameters : undefined;
  return parameters !== undefined && partsOf(key).some((p) => {
    const root = rootOf(p);
    const place = root.kind === 'symbol' && root.id.startsWith(`${unit.path}#`) ? Number(root.id.slice(unit.path.length + 1).replace('param', '')) : -1;
    return place >= parameters.pos && place < parameters.end;
  });
}

function ownerCompared(acquire: AcquireOperation, onSameKey: readonly Operation[]): OwnerCompared {
  const given = onSameKey.filter((o) => o.kind === 'release' || o.kind === 'extend');
  if (given.some((o) => o.ownerCheck === 'atomic' || (o.ownerCheck === 'contract' && o.owner !== undefined))) return 'compared';
  if (given.some((o) => o.ownerCheck === 'none')) return 'blind';
  // What an interface asks for it compares.
  return (acquire.evidence === 'declared' && acquire.ownerUnused !== true) || acquire.reenters === true ? 'compared' : 'nobody';
}

function isElection(unit: Unit, { key, node }: AcquireOperation): boolean {
  let text = '';
  walkTerm(key, (t) => {
    if (t.kind === 'const') text += ` ${String(t.value)}`;
  });
  return /leader|elect|primary|master/i.test(`${text} ${functionName(unit, enclosingFunction(unit, node))} ${classNames(unit, node)}`);
}

function classNames(unit: Unit, node: ts.Node): string {
  const { ts } = unit;
  for (let n = node; n.parent; n = n.parent) if ((ts.isClassDeclaration(n) || ts.isClassExpression(n)) && n.name !== undefined) return n.name.text;
  return '';
}
