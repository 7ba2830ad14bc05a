import type { ProtocolChange } from '../review/types.js';

const UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;

/** `30000 ms` as `30 s`; other texts as they are. */
export function timeText(ttl: string): string {
  const ms = milliseconds(ttl);
  if (ms === undefined) return ttl === 'none' || ttl === 'unknown' || ttl.startsWith('by ') ? ttl : `\`${ttl}\``;
  const unit = ms >= UNITS.h && ms % UNITS.h === 0 ? 'h' : ms >= UNITS.min && ms % UNITS.min === 0 ? 'min' : ms >= UNITS.s && ms % 100 === 0 ? 's' : 'ms';
  return `${String(ms / UNITS[unit])} ${unit}`;
}

/** `30 s to 5 s`. A shorter lease lapses sooner under its work, and a lock without one outlives a crash: both are weaker. */
export function timeChange(before: string, after: string): Pick<ProtocolChange, 'what' | 'effect'> {
  const [then, now] = [milliseconds(before), milliseconds(after)];
  const what = `${timeText(before)} to ${timeText(after)}`;
  if (after === 'none') return { what, effect: 'weaker' };
  if (before === 'none') return { what, effect: 'stronger' };
  return { what, effect: then !== undefined && now !== undefined && now < then ? 'weaker' : 'different' };
}

function milliseconds(ttl: string): number | undefined {
  const { amount, unit } = /^(?<amount>\d+(?:\.\d+)?) (?<unit>ms|s)$/.exec(ttl)?.groups ?? {};
  return amount === undefined ? undefined : Number(amount) * (unit === 's' ? UNITS.s : UNITS.ms);
}
