import { UserMistake } from '../audit/user-mistake.js';
import { isDate } from '../exceptions/dates.js';

/**
 * The day at which exceptions are judged: that of `--as-of`, else today (UTC). The one place that looks at the clock.
 * @throws {UserMistake} for what is no day.
 */
export function dayOf(asOf: string | undefined): string {
  if (asOf === undefined) return new Date().toISOString().slice(0, 10);
  if (!isDate(asOf)) throw new UserMistake(`\`${asOf}\` is no day of the calendar.`, 'Give --as-of a day like 2027-03-01, or leave it out for today.');
  return asOf;
}
