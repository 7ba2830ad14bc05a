import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, enclosingFunction, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What a call or a return gives to other code, and what an assignment stores where other code can reach it. */
export function handedBy(unit: Unit, node: ts.Node): readonly ts.Expression[] {
  const { ts } = unit;
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return (node.arguments ?? []).filter((a) => !ts.isSpreadElement(a));
  if (ts.isReturnStatement(node)) return node.expression === undefined ? [] : [node.expression];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
  return isOutside(unit, node.left) ? [node.right] : [];
}

/** A property, or a name of an outer function or of the module. */
function isOutside(unit: Unit, target: ts.Expression): boolean {
  const { ts } = unit;
  const e = bare(unit, target);
  if (!ts.isIdentifier(e)) return ts.isPropertyAccessExpression(e) || ts.isElementAccessExpression(e);
  const binding = unit.scopes.resolve(e);
  return binding !== undefined && enclosingFunction(unit, binding.id) !== enclosingFunction(unit, e);
}

/** The collections in memory that one function puts its lock into. */
export interface Collections {
  /** Whether a call puts the lock into one. */
  isPut(node: ts.Node): boolean;
  /** Whether any code can get at what such a call puts there: else it is a mark, and nobody frees from it. */
  isRead(node: ts.Node): boolean;
  /** Whether a call takes it out again. With two collections it may still stand in the other. */
  isTakenBack(node: ts.Node): boolean;
}

const PUTS = /^(?:set|add|push|unshift)$/;
const TAKES = /^(?:delete|clear)$/;
/** What says nothing of the things in a collection. */
const BLIND = /^(?:set|add|push|unshift|delete|clear|has|size|length)$/;

/** Finds the collections of the function around a node. */
export function collectionsIn(unit: Unit, site: ts.Node | undefined, namesLock: (argument: ts.Expression) => boolean): Collections {
  const { ts } = unit;
  const puts = new Map<ts.Node, string>();
  const readable = new Map<string, boolean>();
  const find = (node: ts.Node): void => {
    const on = ts.isCallExpression(node) && PUTS.test(calledName(unit, node)) && node.arguments.some((a) => !ts.isSpreadElement(a) && namesLock(a)) ? receiverOf(node) : undefined;
    if (on !== undefined && isInMemory(on)) {
      const name = on.getText(unit.file);
      puts.set(node, name);
      if (!readable.has(name)) readable.set(name, isReadable(on));
    }
    ts.forEachChild(node, find);
  };
  if (site !== undefined) find(enclosingFunction(unit, site));
  return {
    isPut: (node) => puts.has(node),
    isRead: (node) => readable.get(puts.get(node) ?? '') ?? false,
    isTakenBack: (node) => {
      const on = ts.isCallExpression(node) && TAKES.test(calledName(unit, node)) ? receiverOf(node) : undefined;
      return on !== undefined && readable.size === 1 && readable.has(on.getText(unit.file));
    },
  };

  function receiverOf(call: ts.CallExpression): ts.Expression | undefined {
    const callee = bare(unit, call.expression);
    return ts.isPropertyAccessExpression(callee) ? bare(unit, callee.expression) : undefined;
  }

  function isInMemory(on: ts.Expression): boolean {
    const type = present(typeOf(unit, on));
    return type.kind === 'array' || (type.kind === 'named' && type.from === undefined && /^(?:Weak)?(?:Map|Set)$|^Array$/.test(type.name)) || isMade(on);
  }

  /** `new Map()` or `[]` in a name or field without a type. */
  function isMade(on: ts.Expression): boolean {
    const made = declarationOf(on)?.initializer;
    const e = made && bare(unit, made);
    return e !== undefined && (ts.isArrayLiteralExpression(e) || (ts.isNewExpression(e) && /^(?:Weak)?(?:Map|Set)$/.test(e.expression.getText(unit.file))));
  }

  function declarationOf(on: ts.Expression): ts.PropertyDeclaration | ts.VariableDeclaration | undefined {
    if (ts.isIdentifier(on)) {
      const d = unit.scopes.resolve(on)?.declaration;
      return d !== undefined && ts.isVariableDeclaration(d) ? d : undefined;
    }
    if (!ts.isPropertyAccessExpression(on) || on.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
    for (let n: ts.Node | undefined = on.parent; n; n = n.parent) {
      if (ts.isClassDeclaration(n) || ts.isClassExpression(n)) return n.members.find((m): m is ts.PropertyDeclaration => ts.isPropertyDeclaration(m) && nameText(unit, m.name) === on.name.text);
    }
    return undefined;
  }

  /** Made here, out of reach of other files, and never asked for what is in it. */
  function isReadable(on: ts.Expression): boolean {
    const declaration = declarationOf(on);
    if (declaration?.initializer === undefined || !isMade(on) || isOpen(declaration)) return true;
    const name = ts.isPropertyAccessExpression(on) ? on.name.text : on.getText(unit.file);
    let read = false;
    const visit = (n: ts.Node): void => {
      if ((ts.isIdentifier(n) || ts.isPrivateIdentifier(n)) && n.text === name && n !== declaration.name && !isBlindUse(n)) read = true;
      if (!read) ts.forEachChild(n, visit);
    };
    visit(unit.file);
    return read;
  }

  function isOpen(declaration: ts.PropertyDeclaration | ts.VariableDeclaration): boolean {
    if (ts.isPropertyDeclaration(declaration)) return !ts.isPrivateIdentifier(declaration.name) && declaration.modifiers?.some((m) => m.kind === ts.SyntaxKind.PrivateKeyword) !== true;
    const statement = declaration.parent.parent;
    return ts.isVariableStatement(statement) && statement.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) === true;
  }

  function isBlindUse(id: ts.Identifier | ts.PrivateIdentifier): boolean {
    const whole = ts.isPropertyAccessExpression(id.parent) && id.parent.name === id ? id.parent : id;
    const p = whole.parent;
    if (!ts.isPropertyAccessExpression(p) || p.expression !== whole || !BLIND.test(p.name.text)) return false;
    return !ts.isElementAccessExpression(p.parent);
  }
}
