import type ts from 'typescript';
import { typeOf } from '../syntax/declared-type.js';
import { followed, settled } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** How a value came about: the package it leads to, the names on the way, and the calls among them. */
export interface Origin {
  readonly from: string;
  /** `new Lock`, `Etcd3.lock.ttl`, `createLock`; empty for an imported function itself. */
  readonly path: string;
  readonly calls: readonly (ts.CallExpression | ts.NewExpression)[];
}

/** The origin of an expression, where it leads to a package: through names, `await`, constructors, makers, chains and declared types. */
export function originOf(unit: Unit, node: ts.Expression, depth = 0): Origin | undefined {
  const { ts } = unit;
  if (depth > 10) return undefined;
  const e = valueOf(unit, settled(unit, node));
  if (ts.isNewExpression(e)) {
    const type = typeOf(unit, e);
    return type.kind === 'named' && type.from !== undefined ? { from: type.from, path: `new ${type.name}`, calls: [e] } : undefined;
  }
  if (ts.isCallExpression(e)) {
    const callee = followed(unit, e.expression);
    if (ts.isPropertyAccessExpression(callee)) return withName(originOf(unit, callee.expression, depth + 1), callee.name.text, e);
    // What a function answers that a maker has made.
    if (ts.isCallExpression(callee)) return withName(originOf(unit, callee, depth + 1), 'call', e);
    const type = typeOf(unit, callee);
    return type.kind === 'named' && type.from !== undefined ? { from: type.from, path: type.name, calls: [e] } : undefined;
  }
  const type = typeOf(unit, e);
  if (type.kind === 'named' && type.from !== undefined) return { from: type.from, path: type.name, calls: [] };
  return ts.isPropertyAccessExpression(e) ? withName(originOf(unit, e.expression, depth + 1), e.name.text, undefined) : undefined;
}

function withName(base: Origin | undefined, name: string, call: ts.CallExpression | undefined): Origin | undefined {
  return base && { from: base.from, path: `${base.path}.${name}`, calls: call === undefined ? base.calls : [...base.calls, call] };
}

/** A name that was set once stands for its value; one that is declared empty and set once later too. */
function valueOf(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = followed(unit, node);
  if (!ts.isIdentifier(e)) return settled(unit, e);
  const binding = unit.scopes.resolve(e);
  const [only, ...others] = binding?.writes ?? [];
  return only !== undefined && others.length === 0 && ts.isBinaryExpression(only) && binding?.kind === 'let' && ts.isVariableDeclaration(binding.declaration) && binding.declaration.initializer === undefined
    ? settled(unit, only.right) : e;
}
