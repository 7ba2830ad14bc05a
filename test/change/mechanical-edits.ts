import ts from 'typescript';
import type { Choose } from '../robustness/seeded.js';
import { applyEdits, type Edit } from '../robustness/transform.js';

/** A file as it is before or after an edit. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** An edit that leaves the code as it is: places, names of files and layout move, nothing else. */
export type MechanicalEdit = (file: Text, choose: Choose) => Text;

export const MECHANICAL_EDITS = {
  'comments and code above': ({ path, text }, choose) => ({ path, text: insertedAbove(path, text, ABOVE.slice(0, 1 + choose(ABOVE.length)).join('\n')) }),
  'an unrelated function below': ({ path, text }, choose) => ({ path, text: `${text}\nexport function unrelated${String(choose(100))}(values: readonly number[]): number {\n  return values.reduce((sum, value) => sum + value, 0);\n}\n` }),
  'the printer of TypeScript': ({ path, text }) => ({ path, text: ts.createPrinter().printFile(parse(path, text)) }),
  'another indentation': ({ path, text }, choose) => ({ path, text: indented(path, text, ['\t', '    ', ''][choose(3)] ?? '') }),
  'other quotes': ({ path, text }) => ({ path, text: applyEdits(text, requoted(parse(path, text))) }),
  'line ends of another system': ({ path, text }) => ({ path, text: text.replace(/\r?\n/g, '\r\n') }),
  'a comment and line breaks in calls': ({ path, text }, choose) => ({ path, text: applyEdits(text, stretched(parse(path, text), choose)) }),
  'functions in another order': ({ path, text }, choose) => ({ path, text: applyEdits(text, swapped(parse(path, text), choose)) }),
  'methods in another order': ({ path, text }, choose) => ({ path, text: applyEdits(text, swappedMethods(parse(path, text), choose)) }),
  'a renamed file': ({ path, text }, choose) => ({ path: path.replace(/[^/]+(\.\w+)$/, `moved/renamed-${String(choose(1000))}$1`), text }),
} as const satisfies Record<string, MechanicalEdit>;

const ABOVE = ['// Added later.', '/* A note\n * of some lines. */', 'export const addedLater = [1, 2, 3];', 'export interface AddedLater { readonly name: string }', '', ''];

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** After the imports: directives and shebangs stay first. */
function insertedAbove(path: string, text: string, added: string): string {
  const { statements } = parse(path, text);
  const last = statements.filter((s) => ts.isImportDeclaration(s) || (ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression))).at(-1);
  const at = last?.getEnd() ?? (text.startsWith('#!') ? text.indexOf('\n') + 1 : 0);
  return `${text.slice(0, at)}\n${added}\n${text.slice(at)}`;
}

/** Every line begins anew, but those within a literal: their spaces belong to it. */
function indented(path: string, text: string, unit: string): string {
  const file = parse(path, text);
  const inside = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const [from, to] = [node.getStart(file), node.getEnd()].map((pos) => file.getLineAndCharacterOfPosition(pos).line);
      for (let line = (from ?? 0) + 1; line <= (to ?? 0); line++) inside.add(line);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return text.split('\n').map((line, at) => (inside.has(at) ? line : line.replace(/^ +/, (spaces) => unit.repeat(Math.ceil(spaces.length / 2))))).join('\n');
}

function requoted(file: ts.SourceFile): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const raw = ts.isStringLiteral(node) ? node.getText(file) : '';
    if (raw.length >= 2 && !/["'\\]/.test(raw.slice(1, -1))) {
      const quote = raw.startsWith('\'') ? '"' : '\'';
      edits.push({ start: node.getStart(file), end: node.getEnd(), text: quote + raw.slice(1, -1) + quote });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits;
}

/** `f(a, b)` as `f( // why\n a, b)`, in one call of three. */
function stretched(file: ts.SourceFile, choose: Choose): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) ? node.arguments : [];
    if (first !== undefined && choose(3) === 0) edits.push({ start: first.getStart(file), end: first.getStart(file), text: '/* a note, */\n      ' });
    if (ts.isCallExpression(node) && first !== undefined && !node.arguments.hasTrailingComma && choose(3) === 0) edits.push({ start: node.arguments.end, end: node.arguments.end, text: ',\n' });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits;
}

function swapped(file: ts.SourceFile, choose: Choose): Edit[] {
  return exchanged(file, file.statements.filter((s) => ts.isFunctionDeclaration(s) && s.body !== undefined), choose);
}

function swappedMethods(file: ts.SourceFile, choose: Choose): Edit[] {
  const classes = file.statements.filter(ts.isClassDeclaration);
  const chosen = classes[choose(classes.length)];
  return chosen === undefined ? [] : exchanged(file, chosen.members.filter((m) => ts.isMethodDeclaration(m) && m.body !== undefined), choose);
}

function exchanged(file: ts.SourceFile, nodes: readonly ts.Node[], choose: Choose): Edit[] {
  const [one, two] = [nodes[choose(nodes.length)], nodes[choose(nodes.length)]];
  if (one === undefined || two === undefined || one === two) return [];
  // With their comments: a tag belongs to its function.
  return [{ start: one.pos, end: one.end, text: two.getFullText(file) }, { start: two.pos, end: two.end, text: one.getFullText(file) }];
}
