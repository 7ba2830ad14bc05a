import { existsSync } from 'node:fs';
import { defineConfig } from 'eslint/config';
import eslintPlugin from 'eslint-plugin-eslint-plugin';
import tseslint from 'typescript-eslint';

// The plugin under development judges its own sources, as built. Before the first build there is none.
const built = new URL('./dist/src/eslint/index.js', import.meta.url);
const ownRules = existsSync(built) ? (await import(built.href)).default.configs.recommended : [];

export default defineConfig(
  { ignores: ['dist/', 'fixtures/', 'node_modules/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `case 'A': case 'B': return` and numbers in messages read well; an unused parameter is named `_`.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' }],
      // `void` marks a promise or a value left on purpose; `x === true` says that x may be undefined.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-unnecessary-boolean-literal-compare': ['error', { allowComparingNullableBooleansToTrue: true, allowComparingNullableBooleansToFalse: true }],
      // A guard ladder leaves with `return visit(node)`; a loop may run `for (;;)` and `while (true)`.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Ports are interfaces in method syntax, and none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `node.kind` is compared with kinds of groups of nodes, which TypeScript types as different enums.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
    },
  },
  { files: ['src/eslint/**/*.ts'], extends: [eslintPlugin.configs.recommended] },
  { files: ['src/**/*.ts', 'rules/**/*.ts'], extends: [ownRules] },
  {
    files: ['src/engine/**/*.ts'],
    rules: {
      // TypeScript types `parent` and other members as always there; at the root and in a tree with syntax errors they are not.
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Matchers such as `expect.stringMatching` are typed as `any` by vitest.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Generated programs are run to compare them with their control-flow graph.
      '@typescript-eslint/no-implied-eval': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  { files: ['**/*.{js,mjs}'], extends: [tseslint.configs.strict] },
);
