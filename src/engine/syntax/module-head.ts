import type ts from 'typescript';
import { Kept, noteRead, unnoted } from '../kept.js';
import { questionKey } from './questions.js';
import type { Unit } from './unit.js';

/** What makes a file a module. Who asks for it does not depend on what else the file declares. */
export interface ModuleHead {
  readonly imports: readonly ts.ImportDeclaration[];
  /** The strings that stand alone before all else: `use server`. */
  readonly directives: readonly string[];
  /** Whether it has `export { .. }`, `export * from ..` or `export default ..`. */
  readonly listsExports: boolean;
  /** Whether a declaration is marked with `export`. */
  readonly marksExports: boolean;
}

export function moduleHead(unit: Unit): ModuleHead {
  noteRead(questionKey(unit.path, 'head'));
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = unnoted(() => headOf(unit.ts, unit.file));
  known.set(unit, found);
  return found;
}

const known = new Kept<Unit, ModuleHead>();

/** The same of a tree. */
export function headOf(ts: Unit['ts'], { statements }: ts.SourceFile): ModuleHead {
  const directives: string[] = [];
  for (const s of statements) {
    if (!ts.isExpressionStatement(s) || !ts.isStringLiteral(s.expression)) break;
    directives.push(s.expression.text);
  }
  return {
    imports: statements.filter((s) => ts.isImportDeclaration(s)),
    directives,
    listsExports: statements.some((s) => ts.isExportDeclaration(s) || ts.isExportAssignment(s)),
    marksExports: statements.some((s) => ts.canHaveModifiers(s) && (ts.getModifiers(s) ?? []).some((m) => m.kind === ts.SyntaxKind.ExportKeyword)),
  };
}
