import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import { bare } from '../syntax/expression.js';
import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';

/** Clients and services of lock stores, by their names. */
const STORE = /redis|valkey|dragonfly|upstash|memcached|redlock|etcd|zookeeper|consul|(?:lock|mutex|lease)(?:er|s|ing)?_?(?:service|manager|client|store|provider|backend|driver|url)|^(?:store|client|connection|kv)$/i;
const SWITCH = /(?:redis|lock\w*|store|client|connection)_?(?:is_?)?(?:enabled|configured|available|ready|connected|online|up)$/i;
const STATE = /^(?:status|isOpen|isReady|connected|ready)$/;

/** Whether the outcome of a test says that there is no store to ask for the lock: `!redis` is true, `client.isOpen` is false. */
export function tellsStoreMissing(unit: Unit, test: ts.Node, outcome: boolean, acquire: AcquireOperation): boolean {
  const { ts } = unit;
  if (ts.isStatement(test) || ts.isParameter(test) || ts.isBindingElement(test)) return false;
  const e = bare(unit, test as ts.Expression);
  if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return tellsStoreMissing(unit, e.operand, !outcome, acquire);
  if (ts.isBinaryExpression(e)) return comparison(e);
  return !outcome && isStore(e);

  function comparison(e: ts.BinaryExpression): boolean {
    const K = ts.SyntaxKind;
    const { kind } = e.operatorToken;
    const isEqual = kind === K.EqualsEqualsEqualsToken || kind === K.EqualsEqualsToken;
    if (!isEqual && kind !== K.ExclamationEqualsEqualsToken && kind !== K.ExclamationEqualsToken) return false;
    const holds = isEqual === outcome;
    const right = bare(unit, e.right);
    const isNothing = right.kind === K.NullKeyword || (ts.isIdentifier(right) && right.text === 'undefined');
    if (isNothing) return holds && isStore(bare(unit, e.left));
    return !holds && isStore(bare(unit, e.left)) && ts.isStringLiteral(right) && /^(?:ready|connected|open|connect)$/.test(right.text);
  }

  function isStore(e: ts.Expression): boolean {
    if (ts.isAwaitExpression(e)) return isStore(bare(unit, e.expression));
    if (ts.isCallExpression(e)) return SWITCH.test(lastName(e.expression)) || STORE.test(lastName(e.expression));
    if (acquire.receiver !== undefined && showTerm(acquire.receiver) === e.getText(unit.file)) return true;
    const name = lastName(e);
    if (name === '') return false;
    if (STATE.test(name) && ts.isPropertyAccessExpression(e)) return isStore(bare(unit, e.expression));
    return STORE.test(name) || SWITCH.test(name);
  }

  function lastName(e: ts.Expression): string {
    const b = bare(unit, e);
    if (ts.isIdentifier(b)) return b.text;
    if (ts.isPropertyAccessExpression(b)) return b.name.text;
    return ts.isElementAccessExpression(b) && ts.isStringLiteralLike(b.argumentExpression) ? b.argumentExpression.text : '';
  }
}
