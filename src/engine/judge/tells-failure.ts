import type ts from 'typescript';
import { isOnLogger } from '../flow/call-words.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Whether a call in a catch clause tells somebody of the failure: it is handed the error, or one made for it, or it closes a log. `report(res, error)` and
 * `logCtx.failed()` also stand on the path of the holder whose work failed; they are no work that needs the lock.
 */
export function tellsFailure(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const clause = clauseAround();
  if (clause === undefined) return false;
  return isOnLogger(unit, call) || LOG_OWNER.test(ownerOf(call)) || call.arguments.some((a) => isError(bare(unit, a)));

  function clauseAround(): ts.CatchClause | undefined {
    for (let n: ts.Node = call; n.parent && !ts.isFunctionLike(n); n = n.parent) if (ts.isCatchClause(n)) return n;
    return undefined;
  }

  function isError(e: ts.Expression): boolean {
    if (ts.isObjectLiteralExpression(e)) return e.properties.some((p) => (ts.isPropertyAssignment(p) && isError(bare(unit, p.initializer))) || (ts.isShorthandPropertyAssignment(p) && isErrorName(p.name)));
    if (ts.isNewExpression(e)) return /(?:Error|Exception)$/.test(e.expression.getText(unit.file));
    return ts.isIdentifier(e) && isErrorName(e);
  }

  function isErrorName(id: ts.Identifier): boolean {
    const declaration = unit.scopes.resolve(id)?.declaration;
    if (declaration === undefined) return false;
    if (declaration === clause?.variableDeclaration) return true;
    return ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined && ts.isNewExpression(bare(unit, declaration.initializer)) && isError(bare(unit, declaration.initializer));
  }

  function ownerOf(node: ts.CallExpression): string {
    const callee = bare(unit, node.expression);
    if (!ts.isPropertyAccessExpression(callee)) return '';
    const owner = bare(unit, callee.expression);
    return ts.isIdentifier(owner) ? owner.text : ts.isPropertyAccessExpression(owner) ? owner.name.text : '';
  }
}

/** `logCtx`, `logContext`, `auditLog`. */
const LOG_OWNER = /^log(?:ger)?(?:Ctx|Context|Entry|Scope)?$|Log(?:ger|Ctx|Context)?$/;
