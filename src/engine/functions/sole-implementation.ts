import type ts from 'typescript';
import { nameText } from '../syntax/expression.js';
import { heirsOf } from '../syntax/file-nodes.js';
import type { Callee } from '../syntax/type-shape.js';
import { moduleHead } from '../syntax/module-head.js';
import type { Unit } from '../syntax/unit.js';
import { isBuiltOn } from './implemented.js';
import type { ReadableFunction } from './summary.js';
import { Kept } from '../kept.js';

/**
 * The one method that a call of an interface's or abstract class' method can run: that of the only class which implements it. Undefined with several such classes, with none, and
 * where the set of files is not known, since another file may hold the next one.
 */
export function soleImplementation(unit: Unit, { owner, signature }: Callee): ReadableFunction | undefined {
  const declaration = owner?.declaration;
  if (owner?.name === undefined || declaration === undefined || !isOpen(owner.unit, declaration)) return undefined;
  const method = signature.declaration;
  const name = unit.ts.isMethodSignature(method) || unit.ts.isMethodDeclaration(method) || unit.ts.isPropertySignature(method) ? nameText(signature.unit, method.name) : undefined;
  const files = name === undefined ? undefined : isForOthers(owner.unit, declaration) ? unit.mentioning(owner.name) : [owner.unit];
  if (name === undefined || files === undefined) return undefined;
  const classes = implementers(declaration, files);
  const [only, ...others] = classes;
  if (only === undefined || others.length > 0) return undefined;
  const body = only.node.members.find((m): m is ts.MethodDeclaration => unit.ts.isMethodDeclaration(m) && m.body !== undefined && nameText(only.unit, m.name) === name);
  return body && { unit: only.unit, fn: body };
}

function isOpen({ ts }: Unit, declaration: ts.Node): boolean {
  if (ts.isInterfaceDeclaration(declaration)) return true;
  return ts.isClassDeclaration(declaration) && declaration.modifiers?.some((m) => m.kind === ts.SyntaxKind.AbstractKeyword) === true;
}

/** Whether another file can build on it. In a script, which exports nothing, all can. */
function isForOthers(unit: Unit, declaration: ts.Node): boolean {
  const { ts, file } = unit;
  const isMarked = ts.canHaveModifiers(declaration) && (ts.getModifiers(declaration) ?? []).some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  if (isMarked || declaration.parent !== file) return true;
  const { imports, listsExports, marksExports } = moduleHead(unit);
  return listsExports || (imports.length === 0 && !marksExports);
}

interface Implementer { readonly unit: Unit; readonly node: ts.ClassLikeDeclaration }

/** Asked for each call of a method: the files that name the interface are looked through once. */
const known = new Kept<ts.Node, readonly Implementer[]>();

function implementers(declaration: ts.Node, files: readonly Unit[]): readonly Implementer[] {
  const held = known.get(declaration);
  if (held !== undefined) return held;
  const found = files.flatMap((unit) => heirsOf(unit).filter((node) => isBuiltOn(unit, node, declaration)).map((node) => ({ unit, node })));
  known.set(declaration, found);
  return found;
}
