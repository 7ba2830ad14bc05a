import type ts from 'typescript';
import { functionName, isFunctionWithBody, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** Where a value stands: what it is called, and whether it is one of several that are chosen from. */
export interface Context {
  readonly name: string;
  /** The name, or a type that it is declared to have, says lock. */
  readonly speaksOfLocks: boolean;
  /** It stands for another value that is not there: `real ?? this`, `on ? real : this`, a default. */
  readonly isAlternative: boolean;
  /** The condition that chooses between the values, where there is one. */
  readonly chosenBy: ts.Expression | undefined;
}

/** The context of a class, an object literal, a function, or a use of one of them. */
export function contextOf(unit: Unit, node: ts.Node): Context {
  const { ts } = unit;
  if (ts.isClassLike(node)) {
    const name = node.name?.text ?? '';
    const types = (node.heritageClauses ?? []).map((h) => h.getText(unit.file)).join(' ');
    return { name, speaksOfLocks: LOCKS.test(`${name} ${types}`), isAlternative: false, chosenBy: undefined };
  }
  let isAlternative = false;
  let chosenBy: ts.Expression | undefined;
  for (let n: ts.Node = node; n.parent; n = n.parent) {
    const p = n.parent;
    if (ts.isConditionalExpression(p) && p.condition !== n) [isAlternative, chosenBy] = [true, p.condition];
    else if (ts.isBinaryExpression(p) && p.right === n && isOr(p)) [isAlternative, chosenBy] = [true, p.left];
    else if (ts.isBinaryExpression(p) && p.right === n && p.operatorToken.kind === ts.SyntaxKind.EqualsToken) return named(p.left.getText(unit.file), '', byBranch(p) ?? { isAlternative, chosenBy });
    else if (ts.isParameter(p) || ts.isBindingElement(p)) return named(p.name.getText(unit.file), typeText(ts.isParameter(p) ? p.type : undefined), { isAlternative: p.initializer === n || isAlternative, chosenBy });
    else if (ts.isVariableDeclaration(p) || ts.isPropertyDeclaration(p)) return named(p.name.getText(unit.file), typeText(p.type), { isAlternative, chosenBy });
    else if (ts.isPropertyAssignment(p)) return named(nameText(unit, p.name), '', { isAlternative, chosenBy });
    else if (ts.isReturnStatement(p)) {
      const fn = functionAround(p);
      return named(fn === undefined ? '' : functionName(unit, fn), typeText(fn?.type), byBranch(p) ?? { isAlternative, chosenBy });
    } else if (isFunctionWithBody(unit, p)) return named(functionName(unit, p), typeText(p.type), { isAlternative, chosenBy });
    else if (ts.isStatement(p) || ts.isSourceFile(p)) break;
  }
  return named('', '', { isAlternative, chosenBy });

  function named(name: string, type: string, choice: Pick<Context, 'isAlternative' | 'chosenBy'>): Context {
    return { name: name.slice(name.lastIndexOf('.') + 1), speaksOfLocks: LOCKS.test(`${name} ${type}`), ...choice };
  }

  function typeText(type: ts.TypeNode | undefined): string {
    return type === undefined ? '' : type.getText(unit.file);
  }

  function isOr(e: ts.BinaryExpression): boolean {
    return e.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken || e.operatorToken.kind === ts.SyntaxKind.BarBarToken;
  }

  /** `if (!url) return new OpenLock()`, `if (url) return real(); return new OpenLock()`, and in a `catch`. */
  function byBranch(end: ts.Node): Pick<Context, 'isAlternative' | 'chosenBy'> | undefined {
    for (let n: ts.Node = end; n.parent && !isFunctionWithBody(unit, n.parent); n = n.parent) {
      const p = n.parent;
      if (ts.isIfStatement(p) && p.expression !== n) return { isAlternative: true, chosenBy: p.expression };
      if (ts.isCatchClause(p)) return { isAlternative: true, chosenBy: undefined };
      if (!ts.isBlock(p)) continue;
      const before = p.statements.find((s) => s.end <= n.pos && ts.isIfStatement(s) && leaves(s.thenStatement));
      if (before !== undefined && ts.isIfStatement(before)) return { isAlternative: true, chosenBy: before.expression };
      if (p.statements.some((s) => s.end <= n.pos && ts.isTryStatement(s) && s.tryBlock.statements.some((t) => ts.isReturnStatement(t)))) return { isAlternative: true, chosenBy: undefined };
    }
    return undefined;
  }

  function leaves(statement: ts.Statement): boolean {
    const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
    return last !== undefined && ts.isReturnStatement(last);
  }

  function functionAround(n: ts.Node): ts.FunctionLikeDeclaration | undefined {
    for (let p: ts.Node = n.parent; !ts.isSourceFile(p); p = p.parent) if (isFunctionWithBody(unit, p)) return p;
    return undefined;
  }
}

const LOCKS = /(?<![bcBC])lock(?!ed|s?Until)|Lock(?!ed)|mutex|(?<!re)lease|semaphore|leader/i;
