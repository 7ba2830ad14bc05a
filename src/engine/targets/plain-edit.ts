import type ts from 'typescript';
import type { ColumnAssignment, StateWrite } from '../operations/state-access.js';
import type { Binding } from '../syntax/scope.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';

/** So many other columns come from the same form. */
const OTHERS = 2;

/** Whether a write stores what somebody filled in: the state is one field of an object that the caller hands over, and other columns are fields of it too. */
export function isPlainEdit(unit: Unit, write: StateWrite, stateColumn: string | undefined): boolean {
  const state = write.set.find((a) => stateColumn !== undefined && sameColumn(a.column, stateColumn));
  const form = state && formOf(unit, state);
  if (form === undefined) return false;
  return write.set.filter((a) => a !== state && formOf(unit, a) === form).length >= OTHERS;
}

/** The parameter of which a value is a field: `data.status`, or `status` of `{ status, name }: Input`. */
function formOf(unit: Unit, { node }: ColumnAssignment): ts.Node | undefined {
  const { ts } = unit;
  const e = node === undefined ? undefined : bare(unit, node);
  if (e === undefined) return undefined;
  const isField = ts.isPropertyAccessExpression(e);
  const root = isField ? bare(unit, e.expression) : e;
  const binding: Binding | undefined = ts.isIdentifier(root) ? unit.scopes.resolve(root) : undefined;
  const declaration = binding?.declaration;
  if (declaration === undefined) return undefined;
  if (isField && ts.isParameter(declaration)) return declaration;
  const pattern = ts.isBindingElement(declaration) ? declaration.parent : undefined;
  return !isField && pattern !== undefined && ts.isParameter(pattern.parent) ? pattern.parent : undefined;
}
