import type ts from 'typescript';
import { bare, initialiserOf, nameText } from './expression.js';
import type { Binding } from './scope.js';
import { builderOf, fieldInitialiser, soleResult } from './term-sources.js';
import { freshnessOf, member, template, UNDEFINED, type Freshness, type Term } from './term.js';
import type { Unit } from './unit.js';
import { Kept, KeptByName } from '../kept.js';

/** Parameters of an inlined builder, by binding. */
type Env = ReadonlyMap<Binding, Term>;
const NO_ENV: Env = new Map();

/** The symbolic value of an expression. */
export function termOf(unit: Unit, node: ts.Expression, env: Env = NO_ENV, depth = 0): Term {
  if (env !== NO_ENV || depth > 0) return read({ unit, env, depth }, node);
  let known = terms.get(unit);
  if (known === undefined) terms.set(unit, (known = new KeptByName()));
  const held = known.get(node);
  if (held !== undefined) return held;
  const term = read({ unit, env, depth }, node);
  known.set(node, term);
  return term;
}

/** Many questions begin with the term of the same few nodes. */
const terms = new Kept<Unit, KeptByName<ts.Expression, Term>>();

/** Where a reading stands. */
interface Reading {
  readonly unit: Unit;
  readonly env: Env;
  readonly depth: number;
}

/** A step further in. */
function below({ unit, env, depth }: Reading, node: ts.Expression): Term {
  return read({ unit, env, depth: depth + 1 }, node);
}

function read(r: Reading, node: ts.Expression): Term {
  const { unit, depth } = r;
  const { ts } = unit;
  const e = bare(unit, node);
  if (depth > 12) return { kind: 'unknown', text: e.getText(unit.file), parts: [] };

  if (ts.isStringLiteralLike(e)) return { kind: 'const', value: e.text };
  if (ts.isNumericLiteral(e)) return { kind: 'const', value: Number(e.text.replaceAll('_', '')) };
  if (ts.isBigIntLiteral(e)) return { kind: 'const', value: Number(e.text.replace(/n$/, '')) };
  if (e.kind === ts.SyntaxKind.TrueKeyword) return { kind: 'const', value: true };
  if (e.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'const', value: false };
  if (e.kind === ts.SyntaxKind.NullKeyword) return { kind: 'const', value: null };
  if (e.kind === ts.SyntaxKind.ThisKeyword) return { kind: 'symbol', name: 'this', id: 'this' };
  if (ts.isAwaitExpression(e)) return below(r, e.expression);
  if (ts.isTemplateExpression(e)) {
    const parts: Term[] = [{ kind: 'const', value: e.head.text }];
    for (const span of e.templateSpans) parts.push(below(r, span.expression), { kind: 'const', value: span.literal.text });
    return template(parts);
  }
  if (ts.isBinaryExpression(e)) return binaryTerm(r, e);
  if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.MinusToken) {
    const inner = below(r, e.operand);
    if (inner.kind === 'const' && typeof inner.value === 'number') return { kind: 'const', value: -inner.value };
  }
  if (ts.isIdentifier(e)) return nameTerm(r, e);
  if (ts.isPropertyAccessExpression(e)) return pathTerm(r, e, e.name.text);
  if (ts.isElementAccessExpression(e)) {
    const index = below(r, e.argumentExpression);
    const base = below(r, e.expression);
    if (index.kind === 'const') return member(base, String(index.value));
    return { kind: 'unknown', text: e.getText(unit.file), parts: [base, index] };
  }
  if (ts.isArrayLiteralExpression(e)) return { kind: 'list', items: e.elements.map((x) => (ts.isSpreadElement(x) ? { kind: 'unknown', text: x.getText(unit.file), parts: [below(r, x.expression)] } : below(r, x))) };
  if (ts.isObjectLiteralExpression(e)) return objectTerm(r, e);
  if (ts.isCallExpression(e)) return callTerm(r, e);
  if (ts.isNewExpression(e) && ts.isIdentifier(e.expression)) {
    const fresh: { fresh?: Freshness } = e.expression.text === 'Date' && !e.arguments?.length ? { fresh: 'clock' } : {};
    return { kind: 'call', callee: `new ${e.expression.text}`, args: e.arguments?.map((x) => below(r, x)) ?? [], site: e.pos, ...fresh };
  }
  return { kind: 'unknown', text: e.getText(unit.file), parts: childTerms(r, e) };
}

function isOwnFunction(r: Reading, { expression }: ts.CallExpression): boolean {
  const { unit } = r;
  const { ts } = unit;
  return ts.isIdentifier(expression) && VERSION.test(expression.text) && /^(?:var|let|const|function|param)$/.test(unit.scopes.resolve(expression)?.kind ?? '');
}

function childTerms(r: Reading, x: ts.Node): Term[] {
  const { ts } = r.unit;
  const found: Term[] = [];
  ts.forEachChild(x, (child) => {
    if (ts.isIdentifier(child) || ts.isPropertyAccessExpression(child) || ts.isCallExpression(child) || ts.isConditionalExpression(child) || ts.isBinaryExpression(child)) found.push(below(r, child));
  });
  return found;
}

function binaryTerm(r: Reading, x: ts.BinaryExpression): Term {
  const { unit } = r;
  const { ts } = unit;
  const left = below(r, x.left);
  const right = below(r, x.right);
  const a = left.kind === 'const' ? left.value : undefined;
  const b = right.kind === 'const' ? right.value : undefined;
  const op = x.operatorToken.kind;
  if (op === ts.SyntaxKind.PlusToken) {
    if (typeof a === 'number' && typeof b === 'number') return { kind: 'const', value: a + b };
    if (mayBeText(left) || mayBeText(right)) return template([left, right]);
  }
  if (typeof a === 'number' && typeof b === 'number') {
    if (op === ts.SyntaxKind.AsteriskToken) return { kind: 'const', value: a * b };
    if (op === ts.SyntaxKind.SlashToken) return { kind: 'const', value: a / b };
    if (op === ts.SyntaxKind.MinusToken) return { kind: 'const', value: a - b };
    if (op === ts.SyntaxKind.AsteriskAsteriskToken) return { kind: 'const', value: a ** b };
  }
  return { kind: 'unknown', text: x.getText(unit.file), parts: [left, right] };
}

function nameTerm(r: Reading, x: ts.Identifier): Term {
  const { unit, env, depth } = r;
  if (x.text === 'undefined') return UNDEFINED;
  const binding = unit.scopes.resolve(x);
  if (binding === undefined) return { kind: 'symbol', name: x.text, id: `global:${x.text}` };
  const bound = env.get(binding);
  if (bound !== undefined) return bound;
  const init = initialiserOf(unit, binding);
  if (init !== undefined) {
    // A made-anew value is one value for each run of its declaration, so the name is kept as its identity.
    const value = termOf(unit, init, env, depth + 1);
    if (isTraceable(value)) return value;
    return value.kind === 'call' ? { ...value, site: binding.id.pos } : { kind: 'symbol', name: x.text, id: idOf(r, binding) };
  }
  const element = destructured(r, binding);
  if (element !== undefined) return element;
  return importedConstant(r, binding) ?? { kind: 'symbol', name: x.text, id: idOf(r, binding) };
}

function idOf(r: Reading, binding: Binding): string {
  const { unit } = r;
  return `${unit.path}#${binding.id.pos}`;
}

function isTraceable(t: Term): boolean {
  return t.kind !== 'unknown' && t.kind !== 'call';
}

/** `const { a: { b } } = x` binds b to x.a.b. */
function destructured(r: Reading, binding: Binding): Term | undefined {
  const { unit, env, depth } = r;
  const { ts } = unit;
  if (binding.writes.length > 0) return undefined;
  const path: string[] = [];
  let n: ts.Node = binding.id.parent;
  while (ts.isBindingElement(n)) {
    if (n.initializer !== undefined || n.dotDotDotToken !== undefined) return undefined;
    if (ts.isObjectBindingPattern(n.parent)) path.unshift(nameText(unit, n.propertyName ?? (n.name)));
    else path.unshift(String(n.parent.elements.indexOf(n)));
    n = n.parent.parent;
  }
  if (path.length === 0) return undefined;
  let base: Term;
  if (ts.isVariableDeclaration(n) && n.initializer !== undefined) base = termOf(unit, n.initializer, env, depth + 1);
  else if (ts.isParameter(n)) base = { kind: 'symbol', name: '', id: `${unit.path}#param${n.pos}` };
  else return undefined;
  return path.reduce<Term>(member, base);
}

/** `import { TTL } from './config'`: the constant behind it, when the file can be reached. */
function importedConstant(r: Reading, binding: Binding): Term | undefined {
  const { unit, depth } = r;
  const { ts } = unit;
  if (binding.kind !== 'import' || !ts.isImportSpecifier(binding.declaration)) return undefined;
  const spec = binding.declaration;
  const from = spec.parent.parent.parent.moduleSpecifier;
  if (!ts.isStringLiteral(from)) return undefined;
  const other = unit.importOf(from.text);
  const target = other?.scopes.lookup((spec.propertyName ?? spec.name).text, other.file);
  const init = other && target && initialiserOf(other, target);
  if (other === undefined || init === undefined) return undefined;
  const value = termOf(other, init, NO_ENV, depth + 1);
  return value.kind === 'const' || value.kind === 'template' || value.kind === 'list' || value.kind === 'object' ? value : undefined;
}

function pathTerm(r: Reading, x: ts.PropertyAccessExpression, prop: string): Term {
  const { unit, depth } = r;
  const { ts } = unit;
  if (x.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const field = fieldInitialiser(unit, x, prop);
    if (field !== undefined) {
      const value = termOf(unit, field, NO_ENV, depth + 1);
      if (value.kind === 'const' || value.kind === 'template') return value;
    }
  }
  if (ts.isIdentifier(x.expression)) {
    const binding = unit.scopes.resolve(x.expression);
    if (binding?.kind === 'enum' && ts.isEnumDeclaration(binding.declaration)) return enumMember(r, binding.declaration, prop);
  }
  return member(below(r, x.expression), prop);
}

function enumMember(r: Reading, declaration: ts.EnumDeclaration, prop: string): Term {
  const { unit } = r;
  const found = declaration.members.find((m) => nameText(unit, m.name) === prop);
  if (found?.initializer !== undefined) return below(r, found.initializer);
  return { kind: 'const', value: prop };
}

function objectTerm(r: Reading, x: ts.ObjectLiteralExpression): Term {
  const { unit } = r;
  const { ts } = unit;
  const props: (readonly [string, Term])[] = [];
  for (const p of x.properties) {
    if (ts.isPropertyAssignment(p)) props.push([nameText(unit, p.name), below(r, p.initializer)]);
    else if (ts.isShorthandPropertyAssignment(p)) props.push([p.name.text, nameTerm(r, p.name)]);
    else if (ts.isSpreadAssignment(p)) {
      const spread = below(r, p.expression);
      if (spread.kind === 'object') props.push(...spread.props);
      else props.push(['...', spread]);
    }
  }
  return { kind: 'object', props };
}

function callTerm(r: Reading, x: ts.CallExpression): Term {
  const { unit } = r;
  const { ts } = unit;
  const inlined = inlinedBuilder(r, x);
  if (inlined !== undefined) return inlined;
  const callee = x.expression.getText(unit.file);
  const args = x.arguments.map((a) => below(r, a));
  const method = ts.isPropertyAccessExpression(x.expression) ? x.expression.name.text : callee;
  if (callee === 'Date.now' || callee === 'performance.now') return { kind: 'call', callee, args, site: x.pos, fresh: 'clock' };
  if (RANDOM.test(callee) && !isOwnFunction(r, x)) return { kind: 'call', callee, args, site: x.pos, fresh: 'random' };
  if (/^(os\.)?hostname$/.test(callee)) return { kind: 'call', callee, args, site: x.pos, fresh: 'host' };
  if (method === 'toString' && args.length === 0 && ts.isPropertyAccessExpression(x.expression)) return template([below(r, x.expression.expression)]);
  if ((callee === 'String' || callee === 'Number' || callee === 'BigInt') && args[0] !== undefined) return args[0];
  if (PURE.has(callee) || PURE_METHODS.has(method)) {
    const receiver = ts.isPropertyAccessExpression(x.expression) ? [below(r, x.expression.expression)] : [];
    return { kind: 'call', callee: receiver.length > 0 ? `.${method}` : callee, args: [...receiver, ...args], site: 0, ...freshOf([...receiver, ...args]) };
  }
  return { kind: 'call', callee, args, site: x.pos };
}

/** A local function or method whose body is one returned expression is replaced by it. */
function inlinedBuilder(r: Reading, x: ts.CallExpression): Term | undefined {
  const { unit, depth } = r;
  if (depth > 6) return undefined;
  const fn = builderOf(unit, x.expression);
  const result = fn && soleResult(unit, fn);
  if (fn === undefined || result === undefined) return undefined;
  const inner = new Map<Binding, Term>();
  for (const [i, parameter] of fn.parameters.entries()) {
    const arg = x.arguments[i];
    bindParameter(r, inner, parameter.name, arg ? below(r, arg) : parameter.initializer ? below(r, parameter.initializer) : UNDEFINED);
  }
  const value = termOf(unit, result, inner, depth + 1);
  // An effectful body (a query, a fetch) is no key builder: its call stays a call.
  return value.kind === 'const' || value.kind === 'template' || value.kind === 'path' || value.kind === 'symbol' || value.kind === 'list' || (value.kind === 'call' && value.fresh !== undefined) ? value : undefined;
}

function bindParameter(r: Reading, into: Map<Binding, Term>, name: ts.BindingName, value: Term): void {
  const { unit } = r;
  const { ts } = unit;
  if (ts.isIdentifier(name)) {
    const binding = unit.scopes.resolve(name);
    if (binding !== undefined && binding.writes.length === 0) into.set(binding, value);
    return;
  }
  if (!ts.isObjectBindingPattern(name)) return;
  for (const element of name.elements) bindParameter(r, into, element.name, member(value, nameText(unit, element.propertyName ?? (element.name))));
}

/** `v1` of the uuid package is imported; a function of the file of that name is something else. */
const VERSION = /^v\d$/;
const RANDOM = /(^|\.)(randomUUID|randomBytes|nanoid|uuid|uuidv4|uuidV4|v4|v7|v1|ulid|cuid|createId|random|getRandomValues|randomInt|customAlphabet|generateId)$/;
const PURE = new Set(['JSON.stringify', 'encodeURIComponent', 'Math.ceil', 'Math.floor', 'Math.round', 'Math.trunc', 'Math.max', 'Math.min', 'parseInt', 'Buffer.from']);
const PURE_METHODS = new Set(['toString', 'trim', 'toLowerCase', 'toUpperCase', 'slice', 'replace', 'join', 'concat', 'digest', 'update', 'getTime', 'toISOString', 'padStart', 'substring', 'filter', 'map', 'getUTCDate', 'getUTCFullYear', 'getUTCMonth', 'getDate', 'getMonth', 'getFullYear']);

function freshOf(parts: readonly Term[]): { fresh?: Freshness } {
  for (const p of parts) {
    const fresh = freshnessOf(p);
    if (fresh !== undefined) return { fresh };
  }
  return {};
}

function mayBeText(t: Term): boolean {
  return (t.kind === 'const' && typeof t.value === 'string') || t.kind === 'template';
}
