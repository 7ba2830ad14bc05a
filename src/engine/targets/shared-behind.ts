import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import { fileOperations } from '../functions/file-operations.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { StateWrite } from '../operations/state-access.js';
import { moduleHead } from '../syntax/module-head.js';
import type { Unit } from '../syntax/unit.js';
import { sameTarget, within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { fileTransitions } from './file-transitions.js';
import type { LocalLock } from './local-locks.js';
import { lockCover } from './lock-cover.js';
import { identityOf } from './transition.js';

/** What a local lock stands before that other processes reach too. */
export interface SharedState {
  /** A write that nothing else keeps rivals out of. */
  readonly bare: { readonly unit: Unit; readonly node: ts.Node; readonly target: string } | undefined;
  /** A write whose own condition or lock keeps rivals out. */
  readonly guarded: { readonly unit: Unit; readonly node: ts.Node } | undefined;
  /** A call that keeps something by its name alone. */
  readonly named: ts.Node | undefined;
}

interface Code { readonly unit: Unit; readonly root: ts.Node }

/** Functions that the section calls are looked into this deep. */
const DEPTH = 2;
const KEEPS = /^(?:persist|save|store|insert|upsert|write)(?=[A-Z]|$)/;

/** The state behind a lock, in its section and in the functions that the section calls. */
export function sharedBehind(unit: Unit, lock: LocalLock): SharedState {
  const code = reached(lock.sections.map((root) => ({ unit, root })), DEPTH);
  const writes = code.flatMap(({ unit: u, root }) => writesIn(u, root));
  const distributed = code.flatMap(({ unit: u, root }) => fileOperations(u).all.filter((o) => o.kind === 'acquire' && within(o.node, root)).map((o) => ({ unit: u, node: o.node })))[0];
  const first = distributed === undefined ? writes.find((w) => !w.isGuarded) : undefined;
  const kept = writes.find((w) => w.isGuarded);
  const named = lock.sections.flatMap((root) => awaitedCalls(unit, root)).find((c) => unit.ts.isCallExpression(c) && KEEPS.test(lastName(unit, c)));
  return {
    bare: first && { unit: first.unit, node: first.write.node, target: first.write.target ?? 'rows' },
    guarded: distributed ?? (kept && { unit: kept.unit, node: kept.write.node }),
    named,
  };
}

function lastName({ ts }: Unit, call: ts.CallExpression): string {
  const callee = call.expression;
  return ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
}

function reached(from: readonly Code[], depth: number): readonly Code[] {
  const all = [...from];
  let next = from;
  for (let i = 0; i < depth; i++) {
    next = next.flatMap(({ unit, root }) => awaitedCalls(unit, root).flatMap((c): Code[] => {
      const called = unit.ts.isCallExpression(c) ? calledFunction(unit, c) : undefined;
      return called === undefined || all.some((a) => a.root === called.fn) ? [] : [{ unit: called.unit, root: called.fn }];
    }));
    all.push(...next);
  }
  return all;
}

interface FoundWrite { readonly unit: Unit; readonly write: StateWrite; readonly isGuarded: boolean }

/** Step state, and rows that are read and written in one section. A database in a file of the host is not shared. */
function writesIn(unit: Unit, root: ts.Node): readonly FoundWrite[] {
  const { accesses, transitions } = fileTransitions(unit);
  return accesses.flatMap((a): FoundWrite[] => {
    if (a.kind !== 'write' || a.layer === 'sqlite' || !within(a.node, root)) return [];
    const t = transitions.find((x) => x.write === a || x.write.node === a.node);
    if (t !== undefined) {
      const { grade } = t.grade;
      const isGuarded = grade === 'unknown' || grade >= 4 || t.protectedBy !== undefined || lockCover(unit, a.node, identityOf(a)).kind !== 'none';
      return [{ unit, write: a, isGuarded }];
    }
    const isRead = accesses.some((r) => r.kind === 'read' && within(r.node, root) && r.node.end <= a.node.pos + 1 && sameTarget(r, a));
    const isLocked = accesses.some((r) => r.kind === 'read' && r.lock !== 'none' && sameTarget(r, a));
    return isRead ? [{ unit, write: a, isGuarded: isLocked || a.locksRows }] : [];
  });
}

/** What shows that several processes run the code: a lock of a shared store, rows locked past each other, a queue, a function platform. */
export function manyProcesses(unit: Unit): { readonly node: ts.Node; readonly what: string } | undefined {
  const { ts } = unit;
  const shared = lockOperations(unit).find((o) => o.kind === 'acquire' && (o.evidence === 'model' || o.evidence === 'declared'));
  if (shared !== undefined) return { node: shared.node, what: 'a lock in a shared store' };
  const skipping = fileTransitions(unit).accesses.find((a) => (a.kind === 'read' && a.lock === 'skip-locked') || (a.kind === 'write' && a.locksRows));
  if (skipping !== undefined) return { node: skipping.node, what: 'rows that workers lock past each other' };
  const platform = moduleHead(unit).imports.find((s) => ts.isStringLiteral(s.moduleSpecifier) && PLATFORMS.test(s.moduleSpecifier.text));
  if (platform !== undefined) return { node: platform, what: 'a queue or platform that runs many copies' };
  const named = instanceName(unit);
  return named && { node: named, what: 'a name of one instance among others' };
}

const PLATFORMS = /^(?:bullmq|bull|pg-boss|(?:node:)?cluster|aws-lambda|@vercel\/functions|next\/server|@google-cloud\/functions-framework|@upstash\/qstash|@azure\/functions)$/;

/** `process.env.POD_NAME` */
function instanceName(unit: Unit): ts.Node | undefined {
  const { ts, file } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isPropertyAccessExpression(n) && /^(?:POD_NAME|DYNO|INSTANCE_ID|WORKER_ID|NODE_APP_INSTANCE|FLY_MACHINE_ID|FLY_ALLOC_ID|K_REVISION|AWS_LAMBDA_\w+|ECS_\w+)$/.test(n.name.text) && n.expression.getText(file) === 'process.env') found = n;
    else ts.forEachChild(n, visit);
  };
  if (unit.says(/process\.env\./)) visit(file);
  return found;
}
