import type ts from 'typescript';
import { bare, enclosingFunction, followed } from '../syntax/expression.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { termOf } from '../syntax/term-of.js';
import { leaves, plainStatements } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import { derivesFrom, within } from './accesses.js';
import { statesOfExpression, statesOfTerm } from './states.js';
import { isStateColumn } from './step-words.js';
import { identityOf, type Transition } from './transition.js';

/** The states a write starts from, and what says so. */
export interface FromStates {
  readonly states: readonly string[];
  readonly by: 'statement' | 'test';
  readonly at: ts.Node;
}

/** What the statement compares, else what the code has tested of the row on the way to it. */
export function fromStates(transition: Transition): FromStates | undefined {
  const { unit, write } = transition;
  const conditions = write.where.filter((c) => !c.mayBeAbsent && (c.op === 'eq' || c.op === 'in') && isStateColumn(c.column) && c.source === 'code');
  for (const c of conditions) {
    const lists = c.values.map(statesOfTerm);
    if (lists.length > 0 && lists.every((l) => l !== undefined)) return { states: lists.flatMap((l) => l ?? []), by: 'statement', at: write.node };
  }
  return conditions.length > 0 ? undefined : testedStates(unit, transition);
}

function testedStates(unit: Unit, transition: Transition): FromStates | undefined {
  const { ts } = unit;
  const { write } = transition;
  const fn = enclosingFunction(unit, write.node);
  for (let n: ts.Node = write.node; n !== fn && n.parent; n = n.parent) {
    const p = n.parent;
    if (ts.isIfStatement(p) && p.expression !== n) {
      const states = whenTrue(p.expression, p.thenStatement === n);
      if (states !== undefined) return { states, by: 'test', at: p.expression };
    }
    if (ts.isCaseClause(p) && isStateOfRow(p.parent.parent.expression)) {
      const states = statesOfExpression(unit, p.expression);
      const before = p.parent.clauses[p.parent.clauses.indexOf(p) - 1];
      if (states !== undefined && (before === undefined || before.statements.length > 0)) return { states, by: 'test', at: p.expression };
    }
    if (!ts.isBlock(p)) continue;
    for (const s of [...plainStatements(unit, p.statements)].reverse()) {
      if (s.pos >= n.pos || !ts.isIfStatement(s) || s.elseStatement !== undefined || !leaves(unit, s.thenStatement)) continue;
      const states = whenTrue(s.expression, false);
      if (states !== undefined) return { states, by: 'test', at: s.expression };
    }
  }
  return undefined;

  /** The states of the row when the test came out so; undefined where the test does not say. */
  function whenTrue(test: ts.Expression, truth: boolean): readonly string[] | undefined {
    const e = bare(unit, test);
    if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return whenTrue(e.operand, !truth);
    if (ts.isBinaryExpression(e)) {
      const op = e.operatorToken.kind;
      const isAnd = op === ts.SyntaxKind.AmpersandAmpersandToken;
      if (isAnd || op === ts.SyntaxKind.BarBarToken) {
        const [a, b] = [whenTrue(e.left, truth), whenTrue(e.right, truth)];
        if (isAnd === truth) return a ?? b;
        return a === undefined || b === undefined ? undefined : [...a, ...b];
      }
      const isEqual = op === ts.SyntaxKind.EqualsEqualsEqualsToken || op === ts.SyntaxKind.EqualsEqualsToken;
      const isUnequal = op === ts.SyntaxKind.ExclamationEqualsEqualsToken || op === ts.SyntaxKind.ExclamationEqualsToken;
      if (!(isEqual && truth) && !(isUnequal && !truth)) return undefined;
      return isStateOfRow(e.left) ? statesOfExpression(unit, e.right) : isStateOfRow(e.right) ? statesOfExpression(unit, e.left) : undefined;
    }
    if (!truth || !ts.isCallExpression(e) || !ts.isPropertyAccessExpression(e.expression) || !/^(?:includes|has)$/.test(e.expression.name.text)) return undefined;
    const [argument] = e.arguments;
    return argument !== undefined && isStateOfRow(argument) ? listed(e.expression.expression) : undefined;
  }

  function listed(node: ts.Expression): readonly string[] | undefined {
    const e = followed(unit, node);
    const list = ts.isNewExpression(e) ? e.arguments?.[0] && followed(unit, e.arguments[0]) : e;
    if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
    const states = list.elements.map((x) => statesOfExpression(unit, x));
    return states.length > 0 && states.every((s) => s !== undefined) ? states.flatMap((s) => s ?? []) : undefined;
  }

  /** `row.status` of the row that is written. */
  function isStateOfRow(node: ts.Expression): boolean {
    const e = bare(unit, node);
    if (ts.isIdentifier(e)) return isStateColumn(e.text) && transition.reads.some((r) => derivesFrom(unit, e, r.node));
    if (!ts.isPropertyAccessExpression(e) || !isStateColumn(e.name.text)) return false;
    const row = termOf(unit, e.expression);
    return transition.reads.some((r) => !within(e, r.node) && derivesFrom(unit, e.expression, r.node)) || identityOf(write).some((t) => t.kind === 'path' && sameTerm(t.base, row));
  }
}
