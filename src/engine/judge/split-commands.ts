import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround } from '../functions/locks-held.js';
import { isUnderOwnerTest } from '../operations/lock-compared.js';
import { slotRole } from '../operations/lock-words.js';
import type { OverwriteOperation } from '../operations/operation.js';
import type { ResultForm } from '../operations/result-form.js';
import { constant, TRUTHY } from '../operations/value.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, functionName, isAwaited } from '../syntax/expression.js';
import { freshnessOf, showTerm, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { guardedBy } from './answer-guards.js';
import type { SplitAcquire } from './split-acquire.js';

const GET_FORM: ResultForm = { label: 'value or null', won: [constant(null)], lost: [TRUTHY], throwsWhenLost: false };
const EXISTS_FORM: ResultForm = { label: '1 or 0', won: [constant(0)], lost: [constant(1)], throwsWhenLost: false };

/** GET or EXISTS, then SET without NX, of one key in one function. */
export function splitCommands(unit: Unit): SplitAcquire[] {
  const { ts } = unit;
  const sets = lockOperations(unit).filter((o): o is OverwriteOperation => o.kind === 'overwrite');
  return sets.flatMap((set) => {
    const fn = enclosingFunction(unit, set.node);
    if (ts.isSourceFile(fn)) return [];
    const read = readBefore(fn, set);
    if (read === undefined || isOneStep(fn, set)) return [];
    const guard = guardedBy(unit, read.node, read.form, set.node);
    if (guard === undefined || givesStored(guard.refusal, read.node)) return [];
    const isLock = saysLock(fn, set);
    const { workBefore, workAfter, mayBeLeftOut } = guard;
    if (!isLock && (!isMark(set.value) || (workBefore === undefined ? workAfter === undefined : mayBeLeftOut))) return [];
    const late = isLock ? undefined : workBefore;
    const looks = { place: unit.placeOf(read.node), role: 'read' as const, note: 'two workers read, and both find it free' };
    const sets = { place: unit.placeOf(set.node), role: 'acquire' as const, note: 'both write: the second overwrites the first' };
    return [{
      fn, what: showTerm(set.key), read: unit.placeOf(read.node), at: unit.placeOf(late ?? set.node), reads: read.api, writes: set.api, kind: late !== undefined ? 'late' as const : isLock ? 'lock' as const : 'marker' as const,
      certain: isLock && workBefore === undefined, advice: 'Use one SET with NX and a TTL, and test its answer.',
      witness: late === undefined ? [looks, sets] : [looks, { place: unit.placeOf(late), role: 'call' as const, note: 'both do the work' }, sets],
    }];
  });

  /** The last read of the key before the SET. */
  function readBefore(fn: ts.Node, set: OverwriteOperation): { readonly node: ts.CallExpression; readonly form: ResultForm; readonly api: string } | undefined {
    let found: { readonly node: ts.CallExpression; readonly form: ResultForm; readonly api: string } | undefined;
    const visit = (n: ts.Node): void => {
      if (n.pos >= set.node.pos) return;
      const [key] = ts.isCallExpression(n) ? n.arguments : [];
      // What answers at once is a map in memory.
      if (ts.isCallExpression(n) && key !== undefined && isAwaited(unit, n) && enclosingFunction(unit, n) === fn && receiverText(n) === receiverText(set.node)) {
        const name = calledName(unit, n).toLowerCase();
        const form = name === 'get' ? GET_FORM : name === 'exists' ? EXISTS_FORM : undefined;
        if (form !== undefined && sameTerm(termOf(unit, key), set.key)) found = { node: n, form, api: name.toUpperCase() };
      }
      ts.forEachChild(n, visit);
    };
    visit(fn);
    return found;
  }

  function receiverText(n: ts.Node): string | undefined {
    const callee = ts.isCallExpression(n) ? bare(unit, n.expression) : undefined;
    return callee !== undefined && ts.isPropertyAccessExpression(callee) ? callee.expression.getText(unit.file).replace(/[?!]/g, '') : undefined;
  }

  /** WATCH, a lock around both, an NX beside them, or an owner that renews what it has. */
  function isOneStep(fn: ts.Node, set: OverwriteOperation): boolean {
    if (isUnderOwnerTest(unit, set.node, set.key)) return true;
    const beside = lockOperations(unit).filter((o) => o.kind === 'acquire' && enclosingFunction(unit, o.node) === fn);
    if (beside.some((o) => o.evidence === 'model' && sameTerm(o.key, set.key))) return true;
    return /\.watch\(/.test(fn.getText(unit.file)) || locksHeldAround(unit, set.node).length > 0;
  }

  /** What was stored is given to the caller: a cache, not a lock. */
  function givesStored(refusal: ts.Node, read: ts.Node): boolean {
    const value: ts.Node | undefined = ts.isReturnStatement(refusal) ? refusal.expression : ts.isThrowStatement(refusal) ? undefined : refusal;
    if (value === undefined || ts.isFunctionLike(value) || value === read) return false;
    let found = false;
    const visit = (n: ts.Node): void => {
      if (n === read) found = true;
      if (ts.isIdentifier(n)) {
        const d = unit.scopes.resolve(n)?.declaration;
        if (d !== undefined && d.pos > (enclosingFunction(unit, read) as ts.Node).pos && !ts.isParameter(d)) found = true;
      }
      ts.forEachChild(n, visit);
    };
    visit(value);
    return found;
  }

  /** A constant, a time, a token or a name of an owner: it says that somebody is at it, and no more. */
  function isMark(value: Term): boolean {
    if (value.kind === 'const') return true;
    if (value.kind === 'symbol' || value.kind === 'path') return slotRole(value.kind === 'symbol' ? value.name : value.prop) === 'owner';
    return (value.kind === 'call' || value.kind === 'template') && freshnessOf(value) !== undefined;
  }

  /** A word of its key or function says lock, or the file frees the key after comparing its owner. */
  function saysLock(fn: ts.Node, set: OverwriteOperation): boolean {
    if (LOCK.test(`${showTerm(set.key)} ${functionName(unit, fn)}`)) return !CACHE.test(showTerm(set.key));
    return lockOperations(unit).some((o) => (o.kind === 'release' || o.kind === 'extend') && o.ownerCheck === 'atomic' && (sameTerm(o.key, set.key) || sameShape(o.key, set.key)));
  }
}

/** Two functions of one file spell one key with names of their own: `gate:${name}`. What tells is the text around them. */
function sameShape(a: Term, b: Term): boolean {
  if (a.kind !== 'template' || b.kind !== 'template' || a.parts.length !== b.parts.length) return false;
  const isText = (t: Term): boolean => t.kind === 'const' && typeof t.value === 'string' && /[a-z]/i.test(t.value);
  return a.parts.some(isText) && a.parts.every((t, i) => {
    const other = b.parts[i];
    return other !== undefined && (t.kind === 'const' || other.kind === 'const' ? sameTerm(t, other) : true);
  });
}

const LOCK = /(?<![bcBC])lock(?!ed|out|Out|s?Until)|(?<![bcBC])Lock(?!ed|out|Out)|LOCK(?!OUT)|[mM]utex|(?<![rR]e)[lL]ease|[sS]emaphore|[lL]atch|[lL]eader\b/;
const CACHE = /cache|cached/i;
