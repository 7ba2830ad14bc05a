import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { MovesOfWrite } from '../src/engine/judge/moves-of.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'no-illegal-transition',
  skill: 'R6',
  dimension: 'D3',
  subjects: ['T'],
  family: 'state',
  profile: 'recommended',
  summary: 'A write of step state must make a move that the declared table of moves allows.',
  messages: {
    illegal: '{{target}} goes from {{from}} to {{to}} here, a move that {{table}} ({{where}}) does not list: every other worker relies on that table. Take a listed move, or list this one.',
    reopened: '{{target}} goes from {{from}} to {{to}} here, but {{table}} ({{where}}) ends at {{from}}: a worker that has finished it finds it open and runs it again. Keep it closed, or list the move.',
  },
  validation: ['V5', 'V7'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge({ transition, moves }: TransitionSubject): Outcome {
  if (transition.through !== undefined) return { status: 'not-applicable' };
  const found = moves();
  switch (found.kind) {
    case 'none': return { status: 'not-applicable' };
    case 'asked': return { status: 'verified', evidence: [{ place: found.at, note: `${found.table} is asked before` }] };
    case 'legal': return { status: 'verified', evidence: [{ place: found.tableAt, note: `${found.table} lists the move` }] };
    case 'open': return unknown(transition.write.target, found);
    case 'illegal': return violated(transition, found);
  }
}

function violated({ write }: TransitionSubject['transition'], { at, from, to, table, tableAt, isFinal, bySource, source }: MovesOfWrite & { readonly kind: 'illegal' }): Outcome {
  const where = tableAt.file === at.file ? `line ${String(tableAt.line)}` : `${tableAt.file.slice(tableAt.file.lastIndexOf('/') + 1).slice(-24)}:${String(tableAt.line)}`;
  return {
    status: 'violated',
    certainty: bySource === 'statement' && write.evidence !== 'name' ? 'certain' : 'likely',
    at,
    messageId: isFinal ? 'reopened' : 'illegal',
    data: { target: write.target === undefined ? 'The row' : quoted(write.target, 24), from: quoted(from, 16), to: quoted(to, 16), table: quoted(table, 24), where },
    witness: [
      { place: tableAt, role: 'enter', note: 'the table of moves' },
      ...(bySource === 'test' ? [{ place: source, role: 'test', note: `the row is ${quoted(from, 16)} here` } as const] : []),
      { place: at, role: 'write', note: `writes ${quoted(to, 16)}` },
    ],
    action: isFinal ? 'Leave the ended step as it is, or add the move to the table.' : 'Write a state that the table lists for the old one, or add the move to the table.',
  };
}

function unknown(target: string | undefined, { table, missing }: MovesOfWrite & { readonly kind: 'open' }): Outcome {
  const row = target ?? 'the row';
  return {
    status: 'unknown',
    missing: missing === 'from'
      ? { fact: `which states of ${row} this write starts from`, question: `Does ${table} list the move from every state ${row} can be in here?` }
      : { fact: `which state of ${row} is written`, question: `Who makes sure that ${table} lists the move?` },
  };
}
