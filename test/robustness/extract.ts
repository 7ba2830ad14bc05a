import ts from 'typescript';
import type { Transform } from './transform.js';

/** Moves the body of a function or method into a helper beside it that is not exported and called once. */
export const extractBody: Transform = (file, choose) => {
  const functions = extractable(file);
  const chosen = functions[choose(functions.length)];
  if (chosen === undefined) return [];
  const { node, name, body } = chosen;
  const helper = `${name}Inner`;
  const isMethod = ts.isMethodDeclaration(node);
  const isAsync = has(node, ts.SyntaxKind.AsyncKeyword);
  const isStatic = has(node, ts.SyntaxKind.StaticKeyword);
  const receiver = isMethod ? (isStatic ? `${className(node)}.` : 'this.') : '';
  const argumentsText = node.parameters.map((parameter) => parameter.name.getText(file)).join(', ');
  const head = [isMethod ? 'private' : '', isStatic ? 'static' : '', isAsync ? 'async' : '', isMethod ? '' : 'function'].filter((word) => word !== '').join(' ');
  const signature = file.text.slice(node.name?.getEnd() ?? node.getStart(file), body.getStart(file));
  return [
    { start: body.getStart(file), end: body.getEnd(), text: `{\n  return ${receiver}${helper}(${argumentsText});\n}` },
    { start: node.getEnd(), end: node.getEnd(), text: `\n${head} ${helper}${signature}${body.getText(file)}` },
  ];
};

interface Extractable {
  readonly node: ts.FunctionDeclaration | ts.MethodDeclaration;
  readonly name: string;
  readonly body: ts.Block;
}

function extractable(file: ts.SourceFile): Extractable[] {
  const found: Extractable[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body !== undefined && isSimple(file, node)) {
      found.push({ node, name: node.name?.getText(file) ?? '', body: node.body });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What the new pair of functions says the same way: no generator, no overload, no decorator or tag that speaks of the function by place. */
function isSimple(file: ts.SourceFile, node: ts.FunctionDeclaration | ts.MethodDeclaration): boolean {
  if (node.name === undefined || !ts.isIdentifier(node.name) || node.asteriskToken !== undefined) return false;
  if (ts.isMethodDeclaration(node) && !ts.isClassDeclaration(node.parent)) return false;
  if (ts.canHaveDecorators(node) && ts.getDecorators(node) !== undefined) return false;
  if (file.text.slice(node.getFullStart(), node.getStart(file)).includes('@')) return false;
  if (/\b(?:super|arguments)\b/.test(node.getText(file))) return false;
  return node.parameters.every(({ name, initializer, dotDotDotToken, questionToken }) =>
    ts.isIdentifier(name) && name.text !== 'this' && initializer === undefined && dotDotDotToken === undefined && questionToken === undefined);
}

function has(node: ts.FunctionDeclaration | ts.MethodDeclaration, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

function className(node: ts.MethodDeclaration): string {
  return ts.isClassDeclaration(node.parent) && node.parent.name !== undefined ? node.parent.name.text : 'this';
}
