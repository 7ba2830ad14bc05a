import type { Outcome, Violated } from '../../src/engine/judge/outcome.js';
import type { RuleDefinition } from '../../src/engine/judge/rule.js';
import type { AcquisitionFacts, Analysis, Site, SiteFacts, TransitionFacts } from '../../src/engine/judge/site.js';
import type { Place, WitnessStep } from '../../src/engine/place.js';
import type { ReviewOptions } from '../../src/review/assemble-review.js';

/** Hand-made engine output: what the engine says is not the point here, what becomes of it is. */
export const ROOT = '/home/someone/shop';

export function place(file: string, line: number, column = 3): Place {
  return { file: `${ROOT}/${file}`, line, column, endLine: line, endColumn: column + 10 };
}

export const requireTtl = rule({ id: 'require-ttl', skill: 'R3', dimension: 'D2', subjects: ['A'], family: 'lock-use', validation: ['V3'] });
export const requireRelease = rule({ id: 'require-release', skill: 'F1', dimension: 'D4', subjects: ['A'], family: 'lock-use', validation: ['V1', 'V3'] });
export const requireCas = rule({ id: 'require-cas', skill: 'R6', dimension: 'D3', subjects: ['T'], family: 'state', validation: ['V5'] });
export const requireEvents = rule({ id: 'require-lock-events', skill: 'R7', dimension: 'D5', subjects: ['A'], family: 'lock-use', profile: 'strict', validation: [] });
export const RULES = [requireTtl, requireRelease, requireCas, requireEvents];

export const OPTIONS: ReviewOptions = {
  root: ROOT, version: '1.2.3', profile: 'recommended', configDigest: 'abc123', filesJudged: 3, filesWithoutSubjects: 40, filesSkipped: [], errors: [],
};

export function violated(at: Place, more: Partial<Violated> = {}): Violated {
  return { status: 'violated', certainty: 'certain', at, messageId: 'broken', data: { what: '`step:1`' }, witness: [], action: 'Mend it.', ...more };
}

export function step(file: string, line: number, role: WitnessStep['role'], note: string): WitnessStep {
  return { place: place(file, line), role, note };
}

export const verified = (at: Place): Outcome => ({ status: 'verified', evidence: [{ place: at, note: `proven at ${at.file}` }] });

export const unknown = (question: string, configKey?: string): Outcome =>
  ({ status: 'unknown', missing: { fact: 'a fact', question, ...(configKey === undefined ? {} : { configKey }) } });

export function acquisition(at: Place, outcomes: Readonly<Record<string, Outcome>>, facts: Partial<AcquisitionFacts> = {}, name = 'Worker.run'): Site {
  return site('A', at, name, { subject: 'A', api: 'redis.set', key: 'step:${id}', owner: 'owner', ttl: 'none', result: "'OK'", scope: 'manual', claim: false, ...facts }, outcomes);
}

export function transition(at: Place, outcomes: Readonly<Record<string, Outcome>>, facts: Partial<TransitionFacts> = {}, name = 'finish'): Site {
  return site('T', at, name, {
    subject: 'T', layer: 'prisma', target: 'step', identity: 'id', from: 'any', to: 'done', kind: 'finish', grade: 1, signal: 'count', handling: 'dropped',
    score: 9, signals: ['S1'], actor: 'queue', locks: [], ...facts,
  }, outcomes);
}

export function analysis(parts: Partial<Analysis>): Analysis {
  return { sites: [], lookAlikes: [], targets: [], locks: [], wrappers: [], errors: [], ...parts };
}

function site(subject: Site['subject'], at: Place, name: string, facts: SiteFacts, outcomes: Readonly<Record<string, Outcome>>): Site {
  return { id: `${at.file}:${at.line}:${at.column}`, subject, place: at, statement: at, name, facts, outcomes };
}

function rule(parts: Pick<RuleDefinition, 'id' | 'skill' | 'dimension' | 'subjects' | 'family' | 'validation'> & Partial<RuleDefinition>): RuleDefinition {
  return { profile: 'recommended', summary: `says ${parts.id}`, messages: { broken: 'the lock {{what}} is broken' }, judge: () => ({ status: 'not-applicable' }), ...parts };
}
