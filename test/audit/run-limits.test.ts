import { describe, expect, it } from 'vitest';
import { readRunLimits } from '../../src/audit/run-limits.js';

const limits = (files: Readonly<Record<string, string>>): ReturnType<typeof readRunLimits> => readRunLimits(Object.keys(files), (path) => files[path]);

describe('how long a platform lets a file run', () => {
  it('by the patterns of the manifest above it, in milliseconds', () => {
    const told = limits({ '/shop/apps/web/vercel.json': JSON.stringify({ functions: { 'app/(jobs)/api/cron/**/*.ts': { maxDuration: 600 }, 'pages/api/one.ts': { maxDuration: 30, memory: 512 } } }) });
    expect(told('/shop/apps/web/app/(jobs)/api/cron/feeds/route.ts')).toBe(600_000);
    expect(told('/shop/apps/web/pages/api/one.ts')).toBe(30_000);
    expect(told('/shop/apps/web/src/pages/api/one.ts')).toBeUndefined();
    expect(told('/shop/apps/web/pages/API/one.ts')).toBeUndefined();
    expect(told('/shop/apps/worker/app/(jobs)/api/cron/feeds/route.ts')).toBeUndefined();
  });

  it('the nearest manifest that speaks of the file counts', () => {
    const told = limits({
      '/shop/vercel.json': JSON.stringify({ functions: { 'apps/**/*.ts': { maxDuration: 10 } } }),
      '/shop/apps/web/vercel.json': JSON.stringify({ functions: { 'api/slow.ts': { maxDuration: 90 } } }),
    });
    expect(told('/shop/apps/web/api/slow.ts')).toBe(90_000);
    expect(told('/shop/apps/web/api/quick.ts')).toBe(10_000);
  });

  it.each(['', '{', '[]', '{"functions": []}', '{"functions": {"a.ts": {"maxDuration": "60"}}}', '{"functions": {"a.ts": null}}'])('nothing is told by %s', (text) => {
    expect(limits({ '/shop/vercel.json': text })('/shop/a.ts')).toBeUndefined();
  });
});
