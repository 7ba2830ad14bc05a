import type ts from 'typescript';
import { bare, initialiserOf, nameText } from '../syntax/expression.js';
import { madeValue } from './made-value.js';
import { array, constant, NOTHING, object, presenceOf, propertyOfValue, truthOf, TRUTHY, UNKNOWN, type Value } from '../operations/value.js';
import type { Unit } from '../syntax/unit.js';
import type { Env } from './path-env.js';

/** `this.lock`: a field as a name that a path may know something of. */
export function fieldName(unit: Unit, e: ts.Node): string | undefined {
  return unit.ts.isPropertyAccessExpression(e) && e.expression.kind === unit.ts.SyntaxKind.ThisKeyword ? `this.${e.name.text}` : undefined;
}

/** The value of an expression as far as the path tells. Calls that are not in `env` are unknown: nothing is guessed from their names. */
export function evaluate(unit: Unit, env: Env, expression: ts.Expression, depth = 0): Value {
  const { ts } = unit;
  const e = bare(unit, expression);
  if (depth > 24) return UNKNOWN;
  const known = env.get(e);
  if (known !== undefined) return known;
  const below = depth + 1;

  if (ts.isIdentifier(e)) return nameValue(unit, env, e, below);
  if (ts.isStringLiteralLike(e)) return constant(e.text);
  if (ts.isNumericLiteral(e)) return constant(Number(e.text.replaceAll('_', '')));
  if (ts.isBigIntLiteral(e)) return constant(BigInt(e.text.replace(/n$/, '').replaceAll('_', '')));
  if (e.kind === ts.SyntaxKind.TrueKeyword) return constant(true);
  if (e.kind === ts.SyntaxKind.FalseKeyword) return constant(false);
  if (e.kind === ts.SyntaxKind.NullKeyword) return constant(null);
  if (ts.isAwaitExpression(e)) return evaluate(unit, env, e.expression, below);
  const field = fieldName(unit, e);
  const held = field === undefined ? undefined : env.get(field);
  if (held !== undefined) return held;
  if (ts.isPropertyAccessExpression(e)) return memberValue(evaluate(unit, env, e.expression, below), e.name.text, e.questionDotToken !== undefined);
  if (ts.isElementAccessExpression(e)) {
    const key = evaluate(unit, env, e.argumentExpression, below);
    return key.kind === 'const' ? memberValue(evaluate(unit, env, e.expression, below), String(key.value), e.questionDotToken !== undefined) : UNKNOWN;
  }
  if (ts.isPrefixUnaryExpression(e)) return prefixValue(unit, e, evaluate(unit, env, e.operand, below));
  if (ts.isBinaryExpression(e)) return binaryValue(unit, env, e, below);
  if (ts.isConditionalExpression(e)) {
    const truth = truthOf(evaluate(unit, env, e.condition, below));
    return truth === undefined ? UNKNOWN : evaluate(unit, env, truth ? e.whenTrue : e.whenFalse, below);
  }
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e) || ts.isNewExpression(e) || ts.isArrayLiteralExpression(e) || ts.isRegularExpressionLiteral(e)) return TRUTHY;
  if (ts.isObjectLiteralExpression(e)) return objectValue(unit, env, e, below);
  return ts.isCallExpression(e) ? callValue(unit, env, e, below) : UNKNOWN;
}

function nameValue(unit: Unit, env: Env, id: ts.Identifier, depth: number): Value {
  if (id.text === 'undefined') return NOTHING;
  const binding = unit.scopes.resolve(id);
  if (binding === undefined) return UNKNOWN;
  const held = env.get(binding);
  if (held !== undefined) return held;
  // A constant of the module or of an outer function.
  const init = initialiserOf(unit, binding);
  return init !== undefined && isLiteral(unit, init) ? evaluate(unit, env, init, depth) : UNKNOWN;
}

function isLiteral(unit: Unit, x: ts.Expression): boolean {
  const { ts } = unit;
  const b = bare(unit, x);
  return ts.isLiteralExpression(b) || b.kind === ts.SyntaxKind.TrueKeyword || b.kind === ts.SyntaxKind.FalseKeyword || b.kind === ts.SyntaxKind.NullKeyword;
}

function memberValue(base: Value, name: string, optional: boolean): Value {
  if (optional && presenceOf(base) === false) return NOTHING;
  return propertyOfValue(base, name);
}

function prefixValue({ ts }: Unit, x: ts.PrefixUnaryExpression, operand: Value): Value {
  if (x.operator === ts.SyntaxKind.ExclamationToken) {
    const truth = truthOf(operand);
    return truth === undefined ? UNKNOWN : constant(!truth);
  }
  if (x.operator === ts.SyntaxKind.MinusToken && operand.kind === 'const' && typeof operand.value === 'number') return constant(-operand.value);
  return x.operator === ts.SyntaxKind.PlusToken ? asNumber(operand) : UNKNOWN;
}

function binaryValue(unit: Unit, env: Env, x: ts.BinaryExpression, depth: number): Value {
  const K = unit.ts.SyntaxKind;
  const leftValue = (): Value => evaluate(unit, env, x.left, depth);
  const rightValue = (): Value => evaluate(unit, env, x.right, depth);
  switch (x.operatorToken.kind) {
    case K.AmpersandAmpersandToken: {
      const left = leftValue();
      const truth = truthOf(left);
      return truth === undefined ? both(false, rightValue()) : truth ? rightValue() : left;
    }
    case K.BarBarToken: {
      const left = leftValue();
      const truth = truthOf(left);
      return truth === undefined ? both(true, rightValue()) : truth ? left : rightValue();
    }
    case K.QuestionQuestionToken: {
      const left = leftValue();
      const presence = presenceOf(left);
      return presence === undefined ? UNKNOWN : presence ? left : rightValue();
    }
    case K.CommaToken: return rightValue();
    case K.EqualsEqualsEqualsToken: return compare(leftValue(), rightValue(), true);
    case K.ExclamationEqualsEqualsToken: return negated(compare(leftValue(), rightValue(), true));
    case K.EqualsEqualsToken: return compare(leftValue(), rightValue(), false);
    case K.ExclamationEqualsToken: return negated(compare(leftValue(), rightValue(), false));
    case K.GreaterThanToken: return order(leftValue(), rightValue(), (a, b) => a > b);
    case K.GreaterThanEqualsToken: return order(leftValue(), rightValue(), (a, b) => a >= b);
    case K.LessThanToken: return order(leftValue(), rightValue(), (a, b) => a < b);
    case K.LessThanEqualsToken: return order(leftValue(), rightValue(), (a, b) => a <= b);
    default: return UNKNOWN;
  }
}

/** `unknown && x`: decided only where the right side alone gives the answer of the whole. */
function both(deciding: boolean, right: Value): Value {
  return truthOf(right) === deciding ? constant(deciding) : UNKNOWN;
}

function objectValue(unit: Unit, env: Env, x: ts.ObjectLiteralExpression, depth: number): Value {
  const { ts } = unit;
  const props: Record<string, Value> = {};
  let closed = true;
  for (const p of x.properties) {
    if (ts.isPropertyAssignment(p)) props[nameText(unit, p.name)] = evaluate(unit, env, p.initializer, depth);
    else if (ts.isShorthandPropertyAssignment(p)) props[p.name.text] = nameValue(unit, env, p.name, depth);
    else closed = false;
  }
  return object(props, closed);
}

function callValue(unit: Unit, env: Env, x: ts.CallExpression, depth: number): Value {
  const { ts } = unit;
  const first = x.arguments[0];
  if (ts.isIdentifier(x.expression) && first !== undefined) {
    if (x.expression.text === 'Boolean') {
      const truth = truthOf(evaluate(unit, env, first, depth));
      return truth === undefined ? UNKNOWN : constant(truth);
    }
    if (x.expression.text === 'Number') return asNumber(evaluate(unit, env, first, depth));
  }
  if (ts.isPropertyAccessExpression(x.expression)) {
    const method = x.expression.name.text;
    const on = x.expression.expression;
    // `const [[claimed], actor] = await Promise.all([claim(), load()])`
    if (method === 'all' && ts.isIdentifier(on) && on.text === 'Promise' && first !== undefined && ts.isArrayLiteralExpression(first) && !first.elements.some((i) => ts.isSpreadElement(i))) return array(first.elements.map((i) => evaluate(unit, env, i, depth)));
    if (method === 'at' && first !== undefined) {
      const index = evaluate(unit, env, first, depth);
      return index.kind === 'const' ? propertyOfValue(evaluate(unit, env, on, depth), String(index.value)) : UNKNOWN;
    }
    // `.catch(() => null)` hands the value on when nothing was thrown.
    if (method === 'catch' || method === 'finally') return evaluate(unit, env, on, depth);
    if (x.arguments.length === 0) return memberValue(evaluate(unit, env, on, depth), `${method}()`, x.expression.questionDotToken !== undefined);
  }
  // Names of another function's body mean nothing in this one's environment.
  return madeValue(unit, x, (other, made) => evaluate(other, new Map(), made, depth));
}

function asNumber(value: Value): Value {
  if (value.kind === 'const') return constant(Number(value.value));
  return value.kind === 'positive' ? { kind: 'positive', big: false } : UNKNOWN;
}

function negated(value: Value): Value {
  return value.kind === 'const' ? constant(!value.value) : value;
}

function compare(a: Value, b: Value, strict: boolean): Value {
  if (a.kind === 'unknown' || b.kind === 'unknown') return UNKNOWN;
  if (a.kind === 'const' && b.kind === 'const') {
    if (strict) return constant(a.value === b.value);
    const nothing = (v: Value): boolean => presenceOf(v) === false;
    if (nothing(a) || nothing(b)) return constant(nothing(a) && nothing(b));
    return constant(a.value === b.value || String(a.value) === String(b.value));
  }
  const [one, other] = a.kind === 'const' ? [a, b] : b.kind === 'const' ? [b, a] : [undefined, undefined];
  if (one === undefined) return UNKNOWN;
  const { value } = one;
  if (value === null || value === undefined) return constant(false);
  if (other.kind === 'positive') {
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (strict && (typeof value === 'bigint') !== other.big) return constant(false);
      return Number(value) <= 0 ? constant(false) : UNKNOWN;
    }
    return constant(false);
  }
  // An object or array never equals a primitive under ===; a merely truthy value may.
  return other.kind === 'truthy' ? (truthOf(one) === false ? constant(false) : UNKNOWN) : constant(false);
}

function order(a: Value, b: Value, test: (a: number, b: number) => boolean): Value {
  const number = (v: Value): number | undefined => (v.kind === 'const' && (typeof v.value === 'number' || typeof v.value === 'bigint') ? Number(v.value) : undefined);
  const p = number(a);
  const q = number(b);
  if (p !== undefined && q !== undefined) return constant(test(p, q));
  // At least one: decided where 1 and every larger number give the same answer.
  if (a.kind === 'positive' && q !== undefined) return test(1, q) === test(Number.MAX_SAFE_INTEGER, q) ? constant(test(1, q)) : UNKNOWN;
  if (b.kind === 'positive' && p !== undefined) return test(p, 1) === test(p, Number.MAX_SAFE_INTEGER) ? constant(test(p, 1)) : UNKNOWN;
  return UNKNOWN;
}
