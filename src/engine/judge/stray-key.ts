import type ts from 'typescript';
import { sameKey } from '../operations/lock-keys.js';
import { lockRole } from '../operations/lock-words.js';
import type { AcquireOperation, ExtendOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import { compareTerms, sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import { rootOf, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** A release or renewal that misses the key of the acquire it belongs to. `sure`: the texts differ whatever stands for the names. */
export interface Stray {
  readonly acquire: AcquireOperation;
  readonly sure: boolean;
}

type Given = ReleaseOperation | ExtendOperation;

/**
 * The releases and renewals of a file whose key is provably none that the file takes, each with the acquire it must belong to: the one of its function, or of the method
 * beside it, that nothing else gives back. A plain command counts only where it stands as a release does: it may be about data.
 */
export function strayKeys(unit: Unit, all: readonly Operation[]): ReadonlyMap<Operation, Stray> {
  const { ts } = unit;
  const acquires = all.filter((o): o is AcquireOperation => o.kind === 'acquire' && o.link === 'key' && o.scope === 'manual');
  const given = all.filter((o): o is Given => (o.kind === 'release' || o.kind === 'extend') && o.link === 'key');
  const strays = new Map<Operation, Stray>();
  for (const o of given) {
    const found = strayOf(o);
    if (found !== undefined) strays.set(o, found);
  }
  return strays;

  function strayOf(o: Given): Stray | undefined {
    const fn = enclosingFunction(unit, o.node);
    const near = acquires.filter((a) => enclosingFunction(unit, a.node) === fn);
    if (near.length > 0) return near.some((a) => sameTerm(a.key, o.key)) ? undefined : paired(o, near.filter((a) => a.node.pos < o.node.pos), fn);
    if (o.kind !== 'release' || ts.isSourceFile(fn) || acquires.some((a) => sameKey(a.key, o.key)) || lockRole(lastName(fn)) !== 'release') return undefined;
    const [only, ...others] = acquires.filter((a) => a.evidence === 'model' && o.evidence === 'model' && lockRole(lastName(enclosingFunction(unit, a.node))) === 'acquire' && isBeside(enclosingFunction(unit, a.node), fn));
    const keysDiffer = only === undefined ? undefined : compareTerms(only.key, o.key) === 'different' ? 'different' : isPrefixMissing(only, o) ? 'bare' : undefined;
    return only === undefined || others.length > 0 || isGivenBack(only, o, (n) => isBeside(enclosingFunction(unit, n), fn)) || !isSameStore(only, o) || keysDiffer === undefined ? undefined : { acquire: only, sure: keysDiffer === 'different' };
  }

  /** `lock:${id}` is taken, and a function beside it frees `id` under the same name: the prefix is forgotten. Not where the acquire hands its key out. */
  function isPrefixMissing(a: AcquireOperation, o: Given): boolean {
    const [hole, ...more] = a.key.kind === 'template' ? holesOf(a.key) : [];
    if (more.length > 0 || hole?.kind !== 'symbol' || o.key.kind !== 'symbol' || hole.name !== o.key.name || /key$/i.test(hole.name)) return false;
    const [taker, freer] = [enclosingFunction(unit, a.node), enclosingFunction(unit, o.node)];
    if (!isHanded(unit, hole, taker) || !isHanded(unit, o.key, freer)) return false;
    let handsOut = false;
    const look = (n: ts.Node): void => {
      if (ts.isReturnStatement(n) && n.expression !== undefined) answer(n.expression);
      ts.forEachChild(n, look);
    };
    const answer = (n: ts.Node): void => {
      if ((ts.isIdentifier(n) || ts.isTemplateExpression(n)) && sameTerm(termOf(unit, n), a.key)) handsOut = true;
      ts.forEachChild(n, answer);
    };
    look(taker);
    return !handsOut;
  }

  function paired(o: Given, near: readonly AcquireOperation[], fn: ts.Node): Stray | undefined {
    const elsewhere = acquires.some((a) => !near.includes(a) && sameTerm(a.key, o.key));
    const [only, ...others] = near.filter((a) => isSameStore(a, o) && (isOfOneOwner(a, o) || !isGivenBack(a, o, (n) => enclosingFunction(unit, n) === fn)));
    if (elsewhere || only === undefined || others.length > 0) return undefined;
    const relation = keyRelation(unit, only.key, o.key, fn);
    if (relation === undefined || (isPlainCommand(o) && !standsAsRelease(o, only))) return undefined;
    return { acquire: only, sure: relation === 'different' };
  }

  /** A renewal in the name of the very owner that took the one lock is about that lock, whoever gives it back. */
  function isOfOneOwner(a: AcquireOperation, o: Given): boolean {
    return o.kind === 'extend' && a.owner !== undefined && o.owner !== undefined && sameTerm(a.owner, o.owner);
  }

  function isGivenBack(a: AcquireOperation, but: Given, isNear: (node: ts.Node) => boolean): boolean {
    return given.some((o) => o !== but && o.kind === 'release' && isNear(o.node) && sameKey(o.key, a.key) && !isRenamed(a, o));
  }

  function isRenamed(a: AcquireOperation, o: Given): boolean {
    const fn = enclosingFunction(unit, o.node);
    return fn === enclosingFunction(unit, a.node) && keyRelation(unit, a.key, o.key, fn) !== undefined;
  }

  /** A DEL of a key that is called a lock, or is about the same row, where the work is over. */
  function standsAsRelease(o: Given, a: AcquireOperation): boolean {
    return o.kind === 'release' && isInFinally(o.node) && (/lock|lease|mutex/i.test(textOf(o.key)) || holesOf(a.key).some((h) => holesOf(o.key).some((k) => sameTerm(h, k))));
  }

  function isInFinally(node: ts.Node): boolean {
    for (let n = node; n.parent && !ts.isFunctionLike(n); n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return true;
    return false;
  }

  function lastName(fn: ts.Node): string {
    const whole = functionName(unit, fn);
    return whole.slice(whole.lastIndexOf('.') + 1);
  }

  /** Members of one class or object, or functions of the file. */
  function isBeside(a: ts.Node, b: ts.Node): boolean {
    const holder = (n: ts.Node): ts.Node => (ts.isPropertyAssignment(n.parent) || ts.isPropertyDeclaration(n.parent) ? n.parent.parent : ts.isVariableDeclaration(n.parent) ? unit.file : n.parent);
    return holder(a) === holder(b);
  }
}

/** Plain Redis commands serve data as well as locks. */
function isPlainCommand({ api }: Operation): boolean {
  return /^(?:DEL|UNLINK|EXPIRE|PEXPIRE|SET XX|EVALSHA)$/.test(api);
}

function isSameStore(a: AcquireOperation, o: Given): boolean {
  if (a.evidence !== o.evidence || familyOf(a) !== familyOf(o)) return false;
  return a.receiver === undefined || o.receiver === undefined ? a.receiver === o.receiver : sameTerm(a.receiver, o.receiver);
}

function familyOf({ api, evidence }: Operation): string {
  if (evidence !== 'model') return evidence;
  return api.startsWith('pg_') ? 'advisory' : /^(?:SET NX|SETNX|SET XX|redis script|EVALSHA|DEL|UNLINK|EXPIRE|PEXPIRE)$/.test(api) ? 'redis' : api;
}

/**
 * Why two keys of one function differ. `different`: their texts do. `renamed`: the same text is filled with two names that the function was handed, or with two properties of
 * one of them. Undefined where they may be the same.
 */
function keyRelation(unit: Unit, a: Term, b: Term, fn: ts.Node): 'different' | 'renamed' | undefined {
  if (sameTerm(a, b)) return undefined;
  const [p, q] = [holesOf(a), holesOf(b)];
  if (compareTerms(a, b) === 'different') return 'different';
  if (p.length !== q.length) return undefined;
  const pairs = p.map((h, i) => [h, q[i]] as const);
  if (pairs.every(([h, k]) => k !== undefined && sameTerm(h, k))) return textOf(a) === textOf(b) ? undefined : 'different';
  if (textOf(a) !== textOf(b)) return undefined;
  return pairs.every(([h, k]) => k !== undefined && (sameTerm(h, k) || (isHanded(unit, h, fn) && isHanded(unit, k, fn)))) ? 'renamed' : undefined;
}

function isHanded(unit: Unit, term: Term, fn: ts.Node): boolean {
  const root = rootOf(term);
  if (root.kind !== 'symbol' || !root.id.startsWith(`${unit.path}#`)) return false;
  const place = Number(root.id.slice(unit.path.length + 1).replace('param', ''));
  const parameters = unit.ts.isFunctionLike(fn) ? fn.parameters : undefined;
  return parameters !== undefined && place >= parameters.pos && place < parameters.end;
}

function holesOf(key: Term): readonly Term[] {
  if (key.kind === 'const') return [];
  if (key.kind === 'list') return key.items.flatMap(holesOf);
  return key.kind === 'template' ? key.parts.filter((p) => p.kind !== 'const') : [key];
}

function textOf(key: Term): string {
  if (key.kind === 'const') return String(key.value);
  if (key.kind === 'list') return key.items.map(textOf).join();
  return key.kind === 'template' ? key.parts.map((p) => (p.kind === 'const' ? String(p.value) : '*')).join('') : '*';
}
