import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { text } from '../../src/report/text.js';
import { acquisition, place, transition, unknown, violated } from '../review/sample-analysis.js';
import { SOURCES, reviewOf, sampleReview } from './sample-review.js';

const source = (file: string): string | undefined => SOURCES[file];

it('shows each finding with code, numbered path and action, then the summary', () => {
  expect(text(sampleReview(), { color: false, source })).toMatchInlineSnapshot(`
    "warning likely require-cas  src/api|v2/steps.ts:40:5
      the lock a|b <c> *d* is broken
      to do  Mend it.

    error certain require-ttl  src/worker.ts:2:9
      the lock \`step:\${id}\` is broken

        1 | export async function run(redis: Redis, id: string) {
      > 2 |   await redis.set(\`step:\${id}\`, owner, "NX");
          |         ^^^^^^^^^^
        3 |   await work(id);
        4 | }

      1 acquire  worker.ts:2          no TTL
      2 await    worker.ts:3          a crash here leaves \`step:\${id}\` for good
      3 call     src/lib/work.ts:120
      second writer  src/api|v2/steps.ts:40:5
      to do  Pass \`PX\` with a time.

    verdict     not-ready  1 error and 1 warning to mend or to answer for (profile recommended).
    scope       3 files judged (40 more hold no word of a lock or a state): 3 places, 1 lock, 1 wrapper, 2 state writes
    skill       violated R3 (1), R6 (1); unknown R1, R2, R4, R5, R7, F1, F2, F3, F4
    tests       unknown V1, V2, V3, V4, V5, V6, V7, V8
    targets     1 state target with 2 writers; 1 pair can overlap:
                step: src/api|v2/steps.ts:40:5 (queue: any -> done; lock: none) against
                  src/ok.ts:3:3 (queue: any -> done; lock: none)
    unknown     1 answer settles 1 of 1 unknown:
                Does \`work\` free the lock? (1 unknown)
                  say  policy: { onOutage: 'fail-closed' }
    look-alikes 1 place that resembles a lock or a state write, judged by nothing (named in the json and markdown reports)
    left out    2 files, test code: a.test.ts, b.test.ts
                1 file, not UTF-8 text: old.js
    errors      src/big.ts:5 budget spent
    "
  `);
});

it('says the same in colour', () => {
  const plain = text(sampleReview(), { color: false, source });
  const colored = text(sampleReview(), { color: true, source });
  expect(colored).toContain('\u001B[31merror');
  expect(stripVTControlCharacters(colored)).toBe(plain);
});

it('says what was searched when nothing was seen, and lists near misses with the line that declares them', () => {
  const lookAlikes = [{ place: place('src/a.ts', 4), name: 'setStatus', why: 'no durable store', configLine: "targets: [{ name: 'a' }]" }];
  expect(text(reviewOf({ lookAlikes }), { color: false, source })).toMatchInlineSnapshot(`
    "verdict     nothing-seen  No lock operation and no state write was seen in 43 files (3 of them with a word of a lock or a state). This is no pass: nothing was judged.
    scope       3 files judged (40 more hold no word of a lock or a state): 0 places, 0 locks, 0 wrappers, 0 state writes
    skill       unknown R1, R2, R3, R4, R5, R6, R7, F1, F2, F3, F4
    tests       unknown V1, V2, V3, V4, V5, V6, V7, V8
    look-alikes 1 place that resembles a lock or a state write, judged by nothing:
                src/a.ts:4 setStatus: no durable store
                  to have it judged: targets: [{ name: 'a' }]
    "
  `);
});

it('does not claim to have read a folder without sources', () => {
  expect(text(reviewOf({}, { filesJudged: 0, filesWithoutSubjects: 0 }), { color: false, source })).toContain('There was no TypeScript or JavaScript file to read.');
});

it('keeps the list of questions short and says how many are left', () => {
  const sites = Array.from({ length: 13 }, (_, at) => acquisition(place('src/a.ts', at + 1), { 'require-release': unknown(`Question ${at}?`) }));
  const report = text(reviewOf({ sites }), { color: false, source });
  expect(report.match(/Question/g)).toHaveLength(10);
  expect(report).toContain('3 answers settle 3 of 13 unknowns:');
  expect(report).toContain('and 3 more questions in the json report');
});

it('does not let judged source steer the terminal', () => {
  const hostile = (file: string): string | undefined => source(file)?.replace('work(id)', 'work("\u001B[2J")');
  expect(text(sampleReview(), { color: false, source: hostile })).not.toContain('\u001B');
});

it('leaves the frame out where the file has changed or its lines are endless', () => {
  expect(text(sampleReview(), { color: false, source: () => 'short' })).not.toContain('| ');
  expect(text(sampleReview(), { color: false, source: () => 'x'.repeat(10_000) })).not.toContain('xxx');
});

it('marks the first line of a statement over many lines and shows some of the others', () => {
  const whole = { ...place('src/worker.ts', 2, 9), endLine: 9, endColumn: 3 };
  const review = reviewOf({ sites: [acquisition(whole, { 'require-ttl': violated(whole) })] });
  const lines = ['', '  await pool.query(', ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `    ${name},`), '  );'];
  const shown = text(review, { color: false, source: () => lines.join('\n') });
  expect(shown).toContain('> 2 |   await pool.query(\n      |         ^^^^^^^^^^^\n    3 |     a,');
  expect(shown.match(/\^+/g)).toHaveLength(1);
  expect(shown).toContain('     e,');
  expect(shown).not.toContain('     g,');
});
