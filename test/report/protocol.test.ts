import { describe, expect, it } from 'vitest';
import { differingLines, protocolPage } from '../../src/report/protocol.js';
import { analysis, acquisition, place, transition } from '../review/sample-analysis.js';
import { reviewOf, sampleReview } from './sample-review.js';

describe('the protocol page', () => {
  it('names every lock and every writer by function and file', () => {
    const page = protocolPage(sampleReview());
    expect(page).toContain('### `step:${id}` in `Worker.run`, `src/worker.ts`');
    for (const line of ['- owner: `owner`', '- TTL: none', '- renewal: none', '- release: never', '- on contention: goes on', '- on outage: throws', '- protects: `step`', '- acquires: 1', '- state writes: 2', '- sites judged: 3']) {
      expect(page.split('\n')).toContain(line);
    }
    expect(page).toMatch(/### `step`\n\n- states: `done`, `open`\n/);
  });

  it('holds no line number, so that edits elsewhere leave it alone', () => {
    const at = (line: number): string => protocolPage(reviewOf({ ...analysis({}), sites: [acquisition(place('src/a.ts', line), {}), transition(place('src/b.ts', line * 2), {})] }));
    expect(at(700)).toBe(at(3));
    expect(at(700)).not.toMatch(/700|1400/);
  });

  it('does not depend on the order things were found in, and tells equals once', () => {
    const whole = sampleReview();
    const [lock] = whole.locks;
    if (lock === undefined) throw new Error('the sample has a lock');
    const two = { ...whole, locks: [{ ...lock, file: 'src/z.ts' }, lock, lock] };
    expect(protocolPage({ ...two, locks: two.locks.toReversed(), targets: two.targets.toReversed() })).toBe(protocolPage(two));
    expect(protocolPage(two).match(/^### `step:/gm)).toHaveLength(2);
    expect(protocolPage(two)).toContain('- taken so at 2 places');
  });

  it('survives names that are Markdown', () => {
    const whole = sampleReview();
    const page = protocolPage({ ...whole, targets: whole.targets.map((target) => ({ ...target, name: '`x`\n# y', writers: target.writers.map((writer) => ({ ...writer, guard: '<b>*bold*</b>' })) })) });
    expect(page).toContain('### `` `x` # y ``');
    expect(page).toContain('\\<b\\>\\*bold\\*\\</b\\>');
  });
});

describe('differing lines', () => {
  it('are those that came and went, each once', () => {
    expect(differingLines('a\nb\nb\nc\n', 'a\nb\nd\n')).toEqual(['- b', '- c', '+ d']);
    expect(differingLines('a\r\nb\r\n', 'a\nb\n')).toEqual([]);
  });
});
