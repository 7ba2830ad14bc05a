import type ts from 'typescript';
import { bare, followed, nameText, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { functionOf, returnedBy } from './access-orm-chain.js';

/** SQL text with its holes: one part more than holes. */
export interface SqlText {
  readonly parts: readonly string[];
  readonly holes: readonly ts.Expression[];
  /** Written as a tagged template: its holes are bound values, fragments and names, never bare text. */
  readonly tagged: boolean;
}

/** Tags that give the text itself, so that its holes are text too. */
const TEXT_TAG = /^(?:dedent|outdent|stripIndents?|oneLine|String\.raw|endent|ts-dedent)$/;
const OTHER_LANGUAGE = /^(?:gql|graphql|html|css|svg|md|markdown|xml|yaml|json|cypher|groq|keyframes|styled)\b/;
const FRAGMENT_CALL = /(?:^|\.)(?:raw|unsafe|sql|literal)$/;
const NAME_CALL = /^(?:sql|tx|trx|Prisma)(?:\.(?:identifier|id|ref|table|column|raw|lit))?$/;
const MAX_DEPTH = 8;

/** The name a template is tagged with: `sql`, `prisma.$queryRaw`, `sql.type` of `sql.type(schema)`. */
export function tagText(unit: Unit, node: ts.TaggedTemplateExpression): string {
  const tag = bare(unit, node.tag);
  return (unit.ts.isCallExpression(tag) ? tag.expression : tag).getText(unit.file);
}

export function isSqlTag(unit: Unit, node: ts.TaggedTemplateExpression): boolean {
  const name = tagText(unit, node);
  return !OTHER_LANGUAGE.test(name) && !TEXT_TAG.test(name);
}

/** The text an expression stands for, whether SQL or not; undefined where it is not a piece of text. */
export function readText(unit: Unit, node: ts.Expression, depth = 0): SqlText | undefined {
  const { ts } = unit;
  if (depth > MAX_DEPTH) return undefined;
  const e = resolved(unit, node);
  if (ts.isStringLiteralLike(e)) return plain(e.text);
  if (ts.isTemplateExpression(e)) return templateText(unit, e, (hole) => readText(unit, hole, depth + 1), false);
  if (ts.isTaggedTemplateExpression(e)) return taggedText(unit, e, depth);
  if (ts.isBinaryExpression(e) && e.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = readText(unit, e.left, depth + 1);
    const right = readText(unit, e.right, depth + 1);
    return left === undefined && right === undefined ? undefined : concatenated([left ?? hole(e.left), right ?? hole(e.right)]);
  }
  if (ts.isCallExpression(e)) return calledText(unit, e, depth);
  return ts.isIdentifier(e) ? importedText(unit, e, depth) ?? appendedText(unit, e, depth) : undefined;
}

function plain(text: string): SqlText {
  return { parts: [text], holes: [], tagged: false };
}

function hole(node: ts.Expression): SqlText {
  return { parts: ['', ''], holes: [node], tagged: false };
}

function concatenated(pieces: readonly SqlText[]): SqlText {
  const parts = [''];
  for (const piece of pieces) {
    const [first = '', ...rest] = piece.parts;
    parts.push(`${parts.pop() ?? ''}${first}`, ...rest);
  }
  return { parts, holes: pieces.flatMap((p) => p.holes), tagged: pieces.some((p) => p.tagged) };
}

function templateText(unit: Unit, e: ts.TemplateLiteral, inlined: (hole: ts.Expression, before: string, after: string) => SqlText | undefined, tagged: boolean): SqlText {
  if (unit.ts.isNoSubstitutionTemplateLiteral(e)) return { ...plain(e.text), tagged };
  const pieces = [plain(e.head.text)];
  let before = e.head.text;
  for (const span of e.templateSpans) {
    pieces.push(inlined(span.expression, before, span.literal.text) ?? hole(span.expression), plain(span.literal.text));
    before = span.literal.text;
  }
  return { ...concatenated(pieces), tagged };
}

function taggedText(unit: Unit, e: ts.TaggedTemplateExpression, depth: number): SqlText | undefined {
  if (OTHER_LANGUAGE.test(tagText(unit, e))) return undefined;
  if (TEXT_TAG.test(tagText(unit, e))) return templateText(unit, e.template, (h) => readText(unit, h, depth + 1), false);
  return templateText(unit, e.template, (h, before, after) => assignedColumn(unit, h, before, after) ?? fragmentText(unit, h, before, depth + 1), true);
}

/** `SET ${jobs.status} = ..` of Drizzle names a column. */
function assignedColumn(unit: Unit, node: ts.Expression, before: string, after: string): SqlText | undefined {
  const e = bare(unit, node);
  return unit.ts.isPropertyAccessExpression(e) && /(?:\bset|,)\s*$/i.test(before) && /^\s*=/.test(after) ? plain(`"${e.name.text}"`) : undefined;
}

/** A hole of a tagged template that is no value: a nested template, raw text, a name, a patch object behind SET. */
function fragmentText(unit: Unit, node: ts.Expression, before: string, depth: number): SqlText | undefined {
  const { ts } = unit;
  const e = resolved(unit, node);
  if (ts.isTaggedTemplateExpression(e)) return readText(unit, e, depth);
  if (!ts.isCallExpression(e)) return undefined;
  const [first] = e.arguments;
  if (first !== undefined && NAME_CALL.test(e.expression.getText(unit.file))) {
    const value = resolved(unit, first);
    if (ts.isStringLiteralLike(value)) return plain(value.text);
    return ts.isObjectLiteralExpression(value) && e.arguments.length === 1 && /\bset\s*$/i.test(before) ? patchText(unit, value) : undefined;
  }
  const built = builtBy(unit, e);
  const made = built && resolved(unit, built.result);
  const text = made !== undefined && ts.isTaggedTemplateExpression(made) ? readText(unit, made, depth) : undefined;
  // A hole that speaks of a parameter stands for something this call gave.
  return built && text && { ...text, holes: text.holes.map((h) => (mentionsParameter(unit, h, built.fn) ? e : h)) };
}

function mentionsParameter(unit: Unit, node: ts.Node, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)) {
    const d = unit.scopes.resolve(node)?.declaration;
    if (d !== undefined && fn.parameters.some((p) => d.pos >= p.pos && d.end <= p.end)) return true;
  }
  return ts.forEachChild(node, (child) => mentionsParameter(unit, child, fn)) === true;
}

/** `SET ${sql({ status: 'done' })}` as the assignments it becomes. */
function patchText(unit: Unit, object: ts.ObjectLiteralExpression): SqlText {
  const { ts } = unit;
  const pieces = object.properties.map((p, i): SqlText => {
    const comma = i === 0 ? '' : ', ';
    if (ts.isPropertyAssignment(p)) return concatenated([plain(`${comma}${nameText(unit, p.name)} = `), hole(p.initializer)]);
    if (ts.isShorthandPropertyAssignment(p)) return concatenated([plain(`${comma}${p.name.text} = `), hole(p.name)]);
    return ts.isSpreadAssignment(p) ? concatenated([plain(comma), hole(p.expression)]) : plain('');
  });
  return concatenated(pieces);
}

function calledText(unit: Unit, e: ts.CallExpression, depth: number): SqlText | undefined {
  const { ts } = unit;
  const callee = bare(unit, e.expression);
  const [first] = e.arguments;
  if (ts.isPropertyAccessExpression(callee)) {
    const list = bare(unit, callee.expression);
    if (callee.name.text === 'join' && ts.isArrayLiteralExpression(list)) {
      const separator = first === undefined ? plain(',') : readText(unit, first, depth + 1) ?? hole(first);
      return concatenated(list.elements.flatMap((x, i) => [...(i === 0 ? [] : [separator]), readText(unit, x, depth + 1) ?? hole(x)]));
    }
    if (/^(?:trim|trimStart|trimEnd|toString)$/.test(callee.name.text)) return readText(unit, callee.expression, depth + 1);
  }
  if (first !== undefined && FRAGMENT_CALL.test(callee.getText(unit.file))) return readText(unit, first, depth + 1);
  const built = builtBy(unit, e);
  // With parameters, what is text and what is a value cannot be told from the holes.
  return built?.fn.parameters.length === 0 ? readText(unit, built.result, depth + 1) : undefined;
}

interface Built {
  readonly fn: ts.FunctionLikeDeclaration;
  readonly result: ts.Expression;
}

/** The one expression a called local function or method returns. */
function builtBy(unit: Unit, e: ts.CallExpression): Built | undefined {
  const { ts } = unit;
  const callee = bare(unit, e.expression);
  const method = ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword ? memberAround(unit, callee, callee.name.text) : undefined;
  const fn = method && ts.isMethodDeclaration(method) ? method : functionOf(unit, callee);
  const result = fn && returnedBy(unit, fn);
  return fn && result && { fn, result };
}

/** Whether a call only puts text together: a local function that is declared to return text, or that returns a piece of it. */
export function onlyBuildsText(unit: Unit, e: ts.CallExpression): boolean {
  const callee = bare(unit, e.expression);
  const fn = unit.ts.isIdentifier(callee) ? functionOf(unit, callee) : undefined;
  if (fn?.type?.kind === unit.ts.SyntaxKind.StringKeyword) return true;
  const result = fn && returnedBy(unit, fn);
  const made = result && resolved(unit, result);
  return made !== undefined && (unit.ts.isStringLiteralLike(made) || unit.ts.isTemplateExpression(made));
}

/** Follows names, fields of the class and constants in object literals to the expression they stand for. */
export function resolved(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  let e = followed(unit, node);
  for (let depth = 0; depth < MAX_DEPTH && ts.isPropertyAccessExpression(e); depth++) {
    const next = fieldOf(unit, e);
    if (next === undefined) return e;
    e = followed(unit, next);
  }
  return e;
}

function fieldOf(unit: Unit, e: ts.PropertyAccessExpression): ts.Expression | undefined {
  const { ts } = unit;
  const base = followed(unit, e.expression);
  if (ts.isObjectLiteralExpression(base)) return propertyOf(unit, base, e.name.text);
  const own = base.kind === ts.SyntaxKind.ThisKeyword ? memberAround(unit, e, e.name.text) : staticMember(unit, base, e.name.text);
  const fixed = own && ts.isPropertyDeclaration(own) && (ts.isPrivateIdentifier(own.name) || own.modifiers?.some((m) => isFixed(unit, m)) === true);
  return fixed === true && ts.isPropertyDeclaration(own) ? own.initializer ?? setInConstructor(unit, own, e.name.text) : undefined;
}

/** `this.take = db.prepare(..)`, where the constructor says so once. */
function setInConstructor(unit: Unit, own: ts.PropertyDeclaration, name: string): ts.Expression | undefined {
  const { ts } = unit;
  const maker = own.parent.members.find((m): m is ts.ConstructorDeclaration => ts.isConstructorDeclaration(m) && m.body !== undefined);
  const values = (maker?.body?.statements ?? []).flatMap((s) => {
    const set = ts.isExpressionStatement(s) ? s.expression : undefined;
    if (set === undefined || !ts.isBinaryExpression(set) || set.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(set.left)) return [];
    return set.left.expression.kind === ts.SyntaxKind.ThisKeyword && set.left.name.text === name ? [set.right] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

function isFixed(unit: Unit, m: ts.ModifierLike): boolean {
  return m.kind === unit.ts.SyntaxKind.ReadonlyKeyword || m.kind === unit.ts.SyntaxKind.StaticKeyword;
}

function staticMember(unit: Unit, base: ts.Expression, name: string): ts.ClassElement | undefined {
  const { ts } = unit;
  const d = ts.isIdentifier(base) ? unit.scopes.resolve(base)?.declaration : undefined;
  return d && ts.isClassDeclaration(d) ? d.members.find((m) => m.name !== undefined && nameText(unit, m.name) === name) : undefined;
}

function memberAround(unit: Unit, from: ts.Node, name: string): ts.ClassElement | undefined {
  const { ts } = unit;
  for (let n: ts.Node | undefined = from.parent; n; n = n.parent) {
    if (ts.isClassDeclaration(n) || ts.isClassExpression(n)) return n.members.find((m) => m.name !== undefined && nameText(unit, m.name) === name);
  }
  return undefined;
}

/** A constant of another file. Its holes would belong to that file, so that only text without any is taken. */
function importedText(unit: Unit, id: ts.Identifier, depth: number): SqlText | undefined {
  const { ts } = unit;
  const spec = unit.scopes.resolve(id)?.declaration;
  if (spec === undefined || !ts.isImportSpecifier(spec)) return undefined;
  const from = spec.parent.parent.parent.moduleSpecifier;
  const other = ts.isStringLiteral(from) ? unit.importOf(from.text) : undefined;
  const name = (spec.propertyName ?? spec.name).text;
  if (other === undefined || (depth === 0 && !mayHoldText(other, name))) return undefined;
  const target = other.scopes.lookup(name, other.file)?.declaration;
  if (target === undefined || !ts.isVariableDeclaration(target) || target.initializer === undefined) return undefined;
  const text = readText(other, target.initializer, 1);
  return text?.holes.length === 0 ? text : undefined;
}

/** Whether the text of a file says that a name is a variable with a piece of text: most of what is imported and handed over is none, and its file need not be parsed to tell. */
function mayHoldText(unit: Unit, name: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name)) return true;
  return unit.says(new RegExp(`\\b${name}\\b\\s*(?::[^=]*)?=\\s*(?:\\(*\\s*["'\`[]|[\\w$.]+\\s*(?:<[^()]*>\\s*)?(?:[\`+;,\\n\\r]|$|\\(\\s*\\)|\\.)|[\\w$.]*(?:raw|unsafe|sql|literal|join|trim|trimStart|trimEnd|toString)\\s*\\()`));
}

/** `let q = 'UPDATE ..'; q += ' AND ..'`: the start is known, the rest is a hole. */
function appendedText(unit: Unit, id: ts.Identifier, depth: number): SqlText | undefined {
  const { ts } = unit;
  const binding = unit.scopes.resolve(id);
  const d = binding?.declaration;
  if (binding === undefined || d === undefined || !ts.isVariableDeclaration(d) || d.initializer === undefined || binding.writes.length === 0) return undefined;
  const appends = binding.writes.every((w) => ts.isBinaryExpression(w) && w.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken);
  const start = appends ? readText(unit, d.initializer, depth + 1) : undefined;
  return start && concatenated([start, plain(' '), hole(id)]);
}
