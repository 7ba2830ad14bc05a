import type { Certainty, Evidence, Outcome, Violated } from '../src/engine/judge/outcome.js';
import type { GuardsOfTarget } from '../src/engine/judge/guards-of.js';
import { quoted } from '../src/engine/judge/quoted.js';
import { renderMessage, type RuleDefinition } from '../src/engine/judge/rule.js';
import type { Rival } from '../src/engine/judge/rival.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';
import type { WitnessStep } from '../src/engine/place.js';

type Transition = TransitionSubject['transition'];
type Held = NonNullable<ReturnType<TransitionSubject['lock']>['held']>;

const rule: RuleDefinition = {
  id: 'require-cas',
  skill: 'R6',
  dimension: 'D3',
  subjects: ['T'],
  family: 'state',
  profile: 'recommended',
  summary: 'A write of step state must name the state it expects, in the same statement.',
  messages: {
    claim: '{{target}} is claimed with {{to}} and {{why}}: at the same moment {{rival}} claims it too, and both run it. {{ask}}',
    finish: '{{target}} is set to {{to}} and {{why}}: {{rival}} in between is overwritten. {{ask}}',
    progress: '{{target}} is set to {{to}} and {{why}}: {{rival}} in between is undone. {{ask}}',
    again: '{{target}} is set to {{to}} and {{why}}: it hits just as well after {{rival}} has written the row, and neither notices. {{ask}}',
    twice: '{{target}} is set to {{to}} and {{why}}: two that run at once both pass the read on line {{line}}, and neither notices the other. {{ask}}',
    leased: '{{target}} is set to {{to}} and {{why}}: when {{loss}}, what its next holder wrote is overwritten. {{ask}}',
    late: '{{target}} is set to {{to}} and {{why}}: delivered late or twice, this overwrites whatever was written since. {{ask}}',
    merge: '{{target}} gets back a value computed from the row read on line {{line}}, and {{why}}: {{rival}} in between is lost. Let the store compute it, or compare a version.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: TransitionSubject): Outcome {
  const { unit, transition, lock } = subject;
  const { write, grade, protectedBy } = transition;
  // A call of a function is judged where its write stands.
  if (transition.through !== undefined || write.verb === 'delete' || protectedBy?.kind === 'store-computed') return { status: 'not-applicable' };
  if (isGuarded(transition)) return verified({ place: unit.placeOf(write.node), note: grade.evidence });
  if (protectedBy !== undefined) return verified({ place: unit.placeOf(protectedBy.at), note: PROTECTION[protectedBy.kind] });
  const serial = subject.serial();
  if (serial?.kind === 'alone') return verified({ place: serial.at, note: `all writers run in this ${serial.engine}, one at a time for each key` });
  if (serial?.kind === 'perhaps') return unknown(transition, `all writers run in one ${serial.engine}, but ${serial.missing} is not in sight`);
  if (write.verb === 'verb' || grade.grade === 'unknown' || isOpen(transition)) return unknown(transition);
  if (writesWhatever(transition)) return unknown(transition, 'which state it writes comes from elsewhere');
  if (transition.kind === 'claim' && grade.grade === 3 && grade.excludesTo === true) return unknown(transition, 'one at a time takes the row, and whether a finished one may be taken again is not in sight');
  if (isReopening(subject)) return unknown(transition, 'a resume or retry may be meant to take it out of the states that its condition lets through');
  if (meetsNobody(subject)) return unknown(transition, 'no end of such a row and no other writer is in sight');
  if (write.target === undefined && subject.rival()?.run !== undefined) return unknown(transition, 'neither its table nor another writer is in sight');
  if (putsBack(transition)) return unknown(transition, 'it puts the row back after an error, and who else writes the row is not in sight');
  if (transition.foreign !== undefined) return unknown(transition, FOREIGN[transition.foreign]);
  const doubt = subject.rival()?.doubt;
  if (doubt !== undefined) return unknown(transition, doubt);
  const { cover, says, held } = lock();
  if (says === 'single-writer') return { status: 'not-applicable' };
  const found = violated(subject, cover === 'covered' ? held : undefined);
  if (cover === 'covered') return { ...found, secondLine: true };
  // Callers lock and decide under the lock, in other places: the write lacks the second line only. Calls that do not lock are reported where they call.
  return cover === 'by-callers' || cover === 'partly' ? { ...found, secondLine: true, strictOnly: true } : found;
}

const PROTECTION = { 'row-lock': 'the row is locked before', 'transaction-lock': 'a lock of the row is held until the commit', 'serializable': 'the transaction lets no other writer in between', 'claimed-before': 'the row was claimed before' };

/** The state comes from the caller, and nothing here decides on the old one or competes with it. */
function writesWhatever({ grade, gate, secondWriter, readBefore, isEdit }: Transition): boolean {
  if (isEdit && grade.to === 'unknown' && readBefore === undefined) return true;
  // Two that both put what they are handed are the same edit twice.
  const namesState = secondWriter !== undefined && (secondWriter.setOpen || secondWriter.set.some((a) => a.column === gate.stateColumn && (a.value === undefined || a.value.kind === 'const' || /^[A-Z]/.test(a.node?.getText() ?? ''))));
  return gate.kind === 'state' && grade.to === 'unknown' && !namesState && (readBefore === undefined || gate.signals.includes('mirror')) && !gate.signals.includes('S8');
}

/** A resume whose condition leaves some ends out by name lets the others through on purpose. */
function isReopening({ transition: { kind, grade }, actor }: TransitionSubject): boolean {
  if (kind !== 'progress' || grade.grade !== 3) return false;
  return actor().kind === 'resume' || actor().kind === 'retry';
}

/** The row is told how it stands (an alert that rings, a mark that is cleared), not moved on: without another writer nothing is undone. */
function meetsNobody({ transition: { kind, gate, readBefore, grade }, rival }: TransitionSubject): boolean {
  if (kind !== 'progress' || gate.kind === 'read-modify-write' || grade.to === 'unknown' || gate.signals.includes('S2')) return false;
  return (readBefore === undefined || gate.kind === 'lifecycle') && (rival() === undefined || rival()?.run !== undefined);
}

/** After an error the row goes back to a state in flight, and nothing here competes with that. */
function putsBack({ kind, onError, secondWriter, readBefore }: Transition): boolean {
  return kind === 'progress' && onError && secondWriter === undefined && readBefore === undefined;
}

const FOREIGN = {
  'own-row': 'the row was made or claimed here, and who else can reach it yet is not in sight',
  'handed-row': 'the row is handed over by callers elsewhere, who may have claimed it',
  'beside-insert': 'it runs in one transaction with an insert, whose unique key may refuse a second one',
  'caller-transaction': 'it runs on a transaction of the caller, who may have locked the row',
};

function isGuarded({ kind, grade, work, sweeps, choosesGroup }: Transition): boolean {
  if (grade.grade === 'unknown') return false;
  if (grade.grade >= 4) return true;
  if (grade.excludesTerminal !== true) return false;
  // Who takes the row by a condition that shuts out what he writes takes it alone.
  if (kind === 'claim') return grade.excludesTo === true;
  // Work after a final write (a refund) is done twice when a second, equal write hits too.
  // What ends all rows of a group at once does its work for the group.
  return kind !== 'finish' || work === undefined || grade.excludesTo === true || sweeps || choosesGroup;
}

/** A guard is there, and what it lets through is not known. */
function isOpen({ grade, write }: Transition): boolean {
  return grade.grade === 3 && (grade.excludesTerminal === 'unknown' || grade.to === 'unknown' || write.whereOpen);
}

/** `lease`: the lock that is held here: who comes second comes when it has run out. */
function violated(subject: TransitionSubject, lease: Held | undefined): Violated {
  const { transition } = subject;
  const { write, unit, gate, kind, readBefore } = transition;
  const rival = subject.rival();
  const at = unit.placeOf(write.node);
  const merge = gate.kind === 'read-modify-write' && readBefore !== undefined;
  const byRun = messageOfRun(rival, readBefore !== undefined);
  const messageId = lease !== undefined && byRun !== undefined && byRun !== 'late' ? 'leased' : merge ? 'merge' : kind === 'claim' ? kind : byRun ?? kind;
  const read = readBefore && unit.placeOf(readBefore.node);
  const data = {
    target: write.target === undefined ? 'The row' : quoted(write.target, 24),
    to: statesWritten(transition),
    why: weakness(transition),
    rival: lossTo(rival, messageId),
    line: String(read?.line ?? at.line),
    loss: lease === undefined ? '' : lease.livesByConnection ? `the lock of line ${String(lease.place.line)} is lost with its connection` : `the lease of line ${String(lease.place.line)} has run out`,
  };
  const guards = subject.guards();
  return { status: 'violated', certainty: certaintyOf(transition, rival), at, messageId, data: { ...data, ask: askFor(messageId, data, guards) }, witness: witnessOf(transition, rival, guards), ...(rival && { conflictsWith: rival.site }), action: merge ? 'Let the store compute the value, or compare a version in the same statement.' : 'Put the expected state into the condition of this statement.' };
}

/** How a second run of the same code is told: where a read stands before the write, only two at once get past it. */
function messageOfRun(rival: Rival | undefined, isRead: boolean): 'again' | 'late' | 'twice' | undefined {
  if (rival?.run !== 'again' && rival?.run !== 'late') return undefined;
  return isRead ? 'twice' : rival.run;
}

/** What the write wipes out, or who comes a second time. */
function lossTo(rival: Rival | undefined, messageId: string): string {
  if (messageId === 'claim') return rival?.run === undefined ? 'a second worker' : rival.who;
  if (rival === undefined) return 'a cancel or finish of another worker';
  if (messageId === 'again' || !rival.isNamed) return rival.who;
  return `what ${rival.who} writes`;
}

/** What the other writers do says best what to do, as far as a message has room for it. */
function askFor(messageId: string, data: Readonly<Record<string, string>>, guards: GuardsOfTarget | undefined): string {
  const plain = 'Name the expected state here.';
  if (guards === undefined || messageId === 'merge') return plain;
  const ask = `${majority(guards)}: do so here.`;
  return renderMessage(rule, messageId, { ...data, ask }).length < LONGEST ? ask : plain;
}

const LONGEST = 240;

/** Not `5 of 7`: writers that are no step state in sight are not counted, and compare what they like. */
function majority({ guarded, column }: GuardsOfTarget): string {
  return `${String(guarded)} other writer${guarded === 1 ? ' compares' : 's compare'} ${quoted(column, 24)}`;
}

function certaintyOf(transition: Transition, second: Rival | undefined): Certainty {
  const { write, gate, kind, grade, readBefore } = transition;
  const resolved = write.evidence !== 'name' && write.target !== undefined && gate.kind === 'state' && grade.to !== 'unknown';
  // Decided on a row that was read before, while another file's writer can end it.
  const undoes = second?.endsElsewhere === true && readBefore !== undefined && !transition.onError;
  const rival = (transition.overwritesFinal && second?.run === undefined) || undoes || (kind === 'claim' && readBefore !== undefined);
  return gate.score >= 8 && resolved && rival ? 'certain' : 'likely';
}

function witnessOf(transition: Transition, rival: Rival | undefined, guards: GuardsOfTarget | undefined): WitnessStep[] {
  const { write, unit, readBefore, kind, work } = transition;
  return [
    ...(readBefore === undefined ? [] : [{ place: unit.placeOf(readBefore.node), role: 'read', note: 'the row is read here' } as const]),
    { place: unit.placeOf(write.node), role: 'write', note: `${weakness(transition)}: a rival gets in` },
    ...(kind === 'claim' && work !== undefined ? [{ place: unit.placeOf(work), role: 'call', note: 'every worker that gets here does this work' } as const] : []),
    ...(rival === undefined ? [] : [{ place: rival.place, role: 'enter', note: `the second writer: ${rival.who}` } as const]),
    ...(guards === undefined ? [] : [{ place: guards.example, role: 'test', note: `${majority(guards)}, this one does` } as const]),
  ];
}

/** The states written, two at most. */
function statesWritten({ grade, gate, write }: Transition): string {
  if (grade.to === 'unknown') return gate.stateColumn === undefined ? `what ${quoted(write.method, 18)} gets` : `a new ${quoted(gate.stateColumn, 24)}`;
  if (gate.stateColumn !== undefined && grade.to.every((state) => /^(?:null|undefined|true|false|\d+)$/.test(state))) return `${quoted(grade.to[0] ?? '', 10)} in ${quoted(gate.stateColumn, 24)}`;
  const names = grade.to.map((state) => (state.endsWith(' cleared') ? `not ${quoted(state.slice(0, -' cleared'.length), 20)}` : quoted(state, 22)));
  const all = names.join(' or ');
  return all.length <= 37 ? all : `${names[0] ?? ''} or another`;
}

/** What the condition lets through. */
function weakness({ grade, kind }: Transition): string {
  if (grade.grade !== 'unknown' && grade.grade < 3) return grade.evidence;
  return kind === 'claim' || grade.excludesTerminal === true ? 'its condition fits a row that is set already' : 'its condition also fits a finished row';
}

function verified(evidence: Evidence): Outcome {
  return { status: 'verified', evidence: [evidence] };
}

function unknown({ write, grade }: Transition, why = grade.evidence): Outcome {
  const target = write.target === undefined ? 'the row' : quoted(write.target);
  return { status: 'unknown', missing: { fact: `what keeps rivals out of the write of ${target}: ${why}`, question: `Which states of ${target} does this write accept?` } };
}
