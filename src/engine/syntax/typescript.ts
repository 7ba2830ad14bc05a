import type ts from 'typescript';

/**
 * The TypeScript namespace as a value. The engine never imports `typescript`: ts-morph, the user's ESLint and this package carry
 * different copies whose enum numbers differ, so every function that looks at a node takes the copy that made the node.
 */
export type Ts = typeof ts;
