import { expect, test } from 'vitest';
import { messageCall } from '../../../src/engine/operations/message-call.js';
import { callOf, unitOf } from '../targets/hand-made.js';

test.each([
  ['a step of its own', 'await publishRun(run);', 'event'],
  ['not waited for', 'publishRun(run);', 'event'],
  ['built into a value', 'await db.record.create({ ...publishRun(run) });', undefined],
  ['a member of a value', 'const row = { fields: publishRun(run) };', undefined],
])('a function named for sending, %s', (_, text, kind) => {
  const unit = unitOf(`async function end(db, run) { ${text} }`);
  expect(messageCall(unit, callOf(unit, 'publishRun'))?.kind).toBe(kind);
});
