import type ts from 'typescript';
import type { World } from '../flow/simulate.js';
import { sameKey } from '../operations/lock-keys.js';
import { lockRole } from '../operations/lock-words.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { memberNames, present, typeOf } from '../syntax/declared-type.js';
import { bare, followed, isFunctionWithBody, nameText, settled } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { NO_GRANT, type FreeTraits, type Grant } from './summary.js';
import { returnOf } from './wrapper-form.js';

/** What the caller gets when the lock was granted: the owner token, functions that give the lock back. Told only where all granted paths return the same. */
export function grantOf(unit: Unit, acquire: AcquireOperation, inner: Grant, operations: readonly Operation[], worlds: readonly World[]): Grant {
  const { ts } = unit;
  const values = new Set<ts.Expression>();
  for (const w of worlds) {
    if (w.at.kind !== 'exit' || w.hold !== 'held') continue;
    const value = returnOf(unit, w)?.value;
    if (value === undefined) return NO_GRANT;
    values.add(value);
  }
  const [only, ...others] = values;
  if (only === undefined || others.length > 0) return NO_GRANT;
  const value = followed(unit, only);
  if (isAnswer(only) || isAnswer(value)) return acquire.link === 'handle' && inner.frees.size === 0 ? handleOf(only) : inner;
  const frees = new Map<string, FreeTraits>();
  addFree('', only);
  let owner = isOwner(only) ? '' : undefined;
  for (const [name, part] of partsOf(value)) {
    addFree(name, part);
    if (owner === undefined && isOwner(part)) owner = name;
  }
  if (ts.isObjectLiteralExpression(value)) for (const p of value.properties) if (ts.isMethodDeclaration(p)) addBody(nameText(unit, p.name), p);
  if (ts.isNewExpression(value)) for (const [name, traits] of handleOf(value).frees) frees.set(name, traits);
  return { owner, frees };

  function isAnswer(e: ts.Expression): boolean {
    return settled(unit, e) === acquire.node || sameTerm(termOf(unit, e), answerTerm());
  }

  function answerTerm(): ReturnType<typeof termOf> {
    const whole = acquire.node.parent;
    const holder = ts.isAwaitExpression(whole) ? whole.parent : whole;
    return ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name) ? termOf(unit, holder.name) : termOf(unit, acquire.node);
  }

  function isOwner(e: ts.Expression): boolean {
    if (acquire.owner !== undefined && acquire.owner.kind !== 'const' && sameTerm(termOf(unit, e), acquire.owner)) return true;
    return inner.owner === '' && isAnswer(e);
  }

  function addFree(name: string, e: ts.Expression): void {
    const part = followed(unit, e);
    if (inner.frees.has('') && isAnswer(part)) frees.set(name, inner.frees.get('') ?? UNSURE);
    const body = functionOf(part);
    if (body !== undefined) addBody(name, body);
  }

  function addBody(name: string, body: ts.Node): void {
    const release = operations.find((o) => o.kind === 'release' && within(o.node, body) && (sameKey(o.key, acquire.key) || sameTerm(o.key, acquire.key)));
    if (release?.kind === 'release') frees.set(name, { ownerCheck: release.ownerCheck, ifNotHeld: release.ifNotHeld });
  }

  function functionOf(e: ts.Expression): ts.Node | undefined {
    if (isFunctionWithBody(unit, e)) return e;
    const d = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
    return d !== undefined && ts.isFunctionDeclaration(d) ? d : undefined;
  }

  function partsOf(e: ts.Expression): (readonly [string, ts.Expression])[] {
    if (ts.isArrayLiteralExpression(e)) return e.elements.map((x, i) => [String(i), x] as const);
    if (!ts.isObjectLiteralExpression(e)) return [];
    return e.properties.flatMap((p): (readonly [string, ts.Expression])[] => {
      if (ts.isPropertyAssignment(p)) return [[nameText(unit, p.name), p.initializer]];
      return ts.isShorthandPropertyAssignment(p) ? [[p.name.text, p.name]] : [];
    });
  }

  /** An object that gives itself back, by its declared methods. */
  function handleOf(e: ts.Expression): Grant {
    const type = present(typeOf(unit, bare(unit, e)));
    const names = type.kind === 'object' ? memberNames(type).filter((n) => lockRole(n) === 'release') : ['release', 'unlock'];
    return { owner: undefined, frees: new Map(names.map((n) => [n, UNSURE])) };
  }
}

const UNSURE: FreeTraits = { ownerCheck: 'contract', ifNotHeld: 'unknown' };

function within(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}
