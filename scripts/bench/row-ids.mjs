/** The rows of the table in their order, which is also the order within a round: what is compared stands near to each other. */
export const ROW_IDS = [
  'node', 'require', 'parse', 'warm', 'changed', 'review', 'cold', 'tsc7', 'tsc6', 'oxlint',
  'eslint-untyped', 'eslint-untyped-ours', 'eslint-untyped-again', 'eslint-typed', 'eslint-typed-ours', 'eslint-typed-again', 'scaling',
];
