/** Where a value stands: `call.0` is the first argument of the call itself, `new.0.ttl` a property of that of the constructor or maker, `lock.0` that of an earlier call in the chain. */
export type LockSlot = `${string}.${number}` | `${string}.${number}.${string}`;

/** How an acquire of a library tells that it won. */
export type ModelResult = 'boolean' | 'throws' | 'handle-or-throws' | 'handle-or-null' | 'boolean-and-release' | 'release-function';

/** One call of a library that does something to a lock. */
export interface LockCallModel {
  /** The method or function that is called. */
  readonly name: string;
  readonly role: 'acquire' | 'release' | 'extend' | 'run';
  /** What leads to the receiver, as a pattern over the names: `Etcd3.lock.ttl`, `new Lock`, `createLock`. Absent: the method's name is the library's alone. */
  readonly on?: RegExp;
  /** Only where the options of the call have this property: `kv.set({ acquire })`. */
  readonly needs?: LockSlot;
  /** Absent: the lock object is the key. */
  readonly key?: LockSlot;
  /** `needed`: without it the lock never ends. Otherwise the library has a default. */
  readonly ttl?: { readonly at: LockSlot; readonly unit: 's' | 'ms'; readonly needed?: boolean };
  readonly owner?: LockSlot;
  readonly result?: ModelResult;
  readonly ownerCheck?: 'atomic' | 'contract' | 'none';
  readonly ifNotHeld?: 'harmless' | 'throws' | 'deletes-other';
  /** The function that runs under the lock, counted from the front. */
  readonly body?: number;
}

/** The lock calls of one library, or of a family that is spelled alike. */
export interface LockPackage {
  readonly packages: RegExp;
  readonly calls: readonly LockCallModel[];
}

/** Facts read in the packages' own declarations and sources; see the page on lock APIs. */
export const LOCK_PACKAGES: readonly LockPackage[] = [
  {
    packages: /^@upstash\/lock$/,
    calls: [
      { name: 'acquire', role: 'acquire', on: /^new Lock$/, key: 'new.0.id', ttl: { at: 'new.0.lease', unit: 'ms' }, result: 'boolean' },
      { name: 'release', role: 'release', on: /^new Lock$/, key: 'new.0.id', ownerCheck: 'atomic', ifNotHeld: 'harmless' },
      { name: 'extend', role: 'extend', on: /^new Lock$/, key: 'new.0.id', ttl: { at: 'call.0', unit: 'ms' }, ownerCheck: 'atomic' },
    ],
  },
  {
    packages: /^redlock-universal$/,
    calls: [
      { name: 'acquire', role: 'acquire', on: /^create(?:Red)?[lL]ock$/, key: 'new.0.key', ttl: { at: 'new.0.ttl', unit: 'ms' }, result: 'handle-or-throws' },
      { name: 'using', role: 'run', on: /^create(?:Red)?[lL]ock$/, key: 'new.0.key', ttl: { at: 'new.0.ttl', unit: 'ms' }, body: 0 },
      { name: 'release', role: 'release', on: /^create(?:Red)?[lL]ock$/, key: 'new.0.key', ownerCheck: 'atomic', ifNotHeld: 'harmless' },
      { name: 'extend', role: 'extend', on: /^create(?:Red)?[lL]ock$/, key: 'new.0.key', ttl: { at: 'call.1', unit: 'ms' }, ownerCheck: 'atomic' },
    ],
  },
  {
    packages: /^simple-redis-mutex$/,
    calls: [
      { name: 'lock', role: 'acquire', on: /^$/, key: 'call.1', ttl: { at: 'call.2.timeout', unit: 'ms' }, result: 'release-function', ownerCheck: 'atomic' },
      { name: 'tryLock', role: 'acquire', on: /^$/, key: 'call.1', ttl: { at: 'call.2.timeout', unit: 'ms' }, result: 'boolean-and-release', ownerCheck: 'atomic' },
    ],
  },
  {
    // The maker answers the function that locks.
    packages: /^redis-lock$/,
    calls: [{ name: '', role: 'acquire', on: /^default$/, key: 'call.0', ttl: { at: 'call.1', unit: 'ms' }, result: 'release-function', ownerCheck: 'none' }],
  },
  {
    packages: /^(?:@microfleet\/ioredis-lock|ioredis-lock|redislock)$/,
    calls: [
      { name: 'acquire', role: 'acquire', on: /(?:^|\.)createLock$/, ttl: { at: 'new.1.timeout', unit: 'ms' }, result: 'throws' },
      { name: 'release', role: 'release', on: /(?:^|\.)createLock$/, ownerCheck: 'atomic', ifNotHeld: 'throws' },
      { name: 'extend', role: 'extend', on: /(?:^|\.)createLock$/, ttl: { at: 'call.0', unit: 'ms' }, ownerCheck: 'atomic' },
    ],
  },
  {
    packages: /^etcd3$/,
    calls: [
      { name: 'acquire', role: 'acquire', on: /\.lock(?:\.\w+)*$/, key: 'lock.0', ttl: { at: 'ttl.0', unit: 's' }, result: 'handle-or-throws' },
      { name: 'do', role: 'run', on: /\.lock(?:\.\w+)*$/, key: 'lock.0', ttl: { at: 'ttl.0', unit: 's' }, body: 0 },
      { name: 'release', role: 'release', on: /\.lock(?:\.\w+)*$/, key: 'lock.0', ownerCheck: 'atomic', ifNotHeld: 'throws' },
    ],
  },
  {
    // Its handles know how to free themselves; it renews by a timer of its own.
    packages: /^mongo-locks$/,
    calls: [{ name: 'lock', role: 'acquire', key: 'call.0', result: 'handle-or-null' }],
  },
  {
    packages: /^consul$/,
    calls: [
      { name: 'set', role: 'acquire', on: /\.kv$/, needs: 'call.0.acquire', key: 'call.0.key', owner: 'call.0.acquire', result: 'boolean' },
      { name: 'set', role: 'release', on: /\.kv$/, needs: 'call.0.release', key: 'call.0.key', owner: 'call.0.release', ownerCheck: 'atomic', ifNotHeld: 'harmless' },
    ],
  },
  {
    packages: /^@azure\/storage-(?:blob|file-datalake|file-share)$/,
    calls: [
      { name: 'acquireLease', role: 'acquire', ttl: { at: 'call.0', unit: 's', needed: true }, result: 'throws' },
      { name: 'renewLease', role: 'extend', ownerCheck: 'atomic' },
      { name: 'releaseLease', role: 'release', ownerCheck: 'atomic', ifNotHeld: 'throws' },
    ],
  },
  {
    packages: /^@medusajs\//,
    calls: [
      { name: 'acquire', role: 'acquire', on: /ILockingModule|LOCKING/, key: 'call.0', owner: 'call.1.ownerId', ttl: { at: 'call.1.expire', unit: 's', needed: true }, result: 'throws' },
      { name: 'release', role: 'release', on: /ILockingModule|LOCKING/, key: 'call.0', owner: 'call.1.ownerId', ownerCheck: 'contract', ifNotHeld: 'harmless' },
      { name: 'execute', role: 'run', on: /ILockingModule|LOCKING/, key: 'call.0', ttl: { at: 'call.2.expire', unit: 's' }, body: 1 },
    ],
  },
];
