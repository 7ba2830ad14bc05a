import type ts from 'typescript';
import type { TaggedFunction } from '../syntax/doc-comments.js';
import type { Signature } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';

/** Whether tags speak of the function that a call leads to: they stand before it, or before the member of the interface or class that its own class has it from. */
export function speaksOf(tagged: TaggedFunction, { unit, declaration }: Signature): boolean {
  if (tagged.declaration === declaration) return true;
  const above = nameAround(tagged.unit, tagged.declaration);
  return above !== undefined && ancestors(unit, declaration).includes(above);
}

function nameAround({ ts }: Unit, member: ts.Node): string | undefined {
  const { parent } = member;
  return ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent) ? parent.name?.text : undefined;
}

/** The names that the class of a method extends or implements. */
function ancestors({ ts }: Unit, member: ts.Node): readonly string[] {
  const { parent } = member;
  if (!ts.isClassLike(parent) && !ts.isInterfaceDeclaration(parent)) return [];
  return (parent.heritageClauses ?? []).flatMap((h) => h.types.flatMap(({ expression }) => (ts.isIdentifier(expression) ? [expression.text] : [])));
}
