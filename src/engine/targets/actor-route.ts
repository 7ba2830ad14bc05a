import type ts from 'typescript';
import { nameText } from '../syntax/expression.js';
import { moduleHead } from '../syntax/module-head.js';
import type { Unit } from '../syntax/unit.js';
import type { Entry } from './actor-entry.js';

const VERBS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** A function that a framework calls because of the file it is exported from: Next and SvelteKit route files, Next pages, Remix routes, server actions. */
export function routeOfFile(unit: Unit, fn: ts.FunctionLikeDeclaration): Entry | undefined {
  const name = exportedName(unit, fn);
  if (name === undefined) return isServerAction(unit, fn) ? { kind: 'http', label: 'server action' } : undefined;
  const { path } = unit;
  if (VERBS.test(name) && /(?:^|\/)\+?(?:route|server)\.[cm]?[jt]sx?$/.test(path)) return { kind: 'http', label: `${name} ${routeOf(path)}` };
  if (name === 'default' && /(?:^|\/)pages\/api\//.test(path)) return { kind: 'http', label: routeOf(path) };
  if (/^(?:action|loader)$/.test(name) && /(?:^|\/)(?:app\/)?routes?\//.test(path)) return { kind: 'http', label: `${name === 'action' ? 'POST' : 'GET'} ${routeOf(path)}` };
  return isServerAction(unit, fn) ? { kind: 'http', label: `action ${name}` } : undefined;
}

/** `app/api/steps/[id]/cancel/route.ts` gives `/api/steps/[id]/cancel`. */
function routeOf(path: string): string {
  const inside = /(?:^|\/)(?:app|pages|routes)\/(?!.*\/(?:app|pages|routes)\/)(.*)$/.exec(path)?.[1] ?? path.slice(path.lastIndexOf('/') + 1);
  const parts = inside.replace(/\.[cm]?[jt]sx?$/, '').split('/').filter((p) => !/^\(.*\)$/.test(p) && !/^\+?(?:route|server|index)$/.test(p));
  return `/${parts.join('/')}`;
}

/** The name a function is exported by, through the calls that wrap it: `export const POST = withAuth(async () => ..)`. */
function exportedName(unit: Unit, fn: ts.FunctionLikeDeclaration): string | undefined {
  const { ts } = unit;
  const isExported = (n: ts.Node): boolean => ts.canHaveModifiers(n) && (ts.getModifiers(n) ?? []).some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  const isDefault = (n: ts.Node): boolean => ts.canHaveModifiers(n) && (ts.getModifiers(n) ?? []).some((m) => m.kind === ts.SyntaxKind.DefaultKeyword);
  if (ts.isFunctionDeclaration(fn)) return isDefault(fn) ? 'default' : isExported(fn) ? fn.name?.text : undefined;
  let e: ts.Node = fn;
  for (let depth = 0; depth < 4 && ts.isCallExpression(e.parent); depth++) e = e.parent;
  const p = e.parent;
  if (ts.isExportAssignment(p)) return 'default';
  return ts.isVariableDeclaration(p) && isExported(p.parent.parent) ? nameText(unit, p.name) : undefined;
}

function isServerAction(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  const says = (statements: readonly ts.Statement[]): boolean => {
    const [first] = statements;
    return first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression) && first.expression.text === 'use server';
  };
  const { body } = fn;
  if (body !== undefined && ts.isBlock(body) && says(body.statements)) return true;
  return moduleHead(unit).directives[0] === 'use server' && exportedName(unit, fn) !== undefined;
}
