import type { Fix, Location, Result, Suppression, ThreadFlowLocation } from 'sarif';
import type { Finding, FixedFinding, Review } from '../review/types.js';
import { fileLocation, oneLine, pointLocation } from './sarif-location.js';
import { positionAt } from './source-text.js';

/** Not `primaryLocationLineHash`: GitHub's upload computes that one from the source and warns about another. */
const FINGERPRINT = 'stepLockFingerprint/v1';

/** GitHub shows so many steps of a path. */
const MOST_STEPS = 1_000;

export interface ResultContext {
  readonly review: Review;
  readonly pathPrefix: string | undefined;
  source(file: string): string | undefined;
  readonly ruleIndex: ReadonlyMap<string, number>;
}

/** A finding: one line, the path to the fault as a code flow, the second worker linked from the message. */
export function findingResult(finding: Finding, context: ResultContext): Result {
  const { review, pathPrefix } = context;
  const site = review.sites.find(({ id }) => id === finding.site);
  const related = relatedLocations(finding, context);
  return {
    ...ruleOf(finding, context),
    level: finding.severity,
    message: { text: [sentence(finding.message), `To do: ${sentence(finding.action)}`, ...related.map(({ words }, at) => `${words[0]}: [${linkText(words[1])}](${at + 1}).`)].join(' ') },
    locations: [{
      physicalLocation: { artifactLocation: fileLocation(finding.file, pathPrefix), region: oneLine(finding, context.source(finding.file)) },
      ...(site === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: site.name, kind: 'function' }] }),
    }],
    ...(finding.witness.length === 0 ? {} : { codeFlows: [{ threadFlows: [{ locations: steps(finding, pathPrefix) }] }] }),
    ...(related.length === 0 ? {} : { relatedLocations: related.map(({ location }, at) => ({ id: at + 1, ...location })) }),
    partialFingerprints: { [FINGERPRINT]: finding.fingerprint },
    ...(review.change === undefined ? {} : { baselineState: finding.change === 'old' ? 'unchanged' : 'new' }),
    ...suppressed(finding, context),
    ...fixes(finding, context),
    properties: {
      certainty: finding.certainty, skill: finding.skill, dimension: finding.dimension, validation: finding.validation,
      ...(finding.owner === undefined ? {} : { owner: finding.owner }),
    },
  };
}

/** A finding of the base that the change mended; its place is that of the base. */
export function absentResult(finding: FixedFinding, context: ResultContext): Result {
  return {
    ...ruleOf(finding, context),
    level: finding.severity,
    message: { text: sentence(finding.message) },
    locations: [pointLocation({ file: finding.file, line: finding.line }, context.pathPrefix)],
    partialFingerprints: { [FINGERPRINT]: finding.fingerprint },
    baselineState: 'absent',
    properties: { certainty: finding.certainty, skill: finding.skill },
  };
}

function ruleOf({ rule }: Pick<Finding, 'rule'>, { ruleIndex }: ResultContext): Pick<Result, 'ruleId' | 'ruleIndex'> {
  const at = ruleIndex.get(rule);
  return { ruleId: rule, ...(at === undefined ? {} : { ruleIndex: at }) };
}

function steps({ witness }: Finding, pathPrefix: string | undefined): ThreadFlowLocation[] {
  const shown = witness.slice(0, MOST_STEPS).map(({ file, line, column, role, note }): ThreadFlowLocation => ({
    location: pointLocation({ file, line, column }, pathPrefix, sentence(note === '' ? role : `${role}: ${note}`)),
    kinds: [role],
    importance: 'essential',
  }));
  const last = shown.at(-1);
  if (witness.length <= MOST_STEPS || last === undefined) return shown;
  return [...shown.slice(0, -1), { ...last, location: { ...last.location, message: { text: `${witness.length - MOST_STEPS + 1} more steps are in the json report` } } }];
}

interface Related {
  /** How the message names it, and the text of its link. */
  readonly words: readonly [string, string];
  readonly location: Location;
}

function relatedLocations({ conflictsWith, causedBy }: Finding, { review, pathPrefix }: ResultContext): Related[] {
  const second = conflictsWith === undefined ? undefined : review.sites.find(({ id }) => id === conflictsWith);
  return [
    ...(second === undefined ? [] : [{ words: ['Second worker', `${second.file}:${second.line}`] as const, location: pointLocation(second, pathPrefix, `the second worker: ${second.name}`) }]),
    ...(causedBy === undefined ? [] : [{ words: ['Brought by', `${causedBy.file}:${causedBy.line}`] as const, location: pointLocation(causedBy, pathPrefix, causedBy.note) }]),
  ];
}

function suppressed({ exception: id, baseline }: Finding, { review, pathPrefix }: ResultContext): { suppressions?: Suppression[] } {
  const exception = id === undefined ? undefined : review.exceptions.find((entry) => entry.id === id);
  if (exception !== undefined) {
    const { owner, expires, reason } = exception;
    return {
      suppressions: [{
        kind: exception.source === 'comment' ? 'inSource' : 'external',
        status: 'accepted',
        ...(reason === undefined ? {} : { justification: reason }),
        location: pointLocation(exception, pathPrefix),
        properties: { ...(owner === undefined ? {} : { owner }), ...(expires === undefined ? {} : { expires }) },
      }],
    };
  }
  return baseline === true ? { suppressions: [{ kind: 'external', status: 'accepted', justification: 'accepted by the baseline of the adoption' }] } : {};
}

function fixes({ fix, file }: Finding, { source, pathPrefix }: ResultContext): { fixes?: Fix[] } {
  const text = fix === undefined ? undefined : source(file);
  if (fix === undefined || text === undefined) return {};
  const replacements = fix.edits.map(({ start, end, text: put }) => {
    const [from, to] = [positionAt(text, start), positionAt(text, end)];
    return {
      deletedRegion: { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column },
      insertedContent: { text: put },
    };
  });
  return { fixes: [{ description: { text: sentence(fix.title) }, artifactChanges: [{ artifactLocation: fileLocation(file, pathPrefix), replacements }] }] };
}

/** Text that means nothing but itself: `[x](1)` would be a link and `{0}` a placeholder. */
function sentence(text: string): string {
  return text.replace(/\\(?=[[\]])|\[(?=[^\]]*\]\()/g, '\\$&').replace(/\{(\d+)\}/g, '{{$1}}');
}

function linkText(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&').replace(/\{(\d+)\}/g, '{{$1}}');
}
