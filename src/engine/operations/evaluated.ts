import type ts from 'typescript';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { ormAccess } from './access-orm.js';
import { sqlAccessOf } from './access-sql.js';
import { sqlRunOf, type SqlRun } from './access-sql-run.js';
import { sqlBeginScope } from './access-sql-begin.js';
import type { AccessNode, StateAccess } from './state-access.js';
import { Kept } from '../kept.js';

/** What one evaluation hands to a store, as text and as a call of a library. */
export interface Evaluated {
  readonly run: SqlRun | undefined;
  readonly sql: StateAccess | undefined;
  readonly orm: StateAccess | undefined;
}

const NOTHING: Evaluated = { run: undefined, sql: undefined, orm: undefined };

/** The same as `sqlRunOf`, `sqlAccess` and `ormAccess` say, read once for all nodes of a file: rows and the locks in them are looked for one after the other. */
export function evaluatedAt(unit: Unit, node: AccessNode): Evaluated {
  return fileEvaluations(unit).get(node) ?? NOTHING;
}

const known = new Kept<Unit, ReadonlyMap<ts.Node, Evaluated>>();

function fileEvaluations(unit: Unit): ReadonlyMap<ts.Node, Evaluated> {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = new Map<ts.Node, Evaluated>();
  for (const node of fileNodes(unit).evaluations) {
    const isCall = unit.ts.isCallExpression(node);
    const run = sqlRunOf(unit, node);
    const sql = run === undefined ? (isCall ? sqlBeginScope(unit, node) : undefined) : sqlAccessOf(run);
    const orm = isCall ? ormAccess(unit, node) : undefined;
    if (run !== undefined || sql !== undefined || orm !== undefined) found.set(node, { run, sql, orm });
  }
  known.set(unit, found);
  return found;
}
