import type { Invocation, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Finding, Review } from '../review/types.js';
import type { ReportOptions } from './formats.js';
import { count, skippedByReason } from './review-words.js';
import { absentResult, findingResult, type ResultContext } from './sarif-result.js';
import { fileLocation, SOURCE_ROOT } from './sarif-location.js';
import { sarifRules } from './sarif-rules.js';
import { byUrgency } from './urgency.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** GitHub refuses a file with more results in a run. */
const MOST_RESULTS = 25_000;

/** SARIF 2.1.0, within the part of it and the limits that GitHub code scanning documents. */
export function sarif(review: Review, options: Pick<ReportOptions, 'source' | 'rules' | 'pathPrefix'>): string {
  const rules = sarifRules(review, options.rules ?? []);
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run(review, rules, options)] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function run(review: Review, rules: ReportingDescriptor[], { source, pathPrefix }: Pick<ReportOptions, 'source' | 'pathPrefix'>): Run {
  const context: ResultContext = { review, pathPrefix, source, ruleIndex: new Map(rules.map(({ id }, at) => [id, at])) };
  const kept = mostUrgent(review.findings);
  const room = MOST_RESULTS - kept.length;
  const fixed = review.change?.fixed ?? [];
  const cut = review.findings.length - kept.length + Math.max(0, fixed.length - room);
  const results = [...kept.map((finding) => findingResult(finding, context)), ...fixed.slice(0, room).map((finding) => absentResult(finding, context))];
  return {
    tool: { driver: { name: review.tool.name, version: review.tool.version, semanticVersion: review.tool.version, rules } },
    automationDetails: { id: `step-lock/${pathPrefix ?? ''}` },
    language: 'en-US',
    columnKind: 'utf16CodeUnits',
    // The root is left for the reader to know: an absolute path would differ from machine to machine.
    originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: 'The top folder of the repository.' } } },
    invocations: [invocation(review, pathPrefix, cut)],
    results: answeredFor(results),
    properties: {
      verdict: review.verdict,
      profile: review.scope.profile,
      configDigest: review.scope.configDigest,
      ...(review.scope.commit === undefined ? {} : { commit: review.scope.commit }),
      ...(review.change === undefined ? {} : { base: review.change.base, mergeBase: review.change.mergeBase }),
      ...(review.scope.asOf === undefined ? {} : { asOf: review.scope.asOf }),
      filesJudged: review.scope.filesJudged,
    },
  };
}

/** All findings in the order of the review, or the most urgent ones where GitHub would refuse the file. */
function mostUrgent(findings: readonly Finding[]): readonly Finding[] {
  return findings.length <= MOST_RESULTS ? findings : byUrgency(findings).slice(0, MOST_RESULTS);
}

/** Where one result says whether it is suppressed, all must: an absent list means that nobody knows. */
function answeredFor(results: Result[]): Result[] {
  if (results.every(({ suppressions }) => suppressions === undefined)) return results;
  return results.map((result) => ({ ...result, suppressions: result.suppressions ?? [] }));
}

/** The run came to its end, else there would be no review; what was not judged on the way is a notification each. */
function invocation(review: Review, pathPrefix: string | undefined, cut: number): Invocation {
  const errors = review.errors.map(({ file, line, message }): Notification => ({
    level: 'error',
    message: { text: `Not judged to the end: ${message}` },
    locations: [{ physicalLocation: { artifactLocation: fileLocation(file, pathPrefix), region: { startLine: line } } }],
  }));
  const skipped = skippedByReason(review.scope.filesSkipped).map(({ reason, files }): Notification => ({
    level: 'note', message: { text: `${count(files.length, 'file')} not judged: ${reason}.` },
  }));
  const tooMany: Notification[] = cut === 0 ? [] : [{
    level: 'warning', message: { text: `${count(cut, 'result')} left out: GitHub takes ${MOST_RESULTS} a run. The json report holds all.` },
  }];
  return { executionSuccessful: true, toolExecutionNotifications: [...tooMany, ...errors, ...skipped] };
}
