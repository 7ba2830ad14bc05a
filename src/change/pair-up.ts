/** Things of head and base that stand for each other, and what is left of both. In the order of head, then of base. */
export interface Pairing<T> {
  readonly pairs: readonly { readonly now: T; readonly then: T }[];
  readonly gained: readonly T[];
  readonly lost: readonly T[];
}

/**
 * Pairs things by the first of some names under which both sides have them, in their order: the most telling name first.
 * @param names Each gives the name of a thing in head or base; undefined: it has none of this kind.
 */
export function pairUp<T>(head: readonly T[], base: readonly T[], names: readonly ((thing: T, side: 'head' | 'base') => string | undefined)[]): Pairing<T> {
  const partner = new Map<T, T>();
  let left = [...base];
  for (const name of names) {
    const byName = new Map<string, T[]>();
    for (const then of left) {
      const key = name(then, 'base');
      if (key !== undefined) byName.set(key, [...(byName.get(key) ?? []), then]);
    }
    const taken = new Set<T>();
    for (const now of head) {
      const key = partner.has(now) ? undefined : name(now, 'head');
      const then = key === undefined ? undefined : byName.get(key)?.shift();
      if (then === undefined) continue;
      partner.set(now, then);
      taken.add(then);
    }
    left = left.filter((then) => !taken.has(then));
  }
  return {
    pairs: head.flatMap((now) => {
      const then = partner.get(now);
      return then === undefined ? [] : [{ now, then }];
    }),
    gained: head.filter((now) => !partner.has(now)),
    lost: left,
  };
}
