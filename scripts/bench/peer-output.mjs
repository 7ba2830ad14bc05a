// What a peer's output says about whether it did its job: a compiler that stops at its options is fast and proves nothing.

const ERROR = /^(?:(?<file>[^\s(][^(]*)\(\d+,\d+\): )?error TS(?<code>\d+): (?<text>.*)$/;

/**
 * What tsc said. After an error of its options, of a type library that is missing, or of syntax, tsc checks no types at all and says nothing
 * of that: only an error about types in a source file, or no error, shows that it did.
 * @returns { failed } with the reason in words when it checked no types; else { note } that tells how many errors it found.
 */
export function readTsc({ status, stdout, stderr }) {
  const errors = `${stdout}\n${stderr}`.split(/\r?\n/).map((line) => ERROR.exec(line)?.groups).filter((found) => found !== undefined);
  if (errors.length === 0) return status === 0 ? { note: 'no type errors' } : { failed: wordOf({ status, stdout, stderr }) };
  if (errors.some(isAboutTypes)) return { note: counted(errors.length, 'error') };
  return { failed: `checked no types: TS${errors[0].code} ${errors[0].text}` };
}

/** Syntax errors have four digits and begin with 1. */
function isAboutTypes({ file, code }) {
  return file !== undefined && !file.endsWith('.json') && !/^1\d{3}$/.test(code);
}

/** What the ESLint child said, the JSON of `eslint-child.mjs` on the last line of stdout. `share`: our rules' part of the CPU of the process, in a run that was asked for it. */
export function readEslint({ status, stdout, stderr }) {
  const told = lastJson(stdout);
  if (status !== 0 || told === undefined) return { failed: wordOf({ status, stdout: '', stderr }) };
  if (told.files > 0 && told.unparsed === told.files) return { failed: `could read none of its ${told.files} files: ${told.firstFatal}` };
  const parts = [counted(told.files, 'file')];
  if (told.unparsed > 0) parts.push(`${told.unparsed} not read`);
  if (told.ours !== undefined) {
    parts.push(counted(told.ours.findings, 'finding'));
  }
  return { note: parts.join(', '), share: told.ours?.share };
}

/** What oxlint said: `Finished in 12ms on 203 files with 1 rules using 2 threads.` */
export function readOxlint({ status, stdout, stderr }) {
  const finished = /on (\d+) files? with (\d+) rules?/.exec(stdout);
  if (status === null || finished === null) return { failed: wordOf({ status, stdout, stderr }) };
  return { note: `${counted(Number(finished[1]), 'file')}, ${counted(Number(finished[2]), 'rule')}` };
}

function wordOf({ status, stdout, stderr }) {
  return firstLine(stderr) ?? firstLine(stdout) ?? `ended with status ${status} and no word`;
}

function lastJson(text) {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** `1 file`, `2 files`. */
export function counted(count, thing) {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** The first line that says something, cut to what fits a table. */
export function firstLine(text) {
  return text.split(/\r?\n/).map((line) => line.trim()).find((line) => line !== '')?.slice(0, 160);
}
