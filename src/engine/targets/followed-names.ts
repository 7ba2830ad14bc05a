import { mentionTest } from '../tagged-names.js';
import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { noteName, namesNoted } from './guards-elsewhere.js';
import { isGuardedSwap } from './guarded-swap.js';
import type { Transition } from './transition.js';

/** Notes by which names other files call the functions of a file that make a guarded write: such a call is judged in the file it stands in. */
export function noteFollowed(unit: Unit, transitions: readonly Transition[]): void {
  const { ts } = unit;
  for (const t of transitions) {
    if (!isGuardedSwap(t) || ts.isSourceFile(t.fn)) continue;
    const whole = functionName(unit, t.fn);
    const name = whole.slice(whole.lastIndexOf('.') + 1);
    for (const one of [name, ...otherNames(unit, name)]) if (/^[A-Za-z_$][\w$-]*$/.test(one)) noteName(unit, one);
  }
}

/** Whether a text may call one of those functions; for all files of a run. */
export function followsTest(run: object): (text: string) => boolean {
  return mentionTest(namesNoted(run));
}

/** `export { claim as take }`; what is exported as the default is called as its importer likes, who has to name the file. */
function otherNames(unit: Unit, name: string): string[] {
  const renamed = [...unit.text.matchAll(/\b([\w$]+)\s+as\s+([\w$]+)/g)].flatMap(([, from, to]) => (from === name && to !== undefined ? [to] : []));
  const isDefault = /\bexport\s+default\b|\bmodule\.exports\b/.test(unit.text) || renamed.includes('default');
  const [file = '', folder = ''] = unit.path.split('/').reverse();
  const stem = file.replace(/\.\w+$/, '');
  return [...renamed, ...isDefault ? [stem === 'index' ? folder : stem] : []];
}
