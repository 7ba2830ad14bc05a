import type ts from 'typescript';
import { sameKey } from '../operations/lock-keys.js';
import { showTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { callTerms } from './call-terms.js';
import { calledFunction } from './called-function.js';
import { fileOperations } from './file-operations.js';

/** Whether a call looks at a key, itself or in the function it calls. Keys that read alike count as one. */
export function readsKey(unit: Unit, call: ts.CallExpression, key: Term): boolean {
  const own = fileOperations(unit).at(call);
  if (own !== undefined) return isAlike(own.key, key);
  const called = calledFunction(unit, call);
  const looks = called === undefined ? [] : fileOperations(called.unit).in(called.fn).filter((o) => o.kind === 'inspect');
  if (called === undefined || looks.length === 0) return false;
  const terms = callTerms(unit, call, called);
  return looks.some((o) => {
    const there = terms?.inCaller(o.key);
    return there !== undefined && isAlike(there, key);
  });
}

function isAlike(a: Term, b: Term): boolean {
  return sameKey(a, b) || showTerm(a) === showTerm(b);
}
