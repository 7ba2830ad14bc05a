import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/report/html.js';
import { attribute, code, escape, jsonData, prose } from '../../src/report/html-text.js';
import { HOSTILE, HOSTILE_SOURCES, hostileReview } from './hostile-review.js';
import { reviewOf, SOURCES, sampleReview } from './sample-review.js';

const options = { color: false, source: (file: string) => SOURCES[file] };

describe('html', () => {
  it('gives the same bytes for the same review', () => {
    expect(html(sampleReview(), options)).toBe(html(sampleReview(), options));
  });

  it('loads nothing: no address but anchors of the page', () => {
    const page = html(sampleReview(), options);
    const addresses = [...page.matchAll(/\s(?:href|src|action|srcset|data)="([^"]*)"/g)].map(([, address]) => address ?? '');
    expect(addresses.length).toBeGreaterThan(10);
    expect(addresses.filter((address) => !address.startsWith('#'))).toEqual([]);
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  it('leads every anchor to an element of the page, each of its own id', () => {
    const page = html(sampleReview(), options);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...page.matchAll(/\shref="#([^"]*)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('allows by its policy the very script and style it holds, and nothing else', () => {
    const page = html(sampleReview(), options);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const digest = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    expect(policy).toBe(`default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; base-uri 'none'; form-action 'none'`);
    expect(page).not.toMatch(/\sstyle="|\son[a-z]+="|javascript:/);
  });

  it('shows every section of the Markdown report', () => {
    const titles = [...(html(hostileReview(), options).split('</main>')[0] ?? '').matchAll(/<h2 id="[^"]*">([^<]*)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Do first', 'What the change did', 'Findings, most urgent first', 'State and who writes it', 'Locks', 'Open questions', 'Protocol matrix',
      'Skill, verification cases, dimensions', 'Exceptions', 'Evidence boundaries', 'Closure rule',
    ]);
  });

  it('numbers the steps in the source and marks the line of the finding', () => {
    const page = html(sampleReview(), options);
    expect(page).toContain('<span class="line on-path reported"><span class="no">2</span><span class="marks"><a class="step r-acquire" id="f2-s1" href="#f2-s1" aria-label="Step 1, acquire">1</a></span>');
    expect(page).toContain('<span class="note">2 await: a crash here leaves <code>step:${id}</code> for good\n</span>');
  });

  it('says where the source cannot be read, and keeps the step to go to', () => {
    const page = html(sampleReview(), { color: false, source: () => undefined });
    expect(page).toContain('The source cannot be read.');
    expect(page).toContain('<li id="f2-s1" class="step" tabindex="-1">');
  });

  it('lets nothing hostile out of its place', () => {
    const page = html(hostileReview(), { color: false, source: (file) => HOSTILE_SOURCES[file] });
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page.match(/<script[ >]/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--|\sonmouseover="|\sonerror="/);
    // Marks of direction and what is not seen appear by their names only.
    expect(page).not.toMatch(/[\u200b\u202e\u2066\u2069\u0000\u001b]|\p{Surrogate}/u);
    expect(page).toContain('[U+202E]');
  });

  it('cuts a line of a megabyte around the place', () => {
    const page = html(hostileReview(), { color: false, source: (file) => HOSTILE_SOURCES[file] });
    expect(page.length).toBeLessThan(200_000);
    expect(page).toContain('(a part of a long line)');
    expect(page).toContain(escape(`release(${HOSTILE.image});`));
  });

  it('stays small for a great many findings, and says what it left off', () => {
    const review = sampleReview();
    const [finding] = review.findings;
    if (finding === undefined) throw new Error('the sample has findings');
    const witness = [5, 15, 25, 35].map((line) => ({ file: finding.file, line, column: 1, role: 'await' as const, note: '' }));
    const many = { ...review, findings: Array.from({ length: 1500 }, (_, at) => ({ ...finding, id: `f${at + 1}`, witness })) };
    const wide = Array.from({ length: 40 }, () => 'wide '.repeat(79)).join('\n');
    const page = html(many, { color: false, source: () => wide });
    expect(page.length).toBeLessThan(9_000_000);
    expect(page).toContain('500 more findings are left off to keep the page small: see the json report.');
    expect(page).toContain('The source of the last findings is left off to keep the page small.');
  });

  it('reads well without any finding, lock or state', () => {
    const page = html(reviewOf({}), options);
    expect(page).toContain('<strong>nothing-seen</strong>');
    expect(page).toContain('None in this profile.');
    expect(page).not.toContain('id="filters"');
  });
});

describe('the texts of a page', () => {
  it.each([
    ['markup', '<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
    ['marks of direction', 'a\u202eb', 'a<span class="unseen" title="a character that is not seen">[U+202E]</span>b'],
    ['control characters but tabs and line feeds', '\u0000\t\n\u007f', '\uFFFD\t\n\uFFFD'],
    ['halves of characters', '\ud800 \ud83d\ude00', '\uFFFD \ud83d\ude00'],
  ])('escapes %s', (_what, text, wanted) => {
    expect(escape(text)).toBe(wanted);
  });

  it('keeps markup out of attributes', () => {
    expect(attribute('a"\u202e\nb<')).toBe('a&quot;[U+202E] b&lt;');
  });

  it('shows what stands in backticks as code', () => {
    expect(prose('a `b<c` d')).toBe('a <code>b&lt;c</code> d');
    expect(prose('an odd ` stays')).toBe('an odd ` stays');
  });

  it('lets paths break behind slashes, and no tag', () => {
    expect(code('src/a\u200b/b.ts')).toBe('<code>src/<wbr>a<span class="unseen" title="a character that is not seen">[U+200B]</span>/<wbr>b.ts</code>');
  });

  it('writes data that cannot end its script and reads back as it was', () => {
    const data = { text: Object.values(HOSTILE).filter((text) => text !== HOSTILE.half).join('\u2028') };
    expect(jsonData(data)).not.toMatch(/[<>&\u2028]/);
    expect(JSON.parse(jsonData(data))).toEqual(data);
  });
});
