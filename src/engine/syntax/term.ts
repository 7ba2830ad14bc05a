/** Where a value that differs on each evaluation comes from. */
export type Freshness = 'random' | 'clock' | 'process' | 'host';

/** A symbolic value. Constants and single-assignment names are followed, one-expression key builders inlined. */
export type Term =
  | { readonly kind: 'const'; readonly value: string | number | boolean | null | undefined }
  /** A parameter, a loop variable, a reassigned name: equal only to itself. */
  | { readonly kind: 'symbol'; readonly name: string; readonly id: string }
  | { readonly kind: 'path'; readonly base: Term; readonly prop: string }
  | { readonly kind: 'template'; readonly parts: readonly Term[] }
  /** A call that is not inlined. `fresh` tells a value made anew by each evaluation. */
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Term[]; readonly site: number; readonly fresh?: Freshness }
  | { readonly kind: 'list'; readonly items: readonly Term[] }
  | { readonly kind: 'object'; readonly props: readonly (readonly [string, Term])[] }
  | { readonly kind: 'unknown'; readonly text: string; readonly parts: readonly Term[] };

export const UNDEFINED: Term = { kind: 'const', value: undefined };

/** The freshest part of a term: random beats clock beats process beats host; undefined when nothing in it is made anew. */
export function freshnessOf(term: Term): Freshness | undefined {
  const found = new Set<Freshness>();
  walkTerm(term, (t) => {
    if (t.kind === 'call' && t.fresh !== undefined) found.add(t.fresh);
    if (t.kind === 'path' && t.prop === 'pid' && t.base.kind === 'symbol' && t.base.name === 'process') found.add('process');
  });
  return (['random', 'clock', 'process', 'host'] as const).find((f) => found.has(f));
}

/** Visits a term and all its parts. */
export function walkTerm(term: Term, visit: (t: Term) => void): void {
  visit(term);
  if (term.kind === 'path') walkTerm(term.base, visit);
  else if (term.kind === 'template') for (const p of term.parts) walkTerm(p, visit);
  else if (term.kind === 'call') for (const a of term.args) walkTerm(a, visit);
  else if (term.kind === 'list') for (const i of term.items) walkTerm(i, visit);
  else if (term.kind === 'object') for (const [, v] of term.props) walkTerm(v, visit);
  else if (term.kind === 'unknown') for (const p of term.parts) walkTerm(p, visit);
}

/** What a path begins at: `job` of `job.run.id`; the term itself where it is no path. */
export function rootOf(term: Term): Term {
  let root = term;
  while (root.kind === 'path') root = root.base;
  return root;
}

/** `this.token`: a field of the object at hand, or a part of one. */
export function isOwnField(term: Term): boolean {
  const root = rootOf(term);
  return root.kind === 'symbol' && root.id === 'this';
}

/** A member of a term; reads through object and list terms. */
export function member(base: Term, prop: string): Term {
  if (base.kind === 'object') {
    const found = base.props.findLast(([k]) => k === prop);
    if (found !== undefined) return found[1];
    if (!base.props.some(([k]) => k === '...')) return UNDEFINED;
  }
  if (base.kind === 'list') {
    const item = base.items[Number(prop)];
    if (item !== undefined) return item;
  }
  return { kind: 'path', base, prop };
}

/** Text joined from parts; constants beside each other become one. */
export function template(parts: readonly Term[]): Term {
  const flat: Term[] = [];
  for (const part of parts.flatMap((p) => (p.kind === 'template' ? p.parts : [p]))) {
    const last = flat.at(-1);
    if (part.kind === 'const' && last?.kind === 'const') flat[flat.length - 1] = { kind: 'const', value: `${String(last.value)}${String(part.value)}` };
    else if (part.kind !== 'const' || part.value !== '') flat.push(part);
  }
  const only = flat[0];
  if (flat.length === 0) return { kind: 'const', value: '' };
  return flat.length === 1 && only !== undefined ? only : { kind: 'template', parts: flat };
}

/** Substitutes parameter symbols: turns a term over a callee's parameters into one over the caller's arguments. */
export function substitute(term: Term, replace: (symbol: Term & { kind: 'symbol' | 'path' }) => Term | undefined): Term {
  if (term.kind === 'symbol') return replace(term) ?? term;
  if (term.kind === 'path') {
    const whole = replace(term);
    return whole ?? member(substitute(term.base, replace), term.prop);
  }
  if (term.kind === 'template') return template(term.parts.map((p) => substitute(p, replace)));
  if (term.kind === 'call') return { ...term, args: term.args.map((a) => substitute(a, replace)) };
  if (term.kind === 'list') return { kind: 'list', items: term.items.map((i) => substitute(i, replace)) };
  if (term.kind === 'object') return { kind: 'object', props: term.props.map(([k, v]) => [k, substitute(v, replace)] as const) };
  if (term.kind === 'unknown') return { ...term, parts: term.parts.map((p) => substitute(p, replace)) };
  return term;
}

/** Text of a term for people: `step:${stepId}`. */
export function showTerm(term: Term): string {
  switch (term.kind) {
    case 'const': return typeof term.value === 'string' ? `'${term.value}'` : String(term.value);
    case 'symbol': return term.name || 'argument';
    case 'path': return term.base.kind === 'symbol' && term.base.name === '' ? term.prop : `${showTerm(term.base)}.${term.prop}`;
    case 'template': return `\`${term.parts.map((p) => (p.kind === 'const' ? String(p.value) : `\${${showTerm(p)}}`)).join('')}\``;
    case 'call': return `${term.callee}(${term.args.map(showTerm).join(', ')})`;
    case 'list': return `[${term.items.map(showTerm).join(', ')}]`;
    case 'object': return `{ ${term.props.map(([k, v]) => `${k}: ${showTerm(v)}`).join(', ')} }`;
    case 'unknown': return term.text;
  }
}
