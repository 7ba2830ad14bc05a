import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';
import type { MessageOfRow } from './messages.js';
import { isInFlight, isTerminal, lifecycleStem, stateWord, targetKey } from './step-words.js';
import type { Transition } from './transition.js';

const SENT = /^(?:sent|published|delivered|dispatched|notified|emitted|processed|forwarded|relayed|pushed|acked|acknowledged)$/;
const RELAYED = /(?:^|_)(?:outbox|event|message|notification|email|mail|webhook|delivery|outbox_message)$/;

/** Who sends what stands in a row and then marks it as sent does it in the right order: after a crash it is sent again. */
export function isRelay({ write, gate, grade }: Transition): boolean {
  if (write.target !== undefined && RELAYED.test(targetKey(write.target))) return true;
  if (gate.kind === 'lifecycle' && gate.stateColumn !== undefined) return SENT.test(lifecycleStem(gate.stateColumn)) || !/state|status/.test(gate.stateColumn);
  return grade.to !== 'unknown' && grade.to.some((s) => SENT.test(stateWord(s)));
}

/** Words that tell of a state, by the beginning of the state's name. */
const TOLD: readonly (readonly [state: RegExp, told: RegExp])[] = [
  [/^(?:compl|succ|done|finis)/, /compl|succ|done|finish/], [/^(?:fail|err)/, /fail|err/], [/^cancel|^abort/, /cancel|abort/], [/^(?:runn|start|proc|active|in_pro|exec)/, /start|run|begin|proc|activ/],
];

/**
 * Whether a message speaks of the very state that is written after it: a job for a state that waits for a worker or is at work, an event that is called like the state. What
 * is sent on the way (`progress`, the next step's job) may be meant to go first.
 */
export function announces(unit: Unit, message: MessageOfRow, to: Transition['grade']['to']): boolean {
  if (to === 'unknown') return false;
  const words = to.map(stateWord);
  if (message.kind === 'job') return words.some((w) => isInFlight(w) && !isTerminal(w));
  const text = spelled(unit, message.node).toLowerCase();
  return words.some((w) => text.includes(w.slice(0, 6)) || TOLD.some(([state, told]) => state.test(w) && told.test(text)));
}

/** The name of the called function and the texts it is given. */
function spelled(unit: Unit, node: MessageOfRow['node']): string {
  if (!unit.ts.isCallExpression(node)) return '';
  const texts: string[] = [node.expression.getText(unit.file)];
  const visit = (n: ts.Node): void => {
    if (unit.ts.isStringLiteralLike(n)) texts.push(n.text);
    else if (unit.ts.isPropertyAccessExpression(n)) texts.push(n.name.text);
    unit.ts.forEachChild(n, visit);
  };
  node.arguments.forEach(visit);
  return texts.join(' ');
}
