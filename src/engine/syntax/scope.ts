import type ts from 'typescript';
import { adoptedIn } from './adopt.js';
import type { Kinds } from './kinds.js';
import type { Ts } from './typescript.js';

export type BindingKind = 'const' | 'let' | 'param' | 'function' | 'class' | 'import' | 'enum' | 'catch' | 'namespace';

/** A value name and all that is known of it by syntax alone. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  /** The identifier that declares it. */
  readonly id: ts.Identifier;
  /** VariableDeclaration, BindingElement, ParameterDeclaration, FunctionDeclaration, ImportSpecifier, ... */
  readonly declaration: ts.Node;
  /** The scope it lives in: a function, block, module. */
  readonly scope: ts.Node;
  /** Assignments after the declaration: `x = ..`, `x += ..`, `x++`, destructuring targets, loop heads. The node is the whole assignment. */
  readonly writes: readonly ts.Node[];
}

/** Lexical scopes of one file. Works on unbound files, so that every host gives the same answer. */
export interface Scopes {
  /** The binding an identifier refers to; undefined for globals and property names. */
  resolve(id: ts.Identifier): Binding | undefined;
  /** A binding by name as seen from a node. */
  lookup(name: string, from: ts.Node): Binding | undefined;
  /** Type-level declarations of the module: interfaces, aliases, classes, enums, imports that bring a type. */
  typeNamed(name: string, from: ts.Node): ts.Declaration | undefined;
}

interface MutableBinding extends Binding {
  readonly writes: ts.Node[];
}

/** Collects all declarations of a file, then answers look-ups by walking up the tree. */
export function createScopes(ts: Ts, kinds: Kinds, file: ts.SourceFile): Scopes {
  const values = new Map<ts.Node, Map<string, MutableBinding>>();
  const types = new Map<ts.Node, Map<string, ts.Declaration>>();
  const K = ts.SyntaxKind;
  const pendingWrites: { target: ts.Identifier; write: ts.Node }[] = [];

  const adopted = adoptedIn(file)?.declaring;
  if (adopted === undefined) walk(file);
  else adopted.forEach(read);
  for (const { target, write } of pendingWrites) lookupValue(target.text, target)?.writes.push(write);

  return {
    resolve: (id) => lookupValue(id.text, id),
    lookup: (name, from) => lookupValue(name, from),
    typeNamed: (name, from) => lookupIn(types, name, from),
  };

  function lookupValue(name: string, from: ts.Node): MutableBinding | undefined {
    return lookupIn(values, name, from);
  }

  // Iterative over siblings, recursive over depth: a file nested deeper than the stack allows is refused by the caller's guard.
  function walk(node: ts.Node): void {
    // Most nodes declare nothing.
    if (kinds.declaring[node.kind] === 1) read(node);
    ts.forEachChild(node, walk);
  }

  function read(node: ts.Node): void {
    declare(node);
    noteWrites(node);
  }

  function declare(node: ts.Node): void {
    switch (node.kind) {
      case K.VariableDeclaration: if (ts.isVariableDeclaration(node)) declareVariable(node); return;
      // Parameters of a JSDoc function type have no names.
      case K.Parameter: if (ts.isParameter(node) && !ts.isJSDocFunctionType(node.parent)) addPattern(node.name, 'param', node, node.parent); return;
      case K.FunctionDeclaration: if (ts.isFunctionDeclaration(node) && node.name) add(node.name, 'function', node, blockOf(node.parent)); return;
      case K.FunctionExpression: if (ts.isFunctionExpression(node) && node.name) add(node.name, 'function', node, node); return;
      case K.ClassDeclaration:
        if (!ts.isClassDeclaration(node) || !node.name) return;
        add(node.name, 'class', node, blockOf(node.parent));
        return addType(node.name.text, node, blockOf(node.parent));
      case K.ClassExpression: if (ts.isClassExpression(node) && node.name) add(node.name, 'class', node, node); return;
      case K.EnumDeclaration:
        if (!ts.isEnumDeclaration(node)) return;
        add(node.name, 'enum', node, blockOf(node.parent));
        return addType(node.name.text, node, blockOf(node.parent));
      case K.InterfaceDeclaration:
      case K.TypeAliasDeclaration: if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) addType(node.name.text, node, blockOf(node.parent)); return;
      case K.ModuleDeclaration: if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name)) add(node.name, 'namespace', node, blockOf(node.parent)); return;
      case K.ImportClause: if (ts.isImportClause(node) && node.name) addImport(node.name, node); return;
      case K.NamespaceImport:
      case K.ImportSpecifier:
      case K.ImportEqualsDeclaration: if (ts.isNamespaceImport(node) || ts.isImportSpecifier(node) || ts.isImportEqualsDeclaration(node)) addImport(node.name, node); return;
      case K.TypeParameter: if (ts.isTypeParameterDeclaration(node)) addType(node.name.text, node, node.parent); return;
      default: return;
    }
  }

  function declareVariable(node: ts.VariableDeclaration): void {
    const list = node.parent;
    const caught = ts.isCatchClause(list);
    const constant = !caught && ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.BlockScoped) !== 0 && (list.flags & ts.NodeFlags.Let) === 0;
    const blockScoped = caught || (ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.BlockScoped) !== 0);
    const scope = blockScoped ? blockOf(node) : functionOf(node);
    addPattern(node.name, caught ? 'catch' : constant ? 'const' : 'let', node, scope);
  }

  function addImport(id: ts.Identifier, node: ts.Declaration): void {
    add(id, 'import', node, file);
    addType(id.text, node, file);
  }

  function addPattern(name: ts.BindingName, kind: BindingKind, declaration: ts.Node, scope: ts.Node): void {
    if (ts.isIdentifier(name)) {
      add(name, kind, declaration, scope);
      return;
    }
    for (const element of name.elements) {
      if (ts.isBindingElement(element)) addPattern(element.name, kind, element, scope);
    }
  }

  function add(id: ts.Identifier, kind: BindingKind, declaration: ts.Node, scope: ts.Node): void {
    const table = tableOf(values, scope);
    const known = table.get(id.text);
    // `var x` twice and overloads: the first declaration with a body or initialiser is the one that counts.
    if (known !== undefined && hasBody(known.declaration)) return;
    table.set(id.text, { name: id.text, kind, id, declaration, scope, writes: known?.writes ?? [] });
  }

  function hasBody(node: ts.Node): boolean {
    if (ts.isFunctionDeclaration(node)) return node.body !== undefined;
    return !ts.isVariableDeclaration(node) || node.initializer !== undefined;
  }

  function addType(name: string, declaration: ts.Declaration, scope: ts.Node): void {
    const table = tableOf(types, scope);
    if (!table.has(name)) table.set(name, declaration);
  }

  function noteWrites(node: ts.Node): void {
    switch (node.kind) {
      case K.BinaryExpression: if (ts.isBinaryExpression(node) && isAssignmentOperator(node.operatorToken.kind)) noteTarget(node.left, node); return;
      case K.PrefixUnaryExpression:
      case K.PostfixUnaryExpression: if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator)) noteTarget(node.operand, node); return;
      case K.ForOfStatement:
      case K.ForInStatement: if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer)) noteTarget(node.initializer, node); return;
      default: return;
    }
  }

  function noteTarget(target: ts.Node, write: ts.Node): void {
    if (ts.isIdentifier(target)) pendingWrites.push({ target, write });
    else if (ts.isParenthesizedExpression(target)) noteTarget(target.expression, write);
    else if (ts.isArrayLiteralExpression(target)) for (const element of target.elements) noteTarget(ts.isSpreadElement(element) ? element.expression : element, write);
    else if (ts.isObjectLiteralExpression(target)) {
      for (const property of target.properties) {
        if (ts.isShorthandPropertyAssignment(property)) noteTarget(property.name, write);
        else if (ts.isPropertyAssignment(property)) noteTarget(property.initializer, write);
        else if (ts.isSpreadAssignment(property)) noteTarget(property.expression, write);
      }
    } else if (ts.isBinaryExpression(target)) noteTarget(target.left, write);
  }

  function isAssignmentOperator(kind: ts.SyntaxKind): boolean {
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  }

  function isStep(kind: ts.SyntaxKind): boolean {
    return kind === ts.SyntaxKind.PlusPlusToken || kind === ts.SyntaxKind.MinusMinusToken;
  }

  function blockOf(node: ts.Node): ts.Node {
    for (let n: ts.Node | undefined = node; n; n = n.parent) {
      if (ts.isBlock(n) && ts.isFunctionLike(n.parent)) return n.parent;
      if (ts.isBlock(n) || ts.isFunctionLike(n) || ts.isSourceFile(n) || ts.isCaseBlock(n) || ts.isModuleBlock(n) || ts.isCatchClause(n) || ts.isClassStaticBlockDeclaration(n)) return n;
      if (ts.isForStatement(n) || ts.isForOfStatement(n) || ts.isForInStatement(n)) return n;
    }
    return file;
  }

  function functionOf(node: ts.Node): ts.Node {
    for (let n: ts.Node | undefined = node.parent; n; n = n.parent) {
      if (ts.isFunctionLike(n) || ts.isSourceFile(n) || ts.isModuleBlock(n) || ts.isClassStaticBlockDeclaration(n)) return n;
    }
    return file;
  }
}

function tableOf<V>(tables: Map<ts.Node, Map<string, V>>, scope: ts.Node): Map<string, V> {
  const known = tables.get(scope);
  if (known !== undefined) return known;
  const table = new Map<string, V>();
  tables.set(scope, table);
  return table;
}

function lookupIn<V>(tables: Map<ts.Node, Map<string, V>>, name: string, from: ts.Node): V | undefined {
  for (let n: ts.Node | undefined = from; n; n = n.parent) {
    const found = tables.get(n)?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
