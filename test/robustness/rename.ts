import ts from 'typescript';
import type { Transform } from './transform.js';

/**
 * Renames one variable or parameter of a function everywhere. A word goes before the old name, since role words and units
 * (`ttlMs`, `ownerId`) are facts the engine may read; the new name holds them all.
 */
export const renameVariable: Transform = (file, choose) => {
  const checker = checkerOf(file);
  const uses = usesBySymbol(file, checker);
  const symbols = [...uses.keys()].filter(({ declarations = [] }) => declarations.length > 0 && declarations.every(isRenamable));
  const symbol = symbols[choose(symbols.length)];
  if (symbol === undefined) return [];
  const name = `the${symbol.name.charAt(0).toUpperCase()}${symbol.name.slice(1)}`;
  return (uses.get(symbol) ?? []).map((use) => ({
    start: use.getStart(file),
    end: use.getEnd(),
    text: ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ${name}` : name,
  }));
};

function usesBySymbol(file: ts.SourceFile, checker: ts.TypeChecker): Map<ts.Symbol, ts.Identifier[]> {
  const uses = new Map<ts.Symbol, ts.Identifier[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
      if (symbol !== undefined) uses.set(symbol, [...(uses.get(symbol) ?? []), node]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** Plain variables and parameters of functions with a body. Others have a meaning outside: properties, exports, types' parameters. */
function isRenamable(declaration: ts.Declaration): boolean {
  if (ts.isParameter(declaration)) {
    const owner = declaration.parent;
    return ts.isIdentifier(declaration.name) && declaration.modifiers === undefined && declaration.name.text !== 'this' && 'body' in owner && owner.body !== undefined;
  }
  return ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name) && ts.findAncestor(declaration, ts.isFunctionLike) !== undefined;
}

/** A checker of this file alone: without libraries, since only its own names are asked for. */
function checkerOf(file: ts.SourceFile): ts.TypeChecker {
  const options: ts.CompilerOptions = { noLib: true, noResolve: true, types: [], allowJs: true };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    fileExists: (name) => name === file.fileName,
    readFile: () => undefined,
  };
  return ts.createProgram({ rootNames: [file.fileName], options, host }).getTypeChecker();
}
