import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Import {
  /** Importing file, from the package's folder. */
  readonly from: string;
  /** A file of this package, or the package imported. */
  readonly to: string;
  readonly kind: 'file' | 'package';
  readonly typeOnly: boolean;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** All TypeScript files under `src` and `rules`, from the package's folder. */
export function ownFiles(): string[] {
  return ['src', 'rules'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`));
}

/** Every import of a file: statements, re-exports, `import()` at run time and in types. */
export function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(`${ROOT}${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const relative = specifier.text.startsWith('.');
    const to = relative ? posix.join(posix.dirname(file), specifier.text).replace(/\.js$/, '.ts') : specifier.text;
    found.push({ from: file, to, kind: relative ? 'file' : 'package', typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeExport(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = importClause.namedBindings;
  return importClause.name === undefined && names !== undefined && ts.isNamedImports(names) && names.elements.every((element) => element.isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  return isTypeOnly || (exportClause !== undefined && ts.isNamedExports(exportClause) && exportClause.elements.every((element) => element.isTypeOnly));
}
