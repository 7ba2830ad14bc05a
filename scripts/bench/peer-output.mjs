// What a peer's output says about whether it did its job: a compiler that stops at its options is fast and proves nothing.

/** Errors of options, of the project file, or of none: after one of these, and after syntax errors, tsc checks no types. */
const ANY_ERROR = /^(?:(?<file>[^\s(][^(]*)\(\d+,\d+\): )?error TS(?<code>\d+): (?<text>.*)$/;

/**
 * What tsc said.
 * @returns { failed } with the reason in words when it checked no types; else { note } that tells how many type errors it found.
 */
export function readTsc({ status, stdout, stderr }) {
  const errors = `${stdout}\n${stderr}`.split(/\r?\n/).map((line) => ANY_ERROR.exec(line)?.groups).filter((found) => found !== undefined);
  const ofProject = errors.find(({ file, code }) => (file === undefined || file.endsWith('.json')) && !isOfTypes(code));
  if (ofProject !== undefined) return { failed: `checked no types: TS${ofProject.code} ${ofProject.text}` };
  const ofSyntax = errors.find(({ code }) => code.length === 4 && code.startsWith('1'));
  if (ofSyntax !== undefined && errors.every(({ code }) => code.length === 4 && code.startsWith('1'))) return { failed: `stopped at a syntax error: TS${ofSyntax.code} ${ofSyntax.text}` };
  if (status !== 0 && errors.length === 0) return { failed: firstLine(stderr) ?? firstLine(stdout) ?? `ended with status ${status} and no word` };
  return { note: errors.length === 0 ? 'no type errors' : `${errors.length} type errors` };
}

/** Errors about types that name no file, such as a global type that is missing, do not stop the check. */
function isOfTypes(code) {
  return code === '2318' || code === '2688';
}

/** What the ESLint child said, the JSON of `eslint-child.mjs` on the last line of stdout. `share`: our rules' part of the CPU of the process. */
export function readEslint({ status, stdout, stderr, cpuMs }) {
  const told = lastJson(stdout);
  if (status !== 0 || told === undefined) return { failed: firstLine(stderr) ?? `ended with status ${status} and no word` };
  if (told.files > 0 && told.unparsed === told.files) return { failed: `could read none of its ${told.files} files: ${told.firstFatal}` };
  const parts = [`${told.files} files`];
  if (told.unparsed > 0) parts.push(`${told.unparsed} not read`);
  if (told.ours !== undefined) {
    parts.push(`${told.ours.findings} findings`);
  }
  return { note: parts.join(', '), share: told.ours === undefined || cpuMs === undefined ? undefined : told.ours.ms / cpuMs };
}

/** What oxlint said: `Finished in 12ms on 203 files with 1 rules using 2 threads.` */
export function readOxlint({ status, stdout, stderr }) {
  const finished = /on (\d+) files? with (\d+) rules?/.exec(stdout);
  if (status === null || finished === null) return { failed: firstLine(stderr) ?? firstLine(stdout) ?? `ended with status ${status} and no word` };
  return { note: `${finished[1]} files, ${finished[2]} rule` };
}

function lastJson(text) {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** The first line that says something, cut to what fits a table. */
export function firstLine(text) {
  return text.split(/\r?\n/).map((line) => line.trim()).find((line) => line !== '')?.slice(0, 160);
}
