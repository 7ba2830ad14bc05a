import type ts from 'typescript';
import { exportOf, importTarget } from './declared-import.js';
import { bare, enclosingFunction, initialiserOf, isFunctionWithBody, nameText } from './expression.js';
import type { Binding } from './scope.js';
import { rootOf, walkTerm, type Freshness, type Term } from './term.js';
import { termOf } from './term-of.js';
import type { Unit } from './unit.js';

/**
 * Where a part of a value that is no constant comes from. `run`: made anew by each run of the function that uses it. `shared`: made once for the module, the instance or the
 * process. `outer`: made by a function around it, whose inner functions may run many times.
 */
export type ValueSource =
  | { readonly kind: 'made'; readonly fresh: Freshness; readonly scope: 'run' | 'shared' | 'outer'; readonly at: ts.Node | undefined }
  /** A parameter, or a part of one: whoever calls decides. */
  | { readonly kind: 'given' }
  /** One value for the whole process that cannot be read: an imported name, an environment variable, a module's name. */
  | { readonly kind: 'process-wide'; readonly at: ts.Node | undefined }
  /** A constant that stands in where the caller gives nothing. */
  | { readonly kind: 'default'; readonly text: string; readonly at: ts.Node | undefined }
  | { readonly kind: 'unknown' };

const DEPTH = 4;

/** The sources of all parts of a value used at a node. Empty for a constant. */
export function sourcesOf(unit: Unit, term: Term, user: ts.Node, depth = 0): readonly ValueSource[] {
  const { ts } = unit;
  const here = enclosingFunction(unit, user);
  if (depth > DEPTH) return [{ kind: 'unknown' }];
  return read(term);

  function read(t: Term): readonly ValueSource[] {
    switch (t.kind) {
      case 'const': return [];
      case 'symbol': return ofSymbol(t.id);
      case 'path': return ofPath(t);
      case 'template': return t.parts.flatMap(read);
      case 'list': return t.items.flatMap(read);
      case 'object': return t.props.flatMap(([, v]) => read(v));
      case 'call': return ofCall(t);
      case 'unknown': {
        const parts = t.parts.flatMap(read);
        return parts.some((p) => p.kind === 'made') ? [...parts, { kind: 'unknown' }] : [{ kind: 'unknown' }];
      }
    }
  }

  function ofCall(t: Term & { kind: 'call' }): readonly ValueSource[] {
    if (t.fresh === undefined) return t.site === 0 ? t.args.flatMap(read) : [{ kind: 'unknown' }];
    // A pure function of something made: `randomBytes(16).toString('hex')`.
    if (t.site === 0) return t.args.flatMap(read);
    const at = nodeAt(unit, t.site);
    return [{ kind: 'made', fresh: t.fresh, scope: scopeOfPlace(at), at }];
  }

  function scopeOfPlace(at: ts.Node | undefined): 'run' | 'shared' | 'outer' {
    if (at === undefined) return 'run';
    const fn = enclosingFunction(unit, at);
    if (ts.isSourceFile(fn)) return 'shared';
    if (fn === here) return isFieldOf(at, fn) ? 'shared' : 'run';
    // What a builder makes is made for its caller.
    if (here.pos < fn.pos || here.end > fn.end) return 'run';
    return runsAlong(here, fn) ? 'run' : 'outer';
  }

  function isFieldOf(at: ts.Node, fn: ts.Node): boolean {
    for (let n = at; n !== fn; n = n.parent) if (ts.isPropertyDeclaration(n)) return true;
    return false;
  }

  /** Functions that are handed to a call run while their outer function does: `retry(async () => ..)`. A timer runs them later, again and again. */
  function runsAlong(inner: ts.Node, outer: ts.Node): boolean {
    for (let n = inner; n !== outer; n = n.parent) {
      if (!isFunctionWithBody(unit, n)) continue;
      const call = n.parent;
      const isHanded = (ts.isCallExpression(call) || ts.isNewExpression(call)) && call.arguments?.some((a) => a === n) === true;
      if (!isHanded || /^(?:setInterval|setTimeout|setImmediate)$|\.(?:on|once|process|subscribe|schedule)$/.test(call.expression.getText(unit.file))) return false;
    }
    return true;
  }

  function ofSymbol(id: string): readonly ValueSource[] {
    if (id === 'this' || id.startsWith('global:')) return [{ kind: 'unknown' }];
    if (!id.startsWith(`${unit.path}#`)) return [{ kind: 'unknown' }];
    const place = id.slice(unit.path.length + 1);
    if (place.startsWith('param')) return [{ kind: 'given' }];
    const node = nodeAt(unit, Number(place));
    const binding = node !== undefined && ts.isIdentifier(node) ? unit.scopes.resolve(node) : undefined;
    return binding === undefined ? [{ kind: 'unknown' }] : ofBinding(binding);
  }

  function ofBinding(binding: Binding): readonly ValueSource[] {
    const d = binding.declaration;
    if (binding.kind === 'import') return ofImport(binding);
    if (binding.kind === 'param') return ts.isParameter(d) && d.initializer !== undefined ? ofDefault(d.initializer) : [{ kind: 'given' }];
    const init = initialiserOf(unit, binding);
    if (init !== undefined) return ofExpression(init, ts.isSourceFile(enclosingFunction(unit, binding.id)) ? binding.id : undefined);
    return [{ kind: 'unknown' }];
  }

  /** A name of another file is one value for all who import it. */
  function ofImport(binding: Binding): readonly ValueSource[] {
    const target = importTarget(unit, binding.declaration);
    const found = target?.kind === 'file' ? exportOf(target.unit, target.name) : undefined;
    if (target === undefined || target.name === '*' || found === undefined || 'kind' in found) return [{ kind: 'unknown' }];
    const inner = found.unit.scopes.lookup(found.name, found.unit.file);
    const init = inner && initialiserOf(found.unit, inner);
    if (init === undefined) return [{ kind: 'unknown' }];
    const sources = sourcesOf(found.unit, termOf(found.unit, init), init, depth + 1);
    const made = sources.find((s) => s.kind === 'made');
    return made === undefined ? (sources.length === 0 ? [] : [{ kind: 'process-wide', at: binding.id }]) : [{ ...made, scope: 'shared', at: binding.id }];
  }

  /** `given ?? fallback`: a constant stands in for what the caller leaves out. */
  function ofDefault(fallback: ts.Expression): readonly ValueSource[] {
    const term = termOf(unit, fallback);
    if (term.kind === 'const' && term.value !== null && term.value !== undefined && term.value !== '') return [{ kind: 'default', text: String(term.value), at: fallback }];
    return [{ kind: 'given' }];
  }

  /** `shared`: the name whose one run of the expression all uses share. */
  function ofExpression(expression: ts.Expression, shared: ts.Node | undefined): readonly ValueSource[] {
    const [first, ...others] = alternatives(unit, expression);
    if (first === undefined) return [{ kind: 'unknown' }];
    if (shared !== undefined) {
      const made = [first, ...others].flatMap((e) => sourcesOf(unit, termOf(unit, e), e, depth + 1)).find((s) => s.kind === 'made');
      return [made === undefined ? { kind: 'process-wide', at: shared } : { ...made, scope: 'shared', at: shared }];
    }
    const last = others.at(-1);
    if (last === undefined) {
      const term = termOf(unit, first);
      return term.kind === 'unknown' || (term.kind === 'call' && term.fresh === undefined) ? [{ kind: 'unknown' }] : read(term);
    }
    if (sourcesOf(unit, termOf(unit, first), user, depth + 1).some((s) => s.kind === 'given')) return ofDefault(last);
    return [{ kind: 'unknown' }];
  }

  function ofPath(t: Term & { kind: 'path' }): readonly ValueSource[] {
    const whole = processPart(t);
    if (whole !== undefined) return [whole];
    if (t.base.kind === 'symbol' && t.base.id === 'this') return ofField(t.prop);
    const fixed = t.base.kind === 'symbol' ? ofStatic(t.base.id, t.prop) : undefined;
    if (fixed !== undefined) return fixed;
    const base = rootOf(t);
    if (base.kind !== 'symbol') return [{ kind: 'unknown' }];
    return ofSymbol(base.id).some((s) => s.kind === 'given') ? [{ kind: 'given' }] : [{ kind: 'unknown' }];
  }

  /** `Locks.ID` of a static field: made once. */
  function ofStatic(id: string, prop: string): readonly ValueSource[] | undefined {
    const node = id.startsWith(`${unit.path}#`) ? nodeAt(unit, Number(id.slice(unit.path.length + 1))) : undefined;
    const owner = node !== undefined && ts.isIdentifier(node) ? unit.scopes.resolve(node)?.declaration : undefined;
    if (owner === undefined || !ts.isClassDeclaration(owner)) return undefined;
    const field = owner.members.find((m): m is ts.PropertyDeclaration => ts.isPropertyDeclaration(m) && nameText(unit, m.name) === prop);
    return field?.initializer === undefined ? undefined : ofExpression(field.initializer, field);
  }

  /** `process.pid`, `process.env.HOSTNAME`, `os.hostname`. */
  function processPart(t: Term & { kind: 'path' }): ValueSource | undefined {
    const { base } = t;
    if (base.kind === 'symbol' && base.name === 'process' && t.prop === 'pid') return { kind: 'made', fresh: 'process', scope: 'shared', at: undefined };
    if (base.kind !== 'path' || base.prop !== 'env' || base.base.kind !== 'symbol' || base.base.name !== 'process') return undefined;
    return t.prop === 'HOSTNAME' || t.prop === 'COMPUTERNAME' ? { kind: 'made', fresh: 'host', scope: 'shared', at: undefined } : { kind: 'process-wide', at: undefined };
  }

  /** What the class puts into a field: where it is declared, in the constructor, or in the method at hand. */
  function ofField(prop: string): readonly ValueSource[] {
    const owner = classAround(here === unit.file ? user : here);
    if (owner === undefined) return [{ kind: 'unknown' }];
    const values: { readonly value: ts.Expression; readonly at: ts.Node; readonly isOwn: boolean }[] = [];
    let isOpen = false;
    for (const m of owner.members) {
      if (ts.isPropertyDeclaration(m) && nameText(unit, m.name) === prop && m.initializer !== undefined) values.push({ value: m.initializer, at: m, isOwn: false });
      if (ts.isConstructorDeclaration(m) && m.parameters.some((p) => ts.isParameterPropertyDeclaration(p, m) && nameText(unit, p.name) === prop)) return [{ kind: 'given' }];
    }
    const visit = (n: ts.Node): void => {
      if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && isOwnField(n.left, prop)) {
        const fn = enclosingFunction(unit, n);
        if (ts.isConstructorDeclaration(fn) || fn === here) values.push({ value: n.right, at: n, isOwn: fn === here });
        else isOpen = true;
      }
      ts.forEachChild(n, visit);
    };
    visit(owner);
    const [only, ...others] = values.length > 1 ? values.filter((v) => v.isOwn) : values;
    if (isOpen || only === undefined || others.length > 0) return [{ kind: 'unknown' }];
    if (only.isOwn) return sourcesOf(unit, termOf(unit, only.value), only.value, depth + 1);
    const made = alternatives(unit, only.value).flatMap((e) => sourcesOf(unit, termOf(unit, e), e, depth + 1));
    const fresh = made.find((s) => s.kind === 'made' && s.fresh === 'random') ?? made.find((s) => s.kind === 'made');
    if (fresh?.kind === 'made') return made.filter((s) => s.kind === 'made').map((s) => ({ ...s, scope: 'shared' as const, at: only.at }));
    return made.length === 0 ? [] : [made.some((s) => s.kind === 'given') ? { kind: 'given' } : { kind: 'unknown' }];
  }

  function isOwnField(target: ts.Expression, prop: string): boolean {
    const e = bare(unit, target);
    return ts.isPropertyAccessExpression(e) && e.expression.kind === ts.SyntaxKind.ThisKeyword && e.name.text === prop;
  }

  function classAround(from: ts.Node): ts.ClassLikeDeclaration | undefined {
    for (let n: ts.Node | undefined = from; n; n = n.parent) if (ts.isClassDeclaration(n) || ts.isClassExpression(n)) return n;
    return undefined;
  }
}

/** The values an expression may have: both sides of `a ?? b` and `a || b`, both ends of a choice. */
function alternatives(unit: Unit, expression: ts.Expression): readonly ts.Expression[] {
  const { ts } = unit;
  const e = bare(unit, expression);
  if (ts.isConditionalExpression(e)) return [...alternatives(unit, e.whenTrue), ...alternatives(unit, e.whenFalse)];
  if (!ts.isBinaryExpression(e)) return [e];
  const op = e.operatorToken.kind;
  return op === ts.SyntaxKind.QuestionQuestionToken || op === ts.SyntaxKind.BarBarToken ? [...alternatives(unit, e.left), ...alternatives(unit, e.right)] : [e];
}

/** The innermost node that begins at a position; undefined where the position is none of this file. */
export function nodeAt(unit: Unit, pos: number): ts.Node | undefined {
  const { ts } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (n.pos > pos || n.end <= pos) return;
    if (n.pos === pos && !ts.isSourceFile(n)) found = n;
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;
}

/** Whether two values have a part in common that is no constant. */
export function sharePart(a: Term, b: Term): boolean {
  const names = new Set<string>();
  walkTerm(a, (t) => {
    if (t.kind === 'symbol') names.add(t.id);
  });
  let found = false;
  walkTerm(b, (t) => {
    if (t.kind === 'symbol' && t.id !== 'this' && names.has(t.id)) found = true;
  });
  return found;
}
