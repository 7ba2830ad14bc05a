import { expect, test } from 'vitest';
import type { StateAccess, StateWrite } from '../../../src/engine/operations/state-access.js';
import { secondWriterOf } from '../../../src/engine/judge/second-writer.js';
import { UNKNOWN_ACTOR } from '../../../src/engine/targets/actor.js';
import { transitionsOf } from '../../../src/engine/targets/transition.js';
import rule from '../../../rules/require-cas.js';
import { renderMessage } from '../../../src/engine/judge/rule.js';
import { lockOfWrite } from '../../../src/engine/judge/lock-of-write.js';
import type { Outcome } from '../../../src/engine/judge/outcome.js';
import type { Unit } from '../../../src/engine/syntax/unit.js';
import { callOf, ID, put, readAt, unitOf, when, writeAt } from './hand-made.js';

const CLAIM = unitOf(`
export async function start(db, id) {
  const row = await db.read(id);
  if (row.status !== 'pending') return;
  const hit = await db.write(id);
  if (!hit) return;
  await execute(id);
}
export async function cancel(db, id) { await db.cancel(id); }
`);
const FINISH = unitOf('export async function end(db, id) { const hit = await db.claim(id); if (!hit) return; await work(); await db.write(id); } async function cancel(db, id) { await db.cancel(id); }');

function outcomes(unit: Unit, ...accesses: readonly StateAccess[]): Outcome[] {
  return transitionsOf(unit, accesses, () => false).map((transition) => rule.judge({ kind: 'T', unit, transition, place: unit.placeOf(transition.write.node), asksForLock: false, isListed: false, site: '', actor: () => UNKNOWN_ACTOR, rival: () => secondWriterOf(transition, undefined, 'file'), taker: () => undefined, answer: () => undefined, triedLocks: () => [], serial: () => undefined, guards: () => undefined, split: () => ({ kind: 'none' }), reads: () => ({ kind: 'none' }), moves: () => ({ kind: 'none' }), token: () => undefined, lock: () => lockOfWrite(transition, [], 'file') }));
}

function statusOf(unit: Unit, over: Partial<StateWrite>, ...others: readonly StateAccess[]): string | undefined {
  return outcomes(unit, writeAt(callOf(unit, 'db.write'), over), ...others)[0]?.status;
}

test('a claim by id after a read is certainly violated, and the message fits', () => {
  const [outcome] = outcomes(CLAIM, writeAt(callOf(CLAIM, 'db.write')), readAt(callOf(CLAIM, 'db.read')));
  expect(outcome).toMatchObject({ status: 'violated', certainty: 'certain', messageId: 'claim' });
  if (outcome?.status !== 'violated') return;
  expect(outcome.witness.map((s) => s.role)).toEqual(['read', 'write', 'call', 'enter']);
  expect(renderMessage(rule, outcome.messageId, outcome.data).length).toBeLessThan(240);
});

const id = when('id', 'eq', ID);
test.each([
  ['the expected state', { where: [id, when('status', 'eq', 'pending')] }, 'verified'],
  ['a list that holds the new state', { where: [id, when('status', 'in', 'pending', 'running')] }, 'violated'],
  ['excluded states', { where: [id, when('status', 'not-in', 'done', 'failed')] }, 'violated'],
  ['a version', { where: [id, when('version', 'eq', ID)] }, 'verified'],
  ['a guard that may be absent', { where: [id, { ...when('status', 'eq', 'pending'), mayBeAbsent: true }] }, 'unknown'],
  ['a condition from elsewhere', { whereOpen: true }, 'unknown'],
  ['rows that the statement locks', { locksRows: true }, 'verified'],
  ['a state that the store computes', { set: [put('status', undefined, 'store')] }, 'not-applicable'],
  ['a verb alone', { verb: 'verb', set: [], method: 'markRunning' }, 'unknown'],
] satisfies [string, Partial<StateWrite>, string][])('a claim with %s', (_, over, status) => {
  expect(statusOf(CLAIM, over)).toBe(status);
});

test('a row lock protects an update and no upsert', () => {
  const locked = readAt(callOf(CLAIM, 'db.read'), { lock: 'wait' });
  expect(statusOf(CLAIM, {}, locked)).toBe('verified');
  expect(statusOf(CLAIM, { verb: 'upsert' }, locked)).toBe('violated');
});

test('a finish has to exclude every final state that the file names', () => {
  const cancel = writeAt(callOf(FINISH, 'db.cancel'), { set: [put('status', 'cancelled')], where: [id, when('status', 'eq', 'running')] });
  const done = { set: [put('status', 'done')] };
  expect(statusOf(FINISH, { ...done, where: [id, when('status', 'not-in', 'failed', 'cancelled')] }, cancel)).toBe('verified');
  expect(statusOf(FINISH, { ...done, where: [id, when('status', 'not-in', 'failed')] }, cancel)).toBe('violated');
  expect(statusOf(FINISH, done, cancel)).toBe('violated');
});

test('a claim that was won before protects the finish, until another writer can take the row', () => {
  const claim = writeAt(callOf(FINISH, 'db.claim'), { where: [id, when('status', 'eq', 'pending')] });
  const cancel = writeAt(callOf(FINISH, 'db.cancel'), { set: [put('status', 'cancelled')], where: [id, when('status', 'in', 'pending', 'running')] });
  expect(statusOf(FINISH, { set: [put('status', 'done')] }, claim)).toBe('verified');
  expect(statusOf(FINISH, { set: [put('status', 'done')] }, claim, cancel)).toBe('violated');
});

test('what is no step state is no subject', () => {
  expect(statusOf(FINISH, { target: 'users', set: [put('status', 'active')] })).toBeUndefined();
  expect(statusOf(CLAIM, { set: [put('locked_until', undefined, 'store')] })).toBeUndefined();
  expect(statusOf(CLAIM, { set: [put('retries', undefined, 'old-value')] })).toBeUndefined();
  expect(statusOf(CLAIM, { verb: 'delete', set: [] })).toBeUndefined();
});

test('a whole column computed from a row read before is lost work of another', () => {
  const unit = unitOf(`export async function merge(db, id, item) {
    const { rows } = await db.read(id);
    const results = { ...rows[0].results, item };
    await db.write(id, JSON.stringify(results));
  }`);
  const node = callOf(unit, 'db.write').arguments[1];
  const write = { set: [{ ...put('results', undefined), node }] };
  expect(outcomes(unit, writeAt(callOf(unit, 'db.write'), write), readAt(callOf(unit, 'db.read')))[0]).toMatchObject({ status: 'violated', messageId: 'merge', certainty: 'likely' });
  expect(statusOf(unit, write)).toBeUndefined();
});
