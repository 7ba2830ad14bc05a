import type ts from 'typescript';
import { headOf } from './module-head.js';
import { holesOf, namesDeclared, type Hole } from './pieces.js';
import type { Ts } from './typescript.js';

/**
 * What can be asked about a file without reading all of it. Each is a key for what a piece of work looked at: the path, a NUL, and the question. The path alone stands
 * for the whole text. A file that changed is asked again: where the answers are the same, so is the work.
 */
export const QUESTIONS = {
  /** Whether there is such a file. */
  isThere: '!',
  /** All top-level declarations, without bodies and values. */
  skeleton: '.',
  /** Its imports and directives, and whether it exports something by a list or by a mark. */
  head: '<',
  /** What a top-level name is declared as, without bodies and values. Followed by the name. */
  name: '#',
  /** What the file exports under a name, and whether it declares it. Followed by the name. */
  exported: '>',
  /**
   * Whether none of the files whose exports it exports as a whole exports a name, those left aside that are asked themselves. Followed by the name. It is asked of them
   * all at once, since a barrel has hundreds and most hold no such word. Where one of them changes, that one tells whether the answer may be another.
   */
  members: '*',
  /** A body or value. Followed by the name of the hole. */
  hole: '{',
  /** The parts that mention a word. Followed by the word. */
  word: '?',
  /** Whether a pattern is found, or with the flag `g` all it finds. Followed by the pattern. */
  pattern: '~',
  /** Where a part stands. Followed by the question for the part. */
  place: '@',
} as const;

/** The key of a question about a file. */
export function questionKey(path: string, kind: keyof typeof QUESTIONS, about = ''): string {
  return `${path}\0${QUESTIONS[kind]}${about}`;
}

/** The key of a question as `questionOf` gives it. */
export function keyOfQuestion(path: string, question: string): string {
  return question === '' ? path : `${path}\0${question}`;
}

/** Path and question of a key; undefined for keys of other kinds. The question is empty for the whole text. */
export function questionOf(key: string): { readonly path: string; readonly question: string } | undefined {
  if (!key.startsWith('/') && !/^[A-Za-z]:/.test(key)) return undefined;
  const at = key.indexOf('\0');
  return at < 0 ? { path: key, question: '' } : { path: key.slice(0, at), question: key.slice(at + 1) };
}

interface Part {
  readonly text: string;
  readonly names: readonly string[];
  readonly statement: ts.Statement;
  readonly holes: readonly Hole[];
}

/** Answers questions about a file: texts that differ where the answers do. */
export function answersOf(ts: Ts, file: ts.SourceFile): (question: string) => string {
  const holes = holesOf(ts, file);
  const holeText = new Map(holes.map((hole) => [hole, file.text.slice(hole.node.pos, hole.node.end)]));
  const parts = partsOf(ts, file, holes);
  let byName: ReadonlyMap<string, readonly string[]> | undefined;
  let byExport: ReadonlyMap<string, readonly string[]> | undefined;
  let byWord: ReadonlyMap<string, readonly string[]> | undefined;
  let assigned: ReadonlySet<string> | undefined;

  return (question) => {
    const about = question.slice(1);
    switch (question[0]) {
      case undefined: return file.text;
      case QUESTIONS.isThere: return 'there';
      case QUESTIONS.skeleton: return parts.map(({ text }) => text).join('\n');
      case QUESTIONS.head: return head();
      case QUESTIONS.name: return declared(about);
      case QUESTIONS.exported: return exported(about);
      // What it exports as a whole is a part of the answer to `exported`, which is asked with it.
      case QUESTIONS.members: return '';
      case QUESTIONS.hole: return holes.flatMap((hole) => (hole.name === about ? holeText.get(hole) ?? '' : [])).join('\n');
      case QUESTIONS.word: return mentioning(about);
      case QUESTIONS.pattern: return found(about);
      case QUESTIONS.place: return placeOf(about);
      default: throw new Error(`no such question: ${question}`);
    }
  };

  function head(): string {
    const { imports, directives, listsExports, marksExports } = headOf(ts, file);
    return JSON.stringify([imports.map((s) => s.getText(file)), directives, listsExports, marksExports]);
  }

  function textsOf(name: string): readonly string[] {
    byName ??= grouped(parts.flatMap(({ names, statement, text }) => [...names.map((n) => [n, text] as const), ...importsOf(ts, file, statement)]));
    return byName.get(name) ?? [];
  }

  function declared(name: string): string {
    // A function may be replaced; the parts that do so are noted with the name.
    assigned ??= new Set([...file.text.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\s*=(?![=>])/g)].map(([, one = '']) => one));
    return [...textsOf(name), ...assigned.has(name) ? ['='] : []].join('\n');
  }

  /** What `export` statements say of a name; as what it is declared is asked for by name. */
  function exported(name: string): string {
    byExport ??= grouped(parts.flatMap((part) => exportsOf(ts, file, part)));
    const always = byExport.get('') ?? [];
    return [...always, ...always.some((text) => text.includes('exports')) ? [declared('exports')] : [], ...byExport.get(name) ?? [], ...textsOf(name).length > 0 ? ['declared'] : []].join('\n');
  }

  function mentioning(word: string): string {
    const texts = parts.flatMap((part) => [part.text, ...part.holes.map((hole) => holeText.get(hole) ?? '')]);
    if (!PLAIN_WORD.test(word)) return texts.filter((text) => text.includes(word)).join('\n');
    byWord ??= grouped(texts.flatMap((text) => [...new Set(text.match(WORDS))].map((one) => [one, text] as const)));
    return (byWord.get(word) ?? []).join('\n');
  }

  function found(pattern: string): string {
    const end = pattern.lastIndexOf('/');
    const asked = new RegExp(pattern.slice(1, end), pattern.slice(end + 1));
    return asked.global ? [...file.text.matchAll(asked)].map(([, one]) => one).join('\n') : String(asked.test(file.text));
  }

  function placeOf(part: string): string {
    const name = part.slice(1);
    const nodes = part.startsWith(QUESTIONS.hole)
      ? holes.filter((hole) => hole.name === name).map(({ node }) => node)
      : parts.filter(({ names }) => names.includes(name)).flatMap(({ statement, holes: own }) => [statement, ...own.map(({ node }) => node)]);
    return nodes.flatMap((node) => [node.getStart(file), node.end]).map((at) => {
      const { line, character } = file.getLineAndCharacterOfPosition(at);
      return `${String(line)}:${String(character)}`;
    }).join(' ');
  }
}

const WORDS = /[A-Za-z_$][\w$]*/g;
const PLAIN_WORD = /^[A-Za-z_$][\w$]*$/;

function partsOf(ts: Ts, file: ts.SourceFile, holes: readonly Hole[]): readonly Part[] {
  let next = 0;
  return file.statements.map((statement): Part => {
    const first = next;
    while ((holes[next]?.node.end ?? Infinity) <= statement.end) next++;
    const own = holes.slice(first, next);
    return { statement, holes: own, names: namesDeclared(ts, statement), text: textWithout(file.text, statement, own) };
  });
}

/** The names that a statement imports, each with all that it says of the name. */
function importsOf(ts: Ts, file: ts.SourceFile, statement: ts.Statement): (readonly [name: string, text: string])[] {
  if (ts.isImportEqualsDeclaration(statement)) return [[statement.name.text, statement.getText(file)]];
  if (!ts.isImportDeclaration(statement) || statement.importClause === undefined) return [];
  const { name: whole, namedBindings } = statement.importClause;
  const from = statement.moduleSpecifier.getText(file);
  const isType = statement.importClause.getText(file).startsWith('type ');
  const told = (kind: string): string => `${kind} ${String(isType)} ${from}`;
  const named = namedBindings === undefined ? [] : ts.isNamespaceImport(namedBindings)
    ? [[namedBindings.name.text, told('*')] as const]
    : namedBindings.elements.map((e) => [e.name.text, told(e.getText(file))] as const);
  return whole === undefined ? named : [[whole.text, told('default')], ...named];
}

/** What a statement says of exported names; under the empty name what may concern any. */
function exportsOf(ts: Ts, file: ts.SourceFile, { statement, text }: Part): (readonly [name: string, text: string])[] {
  if (ts.isExportDeclaration(statement)) {
    const from = statement.moduleSpecifier?.getText(file) ?? '';
    if (statement.exportClause === undefined) return [['', `* ${from}`]];
    if (!ts.isNamedExports(statement.exportClause)) return [['', text]];
    return statement.exportClause.elements.map((e) => [e.name.text, `${e.getText(file)} ${from}`] as const);
  }
  if (ts.isExportAssignment(statement)) return [['default', text]];
  if (ts.isExpressionStatement(statement)) return text.includes('exports') ? [['', text]] : [];
  return /\bdefault\b/.test(text) ? [['default', text]] : [];
}

function grouped(entries: readonly (readonly [name: string, text: string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, text] of entries) {
    const some = groups.get(name);
    if (some === undefined) groups.set(name, [text]);
    else some.push(text);
  }
  return groups;
}

/** The text of a statement with its comments and without its holes. How far it stands below the one before says nothing. */
function textWithout(text: string, statement: ts.Node, holes: readonly Hole[]): string {
  let result = '';
  let at = statement.pos;
  for (const { node } of holes) {
    result += `${text.slice(at, node.pos)}{}`;
    at = node.end;
  }
  return (result + text.slice(at, statement.end)).trimStart();
}
