/** A mistake of the person at the keyboard: told in one plain sentence with the next step, never with a stack. */
export class UserMistake extends Error {
  override readonly name = 'UserMistake';

  /**
   * @param sentence What is wrong, one sentence with a full stop.
   * @param nextStep What to do about it, one sentence with a full stop.
   */
  constructor(sentence: string, readonly nextStep: string) {
    super(sentence);
  }
}
