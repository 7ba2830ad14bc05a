import type ts from 'typescript';
import { calledName, isOnLogger } from '../flow/call-words.js';
import { bare, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/**
 * What code does that runs when a renewal failed. `acts`: it throws, leaves, calls something or sets what other code reads. `told`: it emits an event, which somebody may
 * hear. `logged`: people are told, or nobody. `unknown`: it is a function that cannot be read.
 */
export type Acts = 'acts' | 'told' | 'logged' | 'unknown';

export function handlerActs(unit: Unit, handler: ts.Node, { inFunction = false } = {}): Acts {
  const { ts } = unit;
  // The block of a `catch` is no statement to the compiler.
  const isCode = (n: ts.Node): boolean => ts.isBlock(n) || ts.isStatement(n);
  const e = isCode(handler) || ts.isMethodDeclaration(handler) ? handler : bare(unit, handler as ts.Expression);
  const body = functionBody(e);
  if (body === undefined && !isCode(e)) return isLogFunction(e) ? 'logged' : 'unknown';
  // In a `.catch(..)` the value of the arrow is the new answer: `.catch(() => false)`.
  const isHandler = body !== undefined;
  if (isHandler && !ts.isBlock(body)) return isQuietValue(body) ? 'logged' : actsIn(body, isHandler);
  return actsIn(body ?? e, isHandler);

  function functionBody(n: ts.Node): ts.Node | undefined {
    if (ts.isArrowFunction(n) || ts.isFunctionExpression(n) || ts.isMethodDeclaration(n)) return n.body;
    if (!ts.isIdentifier(n)) return undefined;
    const d = unit.scopes.resolve(n)?.declaration;
    const value = d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined ? bare(unit, d.initializer) : d;
    return value !== undefined && isFunctionWithBody(unit, value) ? value.body : undefined;
  }

  function isLogFunction(n: ts.Node): boolean {
    return /^(?:console|.*[lL]og(?:ger)?)\b[.\w]*$|^(?:this\.)?noop$/.test(n.getText(unit.file));
  }

  function isQuietValue(n: ts.Node): boolean {
    return ts.isLiteralExpression(n) || n.kind === ts.SyntaxKind.FalseKeyword || n.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(n) && n.text === 'undefined') || ts.isVoidExpression(n);
  }

  function actsIn(root: ts.Node, isArrow: boolean): Acts {
    let found: Acts = 'logged';
    const raise = (to: Acts): void => {
      if (found !== 'acts') found = to;
    };
    const visit = (n: ts.Node): void => {
      if (found === 'acts') return;
      if (ts.isThrowStatement(n) || ts.isBreakStatement(n) || ts.isContinueStatement(n)) return raise('acts');
      if (ts.isReturnStatement(n) && !isArrow && (inFunction ? n.expression !== undefined : true)) return raise('acts');
      if (ts.isCallExpression(n)) {
        if (isOnLogger(unit, n)) return;
        const name = calledName(unit, n);
        // The `error` event reports; one of its own may have a listener that stops the work.
        if (name === 'emit' || name === 'dispatchEvent') return n.arguments[0]?.getText(unit.file).replace(/\W/g, '') === 'error' ? undefined : raise('told');
        if (!QUIET.test(name)) return raise('acts');
      }
      if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && isReadElsewhere(unit, n.left, n)) return raise('acts');
      if (ts.isPostfixUnaryExpression(n) || ts.isPrefixUnaryExpression(n)) {
        if ((n.operator === ts.SyntaxKind.PlusPlusToken || n.operator === ts.SyntaxKind.MinusMinusToken) && isReadElsewhere(unit, n.operand, n)) return raise('acts');
      }
      ts.forEachChild(n, visit);
    };
    visit(root);
    return found;
  }
}

/** Whether the file reads what an assignment sets. A flag that nothing reads stops nothing. */
export function isReadElsewhere(unit: Unit, target: ts.Node, write: ts.Node): boolean {
  const { ts } = unit;
  const name = ts.isIdentifier(target) ? target.text : ts.isPropertyAccessExpression(target) ? target.name.text : undefined;
  if (name === undefined) return true;
  // A field is known by its name, a variable by what declares it.
  const binding = ts.isIdentifier(target) ? unit.scopes.resolve(target) : undefined;
  const isIt = (id: ts.Identifier): boolean => id.text === name && (binding === undefined || isField(unit, id) || unit.scopes.resolve(id) === binding);
  let read = false;
  const visit = (n: ts.Node): void => {
    if (read) return;
    if (ts.isIdentifier(n) && isIt(n) && !(n.pos >= write.pos && n.end <= write.end) && !isWrite(unit, n)) read = true;
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return read;
}

/** `{ lost }` reads the variable; `x.lost` may speak of another. */
function isField({ ts }: Unit, id: ts.Identifier): boolean {
  return ts.isShorthandPropertyAssignment(id.parent);
}

function isWrite({ ts }: Unit, id: ts.Identifier): boolean {
  const whole = ts.isPropertyAccessExpression(id.parent) && id.parent.name === id ? id.parent : id;
  const p = whole.parent;
  if (ts.isVariableDeclaration(p) || ts.isPropertyDeclaration(p) || ts.isPropertySignature(p)) return p.name === whole;
  return ts.isBinaryExpression(p) && p.left === whole && p.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

/** Calls that end the renewal, or build a text: the holder learns nothing of it. */
const QUIET = /^(?:clearInterval|clearTimeout|String|stringify|toString|now|isArray|captureException|captureMessage|recordException|increment|inc|Number|getTime|toISOString|join|map)$/;
