/**
 * Who may import whom: DESIGN section 3 as data. A room is a folder, or one file where the file stands for itself; the longest match
 * counts. A file may always import its own room. Type-only imports count too; `types` and `typePackages` allow those alone.
 */
export interface Room {
  readonly room: string;
  readonly mayImport: readonly string[];
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  readonly typePackages?: readonly string[];
  readonly why: string;
}

/** Plain data types that every engine room speaks in. */
const VOCABULARY = ['src/engine/edited-text.ts', 'src/engine/place.ts', 'src/engine/models.ts', 'src/engine/project.ts', 'src/engine/judge/outcome.ts', 'src/engine/kept.ts'];
const SYNTAX = ['src/engine/syntax', ...VOCABULARY];
const OPERATIONS = ['src/engine/operations', 'src/engine/embedded', ...SYNTAX];
const FLOW = ['src/engine/flow', ...OPERATIONS];
const FUNCTIONS = ['src/engine/functions', ...FLOW];
const TIME = ['src/engine/time', ...FUNCTIONS];
const TARGETS = ['src/engine/targets', ...FUNCTIONS];

export const ROOMS: readonly Room[] = [
  { room: 'rules', mayImport: ['src/engine/judge', 'src/skill'], types: ['src/engine'], why: 'a rule is judgement: mechanics belong to the engine, which hands it subjects' },
  { room: 'src/skill', mayImport: [], why: 'the skill is data' },
  { room: 'src/models', mayImport: [], types: ['src/engine'], why: 'models are data of the shapes the engine declares' },
  { room: 'src/config', mayImport: ['src/models'], types: ['src/engine'], packages: ['node:', 'zod', 'jiti'], why: 'configuration extends the models; it judges nothing' },

  { room: 'src/engine', mayImport: ['src/engine', 'src/skill'], typePackages: ['typescript'], why: 'pure: the ts namespace, models and rules are arguments; no I/O, no printing' },
  { room: 'src/engine/place.ts', mayImport: [], why: 'vocabulary: it stands below all rooms' },
  { room: 'src/engine/kept.ts', mayImport: [], why: 'what was worked out once is kept the same way in all rooms' },
  { room: 'src/engine/models.ts', mayImport: [], types: VOCABULARY, why: 'vocabulary' },
  { room: 'src/engine/edited-text.ts', mayImport: [], why: 'texts and numbers: whoever shows an edit makes it as the engine tried it' },
  { room: 'src/engine/project.ts', mayImport: [], typePackages: ['typescript'], why: 'vocabulary' },
  { room: 'src/engine/judge/outcome.ts', mayImport: [], types: VOCABULARY, why: 'vocabulary' },
  { room: 'src/engine/syntax', mayImport: SYNTAX, typePackages: ['typescript'], why: 'the ground floor of the engine' },
  { room: 'src/engine/embedded', mayImport: VOCABULARY, why: 'SQL and Lua are texts: no TypeScript here' },
  { room: 'src/engine/operations', mayImport: OPERATIONS, typePackages: ['typescript'], why: 'source to operations; knows nothing of order' },
  { room: 'src/engine/flow', mayImport: FLOW, typePackages: ['typescript'], why: 'order of operations within one function' },
  { room: 'src/engine/functions', mayImport: FUNCTIONS, typePackages: ['typescript'], why: 'functions together' },
  { room: 'src/engine/time', mayImport: TIME, typePackages: ['typescript'], why: 'how long code takes, and the timers that renew a lease' },
  { room: 'src/engine/targets', mayImport: TARGETS, typePackages: ['typescript'], why: 'writers of one target together' },
  { room: 'src/engine/judge', mayImport: ['src/engine', 'src/skill'], typePackages: ['typescript'], why: 'the top floor of the engine' },

  {
    room: 'src/exceptions', mayImport: ['src/config'], types: ['src/engine'], packages: ['node:', 'zod', 'ignore'], typePackages: ['typescript'],
    why: 'what was accepted, by whom and until when; the same for review and ESLint, so it knows of neither',
  },
  { room: 'src/review', mayImport: ['src/engine/judge/reported.ts', 'src/skill', 'src/exceptions'], types: ['src/engine'], packages: ['node:'], why: 'plain data from outcomes; which outcomes are findings is the engine\'s word' },
  {
    room: 'src/eslint', mayImport: ['src/engine', 'rules', 'src/config', 'src/models', 'src/exceptions', 'src/review/fingerprint.ts', 'src/review/config-digest.ts', 'src/audit/word-index.ts', 'src/audit/run-limits.ts', 'src/audit/run-limits-file.ts', 'src/audit/file-path.ts', 'src/audit/digest.ts', 'src/audit/kept-file.ts'], packages: ['@typescript-eslint/utils/eslint-utils', 'node:'],
    typePackages: ['eslint', 'typescript', '@typescript-eslint/utils/ts-eslint'],
    why: 'the plugin stays light: never ts-morph, never eslint; models come from `src/models` until `src/config` merges the user\'s',
  },
  {
    room: 'src/audit', mayImport: ['src/engine', 'rules', 'src/config', 'src/review', 'src/exceptions'], packages: ['node:', 'ts-morph', 'ignore'],
    typePackages: ['typescript'], why: 'the only room that loads ts-morph',
  },
  { room: 'src/change', mayImport: ['src/audit', 'src/review', 'src/engine', 'src/config', 'rules'], packages: ['node:', 'tinyexec', 'parse-diff'], why: 'a change is two audits' },
  { room: 'src/ledger', mayImport: [], types: ['src/review'], packages: ['node:crypto', 'zod'], why: 'what each run found and what closed it, as lines; it reads and writes no file' },
  {
    room: 'src/post', mayImport: ['src/report', 'src/skill'], types: ['src/review'],
    packages: ['zod', '@octokit/core', '@octokit/plugin-paginate-rest', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
    why: 'code hosts get the review as data; files, environment and output are handed in',
  },
  { room: 'src/report', mayImport: ['src/skill', 'src/review/open-findings.ts', 'src/engine/edited-text.ts'], types: ['src/review'], packages: ['@babel/code-frame', 'diff', 'node:util', 'node:crypto'], typePackages: ['sarif'], why: 'a format is a pure function of the review; it spells out the skill rows the review names by id' },
  { room: 'src/cli', mayImport: ['src', 'rules'], packages: ['node:', 'commander'], why: 'the shell: it alone may print and exit' },
  { room: 'src/index.ts', mayImport: ['src', 'rules'], why: 'the package\'s API' },
];
