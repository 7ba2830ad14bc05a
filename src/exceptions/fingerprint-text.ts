/** How a fingerprint is spelled: digits, and behind them the position among equals from the second on. */
export const FINGERPRINT = /^[0-9a-f]{8,64}(?:-\d+)?$/;
export const FINGERPRINT_WANTED = 'must be a fingerprint: 8 to 64 of the digits 0-9 and a-f, and `-2` behind them for the second of equals';

/** What equal findings have in common. */
export function withoutPosition(fingerprint: string): string {
  return fingerprint.replace(/-\d+$/, '');
}

/** Those whose fingerprint a person names: the one that is spelled so, else those that begin so. */
export function fingerprintTest(all: readonly string[], named: string): (fingerprint: string) => boolean {
  return all.includes(named) ? (fingerprint) => fingerprint === named : (fingerprint) => fingerprint.startsWith(named);
}
