// The rows of the table: what each runs, and what it makes ready first. `prepare` is not measured; `command` may change a scratch copy
// before its round; `read` tells what the output says.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editor } from './edits.mjs';
import { installedPeer, ownPackage } from './peers.mjs';
import { counted, firstLine, readEslint, readOxlint, readTsc } from './peer-output.mjs';
import { projectFiles } from './project-files.mjs';
import { cachedAudit, coldAudit, review } from './step-lock.mjs';

const ESLINT_CHILD = fileURLToPath(new URL('eslint-child.mjs', import.meta.url));
/** A project that is incremental or composite would leave files behind, and be warm the second time. */
const TSC_FLAGS = ['--noEmit', '--incremental', 'false', '--composite', 'false', '--tsBuildInfoFile', 'null', '--pretty', 'false'];
/** What `tsc` 6 calls deprecated and 7 has removed. */
const OLD_OPTIONS = ['--ignoreDeprecations', '6.0'];

const ROWS = {
  node: () => ({ words: '`node -e 0`', command: () => node('-e', '0') }),
  require: () => ({ words: "`require('typescript')`", command: () => node('-e', `require(${typescript()})`) }),
  parse: (context) => {
    const [file] = context.telling(1);
    const code = `const ts = require(${typescript()}); ts.createSourceFile('a.ts', require('node:fs').readFileSync(${JSON.stringify(join(context.tree('still'), file))}, 'utf8'), 99, true)`;
    return { words: "`require('typescript')` and the parse of the file that `changed` edits", command: () => node('-e', code) };
  },
  cold: (context) => ({
    words: `\`audit${context.flags.audit.noCache ? ' --no-cache' : ''}\``,
    command: () => coldAudit(context.flags, context.tree('still'), context.options.path),
    read: readAudit,
    note: countsOf(context),
  }),
  warm: (context) => {
    const command = cachedAudit(context.flags, context.tree('still'), context.options.path, context.folder('cache-warm'));
    const first = {};
    const prepare = () => prime(command, first);
    return { words: '`audit`, nothing changed', prepare, command: () => command, read: (ran) => readWarm(ran, first.stdout), note: cacheNote(context) };
  },
  changed: (context) => {
    const edit = editor(context.tree('changed'), context.telling(1));
    const command = cachedAudit(context.flags, context.tree('changed'), context.options.path, context.folder('cache-changed'));
    return { words: '`audit`, one file changed', prepare: () => prime(command), command: afterEdit(edit, command), read: readAudit, note: cacheNote(context) };
  },
  review: (context) => {
    const files = context.telling(3);
    const edit = editor(context.tree('review'), files);
    const command = review(context.flags, context.tree('review'), context.options.path, context.folder('cache-review'));
    // A review of no change need not look at the base: the cache is filled by one of another change of the same files.
    return { words: `\`review\` of ${files.length} changed files`, prepare: () => prime(afterEdit(edit, command)(0)), command: afterEdit(edit, command), read: readReview };
  },
  tsc6: (context) => ({
    words: `\`tsc --noEmit\` ${ownPackage('typescript').version}`, command: () => ({ ...node(tsc6(), '-p', context.options.tsconfig, ...TSC_FLAGS, ...OLD_OPTIONS), cwd: context.subject }), read: readTsc,
  }),
  tsc7: (context) => {
    const { folder, version } = installedPeer('typescript7');
    return { words: `\`tsc --noEmit\` ${version}, native`, command: () => ({ ...node(join(folder, 'bin/tsc'), '-p', context.options.tsconfig, ...TSC_FLAGS), cwd: context.subject, native: true }), read: readTsc };
  },
  oxlint: (context) => {
    const { folder, version } = installedPeer('oxlint');
    return { words: `oxlint ${version}, one rule`, command: () => ({ ...node(join(folder, 'bin/oxlint'), '-A', 'all', '-D', 'no-debugger', '--disable-nested-config', '.'), cwd: context.subject }), read: readOxlint };
  },
  'eslint-untyped': (context) => eslintRow(context, { typed: false, ours: false }),
  'eslint-untyped-ours': (context) => eslintRow(context, { typed: false, ours: true }),
  'eslint-untyped-again': (context) => eslintRow(context, { typed: false, ours: true, again: true }),
  'eslint-typed': (context) => eslintRow(context, { typed: true, ours: false }),
  'eslint-typed-ours': (context) => eslintRow(context, { typed: true, ours: true }),
  'eslint-typed-again': (context) => eslintRow(context, { typed: true, ours: true, again: true }),
};

/** The row of an id, ready to run: { id, words, command(round), read(ran), note } or { id, words, failed } with the reason in words. */
export function readyRow(id, context) {
  try {
    const row = ROWS[id](context);
    const unable = row.prepare?.();
    return { id, ...row, ...(unable === undefined ? {} : { failed: unable }) };
  } catch (error) {
    return { id, words: '', failed: firstLine(error.message) };
  }
}

function node(...args) {
  return { file: process.execPath, args };
}

function typescript() {
  return JSON.stringify(ownPackage('typescript').folder);
}

function tsc6() {
  return join(ownPackage('typescript').folder, 'bin/tsc');
}

function afterEdit(edit, command) {
  return (round) => {
    edit(round);
    return command;
  };
}

/** Runs a command once, so that its cache is filled. `said` gets what it printed. */
function prime({ file, args, cwd }, said = {}) {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
  said.stdout = stdout;
  return status === 0 || status === 1 ? undefined : (firstLine(stderr) ?? `ended with status ${status}`);
}

function readAudit({ status, stderr }) {
  return status === 0 ? {} : { failed: firstLine(stderr) ?? `ended with status ${status}` };
}

/** A cache that is fast and wrong is no figure. */
function readWarm(ran, first) {
  return ran.status === 0 && ran.stdout !== first ? { failed: 'printed another report than the run that filled the cache' } : readAudit(ran);
}

/** The change has faults in it: a review that passes has not looked. */
function readReview({ status, stderr }) {
  if (status === 1) return { note: 'finds the faults of the change' };
  return { failed: status === 0 ? 'found none of the faults that were put into the change' : (firstLine(stderr) ?? `ended with status ${status}`) };
}

function countsOf(context) {
  const { files, findings } = context.audited();
  return `${counted(files, 'file')} judged, ${counted(findings, 'finding')}`;
}

function cacheNote(context) {
  return context.flags.audit.location === undefined ? 'this build keeps no cache of an audit' : undefined;
}

/**
 * `again`: nothing has changed since a run that kept what it found. The part of our rules is told by one run before the rounds that looks at the clock for each rule, which
 * would count as theirs.
 */
function eslintRow(context, { typed, ours, again = false }) {
  const { options, subject } = context;
  const name = `${typed ? 'typed' : 'untyped'}${again ? '-again' : ours ? '-ours' : ''}`;
  const files = projectFiles(tsc6(), subject, options.tsconfig);
  const cache = join(context.folder('eslint'), `${name}-cache`);
  const lint = (timed) => {
    const request = join(context.folder('eslint'), `${name}${timed ? '-timed' : ''}.json`);
    writeFileSync(request, JSON.stringify({ cwd: subject, files, typed, ours, tsconfig: options.tsconfig, cache, timed }));
    return { ...node(ESLINT_CHILD, request), cwd: subject };
  };
  const command = lint(false);
  const words = `ESLint ${ownPackage('eslint').version}, one ${typed ? 'typed' : 'untyped'} rule${ours ? ' and our recommended rules' : ''}${again ? ', a second time, nothing changed' : ''}`;
  if (!ours) return { words, command: () => command, read: readEslint };
  const said = {};
  return {
    words,
    prepare: () => (again ? prime(command) : undefined) ?? prime(lint(true), said),
    command: () => {
      if (!again) rmSync(cache, { recursive: true, force: true });
      return command;
    },
    read: (ran) => readOurs(ran, said.stdout),
  };
}

/** As with the audit: what is fast and tells something else is no figure. */
function readOurs(ran, timed) {
  const told = readEslint(ran);
  const { note, share } = readEslint({ ...ran, stdout: timed });
  return told.failed !== undefined || told.note === note ? { ...told, share } : { failed: 'found something else than the run before' };
}
