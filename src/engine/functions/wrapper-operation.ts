import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { resultNames } from '../flow/result-names.js';
import { scopeOf } from '../operations/lock-records.js';
import type { AcquireOperation, ExtendOperation, Operation, ReleaseOperation, TtlGiven } from '../operations/operation.js';
import { bare, nameText, propertyOf, wholeValue } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import type { Binding } from '../syntax/scope.js';
import { freshnessOf, member, UNDEFINED, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { callTerms, type CallTerms } from './call-terms.js';
import type { WrapperCall } from './called-function.js';
import type { CallbackSlot, FunctionSummary } from './summary.js';

/** What a call of a summarised function does, in the terms of its caller. Undefined where the key is not made of what the caller hands over, or of constants. */
export function wrapperOperation(unit: Unit, { call, called }: WrapperCall, summary: FunctionSummary): Operation | undefined {
  const { ts } = unit;
  const terms = callTerms(unit, call, called);
  const key = terms?.inCaller(summary.operation.key);
  if (terms === undefined || key === undefined || (key.kind === 'const' && key.value === undefined)) return undefined;
  const receiver = ts.isPropertyAccessExpression(call.expression) ? termOf(unit, call.expression.expression) : undefined;
  const base = { node: call, api: calledName(unit, call), key, evidence: 'body' as const, receiver };
  if (summary.kind === 'acquire') return acquireCall(unit, call, base, summary, terms);
  const { operation } = summary;
  const handle = operation.handle && terms.inCaller(operation.handle);
  const given = { ...base, link: operation.link, handle, ...ownerOf(operation, terms), ownerCheck: operation.ownerCheck };
  if (summary.kind === 'release') return { ...given, kind: 'release', ifNotHeld: summary.always || summary.operation.ifNotHeld === 'harmless' ? summary.operation.ifNotHeld : 'unknown' };
  return { ...given, kind: 'extend', recreates: summary.operation.recreates, ttl: ttlAt(unit, summary.operation.ttl, terms) };
}

type Base = Pick<AcquireOperation, 'node' | 'api' | 'key' | 'evidence' | 'receiver'>;

function acquireCall(unit: Unit, call: ts.CallExpression, base: Base, summary: FunctionSummary & { kind: 'acquire' }, terms: CallTerms): AcquireOperation | undefined {
  const { operation, grant, callback } = summary;
  const ttl = ttlAt(unit, operation.ttl, terms);
  const owner = grant.owner === undefined ? operation.owner && terms.inCaller(operation.owner) : grantedOwner(unit, call, grant.owner, operation.owner);
  const hasOwnerSlot = operation.hasOwnerSlot && operation.owner !== undefined && terms.usesParameter(operation.owner);
  const taken = { ...base, kind: 'acquire' as const, owner, hasOwnerSlot, ttl, bare: false, result: summary.result };
  if (callback === undefined) return { ...taken, link: grant.frees.size > 0 ? 'handle' : operation.link, scope: scopeOf(unit, call) };
  const body = bodyAt(unit, call, callback);
  return body && { ...taken, link: operation.link, scope: 'callback', body };
}

function bodyAt(unit: Unit, call: ts.CallExpression, { index, prop }: CallbackSlot): ts.Expression | undefined {
  const given = call.arguments[index];
  if (given === undefined || prop === undefined) return given && isOwn(unit, given) ? given : undefined;
  const object = bare(unit, given);
  return unit.ts.isObjectLiteralExpression(object) ? propertyOf(unit, object, prop) : undefined;
}

/** A function that is only passed on is the section of whoever handed it over. */
function isOwn(unit: Unit, given: ts.Expression): boolean {
  const e = bare(unit, given);
  return !unit.ts.isIdentifier(e) || unit.scopes.resolve(e)?.kind !== 'param';
}

/** The token is a part of the answer: it is told from others by the name that gets it. */
function grantedOwner(unit: Unit, call: ts.CallExpression, place: string, made: Term | undefined): Term | undefined {
  const names = answerNames(unit, call);
  const [only, ...others] = [...names].filter(([, at]) => at === '' || at === place);
  // `return take(id)` hands the token on without a name.
  if ((only === undefined && (names.size > 0 || !isReturned(unit, call))) || others.length > 0) return undefined;
  const at = only === undefined ? '' : only[1];
  const named = termOf(unit, only === undefined ? call : only[0].id);
  const whole = named.kind === 'call' && made !== undefined && freshnessOf(made) === 'random' ? { ...named, fresh: 'random' as const } : named;
  return at === place ? whole : member(whole, place);
}

function isReturned(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const whole = wholeValue(unit, call);
  return ts.isReturnStatement(whole.parent) || (ts.isArrowFunction(whole.parent) && whole.parent.body === whole);
}

/** The names that hold the answer of a call, each with its place in it. */
export function answerNames(unit: Unit, call: ts.Node): ReadonlyMap<Binding, string> {
  const { ts } = unit;
  return new Map([...resultNames(unit, call)].flatMap((binding): [Binding, string][] => {
    const d = binding.declaration;
    if (!ts.isBindingElement(d)) return [[binding, '']];
    if (!ts.isVariableDeclaration(d.parent.parent)) return [];
    const isList = ts.isArrayBindingPattern(d.parent);
    return [[binding, isList ? String(d.parent.elements.indexOf(d)) : nameText(unit, d.propertyName ?? d.name)]];
  }));
}

/** An owner of the function's own is judged there; one the caller leaves out is missing, unless the function can do without. */
function ownerOf(operation: ReleaseOperation | ExtendOperation, terms: CallTerms): Pick<ReleaseOperation, 'owner' | 'ownerSlot'> {
  const { owner } = operation;
  if (owner === undefined || operation.ownerSlot !== 'given' || !terms.usesParameter(owner)) return { owner: undefined, ownerSlot: 'none' };
  const named = terms.inCaller(owner) ?? UNDEFINED;
  return named.kind === 'const' && named.value === undefined ? { owner: undefined, ownerSlot: 'none' } : { owner: named, ownerSlot: 'given' };
}

/** A TTL that the caller hands over is judged at the call; a wrong or missing one of the function's own is told in the function. */
function ttlAt(unit: Unit, given: TtlGiven, terms: CallTerms): TtlGiven {
  if (given.kind === 'none') return { kind: 'open' };
  if (given.kind !== 'given') return given;
  const { ttl } = given;
  const term = terms.inCaller(ttl.term);
  if (term === undefined || (term.kind === 'const' && term.value === undefined)) return { kind: 'open' };
  if (!terms.usesParameter(ttl.term)) {
    const isSound = term.kind === 'const' && typeof term.value === 'number' && term.value > 0 && Number.isInteger(term.value);
    return isSound ? { kind: 'given', ttl: { term, node: undefined, unit: ttl.unit, named: undefined } } : { kind: 'open' };
  }
  const node = terms.argumentOf(ttl.term);
  const isMisnamed = ttl.named !== undefined && ttl.named !== ttl.unit;
  return { kind: 'given', ttl: { term, node, unit: ttl.unit, named: node === undefined || isMisnamed ? undefined : namedUnit(unit, node), whole: ttl.whole === true } };
}
