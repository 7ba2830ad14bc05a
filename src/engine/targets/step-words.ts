import { normalised } from '../syntax/snake-case.js';

export { isLockColumn } from '../operations/lock-column.js';
export { normalised } from '../syntax/snake-case.js';

const IN_FLIGHT = new Set(`pending queued ready scheduled created open new waiting blocked claimed leased dispatched dequeued running active processing in_progress
executing started suspended paused sleeping retrying backoff delayed compensating working assigned picked submitted enqueued`.split(/\s+/));

const TERMINAL = new Set(`completed complete succeeded success done finished failed failure error errored cancelled canceled aborted timed_out timeout expired crashed
skipped dead compensated reverted rolled_back stalled stopped ended closed sent processed rejected terminated killed published`.split(/\s+/));

const WAITING = new Set(['pending', 'created', 'open', 'new', 'ready', 'waiting', 'blocked', 'paused', 'suspended', 'sleeping', 'delayed', 'backoff']);

/** Words that forms, devices and members use as well: alone they tell nothing. */
const WEAK = new Set(['active', 'open', 'new', 'created', 'ready', 'error', 'expired', 'complete', 'closed', 'sent', 'published', 'blocked', 'submitted', 'rejected']);

const UI = new Set(['idle', 'loading', 'fetching', 'refetching', 'hydrated', 'hydrating']);
/** Participles that are no step in flight. */
const NO_FLIGHT = new Set([...UI, 'trialing', 'existing', 'missing', 'billing', 'string', 'nothing', 'warning', 'rating', 'setting']);

/** Nouns that name a step, a job or a run by themselves (S3). */
const CORE = new Set(['step', 'task', 'job', 'run', 'workflow', 'execution', 'attempt']);
/** Nouns that do so only beside other signals (S4). */
const SECONDARY = new Set(`activity saga transaction batch delivery deployment migration export import sync session invocation checkpoint lease outbox message event timer
waitpoint schedule action progress eval reminder`.split(/\s+/));
/** Nouns whose status is the business of people, not of workers (V5). */
const VETO = new Set(`order invoice payment subscription product user member invite recipient envelope ticket post document account customer domain page article
team workspace project organization organisation company plan license coupon invitation referral contact lead campaign listing comment review category folder file profile device tenant`.split(/\s+/));

const TOKEN_COLUMN = /^(?:version|rev|revision|_rev|__v|etag|locked_by|lock_token|lock_owner|lease_owner|lease_token|lease_id|fencing_token|fence|attempt|attempt_id|attempt_number|tries|claim|claimed_by|claim_id|claim_token|owner|owner_id|holder|token|generation|epoch|worker\w*|runner|updated_at|by)$/;
const LIFECYCLE = /_(?:at|until|by)$|^(?:is_)?(?:busy|locked|processing|processed|sent|done)$/;
/** Times that tell of something else than the life of a step. */
const NO_LIFECYCLE = /^(?:updated|created|deleted|modified|read|seen|viewed|heartbeat|beat|archived|edited)_(?:at|by)$|^last_|_(?:seen|beat|heartbeat)_at$/;

/** As `normalised`, without an enum's prefix: `STEP_STATUS_RUNNING` gives `running`. */
export function stateWord(word: string): string {
  return normalised(word).replace(/^.*(?:status|state|phase)_/, '').replace(/^_+|_+$/g, '');
}

/** A state of a step that something still has to be done with. */
export function isInFlight(word: string): boolean {
  const w = stateWord(word);
  return IN_FLIGHT.has(w) || (/[a-z]{3}ing$/.test(w) && !NO_FLIGHT.has(w));
}

/** A state in which a step waits for somebody to take it: who writes it puts the step back and takes nothing. */
export function isWaiting(word: string): boolean {
  return WAITING.has(stateWord(word));
}

const STOPPING = /^(?:abort|cancell?|stopp?|terminat|kill|paus|suspend|shutt|clos|expir)ing\b/;

/** A state that asks for an end of the work: who writes it stops somebody, and takes no work up. */
export function isStopping(word: string): boolean {
  return STOPPING.test(stateWord(word));
}

/** There was nothing to do, or somebody took it back. */
export function isNeedless(word: string): boolean {
  return NEEDLESS.test(stateWord(word));
}

const NEEDLESS = /^(?:cancel|skip|ignore|filter|discard|obsolete|supersede|exclude|not_?applicable)/;

/** A state that a step is meant to keep. */
export function isTerminal(word: string): boolean {
  return TERMINAL.has(stateWord(word));
}

/** A state word that means steps more often than forms, devices or people. */
export function isTelling(word: string): boolean {
  return (isInFlight(word) || isTerminal(word)) && !WEAK.has(stateWord(word));
}

/** A state that people put a setting into. */
export function isSwitch(word: string): boolean {
  return /^(?:in)?active$|^(?:en|dis)abled$|^(?:un)?archived$|^(?:un)?published$|^draft$|^o(?:n|ff)$/.test(stateWord(word));
}

const PEOPLES = new Set(`draft archived unarchived shipped delivered paid unpaid refunded trialing past_due verified unverified banned unbanned invited signed approved declined accepted
trusted untrusted deactivated reactivated activated subscribed unsubscribed confirmed hidden visible public private resolved unresolved acknowledged removed deleted muted featured
flagged enrolled reported`.split(/\s+/));

/** A state that somebody decides on by hand: approval, payment, publication, membership. */
export function isPeoplesWord(word: string): boolean {
  return PEOPLES.has(stateWord(word)) || isSwitch(word);
}

/** A state of a view that fetches. */
export function isViewState(word: string): boolean {
  return UI.has(stateWord(word));
}

/** `status`, `runState`, `job.phase`; not the answer of a server, the place of a person or what a shop says of a customer. */
export function isStateColumn(name: string): boolean {
  const column = lastPart(name);
  return /(?:^|_)(?:status|state|phase)$|^(?:stage|lifecycle)$/.test(column) && !/^(?:last|latest|prev|previous)_/.test(column) && !/(?:^|_)(?:https?|response|marital|home|us|country|address|subscription|billing|account|membership|license)_/.test(column);
}

/** `done_at`, `claimedUntil`, `processing`: tells a state without naming it. */
export function isLifecycleColumn(name: string): boolean {
  const column = lastPart(name);
  return LIFECYCLE.test(column) && !NO_LIFECYCLE.test(column);
}

/** A column whose old value only the rightful writer knows: version, owner, attempt. */
export function isTokenColumn(name: string): boolean {
  return TOKEN_COLUMN.test(lastPart(name));
}

/** A token that is compared for no other end than to find out whether somebody wrote in between. */
export function isVersionColumn(name: string): boolean {
  return /^(?:version|rev|revision|_rev|__v|etag|fencing_token|fence|generation|epoch|attempt(?:_number|_id)?)$/.test(lastPart(name));
}

/** The word a lifecycle column stands for: `done_at` for done. */
export function lifecycleStem(name: string): string {
  return lastPart(name).replace(/_(?:at|until|by)$/, '').replace(/^is_/, '');
}

/** What a target's last noun says of it. */
export function nounOf(target: string): 'core' | 'secondary' | 'veto' | undefined {
  const noun = targetKey(target).split('_').at(-1) ?? '';
  return CORE.has(noun) ? 'core' : SECONDARY.has(noun) ? 'secondary' : VETO.has(noun) ? 'veto' : undefined;
}

/** A target's name as all its spellings share it: `StepRunModel`, `step_runs` and `stepRun` give `step_run`. */
export function targetKey(target: string): string {
  const name = normalised(lastOf(target)).replace(/_(?:entity|model|record|row|document|schema|table|repository|repo|store|collection)$/, '');
  return name.replace(/ies$/, 'y').replace(/(ch|sh|x|ss)es$/, '$1').replace(/([^s])s$/, '$1');
}

function lastPart(name: string): string {
  return normalised(lastOf(name));
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
