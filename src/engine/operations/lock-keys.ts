import { sameTerm } from '../syntax/compare-terms.js';
import { walkTerm, type Term } from '../syntax/term.js';

/**
 * Whether two key terms of one file build the same key: equal terms, or the same constant text around holes, whatever the parameters of the two
 * functions are called. Without constant text only equal terms or equally named parameters count.
 */
export function sameKey(a: Term, b: Term): boolean {
  if (sameTerm(a, b)) return true;
  const p = shape(a);
  const q = shape(b);
  if (p.text !== q.text) return false;
  return hasConstantText(a) || (p.names.length > 0 && p.names.join() === q.names.join());
}

/** Whether some of the key's text stands in the code: `lock:${id}`, not a bare parameter. */
export function hasConstantText(key: Term): boolean {
  return /\w/.test(shape(key).text.replaceAll(/[\w$]*\(\*\)|\*/g, ''));
}

function shape(term: Term): { text: string; names: readonly string[] } {
  const names: string[] = [];
  walkTerm(term, (t) => {
    if (t.kind === 'symbol' && t.name !== '') names.push(t.name);
    if (t.kind === 'path') names.push(t.prop);
  });
  return { text: textOf(term), names };
}

/** The constant text with `*` for holes. What is computed by a call is another key than its argument, and a list of one key is that key. */
function textOf(term: Term): string {
  if (term.kind === 'const') return String(term.value);
  if (term.kind === 'template') return term.parts.map((p) => (p.kind === 'const' ? String(p.value) : '*')).join('');
  if (term.kind === 'list') return term.items.map(textOf).join(', ');
  return term.kind === 'call' ? `${term.callee.slice(term.callee.lastIndexOf('.') + 1)}(*)` : '*';
}
