import { expect, test } from 'vitest';
import { readEslint, readOxlint, readTsc } from '../../../scripts/bench/peer-output.mjs';

const ran = (stdout: string, status: number | null = 0, stderr = ''): { stdout: string; status: number | null; stderr: string } => ({ stdout, status, stderr });

test('A type check without a word found no errors', () => {
  expect(readTsc(ran(''))).toEqual({ note: 'no type errors' });
});

test('A type check that found errors has done its work', () => {
  const stdout = "src/a.ts(3,5): error TS2322: Type 'number' is not assignable to type 'string'.\n  Deeper words.\nerror TS2318: Cannot find global type 'Array'.\n";
  expect(readTsc(ran(stdout, 2))).toEqual({ note: '2 errors' });
});

test.each([
  ['an option', "tsconfig.json(1,90): error TS5102: Option 'baseUrl' has been removed. Please remove it from your configuration.\n  Use 'paths'.", "TS5102 Option 'baseUrl' has been removed"],
  ['a type library', "error TS2688: Cannot find type definition file for 'node'.\n  The file is in the program because:", "TS2688 Cannot find type definition file for 'node'."],
  ['syntax', 'b.ts(1,7): error TS1134: Variable declaration expected.', 'TS1134 Variable declaration expected.'],
])('A type check that stopped at %s is no figure, and the reason is told', (_what, stdout, reason) => {
  expect(readTsc(ran(stdout, 2)).failed).toContain(`checked no types: ${reason}`);
});

test('A compiler that ended without a word of its own is told by its first line or its status', () => {
  expect(readTsc(ran('', 1, '\nError: Cannot find module\n  at x')).failed).toBe('Error: Cannot find module');
  expect(readTsc(ran('', null)).failed).toBe('ended with status null and no word');
});

test('A lint run tells its files, and the share of our rules in its CPU', () => {
  const stdout = '(node) a warning\n{"files":20,"unparsed":2,"firstFatal":"no","ours":{"share":0.01,"findings":3}}\n';
  expect(readEslint(ran(stdout))).toEqual({ note: '20 files, 2 not read, 3 findings', share: 0.01 });
});

test('A lint run that read no file is no figure', () => {
  expect(readEslint(ran('{"files":2,"unparsed":2,"firstFatal":"Parsing error: no project"}')).failed).toBe('could read none of its 2 files: Parsing error: no project');
  expect(readEslint(ran('no JSON', 2, 'Error: boom')).failed).toBe('Error: boom');
});

test('oxlint tells how many files it read', () => {
  expect(readOxlint(ran('Found 0 warnings and 0 errors.\nFinished in 12ms on 203 files with 1 rules using 2 threads.'))).toEqual({ note: '203 files, 1 rule' });
  expect(readOxlint(ran('', 1, 'Failed to parse')).failed).toBe('Failed to parse');
});
