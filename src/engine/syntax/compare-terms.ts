import { walkTerm, type Term } from './term.js';

export type TermRelation = 'equal' | 'different' | 'undecided';

/** Whether two terms stand for the same value. `different` is a proof, never a guess. */
export function compareTerms(a: Term, b: Term): TermRelation {
  if (sameTerm(a, b)) return 'equal';
  if (a.kind === 'const' && b.kind === 'const') return 'different';
  if (a.kind === 'list' && a.items.length === 1 && a.items[0] !== undefined) return compareTerms(a.items[0], b);
  if (b.kind === 'list' && b.items.length === 1 && b.items[0] !== undefined) return compareTerms(a, b.items[0]);
  if (differentPrefix(a, b)) return 'different';
  return 'undecided';
}

/** Structural equality. A call is equal to itself only where both stand for one evaluation or the call is pure. */
export function sameTerm(a: Term, b: Term): boolean {
  if (a === b) return true;
  if (a.kind === 'list' && a.items.length === 1 && b.kind !== 'list' && a.items[0] !== undefined) return sameTerm(a.items[0], b);
  if (b.kind === 'list' && b.items.length === 1 && a.kind !== 'list' && b.items[0] !== undefined) return sameTerm(a, b.items[0]);
  switch (a.kind) {
    case 'const': return b.kind === 'const' && a.value === b.value;
    case 'symbol': return b.kind === 'symbol' && a.id === b.id;
    case 'path': return b.kind === 'path' && a.prop === b.prop && sameTerm(a.base, b.base);
    case 'template': return b.kind === 'template' && sameAll(a.parts, b.parts);
    case 'call': return b.kind === 'call' && a.callee === b.callee && (a.site === b.site || (a.fresh === undefined && a.callee.startsWith('.'))) && sameAll(a.args, b.args);
    case 'list': return b.kind === 'list' && sameAll(a.items, b.items);
    case 'object': return b.kind === 'object' && a.props.length === b.props.length && a.props.every(([k, v], i) => b.props[i]?.[0] === k && sameTerm(v, b.props[i][1]));
    case 'unknown': return b.kind === 'unknown' && a.text === b.text && sameAll(a.parts, b.parts);
  }
}

function sameAll(a: readonly Term[], b: readonly Term[]): boolean {
  return a.length === b.length && a.every((t, i) => {
    const other = b[i];
    return other !== undefined && sameTerm(t, other);
  });
}

/** `lock:${a}` and `data:${a}` differ whatever `a` is. */
function differentPrefix(a: Term, b: Term): boolean {
  const p = leadingText(a);
  const q = leadingText(b);
  if (p === undefined || q === undefined) return false;
  const n = Math.min(p.length, q.length);
  return n > 0 && p.slice(0, n) !== q.slice(0, n);
}

function leadingText(t: Term): string | undefined {
  if (t.kind === 'const') return typeof t.value === 'string' ? t.value : undefined;
  const first = t.kind === 'template' ? t.parts[0] : undefined;
  return first?.kind === 'const' ? String(first.value) : undefined;
}

/** Whether a part of `whole` is the term. */
export function mentions(whole: Term, part: Term): boolean {
  let found = false;
  walkTerm(whole, (t) => {
    if (!found && t.kind === part.kind && sameTerm(t, part)) found = true;
  });
  return found;
}
