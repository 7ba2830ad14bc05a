import type ts from 'typescript';
import { exportOf, importTarget } from '../syntax/declared-import.js';
import { bare, initialiserOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { declaredType, importsPackage, lastSegment } from './access-orm-chain.js';

/** Whether a call is one of a data layer: its file imports the package, or the model it is made on comes from there, which another file may declare. */
export function isOfPackage(unit: Unit, receiver: ts.Expression | undefined, packages: RegExp): boolean {
  const from = receiver && (typePackage(unit, receiver) ?? modelPackage(unit, receiver));
  // A file may import several data layers: what the receiver is says more.
  if (from !== undefined && DATA_LAYERS.test(from)) return packages.test(from);
  return importsPackage(unit, packages) || (from !== undefined && packages.test(from));
}

const DATA_LAYERS = /^(?:typeorm|@nestjs\/typeorm|@mikro-orm\/.+|@prisma\/client|sequelize|sequelize-typescript|@sequelize\/core|mongodb|mongoose|@nestjs\/mongoose|objection|knex|kysely|drizzle-orm(?:\/.+)?|dynamoose|electrodb)$/;

/** The package that the declared type of a receiver comes from: `typeorm` of `private readonly runs: Repository<Run>`. */
function typePackage(unit: Unit, receiver: ts.Expression): string | undefined {
  const { ts } = unit;
  const type = declaredType(unit, receiver);
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
  const root = ts.isIdentifier(type.typeName) ? type.typeName : type.typeName.left;
  const binding = ts.isIdentifier(root) ? unit.scopes.lookup(root.text, root) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  return target?.kind === 'package' ? target.from : undefined;
}

/** The package that a model is made with: `class Run extends Model`, `const Job = model('Job', schema)`. Undefined where its declaration is out of sight, or is no such. */
export function modelPackage(unit: Unit, receiver: ts.Expression): string | undefined {
  const e = bare(unit, receiver);
  return unit.ts.isIdentifier(e) && /^[A-Z]/.test(e.text) ? packageNamed(unit, e.text, e, 0) : undefined;
}

/** A model may extend one of the project's own, which extends the library's. */
const MOST_STEPS = 4;

function packageNamed(unit: Unit, name: string, from: ts.Node, steps: number): string | undefined {
  const binding = unit.scopes.lookup(name, from);
  if (binding === undefined || steps > MOST_STEPS) return undefined;
  const target = importTarget(unit, binding.declaration);
  if (target === undefined) return madeWith(unit, binding.declaration, steps);
  if (target.kind === 'package') return target.from;
  const found = exportOf(target.unit, target.name);
  if (found === undefined) return undefined;
  if ('kind' in found) return found.kind === 'package' ? found.from : undefined;
  if (found.name !== '' && found.unit.scopes.lookup(found.name, found.unit.file) !== undefined) return packageNamed(found.unit, found.name, found.unit.file, steps + 1);
  return found.expression && ofExpression(found.unit, found.expression, steps);
}

function madeWith(unit: Unit, declaration: ts.Node, steps: number): string | undefined {
  const { ts } = unit;
  if (ts.isClassDeclaration(declaration)) {
    const base = declaration.heritageClauses?.find((h) => h.token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression;
    return base && ofExpression(unit, base, steps);
  }
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return undefined;
  const binding = unit.scopes.lookup(declaration.name.text, declaration);
  const value = binding && initialiserOf(unit, binding);
  return value && ofExpression(unit, value, steps);
}

/** `Model`, `sequelize.define(..)`, `mongoose.model(..)`, `models.Job ?? model(..)`: the name at its root. */
function ofExpression(unit: Unit, expression: ts.Expression, steps: number): string | undefined {
  const { ts } = unit;
  let e = bare(unit, expression);
  if (ts.isBinaryExpression(e)) e = bare(unit, e.right);
  while (ts.isCallExpression(e) || ts.isPropertyAccessExpression(e) || ts.isNewExpression(e)) e = bare(unit, e.expression);
  return ts.isIdentifier(e) ? packageNamed(unit, e.text, e, steps + 1) : undefined;
}

/** Fields that hold whatever rows their class is there for. */
const ANY_ROWS = /^_*(?:mongoose|typeorm|base|entity)?_*(?:model|collection|coll?|repo|repository|table|entity)$/i;

/** What the rows of a receiver are called: its last name; in a class that keeps them as `this.model`, `this.collection` the name of the class, `JobRepository`. */
export function rowsNamed(unit: Unit, receiver: ts.Expression | undefined): string | undefined {
  const { ts } = unit;
  const name = lastSegment(unit, receiver);
  const e = receiver && bare(unit, receiver);
  if (name === undefined || e === undefined || !ANY_ROWS.test(name) || !ts.isPropertyAccessExpression(e) || e.expression.kind !== ts.SyntaxKind.ThisKeyword) return name;
  for (let n: ts.Node | undefined = e.parent; n; n = n.parent) {
    if (ts.isClassLike(n)) return n.name?.text.replace(/(?:Repository|Repo|Store|Dao|Service|Collection|Model)$/, '') || name;
  }
  return name;
}
