import { createHash } from 'node:crypto';

/** sha256 of plain configuration data. The order of keys does not matter, that of lists does. */
export function configDigest(configuration: object): string {
  return createHash('sha256').update(JSON.stringify(configuration, sortedKeys)).digest('hex');
}

/** The same of data that stays as it is, worked out once: models are large, and many keys have them in it. */
export function keptDigest(configuration: object): string {
  let digest = known.get(configuration);
  if (digest === undefined) known.set(configuration, (digest = configDigest(configuration)));
  return digest;
}

const known = new WeakMap<object, string>();

function sortedKeys(_key: string, value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
