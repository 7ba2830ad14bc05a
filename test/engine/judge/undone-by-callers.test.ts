import { describe, expect, it } from 'vitest';
import { subjectsOf } from '../../../src/engine/judge/subjects.js';
import { unitOf } from '../functions/hand-made.js';

const MARKERS = `
  const key = (id: string) => \`sent:\${id}\`;
  export async function firstTime(id: string) { return (await redis.set(key(id), '1', 'EX', 300, 'NX')) === 'OK'; }
  export async function forget(id: string) { await redis.del(key(id)); }
`;

/** Whether the DEL of the markers is the undo of a claim, given the text of a file that calls it. */
function isClaim(caller: string, others: Readonly<Record<string, string>> = {}): boolean | undefined {
  return subjectsOf(unitOf({ 'markers.ts': MARKERS, 'caller.ts': `import { firstTime, forget } from './markers';\n${caller}`, ...others })).find((s) => s.kind === 'L')?.claim;
}

const inCatch = 'export async function send(id) { if (!(await firstTime(id))) return; try { await mail(id); } catch (e) { await forget(id); throw e; } }';

describe('the undo of a claim in a function of its own', () => {
  it('is called in the catch clause of the winner\'s work', () => expect(isClaim(inCatch)).toBe(true));
  it('is called where the work gave an error', () => expect(isClaim('async function send(id) { if (await firstTime(id)) { const [error] = await attempt(mail(id)); if (error) await forget(id); } }')).toBe(true));
  it('is called by a handler of the rejection', () => expect(isClaim('async function send(id) { if (await firstTime(id)) await mail(id).catch(async (e) => { await forget(id); throw e; }); }')).toBe(true));
  it('is no undo when called after the work', () => expect(isClaim('async function send(id) { if (!(await firstTime(id))) return; await mail(id); await forget(id); }')).toBe(false));
  it('is no undo when called in finally', () => expect(isClaim('async function send(id) { if (!(await firstTime(id))) return; try { await mail(id); } finally { await forget(id); } }')).toBe(false));
  it('is not proven where the caller did not claim', () => expect(isClaim('async function retry(id) { try { await mail(id); } catch { await forget(id); } }')).toBe(false));
  it('is not proven where another file calls it otherwise', () => expect(isClaim(inCatch, { 'admin.ts': 'import { forget } from "./markers"; export const reset = (id) => forget(id);' })).toBe(false));
  it('is not proven where it is handed on', () => expect(isClaim(inCatch, { 'jobs.ts': 'import { forget } from "./markers"; queue.onFailed(forget);' })).toBe(false));
  it('is proven whatever tests do', () => expect(isClaim(inCatch, { 'markers.test.ts': 'await forget("a");' })).toBe(true));
  it('is not proven where nobody calls it', () => expect(isClaim('')).toBe(false));
});
