/** Lower snake case: `JobStatus`, `job-status` and `JOB_STATUS` give `job_status`. */
export function normalised(word: string): string {
  return word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2').replace(/[^A-Za-z0-9_]+/g, '_').toLowerCase();
}
