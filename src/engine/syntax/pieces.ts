import type ts from 'typescript';
import type { Ts } from './typescript.js';

/**
 * A part of a top-level declaration that is looked at on its own: the body of a function or method, the value of a variable or field. What is left of the
 * declarations without them is the skeleton of a file.
 */
export interface Hole {
  /** `name` of a function or variable, `Class.member`. Several holes may bear one name: overloads, a getter and its setter. */
  readonly name: string;
  readonly node: ts.Node;
  /** The node and the property by which it is reached. */
  readonly owner: ts.Node;
  readonly property: 'body' | 'initializer';
}

/** The holes of a file, in the order of the text. */
export function holesOf(ts: Ts, file: ts.SourceFile): readonly Hole[] {
  return file.statements.flatMap((statement) => holesIn(ts, file, statement));
}

function holesIn(ts: Ts, file: ts.SourceFile, statement: ts.Statement): readonly Hole[] {
  if (ts.isFunctionDeclaration(statement)) return bodyOf(statement, statement.name?.text ?? 'default');
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap((d) => valueOf(ts, d, d.name.getText(file)));
  if (!ts.isClassDeclaration(statement)) return [];
  const owner = statement.name?.text ?? 'default';
  return statement.members.flatMap((member) => {
    const name = `${owner}.${member.name === undefined ? ts.SyntaxKind[member.kind] : member.name.getText(file)}`;
    return ts.isPropertyDeclaration(member) ? valueOf(ts, member, name) : 'body' in member ? bodyOf(member, name) : [];
  });
}

function bodyOf(owner: ts.Node & { readonly body?: unknown }, name: string): readonly Hole[] {
  return isNode(owner.body) ? [{ name, node: owner.body, owner, property: 'body' }] : [];
}

/** The value of a name; of an arrow its body, so that its parameters and its result are told without it. */
function valueOf(ts: Ts, owner: ts.VariableDeclaration | ts.PropertyDeclaration, name: string): readonly Hole[] {
  const value = owner.initializer;
  if (value === undefined) return [];
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) ? bodyOf(value, name) : [{ name, node: value, owner, property: 'initializer' }];
}

function isNode(value: unknown): value is ts.Node {
  return typeof value === 'object' && value !== null && 'kind' in value && 'pos' in value;
}

/** The names that a top-level statement declares, of values and of types. */
export function namesDeclared(ts: Ts, statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap((d) => namesBound(ts, d.name));
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement)) {
    return statement.name === undefined ? [] : [statement.name.text];
  }
  // `if (x) { var y = 1; }` declares a name of the file.
  const text = statement.getText();
  return !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement) && /\bvar\b/.test(text) ? [...new Set(text.match(/[A-Za-z_$][\w$]*/g))] : [];
}

function namesBound(ts: Ts, name: ts.BindingName): readonly string[] {
  return ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((e) => (ts.isBindingElement(e) ? namesBound(ts, e.name) : []));
}
