import { describe, expect, it } from 'vitest';
import { scaleOfName, termMilliseconds, textMilliseconds } from '../../../src/engine/time/duration.js';

describe('textMilliseconds', () => {
  it.each([['250ms', 250], ['30s', 30_000], ['1.5 m', 90_000], ['5 minutes', 300_000], ['2h', 7_200_000], ['1d', 86_400_000]])('reads %s', (text, ms) => {
    expect(textMilliseconds(text)).toBe(ms);
  });

  it.each(['', 'soon', '30', '5 parsecs', '-3s'])('says nothing of %s', (text) => {
    expect(textMilliseconds(text)).toBeUndefined();
  });
});

describe('termMilliseconds', () => {
  it('counts numbers by the scale, and texts by their own unit', () => {
    expect(termMilliseconds({ kind: 'const', value: 30 }, 1000)).toBe(30_000);
    expect(termMilliseconds({ kind: 'const', value: '30s' }, 1)).toBe(30_000);
  });

  it.each([0, -1, Number.POSITIVE_INFINITY, true, null])('takes %s for no end', (value) => {
    expect(termMilliseconds({ kind: 'const', value }, 1)).toBeUndefined();
  });
});

describe('scaleOfName', () => {
  it.each([['timeoutMs', 1], ['TIMEOUT_MS', 1], ['timeoutSeconds', 1000], ['LEASE_SECONDS', 1000], ['ttlMinutes', 60_000], ['maxHours', 3_600_000]])('%s', (name, scale) => {
    expect(scaleOfName(name)).toBe(scale);
  });

  it.each(['timeout', 'items', 'params', 'mins_up'])('%s promises none', (name) => {
    expect(scaleOfName(name)).toBeUndefined();
  });
});
