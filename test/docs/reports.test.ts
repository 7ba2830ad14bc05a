import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FORMAT_FILES } from '../../src/cli/format-files.js';
import { formats } from '../../src/report/formats.js';

const page = readFileSync(new URL('../../docs/reports.md', import.meta.url), 'utf8');

it('every format has its file and its row in docs/reports.md', () => {
  expect(Object.keys(FORMAT_FILES).sort()).toEqual(Object.keys(formats).sort());
  const rows = [...page.matchAll(/^\| `([\w-]+)`.*\| `([^`]+)` \|$/gm)].map(([, format = '', file = '']) => [format, file]);
  expect(Object.fromEntries(rows)).toEqual(FORMAT_FILES);
});
