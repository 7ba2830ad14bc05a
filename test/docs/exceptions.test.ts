import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { readExceptions } from '../../src/exceptions/load-exceptions.js';
import { exceptionsJsonSchema } from '../../src/exceptions/schema.js';
import type { Closing } from '../../src/ledger/entry.js';
import type { ReviewException } from '../../src/review/types.js';
import { tempTree } from '../audit/temp-tree.js';
import { reviewIn, stepLock } from '../cli/step-lock.js';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/exceptions.md', import.meta.url)), 'utf8');
const AS_OF = ['--as-of', '2026-12-01'];

function blocks(kind: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
}

const accepted = blocks('ts accepted');
const incomplete = blocks('ts incomplete');

describe('docs/exceptions.md', () => {
  it('has examples of each kind', () => {
    expect([accepted.length, incomplete.length, blocks('json exceptions').length]).toEqual([1, 1, 1]);
  });

  it.each(accepted)('shows an exception that accepts what is found', async (code) => {
    const review = await reviewIn(tempTree({ 'a.ts': code }), ...AS_OF);
    expect(review.findings.map(({ exception }) => exception)).toEqual(['x1']);
    expect((await reviewIn(tempTree({ 'a.ts': code.replace(/.*step-lock-ignore.*\n/, '') }), ...AS_OF)).findings.map(({ exception }) => exception)).toEqual([undefined]);
  });

  it.each(incomplete)('shows one that accepts nothing', async (code) => {
    const review = await reviewIn(tempTree({ 'a.ts': code }), ...AS_OF);
    expect(review.findings.map(({ exception }) => exception)).toEqual([undefined]);
    expect(review.exceptions.map(({ status }) => status)).toEqual(['incomplete']);
  });

  it.each(blocks('json exceptions'))('shows a file that can be read, of rules that there are', (text) => {
    const entries = readExceptions(text, '/shop/step-lock.exceptions.json');
    expect(entries.map(({ covers }) => covers.kind)).toEqual(['fingerprint', 'files', 'files']);
    expect(entries.filter(({ rule }) => !rules.some(({ id }) => id === rule))).toEqual([]);
  });

  it('tells of each status and of all that closes a finding', () => {
    const statuses = { active: 0, expiring: 0, expired: 0, unused: 0, incomplete: 0 } satisfies Record<ReviewException['status'], 0>;
    const closings = { verified: 0, gone: 0, exception: 0, 'told-by': 0, unknown: 0, 'not-applicable': 0 } satisfies Record<Closing['by'], 0>;
    expect([...Object.keys(statuses), ...Object.keys(closings)].filter((word) => !PAGE.includes(`| \`${word}\` |`))).toEqual([]);
  });

  it('names flags that there are', async () => {
    const help = (await Promise.all(['audit', 'explain', 'ledger'].map((command) => stepLock('.', command, '--help')))).map(({ stdout }) => stdout).join('');
    const flags = [...PAGE.matchAll(/(?<=step-lock [^`\n]*|`)--[a-z-]+/g)].map(([flag]) => flag);
    expect(flags.length).toBeGreaterThan(10);
    expect([...new Set(flags)].filter((flag) => !help.includes(flag) && flag !== '--suppress-all')).toEqual([]);
  });
});

it('the schema that editors read is that of the tool, and asks for what an exception needs', () => {
  const shipped: unknown = JSON.parse(readFileSync(fileURLToPath(new URL('../../schema/step-lock.exceptions.schema.json', import.meta.url)), 'utf8'));
  expect(shipped).toEqual(exceptionsJsonSchema());
  expect(shipped).toMatchObject({ properties: { exceptions: { items: { required: ['rule', 'owner', 'expires', 'reason'] } } } });
});
