/** Kinds of source that are left out unless a flag asks for them. */
export type LeftOutKind = 'test' | 'generated' | 'declaration';

/** Why a file of a kind was left out, with the flag that brings it back. */
export const LEFT_OUT_REASONS = {
  test: 'test code (judged with --include-tests)',
  generated: 'generated code (judged with --include-generated)',
  declaration: 'declaration file (judged with --include-declarations)',
} as const satisfies Record<LeftOutKind, string>;

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.(?:[^/]+\.)?[cm]?ts$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests?__|e2e|__mocks__|fixtures|__fixtures__|cypress)\//;
const TEST_FILE = /(?:\.(?:test|tests|spec|specs|e2e|cy|stories|story)|\.e2e-(?:spec|test)|_test)\.[cm]?[jt]sx?$/;
const GENERATED_PATH = /(?:^|\/)(?:__)?generated(?:__)?\/|\.(?:generated|gen)\.[^/]+$/;
const MIGRATION_PATH = /(?:^|\/)migrations?\//;
const OUTPUT_FOLDERS = new Set(['dist', 'build', 'out', 'coverage', '.next']);

/** Comments before the first line of code: where generators sign their work. */
const LEADING_COMMENTS = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#![^\n]*|(['"])use [a-z]+\1;?)+/;
const SIGNATURE = new RegExp([
  // The mark itself, not an import path such as `@generated/client` that a comment speaks of.
  String.raw`@generated(?![\w/-])`,
  String.raw`\bDO NOT EDIT\b`,
  String.raw`^\W*(?:auto-?|automatically )generated\b`,
  String.raw`\b(?:file|code|module)\b[^\n]*\b(?:auto-?|automatically )generated\b`,
].join('|'), 'im');
const LONGEST_AVERAGE_LINE = 5_000;

/** Whether the path ends like TypeScript or JavaScript source. */
export function isSourcePath(path: string): boolean {
  return SOURCE.test(path);
}

/** Whether tools usually write their output to folders of this name. */
export function isOutputFolder(name: string): boolean {
  return OUTPUT_FOLDERS.has(name);
}

/** The kind the path tells, for a path seen from the folder that was asked for; `undefined` for code a team maintains and runs. */
export function kindOfPath(path: string): LeftOutKind | undefined {
  if (DECLARATION.test(path)) return 'declaration';
  if (TEST_FILE.test(path) || TEST_FOLDER.test(path)) return 'test';
  // A migration is written once and often by a tool, yet it is what runs against the state.
  if (GENERATED_PATH.test(path) && !MIGRATION_PATH.test(path)) return 'generated';
  return undefined;
}

/** What brings a test runner in, for its values or its types. `vitest/config` and the like configure it. */
const RUNNER = /(?:\bfrom\s*|\bimport\s*|\brequire\()(['"])(?:node:test|bun:test|vitest|@jest\/globals|@japa\/(?:runner|assert|expect)|@playwright\/test|mocha|chai|ava|tape|tap|uvu|@ava\/\w+)\1/;

/** Whether the text is that of tests, wherever it lies: it brings in a test runner, as shared suites and their set-up do. */
export function isTestText(text: string): boolean {
  return RUNNER.test(text.slice(0, 5_000));
}

/** Whether the text is signed by a generator or minified. */
export function isGeneratedText(path: string, text: string): boolean {
  if (MIGRATION_PATH.test(path)) return false;
  return SIGNATURE.test(LEADING_COMMENTS.exec(text.slice(0, 3_000))?.[0] ?? '') || isMinified(text);
}

function isMinified(text: string): boolean {
  if (text.length <= LONGEST_AVERAGE_LINE) return false;
  const mostLines = text.length / LONGEST_AVERAGE_LINE;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (++lines >= mostLines) return false;
  }
  return true;
}
