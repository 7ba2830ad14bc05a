import type ts from 'typescript';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, followed, nameText } from '../syntax/expression.js';
import type { TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { importSource, type ImportSource } from './import-source.js';

/** The parts of a model's `call`: `takeStep`, `StepLocks#take`, `#giveBack`, `#()`. */
export interface ModelCall {
  /** The class, interface or factory; empty for what an acquire gave; undefined for a function. */
  readonly type: string | undefined;
  /** The function or method; empty where the value itself is called. */
  readonly name: string;
}

export function modelCall(call: string): ModelCall {
  const at = call.indexOf('#');
  return at < 0 ? { type: undefined, name: call } : { type: call.slice(0, at), name: call.slice(at + 1).replace('()', '') };
}

/** The names a call may be modelled by: that of the function or method, and the one it is exported by. */
export function namesOfCall(unit: Unit, call: ts.CallExpression): readonly string[] {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isPropertyAccessExpression(callee)) return [callee.name.text];
  if (!ts.isIdentifier(callee)) return [];
  const source = importSource(unit, callee);
  return source === undefined || source.name === callee.text ? [callee.text] : [callee.text, source.name];
}

/** Whether a call is one of a modelled function, or of a modelled method by the type of the object it is made on. What an acquire gave is matched elsewhere. */
export function isCallOf(unit: Unit, call: ts.CallExpression, { type, name }: ModelCall, from: string | undefined): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (type === undefined) return isFunctionOf(unit, callee, name, from);
  return type !== '' && ts.isPropertyAccessExpression(callee) && callee.name.text === name && isOfType(unit, callee.expression, type, from);
}

function isFunctionOf(unit: Unit, callee: ts.Expression, name: string, from: string | undefined): boolean {
  const { ts } = unit;
  if (ts.isIdentifier(callee)) {
    const source = importSource(unit, callee);
    if (from === undefined) return (source?.name ?? callee.text) === name || callee.text === name;
    return source !== undefined && isFrom(source, from) && (source.name === name || (source.name === 'default' && callee.text === name));
  }
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== name) return false;
  // A name without a package or a type is that of any method too.
  if (from === undefined) return true;
  const on = bare(unit, callee.expression);
  const source = ts.isIdentifier(on) ? importSource(unit, on) : undefined;
  // `locks.takeStep()` of `import * as locks`, or of a default export that holds all.
  return source !== undefined && (source.name === '*' || source.name === 'default') && isFrom(source, from);
}

function isFrom(source: ImportSource, from: string): boolean {
  return source.from === from || source.from.startsWith(`${from}/`);
}

function isOfType(unit: Unit, on: ts.Expression, name: string, from: string | undefined): boolean {
  const type = present(typeOf(unit, on));
  return (type.kind === 'union' ? type.members : [type]).some((t) => isNamed(unit, t, name, from)) || isMadeBy(unit, on, name, from);
}

/** `new Turns()`, `await connectTurns()` of what `require` gave, which has no type. */
function isMadeBy(unit: Unit, on: ts.Expression, name: string, from: string | undefined): boolean {
  const { ts } = unit;
  const e = followed(unit, on);
  const made = ts.isAwaitExpression(e) ? followed(unit, e.expression) : e;
  return (ts.isNewExpression(made) || ts.isCallExpression(made)) && isFunctionOf(unit, bare(unit, made.expression), name, from);
}

function isNamed(unit: Unit, type: TypeShape, name: string, from: string | undefined): boolean {
  if (type.kind === 'named') {
    if (from === undefined) return type.name === name;
    return type.from !== undefined && isFrom({ from: type.from, name: type.name }, from) && (type.name === name || type.name === 'default');
  }
  if (type.kind !== 'object') return false;
  // A type whose source can be read is known by its name; a package has to be in sight where the model names one.
  if (from !== undefined && !unit.text.includes(from)) return false;
  return type.name === name || namesOfHeritage(type).includes(name);
}

function namesOfHeritage({ unit, declaration }: TypeShape & { kind: 'object' }): readonly string[] {
  const { ts } = unit;
  if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
  return (declaration.heritageClauses ?? []).flatMap((h) => h.types.flatMap((t) => (ts.isIdentifier(t.expression) ? [nameText(unit, t.expression)] : [])));
}
