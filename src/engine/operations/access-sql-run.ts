import type ts from 'typescript';
import { looksLikeSql } from '../embedded/sql-looks.js';
import { bare, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { importsPackage, lastSegment, objectOf } from './access-orm-chain.js';
import { isSqlTag, onlyBuildsText, readText, resolved, tagText, type SqlText } from './access-sql-text.js';

/** One evaluation that hands SQL text to a store. */
export interface SqlRun {
  readonly unit: Unit;
  readonly node: ts.CallExpression | ts.TaggedTemplateExpression;
  readonly text: SqlText;
  /** The array or object the parameters are bound from. */
  readonly params: ts.Expression | undefined;
  /** The parameters one by one, where they are arguments of the call. */
  readonly list: readonly ts.Expression[] | undefined;
  /** The expression that stands for the client. */
  readonly client: ts.Expression | undefined;
  /** `query`, `run`, `$queryRaw`, `sql`. */
  readonly method: string;
  /** The options behind the text, as Sequelize takes them. */
  readonly options: ts.ObjectLiteralExpression | undefined;
  readonly spelling: 'call' | 'tag' | 'executed-tag' | 'prepared';
}

/** Calls that take text and do not run it. */
const NOT_RUN = new RegExp(`^(?:${[
  'log', 'debug', 'info', 'warn', 'error', 'trace', 'fatal', 'describe', 'it', 'test', 'expect', 'to(?:Be|Equal|Contain|Match|Strict|Have|Throw).*', 'includes', 'startsWith', 'endsWith',
  'indexOf', 'match', 'replace', 'replaceAll', 'split', 'push', 'concat', 'join', 'prepare', 'bind', 'literal', 'fragment', 'format', 'trim', 'set', 'add', 'has', 'addSql', 'require',
  'looksLikeSql', 'parse\\w*', 'then', 'catch', 'finally', 'String', 'Error', 'Symbol', 'onConflict\\w*', 'where\\w*', 'andWhere\\w*', 'orWhere\\w*', 'having\\w*', 'startSpan', 'emit',
].join('|')})$`);
const RUN = /^(?:\$?(?:query|execute|exec|run|raw|unsafe|simple|sql|batch|command)\w*|\$\w+)$/i;
/** Texts of one word, which a log line or an event could have too. */
const ONE_WORD = /^\s*(?:begin|commit|rollback|end|start\s+transaction)\s*;?\s*$/i;
const STATEMENT_CALL = /^(?:run|get|all|iterate|values|first|execute|each)$/;
/** Packages whose `sql` tag only builds. */
const BUILDERS = /^(?:drizzle-orm|kysely|slonik|sql-template-strings|sql-template-tag|@prisma\/client|@mikro-orm|@vercel\/postgres-kysely|typeorm)/;
/** `.unsafe(text)` of postgres.js runs; these of a builder only make a fragment. */
const FRAGMENT_MAKER = /^(?:sql|Prisma|SQL)\.(?:raw|sql|unsafe|fragment|lit|literal)$/;

/** What a call or template runs; undefined for fragments, for text that is no SQL and for calls that do not run it. */
export function sqlRunOf(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): SqlRun | undefined {
  return unit.ts.isCallExpression(node) ? runOfCall(unit, node) : runOfTag(unit, node);
}

function runOfTag(unit: Unit, node: ts.TaggedTemplateExpression): SqlRun | undefined {
  if (!isSqlTag(unit, node) || isBuilderTag(unit, node) || isHandedOn(unit, node)) return undefined;
  const text = sqlText(unit, node);
  if (text === undefined) return undefined;
  const tag = bare(unit, node.tag);
  const member = unit.ts.isPropertyAccessExpression(tag) && tag.name.text.startsWith('$');
  const client = unit.ts.isPropertyAccessExpression(tag) && member ? tag.expression : tag;
  return { unit, node, text, params: undefined, list: undefined, client, method: lastSegment(unit, tag) ?? '', options: undefined, spelling: 'tag' };
}

function isBuilderTag(unit: Unit, node: ts.TaggedTemplateExpression): boolean {
  const { ts } = unit;
  const name = tagText(unit, node);
  if (/^Prisma\.|^SQL$/.test(name)) return true;
  const tag = bare(unit, node.tag);
  const d = ts.isIdentifier(tag) ? unit.scopes.resolve(tag)?.declaration : undefined;
  const from = d && ts.isImportSpecifier(d) ? d.parent.parent.parent.moduleSpecifier : undefined;
  return from !== undefined && ts.isStringLiteral(from) && BUILDERS.test(from.text);
}

/** Stands in another template, is an argument, or is run by `.execute(db)`: then the outer expression runs it. */
function isHandedOn(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  let e: ts.Node = node;
  while (ts.isParenthesizedExpression(e.parent) || ts.isAsExpression(e.parent) || ts.isNonNullExpression(e.parent)) e = e.parent;
  const p = e.parent;
  if (ts.isTemplateSpan(p)) return true;
  if (ts.isCallExpression(p)) return p.arguments.some((a) => a === e);
  if (!ts.isPropertyAccessExpression(p) || p.expression !== e || !ts.isCallExpression(p.parent) || p.parent.expression !== p) return false;
  return p.name.text === 'execute' && p.parent.arguments.length > 0;
}

function runOfCall(unit: Unit, node: ts.CallExpression): SqlRun | undefined {
  const { ts } = unit;
  const callee = bare(unit, node.expression);
  const method = lastSegment(unit, callee) ?? '';
  if (method === '' || isNotRun(method)) return undefined;
  const receiver = ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
  if (method === 'raw' && isHandedOn(unit, node)) return undefined;
  const run = textRunBy(unit, node, method, receiver);
  // Asked last: most calls hand over no text of SQL at all.
  return run === undefined || FRAGMENT_MAKER.test(callee.getText(unit.file)) || onlyBuildsText(unit, node) ? undefined : run;
}

const notRun = new Map<string, boolean>();

/** Told once a name: there are far fewer of them than calls. */
function isNotRun(method: string): boolean {
  const held = notRun.get(method);
  if (held !== undefined) return held;
  const answer = NOT_RUN.test(method);
  notRun.set(method, answer);
  return answer;
}

function textRunBy(unit: Unit, node: ts.CallExpression, method: string, receiver: ts.Expression | undefined): SqlRun | undefined {
  const own = receiver && (executedTag(unit, node, receiver, method) ?? preparedRun(unit, node, receiver, method));
  if (own !== undefined) return own;
  // Bun's `db.query(text)` prepares a statement.
  if (method === 'query' && importsPackage(unit, /^bun:sqlite$/)) return undefined;
  for (const [at, argument] of node.arguments.slice(0, 3).entries()) {
    const named = objectOf(unit, argument);
    const source = named === undefined ? argument : propertyOf(unit, named, 'text') ?? propertyOf(unit, named, 'sql') ?? propertyOf(unit, named, 'query');
    const text = source && sqlText(unit, source);
    if (text === undefined || (!RUN.test(method) && ONE_WORD.test(text.parts.join('')))) continue;
    const client = receiver ?? (at > 0 ? node.arguments[0] : undefined);
    const base = { unit, node, text, client, method, spelling: 'call' } as const;
    if (named !== undefined) {
      const values = propertyOf(unit, named, 'values') ?? propertyOf(unit, named, 'args') ?? propertyOf(unit, named, 'params') ?? propertyOf(unit, named, 'bind');
      return { ...base, params: values ?? node.arguments[at + 1], list: undefined, options: named };
    }
    return { ...base, ...boundOf(unit, method, node.arguments.slice(at + 1)) };
  }
  return undefined;
}

function executedTag(unit: Unit, node: ts.CallExpression, receiver: ts.Expression, method: string): SqlRun | undefined {
  const [client] = node.arguments;
  if (method !== 'execute' || client === undefined) return undefined;
  const e = resolved(unit, receiver);
  const text = unit.ts.isTaggedTemplateExpression(e) || isFragmentCall(unit, e) ? sqlText(unit, e) : undefined;
  return text && { unit, node, text, params: undefined, list: undefined, client, method, options: undefined, spelling: 'executed-tag' };
}

function isFragmentCall(unit: Unit, e: ts.Expression): boolean {
  return unit.ts.isCallExpression(e) && FRAGMENT_MAKER.test(e.expression.getText(unit.file));
}

/** `db.prepare(text).run(..)`, also through a name, a field, `.bind(..)` and `.pluck()`. */
function preparedRun(unit: Unit, node: ts.CallExpression, receiver: ts.Expression, method: string): SqlRun | undefined {
  const { ts } = unit;
  if (!STATEMENT_CALL.test(method)) return undefined;
  let args: readonly ts.Expression[] = node.arguments;
  let e = awaited(unit, resolved(unit, receiver));
  for (let depth = 0; depth < 5 && ts.isCallExpression(e); depth++) {
    const callee = bare(unit, e.expression);
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    const [first] = e.arguments;
    if (first !== undefined && /^(?:prepare|prepareAsync|query)$/.test(callee.name.text)) {
      const text = sqlText(unit, first);
      return text && { unit, node, text, client: callee.expression, method, spelling: 'prepared', ...boundOf(unit, 'run', args) };
    }
    if (callee.name.text === 'bind' && args.length === 0) args = e.arguments;
    e = awaited(unit, resolved(unit, callee.expression));
  }
  return undefined;
}

function awaited(unit: Unit, e: ts.Expression): ts.Expression {
  return unit.ts.isAwaitExpression(e) ? bare(unit, e.expression) : e;
}

/** Where the values of the placeholders come from: an array, an object of names, options that hold either, or the arguments themselves. */
function boundOf(unit: Unit, method: string, rest: readonly ts.Expression[]): Pick<SqlRun, 'params' | 'list' | 'options'> {
  const { ts } = unit;
  const values = rest.filter((r) => !ts.isArrowFunction(r) && !ts.isFunctionExpression(r));
  const [first, second] = values;
  if (first === undefined) return { params: undefined, list: undefined, options: undefined };
  const object = objectOf(unit, first);
  if (object !== undefined) {
    const held = propertyOf(unit, object, 'replacements') ?? propertyOf(unit, object, 'bind');
    return { params: held ?? first, list: undefined, options: object };
  }
  const array = ts.isArrayLiteralExpression(resolved(unit, first));
  const each = !array && (/RawUnsafe$/.test(method) || /^(?:run|get|all)$/.test(method) || (second !== undefined && objectOf(unit, second) === undefined && !/^(?:query|execute)$/.test(method)));
  return each ? { params: undefined, list: values, options: undefined } : { params: first, list: undefined, options: second && objectOf(unit, second) };
}

function sqlText(unit: Unit, node: ts.Expression): SqlText | undefined {
  const text = readText(unit, node);
  return text !== undefined && looksLikeSql(text.parts.join('${x}')) ? text : undefined;
}
