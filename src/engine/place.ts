/** A stretch of source text. Lines and columns start at 1; the end column is exclusive. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A stretch of source text in a file. `file` is the path the project port uses (absolute or as given). */
export interface Place extends Span {
  readonly file: string;
}

/** What happens at a step of a witness. */
export type WitnessRole = 'enter' | 'read' | 'acquire' | 'test' | 'await' | 'call' | 'write' | 'renew' | 'lose' | 'release' | 'exit';

/** One step on the path that proves a violation. */
export interface WitnessStep {
  readonly place: Place;
  readonly role: WitnessRole;
  readonly note: string;
}
