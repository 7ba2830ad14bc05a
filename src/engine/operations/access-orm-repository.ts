import type ts from 'typescript';
import { followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { ColumnAssignment, StateWrite } from './state-access.js';
import { OPEN_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import { clientTerm, declaredType, lastSegment, objectOf, typeName, type Chain } from './access-orm-chain.js';
import { condition, listTerms, type Filter } from './access-orm-filter.js';
import { writeOf, type LayerFacts } from './access-orm-record.js';
import { declaredForm, parameterNames, signatureOf } from './access-orm-signature.js';
import { BOOLEAN_FORM, taggedForm, UNKNOWN_FORM, type ResultForm } from './result-form.js';

const STORE = /(?:repo|repository|repositories|store|storage|dao|table|db|database|snapshots?|persistence|dal|ledger)$/i;
/** Receivers that hold nothing durable, or belong to other engines. */
const NO_STORE = /(?:cache|map|set|redis|session|cookies?|headers?|local|localstorage|sessionstorage|config|settings|registry|context|params|formdata|memo|lock|locks|mutex|semaphore|kv|inmemory\w*|zustand|usestore|queue|bus|metrics?)$|^(?:Map|WeakMap|Set|Headers|URLSearchParams|FormData)$/i;
const PERSISTS = /^(?:persist|save|put|set|write|store)(?:Snapshot|State|Run|Step|Workflow|Checkpoint)?$/;
const GUARDED = /^(?:saveIf\w*|persistIf\w*|putIf\w*|writeIf\w*|updateIf\w*|compareAnd(?:Set|Swap))$/;
const COMPARES = /^(?:save|persist|put|write|update)If(?:Version|Unchanged|Status|State|Match(?:es)?|Current)\w*$|^compareAnd(?:Set|Swap)$/;
const VERBS = /^(?:update(?:Status|State|Phase)|set(?:Status|State|Phase)|change(?:Status|State)|transition(?:To)?|mark(?:As)?[A-Z]\w*)$/;

/** Calls of a hand-written store: `persist(id, snapshot)`, `saveIfVersion(..)`, `updateStatus(id, to)`, `transition(id, from, to)`. */
export function repositoryAccess(chain: Chain): StateWrite | undefined {
  const { unit, last, steps } = chain;
  if (steps.length !== 1 || last.receiver === undefined || last.args.some((a) => unit.ts.isSpreadElement(a))) return undefined;
  if (last.name === 'transition') return transition(chain);
  if (!GUARDED.test(last.name) && !VERBS.test(last.name) && !PERSISTS.test(last.name)) return undefined;
  const name = lastSegment(unit, last.receiver) ?? '';
  const type = typeName(unit, declaredType(unit, last.receiver)) ?? '';
  if (NO_STORE.test(name) || NO_STORE.test(type)) return undefined;
  const store = STORE.test(name) || STORE.test(type) || /Repo(?:sitory)?$|Store$|Dao$/i.test(type);
  // A name that says what is compared is seldom that of anything else.
  if (!store && !COMPARES.test(last.name)) return undefined;
  const facts: LayerFacts = { layer: 'repository', evidence: 'name', target: name, client: clientTerm(unit, last.receiver) };
  if (GUARDED.test(last.name)) return guarded(chain, facts);
  const named = VERBS.test(last.name) ? verb(chain, facts) : undefined;
  return named ?? (PERSISTS.test(last.name) ? persist(chain, facts) : undefined);
}

function identity(chain: Chain): Filter {
  const first = chain.last.args[0];
  return { where: first === undefined ? [] : [condition('id', 'eq', [termOf(chain.unit, first)])], open: false };
}

/** `persist(id, snapshot)`: an identity and a whole value. A text or a number is a cache entry or a setting. */
function persist(chain: Chain, facts: LayerFacts): StateWrite | undefined {
  const { unit, last } = chain;
  const { ts } = unit;
  const [id, value] = last.args;
  if (id === undefined || value === undefined || last.args.length > 3) return undefined;
  const key = followed(unit, id);
  // A text spelled here names a setting or a part of the store, not a row.
  if (ts.isStringLiteralLike(key)) return undefined;
  if (objectOf(unit, id) !== undefined || ts.isArrowFunction(key) || ts.isFunctionExpression(key) || /^[A-Z]/.test(id.getText(unit.file))) {
    return undefined;
  }
  const e = followed(unit, value);
  if (ts.isStringLiteralLike(e) || ts.isNumericLiteral(e) || ts.isTemplateExpression(e) || ts.isArrowFunction(e) || ts.isFunctionExpression(e)) {
    return undefined;
  }
  const signature = signatureOf(chain);
  // `set(key, value)` alone says little: it takes a snapshot that is spelled here.
  if (/^(?:set|put|write|store)$/.test(last.name) && objectOf(unit, value) === undefined) return undefined;
  const filter = identity(chain);
  return writeOf(chain, facts, 'persist', { ...filter, open: last.args.length > 2 }, patchOf(unit, value), signature === undefined ? UNKNOWN_FORM
    : declaredForm(unit, signature, false));
}

/** `saveIfVersion(id, version, next)`: the parameter between identity and value is compared. */
function guarded(chain: Chain, facts: LayerFacts): StateWrite | undefined {
  const { unit, last } = chain;
  const signature = signatureOf(chain);
  const names = parameterNames(unit, signature);
  const [id, ...others] = last.args;
  if (id === undefined || others.length === 0) return undefined;
  const value = others.find((a) => objectOf(unit, a) !== undefined) ?? others.at(-1);
  const compared = others.filter((a) => a !== value);
  const where = compared.map((a) => condition(columnFor(names[last.args.indexOf(a)], last.name), 'eq', [termOf(unit, a)]));
  const result = signature === undefined ? BOOLEAN_FORM : declaredForm(unit, signature, true);
  return writeOf(chain, facts, 'persist', { where: [...identity(chain).where, ...where], open: where.length === 0 }, patchOf(unit, value), result);
}

function columnFor(parameter: string | undefined, method: string): string {
  const plain = parameter?.replace(/^(?:expect(?:ed)?|current|old|prev(?:ious)?|known|seen)(?=[A-Z])/, '');
  if (plain !== undefined && !/^(?:expect|expected|current|old|prev|previous|known|seen)$/.test(plain)) {
    return plain.charAt(0).toLowerCase() + plain.slice(1);
  }
  return /state|status/i.exec(method)?.[0].toLowerCase() ?? 'version';
}

/** `updateStatus(id, to)`, `setStatus(id, from, to)`, `markRunning(id)`. */
function verb(chain: Chain, facts: LayerFacts): StateWrite | undefined {
  const { unit, last } = chain;
  const [id, ...others] = last.args;
  if (id === undefined || objectOf(unit, id) !== undefined) return undefined;
  const signature = signatureOf(chain);
  const names = parameterNames(unit, signature);
  const column = /state$/i.test(last.name) ? 'state' : /phase$/i.test(last.name) ? 'phase' : 'status';
  const mark = /^mark(?:As)?([A-Z]\w*)$/.exec(last.name)?.[1];
  const { from, to } = mark === undefined ? rolesOf(chain, names, others) : { from: named(/^(?:from|expected|current|prev)/), to: undefined };
  if (mark === undefined && (to === undefined || objectOf(unit, to) !== undefined)) return undefined;
  const guard = from === undefined ? [] : [fromCondition(chain, column, from)];
  const set: ColumnAssignment[] = to === undefined ? [{ column, value: { kind: 'const', value: (mark ?? '').toLowerCase() }, node: undefined, source: 'code' }]
    : [{ column, value: termOf(unit, to), node: to, source: 'code' }];
  const open = from === undefined && others.some((a) => a !== to);
  return writeOf(chain, facts, 'verb', { where: [...identity(chain).where, ...guard], open }, { set, open: others.some((a) => a !== from && a !== to) || mark !== undefined }, declaredForm(unit, signature, guard.length > 0));

  function named(pattern: RegExp): ts.Expression | undefined {
    const at = names.findIndex((n, i) => i > 0 && pattern.test(n));
    return at > 0 ? last.args[at] : undefined;
  }
}

function fromCondition(chain: Chain, column: string, from: ts.Expression): StateWrite['where'][number] {
  const many = chain.unit.ts.isArrayLiteralExpression(followed(chain.unit, from));
  return condition(column, many ? 'in' : 'eq', listTerms(chain.unit, from));
}

/** Which argument is the new state and which the expected one: by parameter name, else by order and shape. */
function rolesOf(chain: Chain, names: readonly string[], others: readonly ts.Expression[]): { from: ts.Expression | undefined; to: ts.Expression | undefined } {
  const { unit, last } = chain;
  const fromAt = names.findIndex((n, i) => i > 0 && /^(?:from|expected|current|prev|old|allowed)/i.test(n));
  if (fromAt > 0) {
    const to = last.args.find((_, i) => i > 0 && i !== fromAt && /^(?:to|next|new|status|state|target|phase)/i.test(names[i] ?? ''));
    return { from: last.args[fromAt], to: to ?? others.find((a) => a !== last.args[fromAt]) };
  }
  const [first, second] = others;
  const isState = (n: ts.Expression | undefined): boolean => {
    const e = n && followed(unit, n);
    return e !== undefined && (unit.ts.isStringLiteralLike(e) || unit.ts.isArrayLiteralExpression(e));
  };
  return names.length === 0 && isState(first) && isState(second) && second !== undefined && !unit.ts.isArrayLiteralExpression(followed(unit, second)) ? { from: first, to: second }
    : { from: undefined, to: first };
}

const TRANSITION_FORM = taggedForm('outcome', ['success'], ['lock_contention', 'cas_mismatch', 'invalid_transition']);

/** The `Step` of `StepTransitionGuard`: what its type guards says more than what a variable of it is called. */
function guardedThing(type: string | undefined): string | undefined {
  return /^(?:I(?=[A-Z]))?([A-Z][A-Za-z0-9]*?)(?:(?:State)?Transition(?:s|er)?)?(?:Guard|Service|Manager|Machine|Port)?$/.exec(type ?? '')?.[1];
}

/** `guard.transition(id, from, to, owner)`. */
function transition(chain: Chain): StateWrite | undefined {
  const { unit, last } = chain;
  const [id, from, to] = last.args;
  if (id === undefined || from === undefined || to === undefined || last.args.length > 5) return undefined;
  const signature = signatureOf(chain);
  const result: ResultForm = signature === undefined ? TRANSITION_FORM : declaredForm(unit, signature, true);
  const facts: LayerFacts = {
    layer: 'structural',
    evidence: signature === undefined ? 'name' : 'shape',
    target: guardedThing(typeName(unit, declaredType(unit, last.receiver))) ?? lastSegment(unit, last.receiver),
    client: clientTerm(unit, last.receiver),
  };
  const where = [...identity(chain).where, fromCondition(chain, 'status', from)];
  const patch: Patch = objectOf(unit, to) === undefined ? { set: [{ column: 'status', value: termOf(unit, to), node: to, source: 'code' }], open: false }
    : OPEN_PATCH;
  return writeOf(chain, facts, 'transition', { where, open: false }, patch, result);
}
