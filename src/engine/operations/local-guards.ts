import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { isCollection, isSameMemory, memoryNamed, type Memory } from './local-memory.js';

/** A test of the process's own memory that sends the second caller away while the first one is at work. */
export interface LocalGuard {
  readonly memory: Memory;
  readonly kind: 'flag' | 'busy-keys' | 'in-flight';
  readonly test: ts.Expression;
  /** What runs behind it. */
  readonly section: readonly ts.Statement[];
}

/** The guard of a function: `if (running) return; running = true; ..`, `if (busy.has(id)) return; busy.add(id); ..`, `const p = calls.get(id); if (p) return p; ..`. */
export function localGuard(unit: Unit, fn: ts.FunctionLikeDeclaration): LocalGuard | undefined {
  const { ts } = unit;
  const { body } = fn;
  if (body === undefined || !ts.isBlock(body)) return undefined;
  for (const [i, s] of body.statements.entries()) {
    if (!ts.isIfStatement(s) || !leaves(unit, s.thenStatement)) continue;
    const section = body.statements.slice(i + 1);
    for (const test of alternatives(unit, s.expression)) {
      const found = guardAt(test, section);
      if (found !== undefined) return { ...found, test: s.expression, section };
    }
  }
  return undefined;

  function guardAt(test: ts.Expression, section: readonly ts.Statement[]): Pick<LocalGuard, 'memory' | 'kind'> | undefined {
    const e = asked(unit, test);
    if (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression) && /^(?:has|get)$/.test(e.expression.name.text)) {
      const memory = memoryNamed(unit, e.expression.expression, fn);
      if (memory === undefined || !isCollection(unit, memory) || !calls(section, memory, /^(?:add|set)$/) || !calls(section, memory, /^delete$/)) return undefined;
      return { memory, kind: calls(section, memory, /^add$/) ? 'busy-keys' : 'in-flight' };
    }
    const memory = memoryNamed(unit, e, fn);
    if (memory === undefined) return undefined;
    const values = assigned(section, memory);
    return values.some(isOn) && values.some((v) => !isOn(v)) ? { memory, kind: 'flag' } : undefined;
  }

  function calls(section: readonly ts.Statement[], memory: Memory, name: RegExp): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && name.test(n.expression.name.text) && isSameMemory(unit, n.expression.expression, fn, memory)) found = true;
      ts.forEachChild(n, visit);
    };
    section.forEach(visit);
    return found;
  }

  function assigned(section: readonly ts.Statement[], memory: Memory): readonly ts.Expression[] {
    const found: ts.Expression[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && isSameMemory(unit, n.left, fn, memory)) found.push(n.right);
      ts.forEachChild(n, visit);
    };
    section.forEach(visit);
    return found;
  }

  function isOn(value: ts.Expression): boolean {
    const e = bare(unit, value);
    return !(e.kind === ts.SyntaxKind.FalseKeyword || e.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(e) && e.text === 'undefined'));
  }
}

/** The parts of `a || b`. */
function alternatives(unit: Unit, test: ts.Expression): readonly ts.Expression[] {
  const e = bare(unit, test);
  return unit.ts.isBinaryExpression(e) && e.operatorToken.kind === unit.ts.SyntaxKind.BarBarToken ? [...alternatives(unit, e.left), ...alternatives(unit, e.right)] : [e];
}

/** What a test asks, through `!== undefined` and a local name. */
function asked(unit: Unit, test: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = bare(unit, test);
  const compared = ts.isBinaryExpression(e) && (e.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || e.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsToken) ? e.left : e;
  return followed(unit, compared);
}

function leaves(unit: Unit, statement: ts.Statement): boolean {
  const { ts } = unit;
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
}
