import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { slotRole } from '../operations/lock-words.js';
import type { AcquireOperation, Operation, OverwriteOperation } from '../operations/operation.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, propertyOf } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** A part of the value that an acquire's function gives, by its name: `held.key` of `{ key, token }`. */
interface Part { readonly prop: string; readonly of: ts.Identifier }

/**
 * Whether a command acts on `held.key`, where `held` is what the function of the acquire answers: its parameter names the type that function
 * gives, or the command also hands over the token of the same answer.
 */
export function isOnGrantedKey(unit: Unit, acquire: AcquireOperation, command: Operation): boolean {
  if (acquire.evidence !== 'model' || command.evidence !== 'model' || command.kind === 'acquire' || command.key.kind !== 'path') return false;
  const key = partAt(unit, firstArgument(unit, command.node));
  if (key === undefined) return false;
  const grants = grantsOf(unit, acquire).filter((g) => isPart(unit, g, key.prop, acquire.key));
  return grants.length > 0 && (isOfGrantedType(unit, acquire, key.of) || grants.some((g) => writesOwner(unit, acquire, command, g, key)));
}

/** Whether a command puts the owner of the acquire into the key again, by its own name or as a part of what the acquire's function gave. */
export function writesOwnerOf(unit: Unit, acquire: AcquireOperation, command: Operation): boolean {
  const value = 'value' in command ? command.value : undefined;
  if (value === undefined || acquire.owner === undefined || acquire.owner.kind === 'const') return false;
  if (sameTerm(value, acquire.owner)) return true;
  const key = partAt(unit, firstArgument(unit, command.node));
  return key !== undefined && grantsOf(unit, acquire).some((g) => writesOwner(unit, acquire, command, g, key));
}

/** Whether a node runs again and again: in a loop, or in a function that a timer calls. */
export function isRepeated(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !ts.isSourceFile(n.parent); n = n.parent) {
    if (ts.isIterationStatement(n.parent, false) && n.parent.statement === n) return true;
    if (!ts.isFunctionLike(n)) continue;
    return ts.isCallExpression(n.parent) && /^set(?:Interval|Timeout)$/.test(calledName(unit, n.parent));
  }
  return false;
}

/** Two methods of one lock call the owner they are handed by the same name. */
export function namesOwnerOf({ owner }: AcquireOperation, { value }: OverwriteOperation): boolean {
  return owner?.kind === 'symbol' && value.kind === 'symbol' && owner.name === value.name && owner.name !== 'value' && slotRole(owner.name) === 'owner';
}

function writesOwner(unit: Unit, acquire: AcquireOperation, command: Operation, grant: ts.ObjectLiteralExpression, key: Part): boolean {
  const written = unit.ts.isCallExpression(command.node) ? command.node.arguments[1] : undefined;
  const token = 'value' in command && written !== undefined ? partAt(unit, written) : undefined;
  return token !== undefined && acquire.owner !== undefined && token.of.text === key.of.text && isPart(unit, grant, token.prop, acquire.owner);
}

function isPart(unit: Unit, grant: ts.ObjectLiteralExpression, prop: string, term: Term): boolean {
  const given = propertyOf(unit, grant, prop);
  return given !== undefined && sameTerm(termOf(unit, given), term);
}

/** `held` is a parameter of a type that the acquire's function gives. */
function isOfGrantedType(unit: Unit, acquire: AcquireOperation, held: ts.Identifier): boolean {
  const { ts } = unit;
  const declared = unit.scopes.resolve(held)?.declaration;
  const fn = enclosingFunction(unit, acquire.node);
  if (declared === undefined || !ts.isParameter(declared) || declared.type === undefined || ts.isSourceFile(fn) || fn.type === undefined) return false;
  const type = declared.type;
  return ts.isTypeReferenceNode(type) && new RegExp(`\\b${type.typeName.getText(unit.file)}\\b`).test(fn.type.getText(unit.file));
}

function firstArgument(unit: Unit, node: Operation['node']): ts.Expression | undefined {
  return unit.ts.isCallExpression(node) ? node.arguments[0] : undefined;
}

function partAt(unit: Unit, node: ts.Expression | undefined): Part | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined || !ts.isPropertyAccessExpression(e)) return undefined;
  const base = bare(unit, e.expression);
  return ts.isIdentifier(base) ? { prop: e.name.text, of: base } : undefined;
}

const known = new Kept<ts.Node, readonly ts.ObjectLiteralExpression[]>();

/** The objects that the function of an acquire gives. */
function grantsOf(unit: Unit, acquire: AcquireOperation): readonly ts.ObjectLiteralExpression[] {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  if (ts.isSourceFile(fn) || fn.body === undefined) return [];
  const held = known.get(fn);
  if (held !== undefined) return held;
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (n: ts.Node, given: boolean): void => {
    if (ts.isFunctionLike(n)) return;
    if (given && ts.isObjectLiteralExpression(n)) found.push(n);
    else ts.forEachChild(n, (child) => visit(child, given || ts.isReturnStatement(n)));
  };
  visit(fn.body, !ts.isBlock(fn.body));
  known.set(fn, found);
  return found;
}
