/** Lower snake case: `JobStatus`, `job-status` and `JOB_STATUS` give `job_status`. */
export function normalised(word: string): string {
  const held = known.get(word);
  if (held !== undefined) return held;
  const made = snakeCase(word);
  known.set(word, made);
  return made;
}

/** The few hundred names of columns and tables of a program are asked for again and again. */
const known = new Map<string, string>();

function snakeCase(word: string): string {
  return word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2').replace(/[^A-Za-z0-9_]+/g, '_').toLowerCase();
}
