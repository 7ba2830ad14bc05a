import type ts from 'typescript';
import { typeOfNode } from '../syntax/declared-node.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** Classes do not stand on more floors than this. */
const FLOORS = 4;

/** Whether a method of a class answers for a method signature: the class implements or extends what declares it, directly or through others. */
export function implementsMember(unit: Unit, method: ts.FunctionLikeDeclaration, signature: ts.Node): boolean {
  const { ts } = unit;
  const owner = ts.isPropertyDeclaration(method.parent) ? method.parent.parent : method.parent;
  const declaring = signature.parent;
  return ts.isClassLike(owner) && declaring !== undefined && isBuiltOn(unit, owner, declaring);
}

/** Whether a class implements or extends a declaration, directly or through others. */
export function isBuiltOn(unit: Unit, node: ts.ClassLikeDeclaration, declaration: ts.Node): boolean {
  return ancestors(unit, node, 0).has(declaration);
}

const known = new Kept<ts.Node, ReadonlySet<ts.Node>>();

/** The declarations a class or interface is built on, itself left aside. */
function ancestors(unit: Unit, declaration: ts.ClassLikeDeclaration | ts.InterfaceDeclaration, floor: number): ReadonlySet<ts.Node> {
  const held = known.get(declaration);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found = new Set<ts.Node>();
  // An interface that extends itself.
  known.provisionally(declaration, found);
  const bases = floor > FLOORS ? [] : (declaration.heritageClauses ?? []).flatMap((h) => [...h.types]);
  for (const type of bases) {
    const base = typeOfNode(unit, type);
    if (base.kind !== 'object') continue;
    found.add(base.declaration);
    if (ts.isClassLike(base.declaration) || ts.isInterfaceDeclaration(base.declaration)) for (const up of ancestors(base.unit, base.declaration, floor + 1)) found.add(up);
  }
  known.set(declaration, found);
  return found;
}
