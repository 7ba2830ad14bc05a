import type ts from 'typescript';
import type { Binding } from '../syntax/scope.js';
import { bare, initialiserOf, nameText } from '../syntax/expression.js';
import { madeValue } from './made-value.js';
import { constant, NOTHING, object, presenceOf, propertyOfValue, truthOf, TRUTHY, UNKNOWN, type Value } from '../operations/value.js';
import type { Unit } from '../syntax/unit.js';

/** What is known at a point of a path: values of names, of calls that have run and of conditions that were tested. Never changed in place. */
export type Env = ReadonlyMap<Binding | ts.Node | string, Value>;

/** The value of an expression as far as the path tells. Calls that are not in `env` are unknown: nothing is guessed from their names. */
export function evaluate(unit: Unit, env: Env, expression: ts.Expression, depth = 0): Value {
  const { ts } = unit;
  const e = bare(unit, expression);
  if (depth > 24) return UNKNOWN;
  const known = env.get(e);
  if (known !== undefined) return known;
  const next = (x: ts.Expression): Value => evaluate(unit, env, x, depth + 1);

  if (ts.isStringLiteralLike(e)) return constant(e.text);
  if (ts.isNumericLiteral(e)) return constant(Number(e.text.replaceAll('_', '')));
  if (ts.isBigIntLiteral(e)) return constant(BigInt(e.text.replace(/n$/, '').replaceAll('_', '')));
  if (e.kind === ts.SyntaxKind.TrueKeyword) return constant(true);
  if (e.kind === ts.SyntaxKind.FalseKeyword) return constant(false);
  if (e.kind === ts.SyntaxKind.NullKeyword) return constant(null);
  if (ts.isAwaitExpression(e)) return next(e.expression);
  if (ts.isIdentifier(e)) return nameValue(e);
  if (ts.isPropertyAccessExpression(e)) return memberValue(next(e.expression), e.name.text, e.questionDotToken !== undefined);
  if (ts.isElementAccessExpression(e)) {
    const key = next(e.argumentExpression);
    return key.kind === 'const' ? memberValue(next(e.expression), String(key.value), e.questionDotToken !== undefined) : UNKNOWN;
  }
  if (ts.isPrefixUnaryExpression(e)) return prefixValue(e);
  if (ts.isBinaryExpression(e)) return binaryValue(e);
  if (ts.isConditionalExpression(e)) {
    const truth = truthOf(next(e.condition));
    return truth === undefined ? UNKNOWN : next(truth ? e.whenTrue : e.whenFalse);
  }
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e) || ts.isNewExpression(e) || ts.isArrayLiteralExpression(e) || ts.isRegularExpressionLiteral(e)) return TRUTHY;
  if (ts.isObjectLiteralExpression(e)) return objectValue(e);
  if (ts.isCallExpression(e)) return callValue(e);
  return UNKNOWN;

  function nameValue(id: ts.Identifier): Value {
    if (id.text === 'undefined') return NOTHING;
    const binding = unit.scopes.resolve(id);
    if (binding === undefined) return UNKNOWN;
    const held = env.get(binding);
    if (held !== undefined) return held;
    // A constant of the module or of an outer function.
    const init = initialiserOf(unit, binding);
    return init !== undefined && isLiteral(init) ? next(init) : UNKNOWN;
  }

  function isLiteral(x: ts.Expression): boolean {
    const b = bare(unit, x);
    return ts.isLiteralExpression(b) || b.kind === ts.SyntaxKind.TrueKeyword || b.kind === ts.SyntaxKind.FalseKeyword || b.kind === ts.SyntaxKind.NullKeyword;
  }

  function memberValue(base: Value, name: string, optional: boolean): Value {
    if (optional && presenceOf(base) === false) return NOTHING;
    return propertyOfValue(base, name);
  }

  function prefixValue(x: ts.PrefixUnaryExpression): Value {
    if (x.operator === ts.SyntaxKind.ExclamationToken) {
      const truth = truthOf(next(x.operand));
      return truth === undefined ? UNKNOWN : constant(!truth);
    }
    const inner = next(x.operand);
    if (x.operator === ts.SyntaxKind.MinusToken && inner.kind === 'const' && typeof inner.value === 'number') return constant(-inner.value);
    if (x.operator === ts.SyntaxKind.PlusToken) return asNumber(inner);
    return UNKNOWN;
  }

  function binaryValue(x: ts.BinaryExpression): Value {
    const K = ts.SyntaxKind;
    switch (x.operatorToken.kind) {
      case K.AmpersandAmpersandToken: {
        const left = next(x.left);
        const truth = truthOf(left);
        return truth === undefined ? both(false, next(x.right)) : truth ? next(x.right) : left;
      }
      case K.BarBarToken: {
        const left = next(x.left);
        const truth = truthOf(left);
        return truth === undefined ? both(true, next(x.right)) : truth ? left : next(x.right);
      }
      case K.QuestionQuestionToken: {
        const left = next(x.left);
        const presence = presenceOf(left);
        return presence === undefined ? UNKNOWN : presence ? left : next(x.right);
      }
      case K.CommaToken: return next(x.right);
      case K.EqualsEqualsEqualsToken: return compare(next(x.left), next(x.right), true);
      case K.ExclamationEqualsEqualsToken: return negated(compare(next(x.left), next(x.right), true));
      case K.EqualsEqualsToken: return compare(next(x.left), next(x.right), false);
      case K.ExclamationEqualsToken: return negated(compare(next(x.left), next(x.right), false));
      case K.GreaterThanToken: return order(next(x.left), next(x.right), (a, b) => a > b);
      case K.GreaterThanEqualsToken: return order(next(x.left), next(x.right), (a, b) => a >= b);
      case K.LessThanToken: return order(next(x.left), next(x.right), (a, b) => a < b);
      case K.LessThanEqualsToken: return order(next(x.left), next(x.right), (a, b) => a <= b);
      default: return UNKNOWN;
    }
  }

  /** `unknown && x`: decided only where the right side alone gives the answer of the whole. */
  function both(deciding: boolean, right: Value): Value {
    return truthOf(right) === deciding ? constant(deciding) : UNKNOWN;
  }

  function objectValue(x: ts.ObjectLiteralExpression): Value {
    const props: Record<string, Value> = {};
    let closed = true;
    for (const p of x.properties) {
      if (ts.isPropertyAssignment(p)) props[nameText(unit, p.name)] = next(p.initializer);
      else if (ts.isShorthandPropertyAssignment(p)) props[p.name.text] = nameValue(p.name);
      else closed = false;
    }
    return object(props, closed);
  }

  function callValue(x: ts.CallExpression): Value {
    const first = x.arguments[0];
    if (ts.isIdentifier(x.expression) && first !== undefined) {
      if (x.expression.text === 'Boolean') {
        const truth = truthOf(next(first));
        return truth === undefined ? UNKNOWN : constant(truth);
      }
      if (x.expression.text === 'Number') return asNumber(next(first));
    }
    if (ts.isPropertyAccessExpression(x.expression)) {
      const method = x.expression.name.text;
      if (method === 'at' && first !== undefined) {
        const index = next(first);
        return index.kind === 'const' ? propertyOfValue(next(x.expression.expression), String(index.value)) : UNKNOWN;
      }
      // `.catch(() => null)` hands the value on when nothing was thrown.
      if (method === 'catch' || method === 'finally') return next(x.expression.expression);
      if (x.arguments.length === 0) return memberValue(next(x.expression.expression), `${method}()`, x.expression.questionDotToken !== undefined);
    }
    // Names of another function's body mean nothing in this one's environment.
    return madeValue(unit, x, (other, made) => evaluate(other, new Map(), made, depth + 1));
  }
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
