import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../src/report/html.js';
import type { Finding, Review } from '../../src/review/types.js';
import { CHROMIUM, launch, open } from './chromium.js';
import { HOSTILE, HOSTILE_SOURCES, hostileReview } from '../report/hostile-review.js';
import { SOURCES, sampleReview } from '../report/sample-review.js';

/** The sample with findings of several rules, folders, owners and standings, and a path of three steps in each. */
function reviewToFilter(): Review {
  const review = sampleReview();
  const [finding] = review.findings;
  if (finding === undefined) throw new Error('the sample has findings');
  const witness = [3, 1, 2].map((line) => ({ file: 'src/worker.ts', line, column: 1, role: 'await' as const, note: `note of line ${line}` }));
  const make = (id: string, parts: Partial<Finding>): Finding => ({ ...finding, id, witness, file: 'src/worker.ts', line: 2, severity: 'error', certainty: 'certain', ...parts });
  return {
    ...review,
    findings: [
      make('f1', { rule: 'require-ttl', owner: '@core', change: 'new', message: 'The first has no TTL.' }),
      make('f2', { rule: 'require-ttl', owner: '@core', change: 'old', certainty: 'likely', message: 'The second has none either.' }),
      make('f3', { rule: 'require-cas', file: 'src/api/steps.ts', change: 'new', message: 'The third compares nothing.' }),
      ...Array.from({ length: 12 }, (_, at) => make(`f${at + 4}`, { rule: 'no-fail-open', file: 'src/api/deep/store.ts', severity: 'warning', change: 'old', message: 'Goes on.' })),
    ],
  };
}

const page = (review: Review): string => html(review, { color: false, source: (file) => SOURCES[file] ?? HOSTILE_SOURCES[file] });

describe.skipIf(CHROMIUM === undefined)(`the HTML report in Chromium${CHROMIUM === undefined ? ' (skipped: there is none on this machine)' : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => { browser = await launch(); });
  afterAll(async () => { await browser.close(); });
  const shown = (opened: Page): Promise<string[]> => opened.locator('article.finding:visible').evaluateAll((all) => all.map(({ id }) => id));
  const focused = (opened: Page): Promise<string> => opened.evaluate(() => document.activeElement?.id ?? '');

  it('opens without a complaint, asks the network for nothing, and runs its script', async () => {
    const { page: opened, complaints, requests } = await open(browser, page(sampleReview()));
    expect(await opened.locator('#filters').isVisible()).toBe(true);
    expect(await opened.locator('#filters output').innerText()).toBe('2 findings');
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  it('shows hostile names and source, and runs none of it', async () => {
    const { page: opened, complaints, requests } = await open(browser, page(hostileReview()));
    await opened.locator('article.finding').first().hover();
    expect(await opened.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await opened.locator('img, main script, iframe, object, embed').count()).toBe(0);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
    // The reader sees what is written there.
    const source = await opened.locator('#f2 figure').innerText();
    expect(source).toContain(HOSTILE.script);
    expect(source).toContain(HOSTILE.quote);
    expect(source).toContain('admin[U+202E][U+2066]// check later[U+2069] [U+2066]');
    expect(source).toContain('loc[U+200B]k');
  });

  it('would have noticed: a page whose policy is broken complains', async () => {
    const broken = page(sampleReview()).replace('</main>', '<img src="/x.png"><script>window.hacked = 1</script></main>');
    const { page: opened, complaints } = await open(browser, broken);
    expect(await opened.evaluate(() => 'hacked' in window)).toBe(false);
    expect(complaints.filter((complaint) => complaint.startsWith('policy: ')).length).toBeGreaterThanOrEqual(2);
  });

  it('filters by rule, certainty, owner, folder and standing, alone and together', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    const pick = async (name: string, value: string): Promise<void> => { await opened.locator(`#filters select[name=${name}]`).selectOption(value); };
    await pick('rule', 'require-ttl');
    expect(await shown(opened)).toEqual(['f1', 'f2']);
    expect(await opened.locator('#filters output').innerText()).toBe('2 of 15 findings');
    await pick('standing', 'new');
    expect(await shown(opened)).toEqual(['f1']);
    await opened.locator('#filters button[type=reset]').click();
    await opened.locator('#filters output', { hasText: /^15 findings$/ }).waitFor();
    expect(await shown(opened)).toHaveLength(15);
    await pick('certainty', 'likely');
    expect(await shown(opened)).toEqual(['f2']);
    await pick('certainty', '');
    await pick('owner', 'nobody');
    expect(await shown(opened)).toHaveLength(13);
    await pick('folder', 'src/api');
    // The folders below are of the folder.
    expect(await shown(opened)).toHaveLength(13);
    await pick('folder', 'src/api/deep');
    expect(await shown(opened)).toHaveLength(12);
  });

  it('searches all words, in what is folded too', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    await opened.locator('#filters input').fill('third NOTHING');
    expect(await shown(opened)).toEqual(['f3']);
    await opened.locator('#filters input').fill('redis.set');
    expect(await shown(opened)).toHaveLength(15);
    await opened.locator('#filters input').fill('no such words');
    expect(await shown(opened)).toEqual([]);
  });

  it('leads a link to its finding, also when it is filtered out or folded', async () => {
    const { page: opened, url } = await open(browser, page(reviewToFilter()), {}, '#f15');
    await opened.waitForFunction(() => { const box = document.getElementById('f15')?.getBoundingClientRect(); return box !== undefined && box.top >= 0 && box.top < innerHeight; });
    await opened.locator('#filters select[name=rule]').selectOption('require-ttl');
    expect(await shown(opened)).not.toContain('f3');
    await opened.goto(`${url}#f3-s2`);
    await opened.waitForFunction(() => document.getElementById('f3')?.hidden === false);
    expect(await opened.locator('#f3-s2').isVisible()).toBe(true);
    expect(await opened.locator('#f14 figure').isVisible()).toBe(false);
    await opened.goto(`${url}#f14-s2`);
    await opened.locator('#f14 figure').waitFor();
    await opened.goto(`${url}#l1`);
    await opened.locator('#l1 table').waitFor();
  });

  it('goes by keys from finding to finding and from step to step in the order of the path', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    const press = async (...keys: readonly string[]): Promise<string> => {
      for (const key of keys) await opened.keyboard.press(key);
      return focused(opened);
    };
    expect(await press('j')).toBe('f1');
    // What the change brought stands first.
    expect(await press('j', 'j')).toBe('f2');
    expect(await press('k', 'k', 'k', 'k')).toBe('f1');
    // Its steps stand on lines 3, 1 and 2.
    expect([await press('n'), await press('n'), await press('n'), await press('n'), await press('p')]).toEqual(['f1-s1', 'f1-s2', 'f1-s3', 'f1-s3', 'f1-s2']);
    expect(new URL(opened.url()).hash).toBe('#f1');
    await opened.locator('#filters select[name=rule]').selectOption('require-cas');
    await opened.locator('main').focus();
    expect(await press('j')).toBe('f3');
  });

  it('leaves keys alone while one writes, and those with a modifier', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    await opened.keyboard.press('/');
    await opened.keyboard.type('jnk?');
    expect(await opened.locator('#filters input').inputValue()).toBe('jnk?');
    expect(await opened.locator('dialog[open]').count()).toBe(0);
    await opened.locator('main').focus();
    await opened.keyboard.press('Control+j');
    expect(await focused(opened)).toBe('main');
    await opened.keyboard.press('?');
    expect(await opened.locator('#keys').isVisible()).toBe(true);
    await opened.keyboard.press('Escape');
    expect(await opened.locator('#keys').isVisible()).toBe(false);
  });

  it('copies a finding as issue text', async () => {
    const { page: opened, complaints } = await open(browser, page(reviewToFilter()), { permissions: ['clipboard-read', 'clipboard-write'] });
    await opened.locator('#f3 button.copy').click();
    await opened.locator('#status', { hasText: 'f3 is copied' }).waitFor();
    const text = await opened.evaluate(() => navigator.clipboard.readText());
    expect(text.split('\n')[0]).toBe('step-lock: require-cas at src/api/steps.ts:2');
    expect(text).toContain('The third compares nothing.');
    expect(text).toContain('1. **await** `src/worker.ts:3` note of line 3');
    expect(complaints).toEqual([]);
  });

  it('shows the issue text where the browser forbids to copy', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    await opened.evaluate(() => { Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('forbidden')) } }); });
    await opened.locator('#f1 button.copy').click();
    await opened.locator('#copy').waitFor();
    expect(await opened.locator('#copy-text').inputValue()).toContain('The first has no TTL.');
    await opened.locator('#copy button').click();
    expect(await opened.locator('#copy').isVisible()).toBe(false);
  });

  it('is dark as the system says, until the reader chooses, and remembers the choice', async () => {
    const { page: opened } = await open(browser, page(sampleReview()), { colorScheme: 'dark' });
    const light = async (): Promise<boolean> => opened.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)?.[0]) > 128);
    expect(await light()).toBe(false);
    await opened.locator('#theme').click();
    expect(await light()).toBe(true);
    await opened.reload();
    expect(await light()).toBe(true);
    await opened.keyboard.press('t');
    expect(await light()).toBe(false);
  });

  it('prints everything: what is folded is unfolded, and folded again afterwards', async () => {
    const { page: opened } = await open(browser, page(reviewToFilter()));
    const folded = (): Promise<number> => opened.locator('details:not([open])').count();
    const before = await folded();
    expect(before).toBeGreaterThan(5);
    await opened.evaluate(() => { dispatchEvent(new Event('beforeprint')); });
    expect(await folded()).toBe(0);
    await opened.evaluate(() => { dispatchEvent(new Event('afterprint')); });
    expect(await folded()).toBe(before);
    await opened.emulateMedia({ media: 'print' });
    expect(await opened.locator('nav').isVisible()).toBe(false);
    expect(await opened.locator('#filters').isVisible()).toBe(false);
    expect((await opened.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
  });

  it('is whole without a script, on the screen and on paper', async () => {
    const { page: opened, complaints } = await open(browser, page(reviewToFilter()), { javaScriptEnabled: false });
    expect(await shown(opened)).toHaveLength(15);
    for (const useless of ['#filters', '#theme', '#help', 'button.copy >> nth=0']) expect(await opened.locator(useless).isVisible()).toBe(false);
    await opened.locator('#f12 summary').click();
    expect(await opened.locator('#f12 figure').isVisible()).toBe(true);
    await opened.emulateMedia({ media: 'print' });
    expect((await opened.locator('#f13 figure').boundingBox())?.height).toBeGreaterThan(20);
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('passes the rules of axe for accessible pages, %s', async (colorScheme) => {
    const { page: opened } = await open(browser, page(reviewToFilter()), { colorScheme });
    await opened.evaluate(() => { for (const each of document.querySelectorAll('details')) each.open = true; });
    await opened.evaluate(axe.source);
    const violations = await opened.evaluate(async () => {
      // The evaluated source is a global of the page, of which TypeScript knows nothing.
      const { axe: checker } = window as unknown as { readonly axe: typeof axe };
      return (await checker.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });
    expect(violations).toEqual([]);
  });

  it('fits a narrow screen: only tables and source scroll sideways', async () => {
    const { page: opened } = await open(browser, page(hostileReview()), { viewport: { width: 380, height: 800 } });
    expect(await opened.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
