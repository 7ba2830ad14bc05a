import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { sqlRunOf } from '../operations/access-sql-run.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';

/** A call that works on a handle of a database: it writes rows through it, or hands it to code that may. */
export interface HandleUse {
  readonly node: ts.CallExpression | ts.TaggedTemplateExpression;
  readonly kind: 'writes' | 'handed';
}

const WRITES = /^(?:create|insert|update|upsert|delete|del|destroy|save|remove|increment|decrement|persist|nativeUpdate|nativeInsert|nativeDelete|put|set)(?:Many|One|Into|Table|From|AndReturn|ManyAndReturn)?$/;
const READS = /^(?:find|get|select|count|query|first|load|read|fetch|exists|lock|aggregate|group)/;
const ENDS = /^(?:commit|rollback|release|begin|start)\w*$/;

/** The uses of a handle between two places of the text, inner functions included. */
export function handleUses(unit: Unit, handle: Term, from: number, to: number): readonly HandleUse[] {
  const { ts } = unit;
  const found: HandleUse[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= from || node.pos >= to) return;
    if ((ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) && node.pos >= from && node.end <= to) {
      const kind = useOf(node);
      if (kind !== undefined) found.push({ node, kind });
    }
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  return found;

  function useOf(node: ts.CallExpression | ts.TaggedTemplateExpression): HandleUse['kind'] | undefined {
    const run = sqlRunOf(unit, node);
    const callee = bare(unit, ts.isCallExpression(node) ? node.expression : node.tag);
    const isOn = isHandle(callee) || isUnder(callee);
    const isGiven = ts.isCallExpression(node) && node.arguments.some((a) => isHandle(a) || isInOptions(a));
    if (!isOn && !isGiven) return undefined;
    if (run !== undefined) return parseSql(run.text.parts).some((s) => s.type === 'insert' || s.type === 'update' || s.type === 'delete') ? 'writes' : undefined;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
    if (WRITES.test(name) && (isOn || ts.isPropertyAccessExpression(callee))) return 'writes';
    return isGiven && !READS.test(name) && !ENDS.test(name) ? 'handed' : undefined;
  }

  /** The handle under members and calls: `tx.step.update`, `tx.update(t).set`. */
  function isUnder(callee: ts.Expression): boolean {
    let e = callee;
    for (let depth = 0; depth < 12; depth++) {
      if (ts.isPropertyAccessExpression(e) || ts.isCallExpression(e)) e = bare(unit, e.expression);
      else return false;
      if (isHandle(e)) return true;
    }
    return false;
  }

  function isHandle(e: ts.Expression): boolean {
    const x = bare(unit, e);
    return (ts.isIdentifier(x) || ts.isPropertyAccessExpression(x)) && sameTerm(termOf(unit, x), handle);
  }

  /** `{ transaction: t }`, `{ db: tx }`, `{ tx }`. */
  function isInOptions(e: ts.Expression): boolean {
    const x = bare(unit, e);
    return ts.isObjectLiteralExpression(x) && x.properties.some((p) => (ts.isPropertyAssignment(p) && isHandle(p.initializer)) || (ts.isShorthandPropertyAssignment(p) && isHandle(p.name)));
  }
}
