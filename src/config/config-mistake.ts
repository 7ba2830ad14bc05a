/** A mistake in what the user told step-lock: one plain sentence that names the place, and what to do. */
export class ConfigMistake extends Error {
  override readonly name = 'ConfigMistake';

  /**
   * @param sentence What is wrong and where, one sentence with a full stop.
   * @param nextStep What to do about it, one sentence with a full stop.
   */
  constructor(sentence: string, readonly nextStep: string) {
    super(sentence);
  }
}
