import { fingerprintTest } from '../exceptions/fingerprint-text.js';
import type { Finding, Review } from '../review/types.js';

const FEWEST_DIGITS = 8;

/** The findings that a person names: by fingerprint (its first 8 digits are enough), by the id of the same audit, or by `file:line`. */
export function findingsNamed({ findings }: Pick<Review, 'findings'>, what: string): Finding[] {
  const place = /^(?<file>.+?):(?<line>\d+)(?::\d+)?$/u.exec(what)?.groups;
  if (place !== undefined) return findings.filter(({ file, line }) => file === place['file']?.replace(/^\.\//, '').replaceAll('\\', '/') && line === Number(place['line']));
  if (/^f\d+$/.test(what) && what.length < FEWEST_DIGITS) return findings.filter(({ id }) => id === what);
  if (what.length < FEWEST_DIGITS) return [];
  const isNamed = fingerprintTest(findings.map(({ fingerprint }) => fingerprint), what.toLowerCase());
  return findings.filter(({ fingerprint }) => isNamed(fingerprint));
}
