import type ts from 'typescript';
import { sqlLockCalls } from '../embedded/sql-locks.js';
import type { SqlLockCall, SqlValue } from '../embedded/sql-types.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import { showTerm, template, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { SqlRun } from './access-sql-run.js';
import { boundValue, type BoundValue } from './access-sql-values.js';
import { sameKey } from './lock-keys.js';
import { lockAnswer } from './lock-sql-answer.js';
import { clientOf, runsBeside, runsInTransaction, transactionWords } from './lock-sql-scope.js';
import type { AcquireOperation, Operation, ReleaseOperation } from './operation.js';
import { UNKNOWN_FORM } from './result-form.js';

interface Taken {
  readonly run: SqlRun;
  readonly operation: AcquireOperation;
}

/**
 * The advisory and named locks that SQL text of a file takes and gives back, one operation a call. They end with their session or transaction and belong to it:
 * no TTL, no owner to name, and the store itself refuses an unlock by another session.
 */
export function advisoryOperations(unit: Unit, runs: readonly SqlRun[], ends: readonly ts.CallExpression[]): Operation[] {
  const locks = runs.map((run) => ({ run, calls: sqlLockCalls(run.text.parts) }));
  // A text that takes and gives back in one go is over when the call is.
  const open = locks.filter(({ calls }) => calls.length > 0 && !(calls.some(isTaking) && calls.some((c) => !isTaking(c))));
  const taken = open.flatMap(({ run, calls }) => takenBy(run, calls));
  const given = open.flatMap(({ run, calls }) => releasesOf(run, calls, taken));
  return [
    ...taken.map((t) => t.operation), ...given,
    ...runs.flatMap((run) => transactionEnd(run, runs, taken)),
    ...ends.flatMap((call) => sessionEnd(unit, call, taken, given)),
  ];
}

function isTaking(call: SqlLockCall): boolean {
  return call.operation === 'acquire' || call.operation === 'try-acquire';
}

function takenBy(run: SqlRun, calls: readonly SqlLockCall[]): Taken[] {
  const [call, second] = calls.filter(isTaking);
  if (call === undefined) return [];
  const byTransaction = call.scope === 'transaction';
  const operation: AcquireOperation = {
    kind: 'acquire', node: run.node, api: apiOf(call), key: keyOf(run, call), evidence: 'model', owner: undefined, hasOwnerSlot: false,
    ttl: { kind: 'lapses-otherwise' }, bare: false,
    // Two answers in one row: which of them a test asks for is not followed.
    result: second === undefined ? lockAnswer(run, call) : UNKNOWN_FORM,
    link: byTransaction ? 'connection' : 'key', scope: byTransaction && runsInTransaction(run) ? 'transaction' : 'manual', receiver: clientOf(run),
  };
  return [{ run, operation }];
}

function apiOf(call: SqlLockCall): string {
  return call.function.startsWith('pg_') ? call.function : call.function.toUpperCase();
}

/** Keys of the two kinds of locks, and of shared ones, never meet: their text says what they are. */
function keyOf(run: SqlRun, call: SqlLockCall): Term {
  const space = call.function.startsWith('pg_') ? `${call.shared ? 'shared ' : ''}advisory lock ` : 'named lock ';
  const name = call.function.startsWith('pg_') ? call.args : call.args.slice(0, 1);
  // The values of a text that has no other placeholders come in its order.
  const ordered = call.args.reduce((n, arg) => n + marksIn(arg), 0) === run.text.parts.join('').split('?').length - 1;
  return template([{ kind: 'const', value: space }, ...name.flatMap((arg, i): Term[] => {
    const before = name.slice(0, i).reduce((n, a) => n + marksIn(a), 0);
    return [...(i === 0 ? [] : [{ kind: 'const' as const, value: ', ' }]), valueTerm(run, arg, ordered ? before : undefined)];
  })]);
}

/** The bare `?` of a value. */
function marksIn(value: SqlValue): number {
  if (value.kind === 'param') return value.name === '?' ? 1 : 0;
  return value.kind === 'expression' ? value.text.split('?').length - 1 : 0;
}

function valueTerm(run: SqlRun, value: SqlValue, marksBefore: number | undefined): Term {
  if (value.kind === 'expression' && value.columns.length === 0) return template(expressionParts(run, value.text, marksBefore));
  return readable(run, boundValue(run, value), 'a key that is not visible');
}

/** Longer than a message can quote: the code's own words stand for it. */
const LONG = 60;

function readable(run: SqlRun, { term, node }: BoundValue, hidden: string): Term {
  if (term === undefined) return { kind: 'unknown', text: hidden, parts: [] };
  return showTerm(term).length <= LONG ? term : { kind: 'unknown', text: (node?.getText(run.unit.file) ?? hidden).slice(0, LONG), parts: [term] };
}

/** `hashtext($1)` as text with the program's values in it. A bare `?` tells which value it is by its place alone. */
function expressionParts(run: SqlRun, text: string, marksBefore: number | undefined): Term[] {
  let marks = marksBefore ?? 0;
  return text.split(/(\{hole:\d+\}|\$\d+|\?|[:@]\w+\b(?!:))/).map((part): Term => {
    const hole = /^\{hole:(\d+)\}$/.exec(part)?.[1];
    const index = /^\$(\d+)$/.exec(part)?.[1];
    const value: SqlValue | undefined = hole !== undefined ? { kind: 'hole', index: Number(hole) }
      : index !== undefined ? { kind: 'param', name: part, index: Number(index) - 1 }
        : part === '?' && marksBefore !== undefined ? { kind: 'param', name: part, index: marks++ } : undefined;
    if (value !== undefined) return readable(run, boundValue(run, value), part);
    return { kind: 'const', value: part };
  });
}

const BY_SESSION = { kind: 'release', evidence: 'model', ownerCheck: 'atomic', handle: undefined, owner: undefined, ownerSlot: 'none', ifNotHeld: 'harmless' } as const;

function releasesOf(run: SqlRun, calls: readonly SqlLockCall[], taken: readonly Taken[]): ReleaseOperation[] {
  const call = calls.find((c) => !isTaking(c));
  if (call === undefined) return [];
  const receiver = clientOf(run);
  if (call.operation === 'release') return [{ ...BY_SESSION, node: run.node, api: apiOf(call), key: keyOf(run, call), link: 'key', receiver }];
  const held = taken.find((t) => t.operation.link === 'key' && receiver !== undefined && isOn(t, receiver));
  return held === undefined ? [] : [{ ...BY_SESSION, node: run.node, api: apiOf(call), key: held.operation.key, link: 'connection', receiver }];
}

function isOn(taken: Taken, client: Term): boolean {
  const { receiver } = taken.operation;
  return receiver !== undefined && sameTerm(receiver, client);
}

/**
 * COMMIT and ROLLBACK give back what the transaction locked. Only in a function that begins the transaction and commits it: one that hands it to its caller frees nothing
 * by rolling back after an error.
 */
function transactionEnd(run: SqlRun, runs: readonly SqlRun[], taken: readonly Taken[]): ReleaseOperation[] {
  const word = transactionWords(run).find((w) => w !== 'begin');
  const held = word === undefined ? undefined : taken.find((t) => t.operation.link === 'connection' && t.operation.scope === 'manual' && t.run !== run && runsBeside(t.run, run));
  if (word === undefined || held === undefined) return [];
  const words = runs.filter((r) => runsBeside(r, run)).flatMap(transactionWords);
  if (!words.includes('begin') || !words.includes('commit')) return [];
  return [{ ...BY_SESSION, node: run.node, api: word.toUpperCase(), key: held.operation.key, link: 'connection', receiver: clientOf(run) }];
}

/**
 * `client.end()` and `client.release(true)` close the session, and its locks with it. Counted only where the function also unlocks: elsewhere it may be the
 * way out of a function that hands the locked session to its caller.
 */
function sessionEnd(unit: Unit, call: ts.CallExpression, taken: readonly Taken[], given: readonly ReleaseOperation[]): ReleaseOperation[] {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const { text: name } = callee.name;
  const closes = name === 'release' ? call.arguments.length === 1 && call.arguments[0]?.kind !== ts.SyntaxKind.FalseKeyword : call.arguments.length === 0;
  const receiver = termOf(unit, callee.expression);
  const fn = enclosingFunction(unit, call);
  const held = taken.find((t) => t.operation.scope === 'manual' && isOn(t, receiver) && enclosingFunction(unit, t.run.node) === fn);
  if (!closes || held === undefined) return [];
  const frees = given.some((r) => enclosingFunction(unit, r.node) === fn && sameKey(r.key, held.operation.key));
  return frees ? [{ ...BY_SESSION, node: call, api: name, key: held.operation.key, link: 'connection', receiver }] : [];
}

/** Calls that may close a session. */
export function mayEndSession(unit: Unit, call: ts.CallExpression): boolean {
  const callee = bare(unit, call.expression);
  return unit.ts.isPropertyAccessExpression(callee) && /^(?:end|release|destroy)$/.test(callee.name.text);
}
