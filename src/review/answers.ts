import type { MissingFact } from '../engine/judge/outcome.js';
import type { Site, SiteFacts } from '../engine/judge/site.js';

/** What a person can say once that settles many unknown outcomes: the question, and the line of configuration or the tag that answers it. */
export interface Answerable {
  readonly question: string;
  /** The configuration key the answer belongs to; empty where a tag in the code or only other code answers. */
  readonly configKey: string;
  /** The line to write; empty where only other code can answer. */
  readonly answer: string;
}

/** The question behind a missing fact. Facts about one lock API or one table are asked together. */
export function answerable(site: Site, rule: string, missing: MissingFact): Answerable {
  const { facts } = site;
  if (missing.configKey !== undefined) return { question: missing.question, configKey: missing.configKey, answer: policyLine(missing.configKey) };
  if (facts.subject === 'T') return ofWrite(facts, rule, missing);
  if (facts.subject !== 'I') {
    if (rule === 'require-renewal') return { question: missing.question, configKey: '', answer: `@maxDuration 30s (on \`${site.name}\`)` };
    if (ASKS_OF_API.has(rule) && isHouseName(facts.api)) return ofApi(facts);
  }
  return { question: missing.question, configKey: '', answer: '' };
}

const POLICIES: Readonly<Record<string, string>> = { 'policy.onOutage': '\'fail-closed\'', 'policy.onContention': '\'retry\'', 'policy.instances': '\'many\'' };

function policyLine(key: string): string {
  const value = POLICIES[key];
  return value === undefined ? '' : `policy: { ${key.slice('policy.'.length)}: ${value} }`;
}

/** Rules whose missing fact is how the API behaves, which one model tells for all its calls. */
const ASKS_OF_API = new Set(['require-ttl', 'no-ignored-acquire-result', 'require-atomic-acquire', 'require-atomic-release', 'no-unheld-release', 'no-throwing-release', 'require-bounded-retry', 'no-nested-lock', 'no-ignored-extend-result']);

/** A plain name: a function or method of the code base or of a package without a model. Commands and modelled APIs are spelled otherwise. */
function isHouseName(api: string): boolean {
  return /^[a-z$_][\w$]*$/.test(api) && !/^pg_/.test(api);
}

function ofApi(facts: Extract<SiteFacts, { subject: 'A' | 'L' | 'E' }>): Answerable {
  const { subject, api } = facts;
  const runs = subject === 'A' && facts.scope === 'callback';
  const op = runs ? `op: 'run', call: '${api}', key: 'arg0', ttl: { at: 'arg1', unit: 'ms' }`
    : subject === 'A' ? `op: 'acquire', call: '${api}', key: 'arg0', ttl: { at: 'arg1', unit: 'ms' }, result: 'boolean'`
    : subject === 'L' ? `op: 'release', call: '${api}', key: 'arg0', owner: 'arg1', ifNotHeld: 'harmless'` : `op: 'extend', call: '${api}', key: 'arg0', owner: 'arg1', ttl: { at: 'arg2', unit: 'ms' }`;
  const asks = subject === 'A' ? 'what is its TTL, and how does it answer a refusal' : subject === 'L' ? 'what does it do to a lock that is not held' : 'how does it answer when the lock is lost';
  return { question: `How does \`${api}\` behave: ${asks}?`, configKey: 'locks', answer: `locks: [{ id: '${api}', operations: [{ ${op} }] }]` };
}

function ofWrite({ target }: Extract<SiteFacts, { subject: 'T' }>, rule: string, missing: MissingFact): Answerable {
  if (target === 'unknown') return { question: missing.question, configKey: '', answer: '' };
  if (rule === 'require-lock') {
    return { question: `What keeps two writers of \`${target}\` apart: does every caller hold its lock, or does only one process write it?`, configKey: '', answer: '@requiresLock <parameter> or @singleWriter <reason> (on the function that writes)' };
  }
  if (rule === 'require-cas' || rule === 'no-illegal-transition') {
    return { question: `Which states of \`${target}\` are final, and which moves are allowed?`, configKey: 'targets', answer: `targets: [{ name: '${target}', inFlight: ['running'], terminal: ['done'], transitions: { running: ['done'] } }]` };
  }
  return { question: missing.question, configKey: '', answer: '' };
}
