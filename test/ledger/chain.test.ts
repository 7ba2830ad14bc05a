import { describe, expect, it } from 'vitest';
import { readLedger, writeLine } from '../../src/ledger/chain.js';
import type { LedgerEntry } from '../../src/ledger/entry.js';

/** A ledger of some runs. */
function ledger(runs: number): string {
  let text = '';
  for (let run = 1; run <= runs; run++) {
    const { lines } = readLedger(text);
    const entry: LedgerEntry = { schemaVersion: 1, run, previous: lines.at(-1)?.hash ?? '', asOf: `2026-12-0${String(run)}`, configDigest: 'c', verdict: 'undecided', opened: [], closed: [], exceptions: [] };
    text += writeLine(entry);
  }
  return text;
}

const FOUR = ledger(4);
const rows = FOUR.trimEnd().split('\n');
const of = (...kept: string[]): string => kept.map((row) => `${row}\n`).join('');
const [one = '', two = '', three = '', four = ''] = rows;

describe('a ledger that was only appended to', () => {
  it('is whole', () => {
    const { lines, broken } = readLedger(FOUR);
    expect(broken).toBeUndefined();
    expect(lines.map(({ entry }) => entry.run)).toEqual([1, 2, 3, 4]);
    expect(readLedger('')).toEqual({ lines: [] });
  });

  it.each([
    ['a verdict is changed', of(one, two.replace('undecided', 'ready'), three, four), 2, /^was changed after it was written/],
    ['a date is changed in the last line', of(one, two, three, four.replace('2026-12-04', '2026-12-05')), 4, /^was changed/],
    ['a blank is put in', of(one, two.replace('"run":2', '"run": 2'), three, four), 2, /^was changed/],
    ['a line is taken out', of(one, three, four), 2, /^does not follow the line before it/],
    ['the first line is taken out', of(two, three, four), 1, /^does not follow/],
    ['two lines are swapped', of(one, three, two, four), 2, /^does not follow/],
    ['a line is put in twice', of(one, two, two, three, four), 3, /^does not follow/],
    ['a line of another ledger is put in', of(one, writeLine({ ...JSON.parse(ledger(1)) as LedgerEntry, asOf: '2000-01-01' }).trimEnd(), three), 2, /^(?:does not follow|is no line)/],
    ['the last line is cut', FOUR.slice(0, -20), 4, /^is cut short/],
    ['the last line break is gone', FOUR.slice(0, -1), 4, /^is cut short/],
    ['a line is emptied', of(one, '', three, four), 2, /^is no line of a ledger$/],
    ['prose is put in', of(one, 'all is well', three, four), 2, /^is no line of a ledger$/],
    ['line ends are rewritten', FOUR.replaceAll('\n', '\r\n'), 1, /^is no line of a ledger$/],
  ])('is told from one where %s', (_, text, line, what) => {
    const { lines, broken } = readLedger(text);
    expect(broken).toEqual({ line, what: expect.stringMatching(what) });
    expect(lines).toHaveLength(line - 1);
  });

  it('any byte that is changed is found', () => {
    for (let at = 0; at < FOUR.length; at += 7) {
      const changed = FOUR.slice(0, at) + (FOUR[at] === 'x' ? 'y' : 'x') + FOUR.slice(at + 1);
      expect(readLedger(changed).broken, `byte ${String(at)}`).toBeDefined();
    }
  });

  it('a line rewritten with a fitting hash breaks the next', () => {
    const forged = writeLine({ ...(readLedger(FOUR).lines[1]?.entry ?? fail()), verdict: 'ready' }).trimEnd();
    expect(readLedger(of(one, forged, three, four)).broken).toMatchObject({ line: 3, what: expect.stringMatching(/^does not follow/) });
  });
});

function fail(): never {
  throw new Error('the ledger has lines');
}
