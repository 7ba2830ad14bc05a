import type { Outcome, Violated } from '../src/engine/judge/outcome.js';
import { isMissOfNobody, lockedAndAsked } from '../src/engine/judge/missed-by-nobody.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import { swallowedMiss, type SwallowedMiss } from '../src/engine/judge/swallowed-miss.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'no-ignored-cas-result',
  skill: 'F3',
  dimension: 'D3',
  subjects: ['T'],
  family: 'state',
  profile: 'recommended',
  summary: 'What depends on a guarded write must wait for its answer.',
  messages: {
    dropped: 'The guarded write of {{target}} says whether it hit, and nobody looks: when {{first}} was first, {{effect}} runs all the same. Read the answer ({{form}}) and stop on a miss.',
    misread: 'This does not tell a miss of the guarded write of {{target}} from a hit: when {{first}} was first, {{effect}} runs all the same. Test the value that says so ({{form}}).',
    told: '{{effect}} is true also when the guarded write of {{target}} misses: a caller who lost to {{first}} hears that the row is its own. Answer by the value that says so ({{form}}).',
    swallowed: 'A miss of this guarded write of {{target}} is an error, and the `catch` on line {{line}} lets it pass: when {{first}} was first, {{effect}} runs all the same. Leave there on a mismatch.',
    stale: 'When this guarded write of {{target}} misses, the loop sends the same old values again under the newer version of line {{line}}: the change that won is wiped out. Compute the values from the row read anew.',
  },
  validation: ['V5'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: TransitionSubject): Outcome {
  const { unit, place, transition } = subject;
  const { write, grade, kind, reread } = transition;
  const guarded = grade.grade !== 'unknown' && grade.grade >= 3;
  if (!guarded || write.verb === 'delete') return { status: 'not-applicable' };
  const passed = write.result.throwsWhenLost ? swallowedMiss(unit, write.node) : undefined;
  if (passed !== undefined) return swallowed(subject, passed);
  if (write.result.lost.length === 0) return { status: 'not-applicable' };
  const verified = (note: string): Outcome => ({ status: 'verified', evidence: [{ place, note }] });
  if (reread !== undefined) return { status: 'verified', evidence: [{ place: unit.placeOf(reread.node), note: 'the rows are read again by the token of this worker' }] };
  if (transition.staleRetry !== undefined) return stale(subject, transition.staleRetry);
  // A sweep over many rows: only rows that are then read by the state it wrote are taken for hits.
  if ((transition.sweeps || sweepsGroup(transition)) && !transition.takesForHits) return { status: 'not-applicable' };
  const locked = lockedAndAsked(transition);
  if (locked !== undefined) return { status: 'verified', evidence: [{ place: unit.placeOf(locked.node), note: 'the row is locked since this read, and its state was asked' }] };
  const answer = subject.answer();
  switch (answer?.use) {
    case 'heeded': return verified('what follows depends on the answer');
    case 'dropped':
    case 'misread':
    case 'repeated': {
      const { loser } = answer;
      if (loser === undefined || loser.when === 'next-round' || loser.when === 'same-batch' || loser.noted === true) return unknown(subject);
      if (isMissOfNobody(transition, loser)) return unknown(subject);
      // A row that has ended already has ended: the asker gets the same answer. Whether that answer is work is not known.
      if (answer.use === 'dropped' && kind === 'finish' && loser.when === 'answer') return unknown(subject);
      // What told others of the new state is out already: a miss leaves it standing.
      if (loser.effect === '' && answer.use === 'dropped' && subject.split().kind === 'before') return unknown(subject);
      if (loser.told !== undefined) return toldTrue(subject, loser.told, loser.witness);
      if (loser.effect === '') return answer.use === 'dropped' ? verified('nothing that follows depends on the answer') : unknown(subject);
      // Who else takes the row out of the same state; else a second run of this very code.
      const rival = subject.taker();
      return {
        status: 'violated',
        certainty: kind === 'claim' && write.evidence !== 'name' ? 'certain' : 'likely',
        at: place,
        messageId: answer.use === 'dropped' ? 'dropped' : 'misread',
        data: { target: named(write.target), effect: quoted(loser.effect, rival === undefined ? 50 : 28), form: write.result.label, first: rival?.who ?? 'another worker' },
        conflictsWith: rival?.site ?? subject.site,
        witness: loser.witness,
        action: 'Run what follows only when the write hit.',
      };
    }
    default: return unknown(subject);
  }
}

/** The error that tells the miss is caught, and the work goes on. */
function swallowed(subject: TransitionSubject, { clause, effect }: SwallowedMiss): Outcome {
  const { unit, place, site, transition: { kind, write } } = subject;
  const rival = subject.taker();
  const caught = unit.placeOf(clause);
  return {
    status: 'violated',
    certainty: kind === 'claim' && write.evidence !== 'name' ? 'certain' : 'likely',
    at: place,
    messageId: 'swallowed',
    data: { target: named(write.target), effect: quoted(effect.getText(unit.file), 28), line: String(caught.line), first: rival?.who ?? 'another worker' },
    conflictsWith: rival?.site ?? site,
    witness: [{ place, role: 'write', note: 'another worker was first: the write throws' }, { place: caught, role: 'test', note: 'the error ends here' }, { place: unit.placeOf(effect), role: 'call', note: 'runs although the write missed' }],
    action: 'Return or throw in the catch clause when the write missed.',
  };
}

/** The function answers its caller as if the write always hit. */
function toldTrue(subject: TransitionSubject, told: string, witness: Violated['witness']): Outcome {
  const { place, site, transition: { kind, write } } = subject;
  const rival = subject.taker();
  return {
    status: 'violated',
    certainty: kind === 'claim' && write.evidence !== 'name' ? 'certain' : 'likely',
    at: place,
    messageId: 'told',
    data: { target: named(write.target), effect: quoted(told, 36), form: write.result.label, first: rival?.who ?? 'another worker' },
    conflictsWith: rival?.site ?? site,
    witness,
    action: 'Answer the caller by whether the write hit.',
  };
}

/** Moves all rows of an owner that are in a state: `where: { conversationId, status: 'PENDING' }`. */
function sweepsGroup({ kind, write, choosesGroup }: TransitionSubject['transition']): boolean {
  return kind !== 'claim' && choosesGroup && write.verb === 'update';
}

function stale({ unit, place, transition: { write } }: TransitionSubject, again: NonNullable<TransitionSubject['transition']['staleRetry']>): Outcome {
  const read = unit.placeOf(again);
  return {
    status: 'violated',
    certainty: 'likely',
    at: place,
    messageId: 'stale',
    data: { target: named(write.target), line: String(read.line) },
    witness: [{ place, role: 'write', note: 'another worker was first: the write misses' }, { place: read, role: 'read', note: 'only the compared value is read anew' }, { place, role: 'write', note: 'the old values hit now' }],
    action: 'Read the row anew in each round and compute what is written from it.',
  };
}

function unknown({ transition: { write } }: TransitionSubject): Outcome {
  const target = named(write.target);
  return { status: 'unknown', missing: { fact: `what the answer of the guarded write of ${target} decides`, question: `Does the work stop when this write of ${target} misses?` } };
}

function named(target: string | undefined): string {
  return target === undefined ? 'the row' : quoted(target, 28);
}
