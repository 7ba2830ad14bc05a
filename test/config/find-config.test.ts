import { expect, it } from 'vitest';
import { isSelfContained } from '../../src/config/find-config.js';

it.each([
  ['a.json', '{"profile":"strict"}', true],
  ['a.ts', "import { defineConfig } from 'step-lock/config';\nexport default defineConfig({ profile: 'strict' });\n", true],
  ['a.mjs', 'export default { ignore: ["src/old"] };\n', true],
  ['a.ts', "import { ignore } from './ignored.js';\nexport default { ignore };\n", false],
  ['a.ts', "import { defineConfig } from 'step-lock/config';\nimport './more.js';\nexport default defineConfig({});\n", false],
  ['a.js', 'module.exports = { ignore: require("./ignored") };\n', false],
  ['a.ts', "export { default } from './shared.js';\n", false],
  ['a.ts', 'export default { profile: process.env.CI ? "strict" : "recommended" };\n', false],
  ['a.ts', 'export default { ignore: [String(Date.now())] };\n', false],
])('whether a run can know %s %j by its text alone', (path, text, knows) => {
  expect(isSelfContained(path, text)).toBe(knows);
});
