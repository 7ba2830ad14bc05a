import { textOf, wordAt, type SqlRange } from './sql-range.js';
import type { SqlTransaction } from './sql-types.js';

/** Reads BEGIN, COMMIT, ROLLBACK, SAVEPOINT, SET TRANSACTION and their kin; undefined for all else. */
export function parseTransaction(range: SqlRange): SqlTransaction | undefined {
  const [first, second] = [wordAt(range, range.from), wordAt(range, range.from + 1)];
  const text = textOf(range).toLowerCase();
  switch (first) {
    case 'begin':
      return { type: 'begin', ...isolation(text), ...(/^begin (?:immediate|exclusive)\b/u.test(text) ? { immediate: true } : {}) };
    case 'start':
      return second === 'transaction' ? { type: 'begin', ...isolation(text) } : undefined;
    case 'commit':
    case 'end':
      return { type: 'commit' };
    case 'abort':
      return { type: 'rollback' };
    case 'rollback':
      // ROLLBACK TO leaves the transaction open.
      return { type: /^rollback (?:work |transaction )?to\b/u.test(text) ? 'savepoint' : 'rollback' };
    case 'savepoint':
      return { type: 'savepoint' };
    case 'release':
      return { type: 'savepoint' };
    case 'set':
      return /^set (?:(?:session|local|global) )?(?:characteristics as )?transaction\b/u.test(text) ? { type: 'set-transaction', ...isolation(text) } : undefined;
    default:
      return undefined;
  }
}

function isolation(text: string): { readonly isolation?: string } {
  const level = /\bisolation level (serializable|repeatable read|read committed|read uncommitted|snapshot)\b/u.exec(text)?.[1];
  return level === undefined ? {} : { isolation: level };
}
