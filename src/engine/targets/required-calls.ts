import type ts from 'typescript';
import { callersOf } from '../functions/callers.js';
import { callTerms } from '../functions/call-terms.js';
import { docTag } from '../syntax/doc-tags.js';
import { functionName, isFunctionWithBody } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from './file-transitions.js';
import { identityOf, type Transition } from './transition.js';

/** A call of a function that says `@requiresLock <param>`, as the write it leads to. */
export interface RequiredCall {
  readonly transition: Transition;
  /** What the lock has to cover, in the caller's terms. */
  readonly identity: readonly Term[];
}

/** The calls in a file of its functions that ask their callers for a lock. */
export function requiredCalls(unit: Unit): readonly RequiredCall[] {
  if (!unit.file.text.includes('@requiresLock')) return [];
  return fileTransitions(unit).transitions.flatMap((transition): RequiredCall[] => {
    const { fn } = transition;
    const parameter = unit.ts.isSourceFile(fn) ? undefined : docTag(unit, fn, 'requiresLock');
    if (parameter === undefined || !isFunctionWithBody(unit, fn)) return [];
    return callersOf(unit, fn).calls.map((call) => ({ transition: at(transition, call, functionName(unit, fn)), identity: named(unit, call, fn, parameter) ?? written(unit, call, transition) }));
  });
}

function at(transition: Transition, call: ts.CallExpression, through: string): Transition {
  return { ...transition, write: { ...transition.write, node: call }, through };
}

/** The row that is written, where the tag names no parameter. */
function written(unit: Unit, call: ts.CallExpression, { write, fn }: Transition): readonly Term[] {
  const terms = isFunctionWithBody(unit, fn) ? callTerms(unit, call, { unit, fn }) : undefined;
  return terms === undefined ? [] : identityOf(write).flatMap((t) => terms.inCaller(t) ?? []);
}

function named(unit: Unit, call: ts.CallExpression, fn: ts.FunctionLikeDeclaration, name: string): readonly Term[] | undefined {
  const parameter = fn.parameters.find((p) => unit.ts.isIdentifier(p.name) && p.name.text === name);
  const term = parameter !== undefined && unit.ts.isIdentifier(parameter.name) ? callTerms(unit, call, { unit, fn })?.inCaller(termOf(unit, parameter.name)) : undefined;
  return term && [term];
}
