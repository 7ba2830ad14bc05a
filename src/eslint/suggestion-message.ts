/** The message id under which a suggestion's own title is shown. */
export const SUGGESTION = 'suggestion';
