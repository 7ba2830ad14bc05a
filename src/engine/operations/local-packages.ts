import type ts from 'typescript';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, followed } from '../syntax/expression.js';
import { isOwnName } from '../syntax/named-function.js';
import type { Unit } from '../syntax/unit.js';

/** Packages whose locks live in one process, and in the files of one host. */
const IN_PROCESS = new Set(['async-mutex', 'async-lock', 'await-lock', 'mutexify', 'p-mutex', '@livekit/mutex', 'await-semaphore', 'async-sema', '@shopify/semaphore', 'semaphore-async-await', '@rocicorp/lock', '@databases/lock', 'superlock', 'await-mutex', 'mutex-server', 'web-locks']);
const ON_HOST = new Set(['proper-lockfile', 'lockfile', 'fs-ext', 'os-lock', 'cross-process-lock', 'flocky']);
const TAKES = /^(?:acquire|acquireAsync|lock|lockSync|runExclusive|request|flock|flockSync|use|withLock|dispatch)$/;

/** A call that takes a lock of a package that knows one process or one host. */
export interface LocalCall {
  readonly node: ts.CallExpression;
  readonly scope: 'process' | 'host';
  /** The function that runs under it; undefined where it is given back by hand. */
  readonly body: ts.Expression | undefined;
}

export function localCall(unit: Unit, call: ts.CallExpression): LocalCall | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const [on, name] = ts.isPropertyAccessExpression(callee) ? [callee.expression, callee.name.text] : ts.isIdentifier(callee) ? [callee, 'lock'] : [];
  if (on === undefined || name === undefined || !TAKES.test(name)) return undefined;
  if (ts.isIdentifier(callee) && isOwnName(unit, callee)) return undefined;
  const body = call.arguments.findLast((a) => ts.isArrowFunction(bare(unit, a)) || ts.isFunctionExpression(bare(unit, a)));
  if (/^(?:globalThis\.)?navigator\.locks$/.test(on.getText(unit.file)) && name === 'request') return { node: call, scope: 'process', body };
  const type = present(typeOf(unit, on));
  const from = type.kind === 'named' ? type.from : undefined;
  if (from === undefined || countsMore(unit, on)) return undefined;
  // `lock` alone is a name that was imported, not an object that was made.
  return IN_PROCESS.has(from) ? { node: call, scope: 'process', body } : ON_HOST.has(from) ? { node: call, scope: 'host', body } : undefined;
}

/** A semaphore that lets several in keeps nobody out. */
function countsMore(unit: Unit, on: ts.Expression): boolean {
  const { ts } = unit;
  let made: ts.Expression | undefined = followed(unit, on);
  if (ts.isPropertyAccessExpression(made) && made.expression.kind === ts.SyntaxKind.ThisKeyword) made = fieldValue(unit, made);
  if (made === undefined || !ts.isNewExpression(made) || !/Sema/.test(made.expression.getText(unit.file))) return false;
  const [count] = made.arguments ?? [];
  return count === undefined || !(ts.isNumericLiteral(count) && count.text === '1');
}

function fieldValue({ ts, file }: Unit, access: ts.PropertyAccessExpression): ts.Expression | undefined {
  for (let n: ts.Node = access; n.parent; n = n.parent) {
    if (!ts.isClassLike(n)) continue;
    const field = n.members.find((m) => ts.isPropertyDeclaration(m) && m.name.getText(file) === access.name.text);
    return field !== undefined && ts.isPropertyDeclaration(field) ? field.initializer : undefined;
  }
  return undefined;
}
