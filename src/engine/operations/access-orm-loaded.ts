import type ts from 'typescript';
import { bare, enclosingFunction, followed, settled } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { assignment, joined, NO_PATCH, patchOf, type Patch } from './access-orm-assign.js';

const LOADS = /^(?:findOne\w*|findBy\w*|findUnique\w*|findFirst\w*|findAll|findMany|find|getOne\w*|getMany|getBy\w*|load\w*|fetch\w*|get|first|executeTakeFirst\w*|lean|exec)$/;

/** The read that gave an object: `const x = await repo.findOne(..)`, `for (const x of await Model.find(..))`. */
export function loadOf(unit: Unit, binding: Binding): ts.CallExpression | undefined {
  const { ts } = unit;
  const d = binding.declaration;
  if (ts.isBindingElement(d)) {
    const list = d.parent.parent;
    return ts.isArrayBindingPattern(d.parent) && ts.isVariableDeclaration(list) && list.initializer !== undefined ? loadIn(unit, list.initializer)
      : undefined;
  }
  if (!ts.isVariableDeclaration(d)) return undefined;
  const loop = d.parent.parent;
  if (ts.isForOfStatement(loop)) return loadIn(unit, followed(unit, loop.expression));
  return d.initializer === undefined ? assignedLoad(unit, binding) : loadIn(unit, d.initializer);
}

/** `let x; x = await repo.findOne(..)`. */
function assignedLoad(unit: Unit, binding: Binding): ts.CallExpression | undefined {
  const [only] = binding.writes;
  return binding.writes.length === 1 && only !== undefined && unit.ts.isBinaryExpression(only) ? loadIn(unit, only.right) : undefined;
}

function loadIn(unit: Unit, node: ts.Expression): ts.CallExpression | undefined {
  const { ts } = unit;
  let e = settled(unit, node);
  // `(await load(id)) ?? fallback` is the loaded object where there is one.
  if (ts.isBinaryExpression(e) && e.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) e = settled(unit, e.left);
  if (!ts.isCallExpression(e)) return undefined;
  for (let c: ts.Expression = e; ts.isCallExpression(c);) {
    const callee: ts.Expression = bare(unit, c.expression);
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    // A look-up in a list or a map is no load: `steps.find(s => s.id === id)`, `cache.get(id)`.
    if (LOADS.test(callee.name.text) && !isFunctionArgument(unit, c) && isAwaited(unit, e)) return e;
    c = bare(unit, callee.expression);
  }
  return undefined;
}

function isFunctionArgument(unit: Unit, call: ts.CallExpression): boolean {
  const first = call.arguments[0];
  return first !== undefined && (unit.ts.isArrowFunction(first) || unit.ts.isFunctionExpression(first));
}

function isAwaited(unit: Unit, e: ts.Expression): boolean {
  let n: ts.Node = e.parent;
  while (!unit.ts.isAwaitExpression(n)) {
    if (!unit.ts.isParenthesizedExpression(n) && !unit.ts.isAsExpression(n) && !unit.ts.isPropertyAccessExpression(n) && !unit.ts.isCallExpression(n) && !unit.ts.isNonNullExpression(n)) {
      return false;
    }
    n = n.parent;
  }
  return true;
}

/** The properties of a loaded object that are assigned between two positions, in the function that loaded it. */
export function changesOf(unit: Unit, binding: Binding, after: number, before: number): Patch {
  const { ts } = unit;
  const found: Patch[] = [];
  const visit = (n: ts.Node): void => {
    if (n.pos >= before) return;
    if (n.end > after && n.pos >= after) note(n);
    ts.forEachChild(n, visit);
  };
  visit(enclosingFunction(unit, binding.declaration));
  return found.length === 0 ? NO_PATCH : joined(found);

  function note(n: ts.Node): void {
    if (ts.isBinaryExpression(n)) {
      const kind = n.operatorToken.kind;
      const column = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? columnOf(n.left) : undefined;
      if (column === undefined) return;
      found.push({ set: [kind === ts.SyntaxKind.EqualsToken ? { ...assignment(unit, column, n.right), source: 'code' } : { column, value: termOf(unit, n), node: n, source: 'code' }], open: false });
    } else if (ts.isPostfixUnaryExpression(n) || (ts.isPrefixUnaryExpression(n) && (n.operator === ts.SyntaxKind.PlusPlusToken || n.operator === ts.SyntaxKind.MinusMinusToken))) {
      const column = columnOf(n.operand);
      if (column !== undefined) found.push({ set: [{ column, value: termOf(unit, n), node: n, source: 'code' }], open: false });
    } else if (ts.isCallExpression(n)) {
      noteCall(n);
    }
  }

  /** `Object.assign(x, {..})`, `repo.merge(x, {..})`, `x.set({..})`. */
  function noteCall(n: ts.CallExpression): void {
    const callee = bare(unit, n.expression);
    if (!ts.isPropertyAccessExpression(callee)) return;
    const [first, second] = n.arguments;
    if (/^(?:assign|merge)$/.test(callee.name.text) && first !== undefined && second !== undefined && isIt(first)) found.push(patchOf(unit, second));
    if (callee.name.text === 'set' && isIt(callee.expression) && first !== undefined) {
      found.push(second === undefined ? patchOf(unit, first) : ts.isStringLiteralLike(first) ? { set: [assignment(unit, first.text, second)], open: false } : { set: [], open: true });
    }
  }

  function isIt(node: ts.Expression): boolean {
    const e = bare(unit, node);
    return ts.isIdentifier(e) && unit.scopes.resolve(e) === binding;
  }

  /** The path below the object: `progress.done` of `x.progress.done`. */
  function columnOf(node: ts.Expression): string | undefined {
    const path: string[] = [];
    let e = bare(unit, node);
    while (ts.isPropertyAccessExpression(e)) {
      path.unshift(e.name.text);
      e = bare(unit, e.expression);
    }
    return path.length > 0 && isIt(e) ? path.join('.') : undefined;
  }
}
