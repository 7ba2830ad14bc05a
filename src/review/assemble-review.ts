import { reported } from '../engine/judge/reported.js';
import type { Certainty } from '../engine/judge/outcome.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis, EngineError, LockRecord } from '../engine/judge/site.js';
import { acceptedFindings, type ExceptionOptions } from './exceptions.js';
import { findingsOf } from './findings.js';
import { lockBehaviour } from './lock-behaviour.js';
import { localPaths, type LocalPaths } from './local-path.js';
import { questionsOf } from './questions.js';
import { reviewSite, siteIds } from './review-site.js';
import { dimensionRows, skillRows, verificationRows } from './skill-table.js';
import { judgedOutcomes } from './tally.js';
import { reviewTargets } from './targets.js';
import type { Profile, Review, ReviewLock, ReviewSite, ReviewTarget, SkippedFile } from './types.js';
import { verdictOf } from './verdict.js';

export interface ReviewOptions {
  /** The folder that paths are told from, absolute, with `/`: the working directory. */
  readonly root: string;
  readonly version: string;
  readonly profile: Profile;
  /** The least certainty that becomes a finding; default `possible`, so that the profile decides. */
  readonly certainty?: Certainty;
  /** sha256 of profile, rules, models and configuration (`configDigest`). */
  readonly configDigest: string;
  readonly filesJudged: number;
  readonly filesWithoutSubjects: number;
  readonly filesSkipped: readonly SkippedFile[];
  /** What went wrong outside of the engine; paths absolute or relative to the root. */
  readonly errors: readonly EngineError[];
  readonly commit?: string;
  readonly base?: string;
  /** Who answers for a file, given by its path from the root; missing: nobody is named. */
  readonly ownerOf?: (file: string) => string | undefined;
  /** The date exceptions are judged at (ISO). Never taken from the clock here. */
  readonly asOf?: string;
  /** The exceptions that were found; they are judged at `asOf`. */
  readonly exceptions?: ExceptionOptions;
}

/**
 * Assembles the review from what the engine says. Pure: same input, same bytes, no absolute path and no clock in the result.
 * @param rules The rules that were judged; a skill row without one of them is unknown.
 */
export function assembleReview(analysis: Analysis, rules: readonly RuleDefinition[], options: ReviewOptions): Review {
  const local = localPaths(options.root);
  const ids = siteIds(analysis.sites, local);
  // Where two sites share a place, a reference means the first.
  const sites = new Map(analysis.sites.toReversed().map((site) => [site.id, site]));
  const siteId = (engineId: string): string => {
    const site = sites.get(engineId);
    return (site === undefined ? undefined : ids.get(site)) ?? local.text(engineId);
  };
  const judged = judgedOutcomes(analysis.sites, rules);
  const targets = reviewTargets(analysis.targets, siteId);
  const reviewed = analysis.sites.map((site) => reviewSite(site, ids.get(site) ?? local.text(site.id), local));
  const skill = skillRows(judged);
  const dimensions = dimensionRows(judged, rules, ({ site }) => options.ownerOf?.(local.path(site.place.file)));
  const verification = verificationRows();
  const found = reported(analysis.sites, rules, options.profile, options.certainty);
  const finding = { local, siteId, ...(options.ownerOf && { ownerOf: options.ownerOf }) };
  const accepted = acceptedFindings(options.exceptions, { sites: analysis.sites, rules, found, findings: findingsOf(found, finding), options: finding, asOf: options.asOf });
  const answered = accepted.forVerdict(judged);

  return {
    schemaVersion: 1,
    tool: { name: 'step-lock', version: options.version },
    scope: {
      root: '.',
      ...(options.commit === undefined ? {} : { commit: options.commit }),
      ...(options.base === undefined ? {} : { base: options.base }),
      configDigest: options.configDigest,
      ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
      profile: options.profile,
      filesJudged: options.filesJudged,
      filesWithoutSubjects: options.filesWithoutSubjects,
      filesSkipped: options.filesSkipped,
    },
    verdict: verdictOf(analysis.sites.length, [...skillRows(answered), ...dimensionRows(answered, rules), ...verification]),
    inventory: {
      locks: analysis.locks.length,
      wrappers: analysis.wrappers.length,
      transitions: analysis.sites.filter(({ subject }) => subject === 'T').length,
      lookAlikes: analysis.lookAlikes.map(({ place, name, why, configLine }) => ({ file: local.path(place.file), line: place.line, name, why: local.text(why), configLine })),
    },
    locks: analysis.locks.map((lock, at) => behaving(reviewLock(lock, `l${at + 1}`, local, siteId, targets), reviewed)),
    targets,
    sites: reviewed,
    findings: accepted.findings,
    skill,
    dimensions,
    verification,
    questions: questionsOf(judged, siteId, local.text),
    exceptions: accepted.rows,
    errors: [...options.errors, ...analysis.errors]
      .map(({ file, line, message }) => ({ file: local.path(file), line, message: local.text(message) }))
      .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  };
}

function reviewLock(lock: LockRecord, id: string, local: LocalPaths, siteId: (engineId: string) => string, targets: readonly ReviewTarget[]): ReviewLock {
  const { place, ...record } = lock;
  return {
    ...record,
    id,
    file: local.path(place.file),
    line: place.line,
    acquirers: lock.acquirers.map(siteId),
    protects: lock.protects.map((name) => targets.find((target) => target.name === name)?.id ?? name),
  };
}

/** What the engine leaves unknown is told by the outcomes at the lock. */
function behaving(lock: ReviewLock, sites: readonly ReviewSite[]): ReviewLock {
  const { renewal, release, onContention, onOutage } = lockBehaviour(lock, sites);
  const or = (said: string, told: string): string => (said === 'unknown' ? told : said);
  return { ...lock, renewal: or(lock.renewal, renewal.text), release: or(lock.release, release.text), onContention: or(lock.onContention, onContention.text), onOutage: or(lock.onOutage, onOutage.text) };
}
