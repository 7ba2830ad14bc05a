import type ts from 'typescript';
import { callersOf } from '../functions/callers.js';
import { bare, enclosingFunction, initialiserOf } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/**
 * The part of an expression that may give a number that is not whole, by arithmetic in sight: `ttlMs / 3`, `base * 1.5`, `Math.random() * spread`. Undefined where all
 * is rounded, where constants come out even, and where the arithmetic is out of sight: a plain name is taken for whole.
 */
export function fractionIn(unit: Unit, expression: ts.Expression): ts.Expression | undefined {
  const { ts } = unit;
  const K = ts.SyntaxKind;
  const seen = new Set<Binding>();
  const found = look(expression);
  return found === undefined || isTested(found) ? undefined : found;

  function look(node: ts.Expression): ts.Expression | undefined {
    const e = bare(unit, node);
    const value = numberOf(e);
    if (value !== undefined) return Number.isInteger(value) ? undefined : e;
    if (ts.isIdentifier(e)) return lookName(e);
    if (ts.isBinaryExpression(e)) return lookBinary(e);
    if (ts.isConditionalExpression(e)) return look(e.whenTrue) ?? look(e.whenFalse);
    if (ts.isPrefixUnaryExpression(e)) return e.operator === K.TildeToken ? undefined : look(e.operand);
    if (ts.isTemplateExpression(e)) return e.templateSpans.length === 1 && e.head.text === '' && e.templateSpans[0]?.literal.text === '' ? look(e.templateSpans[0].expression) : undefined;
    return ts.isCallExpression(e) ? lookCall(e) : undefined;
  }

  function numberOf(e: ts.Expression): number | undefined {
    const term = termOf(unit, e);
    return term.kind === 'const' && typeof term.value === 'number' ? term.value : undefined;
  }

  function lookName(id: ts.Identifier): ts.Expression | undefined {
    const binding = unit.scopes.resolve(id);
    if (binding === undefined || seen.has(binding)) return undefined;
    seen.add(binding);
    const init = initialiserOf(unit, binding);
    if (init !== undefined) return look(init);
    for (const write of binding.writes) {
      const part = ts.isBinaryExpression(write) ? lookWrite(write) : undefined;
      if (part !== undefined) return part;
    }
    const d = binding.declaration;
    return binding.writes.length > 0 && ts.isVariableDeclaration(d) && d.initializer !== undefined ? look(d.initializer) : undefined;
  }

  function lookWrite(write: ts.BinaryExpression): ts.Expression | undefined {
    switch (write.operatorToken.kind) {
      case K.AsteriskEqualsToken: case K.PlusEqualsToken: case K.MinusEqualsToken: case K.EqualsToken: return look(write.right);
      case K.SlashEqualsToken: return write;
      default: return undefined;
    }
  }

  function lookBinary(e: ts.BinaryExpression): ts.Expression | undefined {
    switch (e.operatorToken.kind) {
      case K.PlusToken: case K.MinusToken: case K.PercentToken: case K.QuestionQuestionToken: case K.BarBarToken: return look(e.left) ?? look(e.right);
      case K.AmpersandAmpersandToken: case K.CommaToken: return look(e.right);
      case K.AsteriskToken: return lookProduct(e);
      case K.SlashToken: return isUneven(e, 1) ? e : look(e.left);
      default: return undefined;
    }
  }

  function lookProduct(e: ts.BinaryExpression): ts.Expression | undefined {
    const factor = numberOf(bare(unit, e.left)) ?? numberOf(bare(unit, e.right));
    const other = bare(unit, numberOf(bare(unit, e.left)) === undefined ? e.left : e.right);
    if (factor !== undefined && !Number.isInteger(factor)) return canBeAny(other) ? e : undefined;
    // `x / 60 * 3600` is whole again.
    if (factor !== undefined && ts.isBinaryExpression(other) && other.operatorToken.kind === K.SlashToken) return isUneven(other, factor) ? e : look(other.left);
    return look(e.left) ?? look(e.right);
  }

  /** Whether a division by a constant can leave a rest. What it divides has to be a value that anything may have been handed to. */
  function isUneven(e: ts.BinaryExpression, times: number): boolean {
    const divisor = numberOf(bare(unit, e.right));
    if (divisor === undefined || divisor === 0 || (wholeFactor(e.left) * times) % divisor === 0) return false;
    return canBeAny(bare(unit, e.left), divisor / times);
  }

  /** The constants a product is made of: `minutes * 60_000` is a multiple of 60000. */
  function wholeFactor(node: ts.Expression): number {
    const e = bare(unit, node);
    const value = numberOf(e);
    if (value !== undefined) return Number.isInteger(value) ? value : 1;
    if (ts.isBinaryExpression(e) && e.operatorToken.kind === K.AsteriskToken) return wholeFactor(e.left) * wholeFactor(e.right);
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    const init = binding && initialiserOf(unit, binding);
    return init === undefined || seen.has(binding as Binding) ? 1 : wholeFactor(init);
  }

  /** A parameter, a name that changes, a field, a clock: not an imported constant or a setting, which may well be a multiple. */
  function canBeAny(node: ts.Expression, divisor?: number): boolean {
    const e = bare(unit, node);
    if (ts.isBinaryExpression(e)) return canBeAny(e.left, divisor) || canBeAny(e.right, divisor);
    if (ts.isPropertyAccessExpression(e)) return !/^[A-Z][A-Z0-9_]*$/.test(e.name.text) && (isOwnField(e) || canBeAny(e.expression));
    if (ts.isCallExpression(e)) return CLOCK.test(e.expression.getText(unit.file)) || (/^Math\.(?:max|min|abs)$/.test(e.expression.getText(unit.file)) && e.arguments.some((a) => canBeAny(a, divisor)));
    if (!ts.isIdentifier(e)) return false;
    const binding = unit.scopes.resolve(e);
    if (binding === undefined) return false;
    if (binding.kind === 'param') return !isAlwaysEven(binding, divisor);
    const init = initialiserOf(unit, binding);
    if (init !== undefined) return numberOf(bare(unit, init)) === undefined && !seen.has(binding) && canBeAny(init, divisor);
    return ts.isVariableDeclaration(binding.declaration) ? binding.writes.length > 0 : isPartOfParameter(binding);
  }

  /** A field of `this` that is no constant of the class. */
  function isOwnField(e: ts.PropertyAccessExpression): boolean {
    return e.expression.kind === K.ThisKeyword && numberOf(e) === undefined;
  }

  function isPartOfParameter({ declaration }: Binding): boolean {
    let n: ts.Node = declaration;
    while (ts.isBindingElement(n)) n = n.parent.parent;
    return ts.isParameter(n);
  }

  /** A function that only this file calls, each time with a constant that comes out even, or with what its own caller handed over so. */
  function isAlwaysEven(binding: Binding, divisor: number | undefined, depth = 0): boolean {
    const parameter = binding.declaration;
    const fn = enclosingFunction(unit, binding.id);
    if (divisor === undefined || !ts.isParameter(parameter) || ts.isSourceFile(fn)) return false;
    const callers = callersOf(unit, fn);
    const at = fn.parameters.indexOf(parameter);
    if (callers.exported || callers.passedOn || callers.calls.length === 0) return false;
    return callers.calls.every((call) => {
      const given = call.arguments[at] ?? parameter.initializer;
      const e = given && bare(unit, given);
      const value = e && numberOf(e);
      if (value !== undefined) return value % divisor === 0;
      const handed = e !== undefined && ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
      return handed?.kind === 'param' && depth < 3 && isAlwaysEven(handed, divisor, depth + 1);
    });
  }

  function lookCall(call: ts.CallExpression): ts.Expression | undefined {
    const name = call.expression.getText(unit.file);
    if (name === 'Math.random' || name === 'performance.now') return call;
    if (/^(?:Math\.(?:max|min|abs)|Number|String)$/.test(name)) return call.arguments.map(look).find((part) => part !== undefined);
    return ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'toString' ? look(call.expression.expression) : undefined;
  }

  /** The function asks whether a number is whole, or for the rest of a division: it has thought of it. */
  function isTested(part: ts.Expression): boolean {
    return [expression, part].some((node) => /\bis(?:Safe)?Integer\b|%/.test(enclosingText(node)));
  }

  function enclosingText(node: ts.Node): string {
    const fn = enclosingFunction(unit, node);
    return ts.isSourceFile(fn) ? '' : fn.getText(unit.file);
  }
}

const CLOCK = /^(?:Date\.now|performance\.now|Math\.random|process\.uptime|.*\.getTime)$/;
