import { normalised } from '../syntax/snake-case.js';

/** What a column of a lock in a row says: taken or not, by whom, until when, since when. */
export type LockColumnRole = 'flag' | 'owner' | 'until' | 'since';

const LOCK_COLUMN = /^(?:is_)?locked$|^locked_(?:at|until|by)$|^lock_|^lease|^is_leased$|^holder$/;
const LOCK_TABLE = /(?:^|_)(?:locks?|locking|leases?|mutex(?:es)?|semaphores?)$/;

const ROLES: readonly (readonly [LockColumnRole, RegExp])[] = [
  ['flag', /^(?:is_)?(?:locked|leased)$/],
  ['until', /^(?:lock|lease|locked|leased|held)_(?:until|expir\w*|deadline|ends_at)$/],
  ['since', /^(?:lock|lease|locked|leased|held)_(?:at|since|time|taken_at|acquired_at|started_at)$/],
  ['owner', /^(?:locked|leased|held)_by\w*$|^(?:lock|lease)_(?:by|owner|holder|token|worker)(?:_id)?$|^lease_id$|^holder(?:_id)?$/],
];
/** Names that speak of a lock only in a table of locks, or beside a column that does. */
const PLAIN_ROLES: readonly (readonly [LockColumnRole, RegExp])[] = [
  ['until', /^(?:expires|expiry|expiration|until)(?:_at|_on)?$|^valid_until$/],
  ['since', /^(?:acquired|taken)_at$/],
  ['owner', /^(?:owner|worker|instance|process|node)(?:_id)?$|^token$|^acquired_by$|^claimed_by$/],
];

/** A column of a lock that is kept in the row. */
export function isLockColumn(name: string): boolean {
  return LOCK_COLUMN.test(lastPart(name));
}

/** A table whose rows are locks. */
export function isLockTable(name: string): boolean {
  return LOCK_TABLE.test(lastPart(name).replace(/_(?:entity|model|record|row|table|repository|repo|collection)$/, ''));
}

/** The role of a column; `amongLocks`: in a table of locks, or beside a column whose own name says lock. */
export function lockRoleOf(name: string, amongLocks: boolean): LockColumnRole | undefined {
  const column = lastPart(name);
  const find = (roles: typeof ROLES): LockColumnRole | undefined => roles.find(([, pattern]) => pattern.test(column))?.[0];
  return find(ROLES) ?? (amongLocks ? find(PLAIN_ROLES) : undefined);
}

function lastPart(name: string): string {
  return normalised(name.slice(name.lastIndexOf('.') + 1));
}
