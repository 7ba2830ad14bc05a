/** The name of the baseline, in the working directory. In a file of its own: whether there is one is asked before anything is loaded. */
export const BASELINE_FILE = 'step-lock.baseline.json';
