import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import { UNKNOWN_FORM } from '../operations/result-form.js';
import type { StateRead } from '../operations/state-access.js';
import { template, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { factsApart } from './lock-facts.js';
import { pinningOf } from './pinning.js';
import { quoted } from './quoted.js';
import type { AcquisitionSubject } from './subject.js';
import { writeBeside } from './writes-beside.js';

/** The reads of a file that lock rows, each as the acquisition it is. `taken`: nodes that are lock operations already. */
export function rowLockSubjects(unit: Unit, taken: ReadonlySet<ts.Node>): AcquisitionSubject[] {
  const reads = fileTransitions(unit).accesses.filter((a): a is StateRead => a.kind === 'read' && a.lock !== 'none' && !taken.has(a.node));
  return reads.map((read): AcquisitionSubject => {
    const operation = operationOf(read);
    return {
      ...factsApart(unit, operation),
      kind: 'A', unit, operation, key: quoted(read.target ?? 'rows', 28), keyIsTelling: true, onSameKey: [], besides: [], claim: false, plainlyLock: true, locksRow: true, inAsync: true,
      promise: () => ({ kind: 'unknown' }),
      pinning: () => pinningOf(unit, read.node, 'transaction', read.layer), writeBeside: () => (read.target === undefined ? undefined : writeBeside(unit, read.node, read.target)),
    };
  });
}

function operationOf(read: StateRead): AcquireOperation {
  const identity = read.where.find((c) => c.op === 'eq' && c.values.length === 1)?.values[0];
  const row: Term[] = identity === undefined ? [] : [{ kind: 'const', value: ' ' }, identity];
  const table: Term = { kind: 'const', value: `locked row of ${read.target ?? 'a table'}` };
  return {
    kind: 'acquire', node: read.node, api: 'FOR UPDATE', key: row.length === 0 ? table : template([table, ...row]), evidence: 'model', owner: undefined, hasOwnerSlot: false,
    ttl: { kind: 'lapses-otherwise' }, bare: false, result: UNKNOWN_FORM, link: 'connection', scope: 'transaction', receiver: read.client,
  };
}
