/** Verbs of functions of other files that may write a state; only such calls are followed there. */
export const STATE_VERB = /^(?:try|mark|claim|start|begin|take|transition|move|advance|acquire|reserve|resume|pause|suspend|complete|finish|fail|cancel|dequeue|pick|set|update|compare|swap|expire|settle|retry|requeue|release)(?=[A-Z]|$)/;
