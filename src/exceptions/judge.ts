import ignore from 'ignore';
import { daysBetween, isDate } from './dates.js';
import type { DeclaredException } from './declared.js';
import { withoutPosition } from './fingerprint-text.js';

/** The days before its end from which an exception is told to end soon. */
export const WARNING_DAYS = 30;

/** A violation that an exception may accept. */
export interface Acceptable {
  readonly rule: string;
  readonly fingerprint: string;
  /** Where it is reported: absolute, with `/`. */
  readonly file: string;
  readonly line: number;
  /** The enclosing function, `Class.method` or `<module>`. */
  readonly fn: string;
}

export interface ExceptionTerms {
  /** The day at which exceptions are judged, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** The ids of all rules there are. */
  readonly known: readonly string[];
  /** Whether a finding of that exception would have been seen: its rule was judged, and its file among those looked at. */
  wasLookedFor(exception: DeclaredException): boolean;
  /** Only one file is seen, so that positions among equals of other files are not known. */
  readonly oneFile?: true;
}

export type ExceptionStatus = 'active' | 'expiring' | 'expired' | 'unused' | 'incomplete';

export interface JudgedException<Violation> {
  readonly declared: DeclaredException;
  readonly status: ExceptionStatus;
  /** What needs attention, one sentence without a full stop; missing where the exception is in order. */
  readonly problem?: string;
  /** What it accepts; for an expired or incomplete one, what it would have accepted. */
  readonly violations: readonly Violation[];
}

/** What each exception is worth at a day. The same for the audit and for ESLint. */
export function judgeExceptions<V extends Acceptable>(declared: readonly DeclaredException[], violations: readonly V[], terms: ExceptionTerms): JudgedException<V>[] {
  return declared.map((exception) => {
    const covers = coverTest(exception, terms.oneFile === true);
    const covered = violations.filter((v) => v.rule === exception.rule && covers(v));
    return { declared: exception, violations: covered, ...worth(exception, covered.length, terms) };
  });
}

/** Whether an exception accepts what it covers. */
export function accepts({ status }: { readonly status: ExceptionStatus }): boolean {
  return status === 'active' || status === 'expiring';
}

/** Whether an exception has all it needs on a day: what is right of it before anything is known of findings. */
export function holds(exception: DeclaredException, asOf: string): boolean {
  return incomplete(exception) === undefined && exception.expires !== undefined && daysBetween(asOf, exception.expires) >= 0;
}

function worth(exception: DeclaredException, covered: number, { asOf, known, wasLookedFor }: ExceptionTerms): Pick<JudgedException<unknown>, 'status' | 'problem'> {
  const lacks = incomplete(exception) ?? (known.includes(exception.rule) ? undefined : `there is no rule \`${exception.rule}\``);
  if (lacks !== undefined || exception.expires === undefined) return { status: 'incomplete', problem: lacks ?? 'it names no day on which it ends' };
  const left = daysBetween(asOf, exception.expires);
  if (left < 0) return { status: 'expired', problem: `it ended on ${exception.expires}: mend the finding, or decide anew` };
  if (covered === 0 && wasLookedFor(exception)) return { status: 'unused', problem: 'it accepts nothing: no such finding is there any more; take it away' };
  if (left <= WARNING_DAYS) return { status: 'expiring', problem: left === 0 ? 'it ends today' : `it ends in ${String(left)} ${left === 1 ? 'day' : 'days'}, on ${exception.expires}` };
  return { status: 'active' };
}

/** What is missing for it to be answered for, one sentence without a full stop. */
function incomplete({ mistake, owner, reason, expires }: DeclaredException): string | undefined {
  if (mistake !== undefined) return mistake;
  const missing = [...(isFilled(owner) ? [] : ['`owner`']), ...(isFilled(expires) ? [] : ['`expires`']), ...(isFilled(reason) ? [] : ['`reason`'])];
  if (missing.length > 0) return `it does not say ${missing.length > 1 ? `${missing.slice(0, -1).join(', ')} and ` : ''}${missing.at(-1) ?? ''}`;
  return expires === undefined || isDate(expires) ? undefined : `\`${expires}\` is no day of the calendar: write \`expires: YYYY-MM-DD\``;
}

/** A place that was left to be filled in, `<who answers for it>`, says nothing. */
function isFilled(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && !/^<.*>$/.test(value.trim());
}

function coverTest({ covers }: DeclaredException, oneFile: boolean): (violation: Acceptable) => boolean {
  switch (covers.kind) {
    case 'line': return ({ file, line }) => file === covers.file && line === covers.line;
    case 'fingerprint': {
      if (!oneFile || covers.file === undefined) return ({ fingerprint }) => fingerprint === covers.fingerprint;
      return ({ fingerprint, file }) => file === covers.file && withoutPosition(fingerprint) === withoutPosition(covers.fingerprint);
    }
    case 'files': {
      const inFiles = filesTest(covers);
      return ({ file, fn }) => (covers.fn === undefined || covers.fn === fn) && inFiles(file);
    }
  }
}

/** A test for the files of an exception that names some. */
export function filesTest({ folder, pattern }: { readonly folder: string; readonly pattern: string }): (file: string) => boolean {
  const files = ignore().add(pattern);
  const within = folder.endsWith('/') ? folder : `${folder}/`;
  return (file) => file.startsWith(within) && files.ignores(file.slice(within.length));
}
