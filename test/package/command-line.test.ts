import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';

const BIN = fileURLToPath(new URL('../../dist/src/cli/bin.js', import.meta.url));

it('the built command line audits, and V8 knows the flags that it sets', () => {
  const root = tempTree({ 'take.ts': 'declare const redis: any;\nexport async function take(id: string) { await redis.set(`lock:${id}`, 1, "NX"); }\n' });
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'audit', '--no-cache', '--quiet', '--format', 'json'], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect((JSON.parse(stdout) as { sites: unknown[] }).sites).toHaveLength(1);
  expect(status).toBe(1);
});
