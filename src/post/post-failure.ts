/** A review that could not be posted: told in one plain sentence with the next step. Never carries the token. */
export class PostFailure extends Error {
  override readonly name = 'PostFailure';

  /**
   * @param sentence What went wrong, one sentence with a full stop.
   * @param nextStep What to do about it, one sentence with a full stop.
   */
  constructor(sentence: string, readonly nextStep: string) {
    super(sentence);
  }
}
