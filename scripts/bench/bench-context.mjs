// What the rows share: the copies of the checkout, made when the first row asks for them, and what an audit says of it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spread } from './edits.mjs';
import { coldAudit, knownFlags } from './step-lock.mjs';
import { copyCheckout, sourceFiles } from './scratch-tree.mjs';

/** Most files the JSON of a report may take. */
const REPORT_BYTES = 1 << 30;

export function benchContext(options) {
  const scratch = mkdtempSync(join(tmpdir(), 'step-lock-bench-'));
  const flags = knownFlags();
  const made = new Map();
  const once = (key, make) => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
  };

  const context = {
    options,
    flags,
    scratch,
    /** The folder of the checkout itself that is judged: peers run here, and write nothing. */
    subject: join(options.checkout, options.path),
    /** A copy of the checkout under a name: two rows share it only by the same name. */
    tree: (name) => once(`tree ${name}`, () => copyCheckout(options.checkout, join(scratch, 'trees', name))),
    /** A folder that is there, for a cache or for files of a row. */
    folder: (name) => once(`folder ${name}`, () => makeFolder(join(scratch, name))),
    audited: () => once('audited', () => auditOnce(context.flags, context.tree('still'), options.path)),
    /** Files that hold something step-lock judges, spread over the tree: what is edited must matter. */
    telling: (count) => once(`telling ${count}`, () => tellingFiles(context, count)),
    end: () => {
      if (options.keep) return;
      rmSync(scratch, { recursive: true, force: true });
    },
  };
  return context;
}

/** What one audit says, untimed: { files, findings, sites }. */
export function auditOnce(flags, cwd, path) {
  const { file, args } = coldAudit(flags, cwd, path, ['--format', 'json']);
  const { stdout, stderr, status } = spawnSync(file, args, { cwd, encoding: 'utf8', maxBuffer: REPORT_BYTES });
  if (status !== 0) throw new Error(`the audit ended with status ${status}: ${stderr.trim().split('\n')[0]}`);
  const { scope, findings, sites } = JSON.parse(stdout);
  return { files: scope.filesJudged, findings: findings.length, sites: sites.map((site) => site.file) };
}

function tellingFiles(context, count) {
  const withSites = [...new Set(context.audited().sites)].sort();
  const others = sourceFiles(context.tree('still'), context.options.path).filter((file) => !withSites.includes(file));
  return withSites.length >= count ? spread(withSites, count) : [...withSites, ...spread(others, count - withSites.length)];
}

function makeFolder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}
