import { digestOf } from '../audit/digest.js';
import { absolutePath } from '../audit/file-path.js';
import { configDigest } from '../review/config-digest.js';
import { exceptionsStamp } from './exceptions-stamp.js';
import type { Finding } from './finding.js';
import { findingsFile, type FindingsFile } from './findings-file.js';
import type { JudgedFile } from './judging.js';
import type { KeptEntry, KeptVerdict } from './kept-entry.js';
import { openProgram, type OpenProgram } from './kept-programs.js';
import type { LintContext } from './lint-context.js';
import { NAMESPACE } from './package-meta.js';
import { runLimitsStamp } from './run-limit-files.js';
import { extensionOf, isUnnamed } from './source-extension.js';
import { parsersOwn, type ReadSource } from './source-file.js';
import { today } from './today.js';
import { installedTypeScript } from './typescript-copy.js';

/** What is kept of the file being linted. */
export interface KeptFile {
  /** Undefined: nothing of use is kept, and the file has to be judged. */
  readonly findings: readonly Finding[] | undefined;
  /** Keeps what was found; null: there is nothing to judge. */
  keep(judged: Pick<JudgedFile, 'findings' | 'exceptions' | 'asked'> | null): void;
}

/** How findings are kept. */
export interface Keeping {
  /** Tells this version of all that judges from others. */
  readonly build: string;
  /** Has the findings written when the process ends. */
  readonly atEnd: (write: () => void) => void;
}

/**
 * What earlier runs found, where all that it rests on is the same: the text, the settings, the parser, the exceptions and the day they are judged at, and what the program
 * answers to all that was asked of it.
 * @returns Undefined for a file of which nothing is kept.
 */
export function keptFindings({ build, atEnd }: Keeping): (context: LintContext) => KeptFile | undefined {
  const files = new Map<string, FindingsFile | undefined>();
  atEnd(() => { for (const file of files.values()) file?.write(); });
  return (context) => {
    if (isUnnamed(context.filename) || extensionOf(context.filename) === undefined) return undefined;
    const settings = ownSettings(context.settings);
    const reader = settings.cache === false ? undefined : readerOf(context);
    if (reader === undefined) return undefined;
    const { cwd } = context;
    const folder = typeof settings.cache === 'string' ? settings.cache : undefined;
    const place = `${cwd}\0${folder ?? ''}`;
    if (!files.has(place)) files.set(place, findingsFile(cwd, build, folder));
    const file = files.get(place);
    if (file === undefined) return undefined;
    const program = reader.tree?.program && openProgram(reader.tree.ts, reader.tree.program, file);
    if (reader.tree?.program !== undefined && program === undefined) return undefined;
    return keptFile(context, { under: digestOf(`${reader.name}\0${settings.digest}`), day: settings.asOf ?? today(), file, program });
  };
}

interface Surroundings {
  readonly under: string;
  readonly day: string;
  readonly file: FindingsFile;
  readonly program: OpenProgram | undefined;
}

function keptFile(context: LintContext, { under, day, file, program }: Surroundings): KeptFile {
  const { cwd } = context;
  const path = absolutePath(cwd, context.filename);
  const text = digestOf(context.sourceCode.text);
  // Before the file is judged: what changes meanwhile must not be taken for what was judged with.
  let exceptions: string | undefined;
  const exceptionsNow = (): string => (exceptions ??= exceptionsStamp(cwd));
  const entry = file.get(path);
  const isSame = entry !== undefined && entry.text === text && entry.under === under && entry.typed?.program === program?.id && holds(entry);
  if (isSame) file.touch(path);
  else exceptionsNow();
  return {
    findings: isSame ? entry.judged?.findings ?? [] : undefined,
    keep(judged) {
      const typed = program?.noted(judged?.asked);
      file.put(path, {
        text, under, ...(typed && { typed }),
        ...(judged && { judged: { findings: judged.findings, ...limitsOf(judged), ...exceptionsOf(judged) } }),
      });
    },
  };

  function exceptionsOf({ exceptions: looked }: Pick<JudgedFile, 'exceptions'>): Pick<KeptVerdict, 'exceptions' | 'day'> {
    return looked === 'none' ? {} : { exceptions: exceptionsNow(), ...(looked === 'dated' && { day }) };
  }

  function holds({ judged }: KeptEntry): boolean {
    if (judged === undefined) return true;
    return (judged.exceptions === undefined || judged.exceptions === exceptionsNow()) && (judged.day ?? day) === day && (judged.limits === undefined || judged.limits.said === runLimitsStamp(judged.limits.of));
  }
}

function limitsOf({ asked }: Pick<JudgedFile, 'asked'>): Pick<KeptVerdict, 'limits'> {
  const of = [...asked.limits].map((path) => absolutePath('.', path)).sort();
  return of.length === 0 ? {} : { limits: { of, said: runLimitsStamp(of) } };
}

interface OwnSettings {
  readonly cache: unknown;
  readonly asOf: string | undefined;
  readonly digest: string;
}

/** ESLint hands the same object to all rules and files of one configuration. */
const known = new WeakMap<object, OwnSettings>();

/** As they are written: that they are right was seen when the file was judged under the same ones. */
function ownSettings(shared: unknown): OwnSettings {
  const own: unknown = typeof shared === 'object' && shared !== null ? Reflect.get(shared, NAMESPACE) : undefined;
  if (typeof own !== 'object' || own === null) return { cache: undefined, asOf: undefined, digest: String(own) };
  let found = known.get(own);
  if (found === undefined) {
    const asOf: unknown = Reflect.get(own, 'asOf');
    found = { cache: Reflect.get(own, 'cache'), asOf: typeof asOf === 'string' ? asOf : undefined, digest: configDigest(own) };
    known.set(own, found);
  }
  return found;
}

interface Reader {
  readonly name: string;
  /** Undefined: it leaves none that is of use. */
  readonly tree: ReadSource | undefined;
}

/** What reads the text: another parser may take it otherwise, or keep another tree. Undefined where that cannot be told. */
function readerOf(context: LintContext): Reader | undefined {
  const { parser } = context.languageOptions;
  const own = parsersOwn(context);
  const typeScript = own === undefined ? installedTypeScript(context.cwd) : `tree ${own.ts.version}`;
  const meta: unknown = parser && 'meta' in parser ? parser.meta : undefined;
  return typeScript === undefined ? undefined : { tree: own, name: `${typeScript} ${JSON.stringify(meta)}` };
}
