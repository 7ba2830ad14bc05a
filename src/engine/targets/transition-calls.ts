import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { simulate } from '../flow/simulate.js';
import { calledFunction } from '../functions/called-function.js';
import { graphOf } from '../functions/function-graph.js';
import { wrapperForm } from '../functions/wrapper-form.js';
import type { ResultForm } from '../operations/result-form.js';
import { enclosingFunction, functionName, wholeValue } from '../syntax/expression.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from './file-transitions.js';
import { isGuardedSwap } from './guarded-swap.js';
import { workAfter } from './own-work.js';
import { STATE_VERB } from './state-verb.js';
import { isInFlight } from './step-words.js';
import type { Transition } from './transition.js';
import { Kept } from '../kept.js';

/** The calls of functions that answer whether their guarded write hit, each as that write in the place of the call. */
export function transitionCalls(unit: Unit): readonly Transition[] {
  const own = new Set(fileTransitions(unit).transitions.map((t) => lastName(t)));
  const found: Transition[] = [];
  for (const node of fileNodes(unit).calls) {
    const name = calledName(unit, node);
    // Through imports only where the answer is dropped: all else is too much to follow.
    const transition = own.has(name) || (STATE_VERB.test(name) && isDropped(unit, node)) ? transitionAt(unit, node) : undefined;
    if (transition !== undefined) found.push(transition);
  }
  return found;
}

function lastName({ unit, fn }: Transition): string {
  const name = functionName(unit, fn);
  return name.slice(name.lastIndexOf('.') + 1);
}

function isDropped(unit: Unit, call: ts.CallExpression): boolean {
  const whole = wholeValue(unit, call);
  return unit.ts.isExpressionStatement(whole.parent) || unit.ts.isVoidExpression(whole);
}

function transitionAt(unit: Unit, call: ts.CallExpression): Transition | undefined {
  const called = calledFunction(unit, call);
  if (called === undefined) return undefined;
  const inside = fileTransitions(called.unit).transitions.filter((t) => t.fn === called.fn);
  const [only, ...others] = inside;
  if (only === undefined || others.length > 0 || !isGuardedSwap(only)) return undefined;
  const result = formOf(only);
  if (result === undefined || result.lost.length === 0) return undefined;
  const { accesses } = fileTransitions(unit);
  const write = { ...only.write, node: call, result };
  const work = workAfter(unit, write, accesses.filter((a) => a.node !== call));
  const { work: _, readBefore: _r, reread: _t, secondWriter: _s, ...rest } = only;
  const claims = only.kind === 'claim' || (only.grade.to !== 'unknown' && only.grade.to.some(isInFlight) && work !== undefined);
  return { ...rest, unit, fn: enclosingFunction(unit, call), write, kind: claims ? 'claim' : only.kind, through: functionName(only.unit, only.fn), ...(work && { work }) };
}

const forms = new Kept<Transition, { readonly form: ResultForm | undefined }>();

/** What the function answers on a hit and on a miss; undefined where that cannot be told. */
function formOf(transition: Transition): ResultForm | undefined {
  const known = forms.get(transition);
  if (known !== undefined) return known.form;
  const { unit, write, fn } = transition;
  const graph = graphOf(unit, fn);
  const worlds = graph && simulate(unit, graph, { acquires: new Map([[write.node, write.result]]), releases: new Set(), escapes: () => false, recalls: () => false });
  const form = worlds && wrapperForm(unit, { node: write.node, result: write.result, owner: undefined }, worlds);
  const told = form?.label === 'unknown' ? undefined : form;
  forms.set(transition, { form: told });
  return told;
}
