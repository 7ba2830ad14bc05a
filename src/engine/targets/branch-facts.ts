import type ts from 'typescript';
import { programCallers } from '../functions/program-callers.js';
import { Kept } from '../kept.js';
import { bare, followed, isFunctionWithBody, nameText } from '../syntax/expression.js';
import { leaves, plainStatements } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import { wholeFunction } from './rivals.js';
import { normalised } from './step-words.js';

/** What is known of a kind of thing where code runs: `type` is one of these values, or none of them. */
export interface BranchFact {
  /** What is tested by its last two names, normalised: `payload.type` of `job.payload.type`. */
  readonly name: string;
  readonly values: readonly string[];
  readonly holds: boolean;
}

/** What tells sorts of one thing apart, and stays as it is. A state is none of it. */
const SORTS = /(?:^|_)(?:type|kind|mode|method|provider|engine|variant|action|action_id|action_type|channel|platform|strategy|category)$/;
/** A caller alone says what holds in the function it calls. */
const LEVELS = 2;

const known = new Kept<ts.Node, readonly BranchFact[]>();

/** The sorts of things that a node is run for, by the tests on its way, in its function and in its only caller's. */
export function branchFacts(unit: Unit, node: ts.Node, level = LEVELS): readonly BranchFact[] {
  const held = level === LEVELS ? known.get(node) : undefined;
  if (held !== undefined) return held;
  const fn = wholeFunction(unit, node);
  const here = factsIn(unit, node, fn);
  const calls = level === 0 || unit.ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn) ? [] : programCallers(unit, fn).calls;
  const [only] = calls;
  const found = only !== undefined && calls.length === 1 ? [...here, ...branchFacts(only.unit, only.call, level - 1)] : here;
  if (level === LEVELS) known.set(node, found);
  return found;
}

/** Whether no one thing can be of both sorts. */
export function excludeEachOther(a: readonly BranchFact[], b: readonly BranchFact[]): boolean {
  return a.some((x) => b.some((y) => x.name === y.name && contradict(x, y)));
}

function contradict(x: BranchFact, y: BranchFact): boolean {
  if (x.holds && y.holds) return !x.values.some((v) => y.values.includes(v));
  if (x.holds === y.holds) return false;
  const [is, isNot] = x.holds ? [x, y] : [y, x];
  return is.values.every((v) => isNot.values.includes(v));
}

function factsIn(unit: Unit, node: ts.Node, fn: ts.Node): readonly BranchFact[] {
  const { ts } = unit;
  const found: BranchFact[] = [];
  for (let n = node; n !== fn && n.parent; n = n.parent) {
    const p = n.parent;
    if (ts.isIfStatement(p) && p.expression !== n) found.push(...told(unit, p.expression, p.thenStatement === n));
    if (ts.isConditionalExpression(p) && p.condition !== n) found.push(...told(unit, p.condition, p.whenTrue === n));
    if (ts.isCaseClause(p) && p.expression !== n) found.push(...caseOf(unit, p));
    if (!ts.isBlock(p) && !ts.isSourceFile(p) && !ts.isCaseOrDefaultClause(p)) continue;
    for (const s of plainStatements(unit, p.statements)) {
      if (s.pos >= n.pos) break;
      if (ts.isIfStatement(s) && leaves(unit, s.thenStatement)) found.push(...told(unit, s.expression, false));
    }
  }
  return found;
}

/** What a test says when it is true, or false. */
function told(unit: Unit, test: ts.Expression, truth: boolean): readonly BranchFact[] {
  const { ts } = unit;
  const e = bare(unit, test);
  if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return told(unit, e.operand, !truth);
  if (ts.isIdentifier(e) && followed(unit, e) !== e) return told(unit, followed(unit, e), truth);
  const looked = lookupOf(unit, e);
  if (looked !== undefined) return [{ name: looked, values: [FOUND], holds: truth }];
  if (!ts.isBinaryExpression(e)) return [];
  const op = e.operatorToken.kind;
  const isAnd = op === ts.SyntaxKind.AmpersandAmpersandToken;
  if (isAnd || op === ts.SyntaxKind.BarBarToken) {
    const [a, b] = [told(unit, e.left, truth), told(unit, e.right, truth)];
    if (isAnd === truth) return [...a, ...b];
    // One of the two holds: together they say something where both are about one name.
    const [x, y] = [a[0], b[0]];
    return a.length === 1 && b.length === 1 && x !== undefined && y !== undefined && x.name === y.name && x.holds && y.holds ? [{ ...x, values: [...x.values, ...y.values] }] : [];
  }
  const isEqual = op === ts.SyntaxKind.EqualsEqualsEqualsToken || op === ts.SyntaxKind.EqualsEqualsToken;
  if (!isEqual && op !== ts.SyntaxKind.ExclamationEqualsEqualsToken && op !== ts.SyntaxKind.ExclamationEqualsToken) return [];
  const [name, value] = [sortNamed(unit, e.left), valueOf(unit, e.right)];
  return name === undefined || value === undefined ? [] : [{ name, values: [value], holds: isEqual === truth }];
}

const FOUND = 'found';

/** `await Robot.findOne({ where: { id } })`, told by the table and the column that it is looked for by first: of one row the thing it belongs to is there, or it is not. */
function lookupOf(unit: Unit, node: ts.Expression): string | undefined {
  const { ts } = unit;
  const call = ts.isAwaitExpression(node) ? bare(unit, node.expression) : node;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || !/^find(?:One|Unique|First|ById|ByPk)/.test(call.expression.name.text)) return undefined;
  const on = bare(unit, call.expression.expression);
  const table = ts.isIdentifier(on) ? on.text : ts.isPropertyAccessExpression(on) ? on.name.text : undefined;
  const where = call.arguments[0] && propertyOf(unit, call.arguments[0], 'where');
  const [first] = where !== undefined && ts.isObjectLiteralExpression(where) ? where.properties : [];
  return table === undefined || first?.name === undefined ? undefined : `?${normalised(table)}.${normalised(nameText(unit, first.name))}`;
}

function propertyOf({ ts, file }: Unit, node: ts.Expression, name: string): ts.Expression | undefined {
  const found = ts.isObjectLiteralExpression(node) ? node.properties.find((p) => p.name?.getText(file) === name) : undefined;
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

function caseOf(unit: Unit, clause: ts.CaseClause): readonly BranchFact[] {
  const name = sortNamed(unit, clause.parent.parent.expression);
  const clauses = clause.parent.clauses;
  const at = clauses.indexOf(clause);
  // `case 'a': case 'b': ..`
  let from = at;
  while (from > 0 && clauses[from - 1]?.statements.length === 0) from--;
  const values = clauses.slice(from, at + 1).map((c) => (unit.ts.isCaseClause(c) ? valueOf(unit, c.expression) : undefined));
  return name === undefined || values.some((v) => v === undefined) ? [] : [{ name, values: values.flatMap((v) => v ?? []), holds: true }];
}

/** `robot.meta.type`, a name for it, or the first of `meta.type || 'plain'`. */
function sortNamed(unit: Unit, node: ts.Expression): string | undefined {
  const { ts } = unit;
  let e = followed(unit, node);
  while (ts.isBinaryExpression(e) && (e.operatorToken.kind === ts.SyntaxKind.BarBarToken || e.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)) e = followed(unit, e.left);
  const name = ts.isPropertyAccessExpression(e) ? normalised(e.name.text) : ts.isIdentifier(e) ? normalised(e.text) : '';
  if (!SORTS.test(name)) return undefined;
  if (!ts.isPropertyAccessExpression(e)) return name;
  // The type of a payload is not that of an action.
  const of = bare(unit, e.expression);
  const owner = ts.isPropertyAccessExpression(of) ? of.name.text : ts.isIdentifier(of) ? of.text : '';
  return `${normalised(owner)}.${name}`;
}

/** A text or the member of an enum. */
function valueOf(unit: Unit, node: ts.Expression): string | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isStringLiteralLike(e)) return normalised(e.text);
  return ts.isPropertyAccessExpression(e) && /^[A-Z]/.test(e.expression.getText(unit.file)) ? normalised(e.name.text) : undefined;
}
