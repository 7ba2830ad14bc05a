import type ts from 'typescript';
import { programCallers, type ProgramCall } from '../functions/program-callers.js';
import type { ColumnAssignment, StateWrite } from '../operations/state-access.js';
import { isFunctionWithBody, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn, sameTarget, within } from './accesses.js';
import { fileTransitions } from './file-transitions.js';
import { statementsAfter } from './statements-after.js';
import { wholeFunction } from './rivals.js';
import type { Transition } from './transition.js';

/**
 * Whether all who call a write's function set its columns anew afterwards, whatever was in them: what a rival wrote in between is lost there in any case, and on purpose. False
 * where nobody calls it in sight, or somebody out of sight does.
 */
export function isSetAnewByCallers({ unit, write }: Transition): boolean {
  const fn = wholeFunction(unit, write.node);
  if (write.setOpen || write.set.length === 0 || unit.ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn)) return false;
  const { calls, unseen } = programCallers(unit, fn);
  return unseen === undefined && calls.length > 0 && calls.every((call) => setsAnew(call, write));
}

function setsAnew({ unit, call }: ProgramCall, own: StateWrite): boolean {
  const after = statementsAfter(unit, call);
  const isAfter = (n: ts.Node): boolean => after.some((s) => within(n, s));
  const writes = fileTransitions(unit).accesses.filter((a): a is StateWrite => a.kind === 'write' && (a.verb === 'update' || a.verb === 'save') && sameTarget(a, own) && isAfter(a.node));
  return own.set.every(({ column }) => writes.some((w) => w.set.some((a) => sameColumn(a.column, column) && isNew(unit, a)) || ((w.setOpen || w.set.length === 0) && after.some((s) => fillsIn(unit, s, column)))));
}

function isNew(unit: Unit, { source, node, column }: ColumnAssignment): boolean {
  return source !== 'old-value' && (node === undefined || !asksFor(unit, node, column));
}

/** `data.schedule = { .. }`, for an object that is handed to a write later. */
function fillsIn(unit: Unit, statement: ts.Node, column: string): boolean {
  const { ts } = unit;
  const visit = (n: ts.Node): boolean => (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(n.left)
    && sameColumn(n.left.name.text, column) && !asksFor(unit, n.right, column)) || ts.forEachChild(n, visit) === true;
  return visit(statement);
}

/** A value that is made of what the column holds. */
function asksFor(unit: Unit, value: ts.Node, column: string): boolean {
  const { ts } = unit;
  const visit = (n: ts.Node): boolean => (ts.isPropertyAccessExpression(n) && sameColumn(nameText(unit, n.name), column)) || ts.forEachChild(n, visit) === true;
  return visit(value);
}
