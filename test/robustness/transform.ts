import ts from 'typescript';
import type { Choose } from './seeded.js';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change of a source text that changes nothing of what it does. No edits: nothing here to change. */
export type Transform = (file: ts.SourceFile, choose: Choose) => Edit[];

/** The text with the edits made. They must not overlap; of those at one place the first given comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, index) => ({ edit, index })).sort((a, b) => b.edit.start - a.edit.start || b.index - a.index);
  return ordered.reduce((result, { edit }) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

/** Puts one statement of a function into a block of its own. */
export const wrapStatement: Transform = (file, choose) => {
  const inner = statementLists(file).flatMap(({ statements }) => statements.filter(keepsItsScope));
  const statement = inner[choose(inner.length)];
  return statement === undefined ? [] : [insert(statement.getStart(file), '{ '), insert(statement.getEnd(), ' }')];
};

/** Puts the end of a function's body, from some statement on, into a block. */
export const wrapRest: Transform = (file, choose) => {
  const lists = statementLists(file).filter(({ statements }) => !statements.some(ts.isFunctionDeclaration));
  const statements = lists[choose(lists.length)]?.statements;
  const first = statements?.[choose(statements.length)];
  const last = statements?.at(-1);
  return first === undefined || last === undefined ? [] : [insert(first.getStart(file), '{ '), insert(last.getEnd(), ' }')];
};

/** Adds a statement that cannot throw before some statement of a function. */
export const addQuietStatement: Transform = (file, choose) => {
  const inner = statementLists(file).flatMap(({ statements }) => statements);
  const statement = inner[choose(inner.length)];
  const quiet = QUIET[choose(QUIET.length)];
  return statement === undefined || quiet === undefined ? [] : [insert(statement.getStart(file), `${quiet} `)];
};

const QUIET = ['console.debug("here");', 'const noticed = 1;', 'void 0;', 'let counted = 0; counted += 1;', 'const begun = Date.now();', 'if (process.env["TRACE"] === "1") console.debug("here");'];

interface StatementList {
  readonly statements: readonly ts.Statement[];
}

/** The blocks of functions and of statements in functions: where a statement may be put. */
function statementLists(file: ts.SourceFile): StatementList[] {
  const lists: StatementList[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) && node.statements.length > 0 && !startsWithDirective(node.statements)) lists.push({ statements: [...node.statements] });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lists;
}

function startsWithDirective([first]: readonly ts.Statement[]): boolean {
  return first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression);
}

/** A declaration in a block of its own would be lost to the statements after it. */
function keepsItsScope(statement: ts.Statement): boolean {
  return !ts.isVariableStatement(statement) && !ts.isFunctionDeclaration(statement) && !ts.isClassDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)
    && !ts.isInterfaceDeclaration(statement) && !ts.isEnumDeclaration(statement);
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
