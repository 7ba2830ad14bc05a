/** What an exception covers. Paths are absolute, with `/`. */
export type Coverage =
  /** A line of code: what is reported there. */
  | { readonly kind: 'line'; readonly file: string; readonly line: number }
  /** One finding, by its fingerprint, wherever it moves. `file`: where it was, for those who see one file at a time and cannot count equals. */
  | { readonly kind: 'fingerprint'; readonly fingerprint: string; readonly file?: string }
  /** All findings of the rule in files, spelled as in `.gitignore` and seen from a folder; `fn` narrows it to one function, `Class.method`. */
  | { readonly kind: 'files'; readonly folder: string; readonly pattern: string; readonly fn?: string };

/** An exception as somebody wrote it down, whatever it is worth. Plain data. */
export interface DeclaredException {
  /** The id of one rule; a comment that names several declares several exceptions. Empty where none is named. */
  readonly rule: string;
  readonly source: 'comment' | 'file';
  /** Where it is written, absolute, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly owner?: string;
  readonly reason?: string;
  /** As written, `YYYY-MM-DD`; not yet checked in a comment. */
  readonly expires?: string;
  readonly covers: Coverage;
  /** What keeps it from being read as it was meant, one sentence without a full stop. */
  readonly mistake?: string;
}
