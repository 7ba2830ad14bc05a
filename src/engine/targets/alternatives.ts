import type ts from 'typescript';
import { nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** A place in code. */
interface At { readonly unit: Unit; readonly node: ts.Node }

/** What programs choose one of when they start: `PostgresJobStore` or `RedisJobStore`. Workers and services of one base run side by side. */
const BACKEND = /(?:Provider|Repository|Store|Storage|Adapter|Backend|Driver|Dialect|Persistence|Persister|Dao|Client)(?:Base|Impl)?$/;

/** Whether two places stand in classes that replace each other: backends of one base class or interface, with methods in common. Only one of the two runs. */
export function areAlternatives(a: At, b: At): boolean {
  const [x, y] = [classAround(a), classAround(b)];
  if (x === undefined || y === undefined || x === y) return false;
  const [s, t] = [basesOf(a.unit, x), basesOf(b.unit, y)];
  if (!s.some((base) => BACKEND.test(base) && t.includes(base))) return false;
  const methods = methodsOf(b.unit, y);
  return [...methodsOf(a.unit, x)].filter((m) => methods.has(m)).length >= 2;
}

function classAround({ unit: { ts }, node }: At): ts.ClassLikeDeclaration | undefined {
  for (let n = node.parent; n; n = n.parent) if (ts.isClassLike(n)) return n;
  return undefined;
}

function basesOf({ ts, file }: Unit, node: ts.ClassLikeDeclaration): readonly string[] {
  return (node.heritageClauses ?? []).flatMap((clause) => clause.types.flatMap(({ expression }) => (ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression) ? [expression.getText(file)] : [])));
}

function methodsOf(unit: Unit, node: ts.ClassLikeDeclaration): ReadonlySet<string> {
  return new Set(node.members.flatMap((m) => (unit.ts.isMethodDeclaration(m) ? [nameText(unit, m.name)] : [])));
}
