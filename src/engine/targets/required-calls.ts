import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { callTerms } from '../functions/call-terms.js';
import { calledFunction } from '../functions/called-function.js';
import { programCallers, type ProgramCall } from '../functions/program-callers.js';
import { docTag } from '../syntax/doc-tags.js';
import { enclosingFunction, functionName, isFunctionWithBody } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import { isToldSingleWriter } from '../syntax/told-facts.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from './file-transitions.js';
import { lockCover } from './lock-cover.js';
import { identityOf, type Transition } from './transition.js';
import { STATE_VERB } from './state-verb.js';
import { Kept } from '../kept.js';

/** A call of a function that asks its callers for a lock, as the write it leads to. */
export interface RequiredCall {
  /** The write in the place of the call; its unit is that of the call. */
  readonly transition: Transition;
  /** The file the write stands in. */
  readonly from: Unit;
  /** What the lock has to cover, in the caller's terms. */
  readonly identity: readonly Term[];
  /** `by-tag`: the function says `@requiresLock`. `by-callers`: other callers of it hold the lock, this one does not. */
  readonly asks: 'by-tag' | 'by-callers';
  /** A call of the same function that holds the lock, and the key. */
  readonly locked?: ProgramCall & { readonly key: Term };
}

const known = new Kept<Unit, readonly RequiredCall[]>();

/** The calls, in all files in reach, of a file's functions that ask their callers for a lock. */
export function requiredCalls(unit: Unit): readonly RequiredCall[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = fileTransitions(unit).transitions.flatMap((t) => askedBy(t));
  known.set(unit, found);
  return found;
}

function askedBy(transition: Transition): RequiredCall[] {
  const { unit, fn, write } = transition;
  if (unit.ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn)) return [];
  const through = functionName(unit, fn);
  const parameter = unit.holdsTag('requiresLock') ? docTag(unit, fn, 'requiresLock') : undefined;
  if (parameter !== undefined) {
    return programCallers(unit, fn).calls.map((site) => ({ transition: at(transition, site, through), identity: named(unit, site, fn, parameter) ?? written(site, transition), asks: 'by-tag', from: unit }));
  }
  if (isToldSingleWriter(unit, fn)) return [];
  const cover = lockCover(unit, write.node, identityOf(write));
  if (cover.kind !== 'partly') return [];
  return cover.unlocked.map((site) => ({ transition: at(transition, site, calledName(site.unit, site.call)), identity: site.identity, asks: 'by-callers', from: unit, locked: { ...cover.locked, key: cover.key } }));
}

/** The calls in a file of functions of other files that ask for a lock: for one file on its own, whose callees are not judged beside it. */
export function requiredByOthers(unit: Unit): readonly RequiredCall[] {
  const { ts } = unit;
  const found: RequiredCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && STATE_VERB.test(calledName(unit, node))) {
      const called = calledFunction(unit, node);
      if (called !== undefined && called.unit !== unit) found.push(...requiredCalls(called.unit).filter((r) => r.transition.write.node === node));
    }
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  return found;
}

/** The write in the place of the call. What the call answers is not what the write answers, and what stands around the write does not stand here. */
function at(transition: Transition, { unit, call }: ProgramCall, through: string): Transition {
  const { write, work: _w, readBefore: _r, reread: _t, secondWriter: _s, staleRetry: _u, ...rest } = transition;
  return { ...rest, unit, fn: enclosingFunction(unit, call), write: { ...write, node: call, result: { ...write.result, lost: [] } }, through };
}

/** The row that is written, where the tag names no parameter. */
function written({ unit: from, call }: ProgramCall, { unit, write, fn }: Transition): readonly Term[] {
  const terms = isFunctionWithBody(unit, fn) ? callTerms(from, call, { unit, fn }) : undefined;
  return terms === undefined ? [] : identityOf(write).flatMap((t) => terms.inCaller(t) ?? []);
}

function named(unit: Unit, { unit: from, call }: ProgramCall, fn: ts.FunctionLikeDeclaration, name: string): readonly Term[] | undefined {
  const parameter = fn.parameters.find((p) => unit.ts.isIdentifier(p.name) && p.name.text === name);
  const term = parameter !== undefined && unit.ts.isIdentifier(parameter.name) ? callTerms(from, call, { unit, fn })?.inCaller(termOf(unit, parameter.name)) : undefined;
  return term && [term];
}
