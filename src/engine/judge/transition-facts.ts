import type { TransitionFacts } from './site.js';
import { showTerm } from '../syntax/term.js';
import type { LockOfWrite } from './lock-of-write.js';
import type { TransitionSubject } from './transition-subject.js';

/** A transition as plain facts. */
export function transitionFacts({ transition, answer, lock, actor }: TransitionSubject): TransitionFacts {
  const { write, gate, grade, kind } = transition;
  return {
    subject: 'T',
    layer: write.layer,
    target: write.target ?? 'unknown',
    identity: write.where.filter((c) => c.op === 'eq' && c.column !== gate.stateColumn).map((c) => `${c.column} = ${c.values.map(showTerm).join(', ')}`).join(' and ') || 'unknown',
    from: grade.from === 'any' ? 'any' : grade.from.join(', '),
    to: grade.to === 'unknown' ? 'unknown' : grade.to.join(', '),
    kind,
    grade: grade.grade,
    signal: write.result.label,
    handling: HANDLING[answer()?.use ?? 'unknown'],
    score: gate.score,
    signals: gate.signals,
    actor: actor().text,
    locks: held(lock()),
  };
}

const HANDLING = { heeded: 'used', 'given-away': 'returned', none: 'throws', dropped: 'dropped', misread: 'misread', repeated: 'misread', unknown: 'unknown' } as const;

function held({ held }: LockOfWrite): readonly string[] {
  return held === undefined ? [] : [held.key];
}
