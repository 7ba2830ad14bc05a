import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { lockRole, runsUnderLock } from '../operations/lock-words.js';
import type { Operation } from '../operations/operation.js';
import { showTerm } from '../syntax/term.js';
import { functionName, isFunctionWithBody, nameText } from '../syntax/expression.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { alwaysGranted } from './always-granted.js';
import { contextOf } from './implementation-context.js';
import type { ImplementationSubject, ImplementedOperation } from './implementation-subject.js';
import { silentOperations } from './lock-events.js';
import { unaskedGrant } from './unasked-grant.js';
import { splitAcquires, type SplitAcquire } from './split-acquire.js';

const SPEAKS = /lock|lease|mutex|semaphore|acquire|exclusive/i;

/** The locks that a file makes: classes and objects with the operations of one, functions that take one by hand, and functions that run a section under one. */
export function implementationSubjects(unit: Unit): ImplementationSubject[] {
  const { ts } = unit;
  const found = new Map<ts.Node, ImplementationSubject>();
  const members = new Set<ts.Node>();
  for (const n of unit.says(SPEAKS) ? fileNodes(unit).all : []) {
    const operations = operationsOf(n);
    if (operations.length > 0) add(n, operations);
    for (const o of operations) members.add(o.fn);
  }
  for (const split of splitAcquires(unit)) if (!found.has(split.fn)) add(split.fn, [], split);
  return [...found.values()];

  function add(node: ts.Node, operations: readonly ImplementedOperation[], split?: SplitAcquire): void {
    found.set(node, {
      kind: 'I', unit, node, operations, place: unit.placeOf(node), name: isFunctionWithBody(unit, node) ? functionName(unit, node) : contextOf(unit, node).name,
      alwaysGranted: () => alwaysGranted(unit, node, operations),
      unaskedGrant: () => unaskedGrant(unit, operations),
      splitAcquire: () => split,
      silent: () => silentOperations(unit, operations),
    });
  }

  function operationsOf(n: ts.Node): readonly ImplementedOperation[] {
    if (ts.isClassLike(n) || ts.isObjectLiteralExpression(n)) return memberOperations(n);
    if (isFunctionWithBody(unit, n) && !members.has(n)) return functionOperations(n);
    return [];
  }

  /** An acquire and its release, or a function that runs another one under the lock, of something that is called a lock or takes one. */
  function memberOperations(n: ts.ClassLikeDeclaration | ts.ObjectLiteralExpression): readonly ImplementedOperation[] {
    const operations = [...(ts.isClassLike(n) ? n.members : n.properties)].flatMap((m): ImplementedOperation[] => {
      const fn = functionOf(m);
      if (fn === undefined) return [];
      const name = m.name !== undefined ? nameText(unit, m.name) : '';
      const role = runsUnderLock(name) ? 'section' : lockRole(name);
      return role === undefined ? [] : [{ role, name, fn }];
    });
    const has = (role: ImplementedOperation['role']): boolean => operations.some((o) => o.role === role);
    if (!has('section') && !has('acquire')) return [];
    if (contextOf(unit, n).speaksOfLocks) return operations;
    // A pool of connections has an acquire and a release too.
    return (has('section') || has('release')) && lockOperations(unit).some((o) => o.kind !== 'inspect' && o.node.pos >= n.pos && o.node.end <= n.end) ? operations : [];
  }

  function functionOf(m: ts.ClassElement | ts.ObjectLiteralElementLike): ts.FunctionLikeDeclaration | undefined {
    if (ts.isMethodDeclaration(m)) return m.body === undefined ? undefined : m;
    const value = (ts.isPropertyDeclaration(m) || ts.isPropertyAssignment(m)) ? m.initializer : undefined;
    return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
  }

  /** A function that stands where a lock's function is wanted, or that takes a lock, works under it and gives it back. */
  function functionOperations(fn: ts.FunctionLikeDeclaration): readonly ImplementedOperation[] {
    const inner = lockOperations(unit).filter((o) => o.node.pos >= fn.pos && o.node.end <= fn.end);
    const isSection = inner.some((o) => o.kind === 'acquire' && o.scope === 'manual') && inner.some((o) => o.kind === 'release') && runsWork(fn, inner);
    const name = functionName(unit, fn);
    if (isSection) return [{ role: 'section', name, fn }];
    if (!ts.isArrowFunction(fn) && !ts.isFunctionExpression(fn)) return [];
    const context = contextOf(unit, fn);
    return context.isAlternative && runsUnderLock(context.name) ? [{ role: 'section', name: context.name, fn }] : [];
  }

  /** It runs what it is handed, or moves a state from one value to another; two ends that have a lock each are no states. */
  function runsWork(fn: ts.FunctionLikeDeclaration, inner: readonly Operation[]): boolean {
    const names = new Set(fn.parameters.flatMap((p) => (ts.isIdentifier(p.name) ? [p.name.text] : [])));
    const isLocked = (name: string): boolean => inner.some((o) => new RegExp(`\\b${name}\\b`).test(showTerm(o.key)));
    if (names.has('from') && names.has('to') && !isLocked('from') && !isLocked('to')) return true;
    let found = false;
    const look = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && ts.isIdentifier(n.expression) && names.has(n.expression.text)) found = true;
      if (!found) ts.forEachChild(n, look);
    };
    if (fn.body !== undefined) look(fn.body);
    return found;
  }
}
