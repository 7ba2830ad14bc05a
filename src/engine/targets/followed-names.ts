import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { namesNoted, noteName } from './guards-elsewhere.js';
import { isGuardedSwap } from './guarded-swap.js';
import { STATE_VERB } from './state-verb.js';
import type { Transition } from './transition.js';

/** Notes by which names other files call the functions of a file that make a guarded write: such a call is judged in the file it stands in. */
export function noteFollowed(unit: Unit, transitions: readonly Transition[]): void {
  const { ts } = unit;
  for (const t of transitions) {
    if (!isGuardedSwap(t) || ts.isSourceFile(t.fn)) continue;
    const whole = functionName(unit, t.fn);
    for (const call of callsOf(unit, whole.slice(whole.lastIndexOf('.') + 1))) noteName(unit, call);
  }
}

/** Whether a text may call one of those functions; for all files of a run. */
export function followsTest(run: object): (text: string) => boolean {
  const calls = namesNoted(run);
  if (calls.length === 0) return () => false;
  const pattern = new RegExp(calls.map((call) => call.replaceAll('$', '\\$')).join('|'));
  return (text) => pattern.test(text);
}

/** Patterns of calls. `export { claim as take }` gives another name; what is exported as the default is called as its importer likes, who has to name the file. */
function callsOf(unit: Unit, name: string): string[] {
  const names = [name, ...[...unit.text.matchAll(/\b([\w$]+)\s+as\s+([\w$]+)/g)].flatMap(([, from, to]) => (from === name && to !== undefined ? [to] : []))];
  // Only calls by such names are followed to other files.
  const called = names.filter((one) => STATE_VERB.test(one) && /^[A-Za-z_$][\w$]*$/.test(one)).map((one) => `(?<![\\w$])${one}(?:\\s*[(<!]|\\s*\\?\\.|\\s+as\\b)`);
  const [file = '', folder = ''] = unit.path.split('/').reverse();
  const stem = /^index\.\w+$/.test(file) ? folder : file.replace(/\.\w+$/, '');
  const isDefault = names.includes('default') || /\bexport\s+default\b|\bmodule\.exports\b/.test(unit.text);
  return isDefault && /^[\w.-]+$/.test(stem) ? [...called, `['"/]${stem.replaceAll('.', '\\.')}(?:\\.\\w+)?['"]`] : called;
}
