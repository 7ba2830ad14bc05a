import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';
import { lockWithoutTtl, stepLock } from '../change/git-tree.js';

const PAGE = 'step-lock.protocol.md';
const QUIET = ['--fail-on', 'never'];

describe('the protocol file', () => {
  it('is written, is up to date, and is stale once a lock moved', async () => {
    const root = tempTree({ 'src/a.ts': lockWithoutTtl('one') });
    expect((await stepLock(root, 'audit', '--protocol', PAGE, ...QUIET)).code).toBe(0);
    const page = readFileSync(join(root, PAGE), 'utf8');
    expect(page).toContain('### `` `lock:one:${id}` `` in `one`, `src/a.ts`');

    expect(await stepLock(root, 'audit', '--protocol', PAGE, '--check', ...QUIET)).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(root, 'src/a.ts'), `// above\n\n${lockWithoutTtl('one')}export const sum = 1;\n`);
    expect((await stepLock(root, 'audit', '--protocol', PAGE, '--check', ...QUIET)).code).toBe(0);

    writeFileSync(join(root, 'src/a.ts'), lockWithoutTtl('one').replace("'NX'", "'PX', 30_000, 'NX'"));
    const stale = await stepLock(root, 'audit', '--protocol', PAGE, '--check', ...QUIET);
    expect(stale.code).toBe(1);
    expect(stale.stderr).toContain('`step-lock.protocol.md` is stale.');
    expect(stale.stderr).toContain('  - - TTL: none\n');
    expect(stale.stderr).toContain('  + - TTL: `30000 ms`\n');
    expect(readFileSync(join(root, PAGE), 'utf8')).toBe(page);
  });

  it('has to be there for --check, and has to be named', async () => {
    const root = tempTree({ 'src/a.ts': lockWithoutTtl('one') });
    const missing = await stepLock(root, 'audit', '--protocol', PAGE, '--check', ...QUIET);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no protocol file `step-lock.protocol.md`') });
    expect(existsSync(join(root, PAGE))).toBe(false);
    expect(await stepLock(root, 'audit', '--check', ...QUIET)).toMatchObject({ code: 2, stderr: expect.stringContaining('none is named') });
  });

  it('fails where fewer sites are judged than were asked for', async () => {
    const root = tempTree({ 'src/a.ts': lockWithoutTtl('one') });
    expect((await stepLock(root, 'audit', '--min-sites', '2', ...QUIET)).code).toBe(0);
    const thin = await stepLock(root, 'audit', '--min-sites', '40', ...QUIET);
    expect(thin.code).toBe(1);
    expect(thin.stderr).toMatch(/3 sites were judged, and --min-sites asks for 40\./);
    expect(await stepLock(root, 'audit', '--min-sites', 'many', ...QUIET)).toMatchObject({ code: 2, stderr: expect.stringContaining('no whole number') });
  });
});
