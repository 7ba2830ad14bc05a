import type ts from 'typescript';
import { calledName, hasEffect } from '../flow/call-words.js';
import { parseSql } from '../embedded/sql-parse.js';
import { nameOf } from '../operations/access-sql-values.js';
import { sqlRunOf } from '../operations/access-sql-run.js';
import type { StateRead } from '../operations/state-access.js';
import { bare, enclosingFunction, isAwaited, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { derivesFrom, runsBefore, within } from '../targets/accesses.js';
import { isOnTheWay } from '../targets/claimed-before.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { targetKey } from '../targets/step-words.js';
import { leavingTest } from './leaving-test.js';
import type { SplitAcquire } from './split-acquire.js';

/** An insert that lets a row of the same key stand. Whoever writes it knows that others insert it too. */
interface MarkerInsert {
  readonly node: ts.CallExpression | ts.TaggedTemplateExpression;
  readonly table: string;
}

/** A row that says that something was done, looked up before the work and inserted after it, with an insert that does not ask who was first. */
export function splitMarkers(unit: Unit): SplitAcquire[] {
  const { ts } = unit;
  const inserts = unit.says(/onConflict|on\s+conflict|skipDuplicates|insert\s+ignore|orIgnore|ignoreDuplicates/i) ? markerInserts() : [];
  const reads = inserts.length === 0 ? [] : fileTransitions(unit).accesses.filter((a): a is StateRead => a.kind === 'read' && a.target !== undefined);
  return inserts.flatMap((insert) => {
    const fn = enclosingFunction(unit, insert.node);
    if (ts.isSourceFile(fn) || !isDropped(insert.node)) return [];
    const read = reads.findLast((r) => targetKey(r.target ?? '') === targetKey(insert.table) && r.node.end <= insert.node.pos && enclosingFunction(unit, r.node) === fn);
    if (read === undefined || isHeld(read)) return [];
    const test = leavingTest(unit, read.node, insert.node, (n) => n === read.node || (ts.isIdentifier(n) && derivesFrom(unit, n, read.node)));
    const work = test && !leavesWithoutRow(test, read, insert.node) ? workBetween(fn, test, insert.node) : undefined;
    if (work === undefined) return [];
    return [{
      fn, what: insert.table, read: unit.placeOf(read.node), at: unit.placeOf(work), reads: 'a query', writes: 'an insert', kind: 'late' as const, certain: false,
      advice: 'Insert it before the work, and do the work only when the insert made a row.',
      witness: [
        { place: unit.placeOf(read.node), role: 'read' as const, note: 'two workers look, and neither finds the row' },
        { place: unit.placeOf(work), role: 'call' as const, note: 'both do the work' },
        { place: unit.placeOf(insert.node), role: 'write' as const, note: 'the second insert changes nothing, and says nothing' },
      ],
    }];
  });

  function markerInserts(): MarkerInsert[] {
    const found: MarkerInsert[] = [];
    const visit = (n: ts.Node): void => {
      const table = ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n) ? tableOf(n) : undefined;
      if (table !== undefined && (ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n))) found.push({ node: n, table });
      else ts.forEachChild(n, visit);
    };
    visit(unit.file);
    return found;
  }

  function tableOf(node: ts.CallExpression | ts.TaggedTemplateExpression): string | undefined {
    const run = sqlRunOf(unit, node);
    const statement = run && parseSql(run.text.parts).find((s) => s.type === 'insert');
    if (run !== undefined && statement?.onConflict?.action === 'nothing') return nameOf(run, statement.table);
    return ts.isCallExpression(node) ? tableOfChain(node) : undefined;
  }

  /** `db.insert(t).values(..).onConflictDoNothing()`, `knex('t').insert(..).onConflict(..).ignore()`, `prisma.t.createMany({ data, skipDuplicates: true })`. */
  function tableOfChain(call: ts.CallExpression): string | undefined {
    let ignores = false;
    let table: string | undefined;
    for (let e: ts.Expression = call; ts.isCallExpression(e);) {
      const callee = bare(unit, e.expression);
      const [first] = e.arguments;
      if (!ts.isPropertyAccessExpression(callee)) {
        table ??= first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined;
        break;
      }
      const name = callee.name.text;
      const text = first === undefined ? '' : first.getText(unit.file);
      if (/^(?:onConflictDoNothing|ignore|orIgnore|doNothing)$/.test(name) || (name === 'onConflict' && /doNothing/.test(text)) || /skipDuplicates:\s*true|ignoreDuplicates:\s*true/.test(text)) ignores = true;
      if (/^(?:insert|insertInto|into)$/.test(name) && first !== undefined && (ts.isIdentifier(first) || ts.isStringLiteralLike(first) || ts.isPropertyAccessExpression(first))) table ??= ts.isPropertyAccessExpression(first) ? first.name.text : first.text;
      const on = bare(unit, callee.expression);
      if (/^(?:createMany|upsert)$/.test(name)) table ??= ts.isPropertyAccessExpression(on) ? on.name.text : undefined;
      if (name === 'from' && first !== undefined && ts.isStringLiteralLike(first)) table ??= first.text;
      e = on;
    }
    return ignores ? table : undefined;
  }

  /** A row lock was taken before the look: whoever looks next waits for the insert. */
  function isHeld(read: StateRead): boolean {
    return fileTransitions(unit).accesses.some((a) => a.kind === 'read' && a.lock !== 'none' && (a === read || runsBefore(unit, a.node, read.node)));
  }

  /** `if (!parent) return`: the row that was looked up has to be there, and the insert makes rows beside it. */
  function leavesWithoutRow(test: ts.Node, read: StateRead, insert: ts.Node): boolean {
    if (!ts.isIfStatement(test)) return false;
    const isRow = (e: ts.Expression): boolean => ts.isIdentifier(bare(unit, e)) && derivesFrom(unit, e, read.node);
    const holds = within(insert, test.thenStatement);
    const asked = bare(unit, test.expression);
    if (holds) return isRow(asked);
    if (test.elseStatement !== undefined && within(insert, test.elseStatement)) return false;
    return lacksRow(asked);

    function lacksRow(e: ts.Expression): boolean {
      if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return isRow(e.operand) || isCount(e.operand);
      if (!ts.isBinaryExpression(e)) return false;
      const operator = e.operatorToken.getText(unit.file);
      if (operator === '||') return lacksRow(bare(unit, e.left)) || lacksRow(bare(unit, e.right));
      return /^={2,3}$/.test(operator) && (isRow(e.left) ? isNothing(e.right) : isCount(e.left) && e.right.getText(unit.file) === '0');
    }

    function isCount(e: ts.Expression): boolean {
      return ts.isPropertyAccessExpression(e) && e.name.text === 'length' && isRow(e.expression);
    }

    function isNothing(e: ts.Expression): boolean {
      return e.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(e) && e.text === 'undefined');
    }
  }

  /** Nobody asks whether the insert made a row. */
  function isDropped(node: ts.CallExpression | ts.TaggedTemplateExpression): boolean {
    const whole = wholeValue(unit, node);
    return ts.isExpressionStatement(whole.parent);
  }

  /** An awaited call that is no matter of the store, between the test and the insert. */
  function workBetween(fn: ts.Node, test: ts.Node, insert: ts.Node): ts.CallExpression | undefined {
    const stores = new Set<ts.Node>(fileTransitions(unit).accesses.map((a) => a.node));
    const client = rootName(insert);
    let found: ts.CallExpression | undefined;
    const visit = (n: ts.Node): void => {
      if (found !== undefined || n.pos >= insert.pos || stores.has(n)) return;
      if (ts.isCallExpression(n) && n.pos >= (ts.isIfStatement(test) ? test.expression.end : test.end) && isAwaited(unit, n) && isWork(n, client) && !makesRows(n, insert) && isOnTheWay(unit, n, insert)) found = n;
      else ts.forEachChild(n, visit);
    };
    visit(fn);
    return found;
  }

  function isWork(call: ts.CallExpression, client: string): boolean {
    return hasEffect(unit, call) && rootName(call) !== client && !/^(?:fetch\w*|compute\w*|generate\w*|resolve\w*|validate\w*|hash\w*|upload\w*)$/i.test(calledName(unit, call));
  }

  /** The rows themselves are what the work gave, as in a cache: done twice, it leaves nothing behind but them. */
  function makesRows(work: ts.CallExpression, insert: ts.Node): boolean {
    const given = (n: ts.Node): boolean => {
      if (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && n.expression.name.text === 'map') return derivesFrom(unit, n.expression.expression, work);
      return ts.forEachChild(n, (child) => (given(child) ? true : undefined)) === true;
    };
    return given(insert);
  }

  function rootName(node: ts.Node): string {
    let e: ts.Node = node;
    while (ts.isCallExpression(e) || ts.isPropertyAccessExpression(e) || ts.isTaggedTemplateExpression(e)) e = ts.isTaggedTemplateExpression(e) ? e.tag : e.expression;
    return ts.isIdentifier(e) ? e.text : e.kind === ts.SyntaxKind.ThisKeyword ? `this ${node.getText(unit.file).split('.')[1] ?? ''}` : '';
  }
}
