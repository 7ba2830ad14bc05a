import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../rules/index.js';
import { edited } from '../../../src/engine/edited-text.js';
import { analyse } from '../../../src/engine/engine.js';
import { MOST_CHECKS, suggestionCheck, type Check } from '../../../src/engine/judge/checked-suggestions.js';
import type { Suggestion, Violated } from '../../../src/engine/judge/outcome.js';
import type { Site } from '../../../src/engine/judge/site.js';
import { withCheckedSuggestions } from '../../../src/engine/judge/with-checked-suggestions.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { builtInModels } from '../../../src/models/index.js';
import { ruleFixtures } from '../../fixtures/fixture-files.js';

const PATH = '/a.ts';
const parse = (text: string): ts.SourceFile => ts.createSourceFile(PATH, text, ts.ScriptTarget.Latest, true);

/** A fault of `no-bad` at each call of `bad()`, of `no-worse` at each call of `worse()`. The key of the lock is the first argument. */
function judge(file: ts.SourceFile, suggestions: readonly Suggestion[] = []): Site[] {
  const sites: Site[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) sites.push(...siteAt(file, node, suggestions));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sites;
}

function siteAt(file: ts.SourceFile, call: ts.CallExpression, suggestions: readonly Suggestion[]): Site[] {
  const name = call.expression.getText(file);
  if (name !== 'bad' && name !== 'worse') return [];
  const { line, character } = file.getLineAndCharacterOfPosition(call.getStart(file));
  const place = { file: PATH, line: line + 1, column: character + 1, endLine: line + 1, endColumn: character + 2 };
  const outcome: Violated = { status: 'violated', certainty: 'certain', at: place, messageId: 'm', data: {}, witness: [], action: 'Mend it.', suggestions };
  const key = call.arguments[0]?.getText(file) ?? 'k';
  return [{
    id: `${PATH}:${String(line)}:${String(character)}`, subject: 'A', place, statement: place, name: 'f',
    facts: { subject: 'A', api: 'a', key, owner: 'o', ttl: 't', result: 'r', scope: 'manual', claim: false }, outcomes: { [`no-${name}`]: outcome },
  }];
}

/** What becomes of one edit that replaces the first `bad` of a text. */
function check(text: string, put: string, over: Partial<Suggestion['edits'][number]> = {}): string {
  const start = text.indexOf('bad');
  const suggestion: Suggestion = { title: 'Mend.', edits: [{ start, end: start + 3, text: put, ...over }] };
  const file = parse(text);
  const [site] = judge(file, [suggestion]);
  const outcome = site?.outcomes['no-bad'];
  if (site === undefined || outcome?.status !== 'violated') throw new Error('the text has a fault');
  return suggestionCheck(file, { judge: (f) => judge(f), parse, project: NO_PROJECT })({ site, rule: 'no-bad', outcome }).map(({ withheld }) => withheld ?? 'offered').join();
}

describe('a suggestion is made and judged before it is offered', () => {
  it.each([
    ['mends the fault', 'bad();', 'good', 'offered'],
    ['mends one of two equal faults', 'bad(); bad();', 'good', 'offered'],
    ['leaves the fault', 'bad();', 'await bad', 'still-there'],
    ['moves the fault elsewhere', 'bad();', 'good(); bad', 'still-there'],
    ['brings a fault of another rule', 'bad();', 'worse', 'something-new'],
    ['brings another fault of the rule', 'bad(a);', 'good(bad(b)), good', 'something-new'],
    ['brings one more of what is there', 'bad(); worse();', 'worse', 'something-new'],
    ['breaks the syntax', 'bad();', 'good((', 'syntax'],
    ['leaves a syntax error that was there', 'bad(); const = 1;', 'good', 'offered'],
  ])('%s', (_, text, put, expected) => {
    expect(check(text, put)).toBe(expected);
  });

  it('lies outside of the text', () => {
    expect(check('bad();', 'good', { end: 99 })).toBe('out-of-bounds');
  });

  it('is withheld where the file alone does not show the fault', () => {
    const file = parse('bad();');
    const [site] = judge(file, [{ title: 'Mend.', edits: [] }]);
    const sites = site === undefined ? [] : [site];
    const blind: Check = { judge: () => [], parse, project: NO_PROJECT };
    const { sites: left, withheld } = withCheckedSuggestions(sites, () => ({ file, check: blind }));
    expect(withheld).toEqual([{ rule: 'no-bad', site: site?.id, title: 'Mend.', why: 'not-found-alone' }]);
    expect(left[0]?.outcomes['no-bad']).not.toHaveProperty('suggestions');
  });

  it('sees the edited file through the project', () => {
    const file = parse('bad();');
    const seen: (string | undefined)[] = [];
    const [site] = judge(file, [{ title: 'Mend.', edits: [{ start: 0, end: 3, text: 'good' }] }]);
    withCheckedSuggestions(site === undefined ? [] : [site], () => ({ file, check: { parse, project: { ...NO_PROJECT, file: () => file }, judge: (f, project) => { seen.push(project.file(PATH)?.text); return judge(f); } } }));
    expect(seen).toEqual(['bad();', 'good();']);
  });

  it('costs nothing where there is none, and a bounded number of judgements where there are many', () => {
    let judged = 0;
    const counting = (f: ts.SourceFile): Site[] => { judged++; return judge(f); };
    const none = parse('bad();');
    withCheckedSuggestions(judge(none), () => ({ file: none, check: { judge: counting, parse, project: NO_PROJECT } }));
    expect(judged).toBe(0);
    const many = parse('bad(); '.repeat(3 * MOST_CHECKS));
    const { withheld } = withCheckedSuggestions(judge(many, [{ title: 'Mend.', edits: [{ start: 0, end: 3, text: 'good' }] }]), () => ({ file: many, check: { judge: counting, parse, project: NO_PROJECT } }));
    expect(judged).toBe(1 + MOST_CHECKS);
    expect(withheld.filter(({ why }) => why === 'too-many')).toHaveLength(2 * MOST_CHECKS);
  });
});

describe('edits', () => {
  it.each([
    [[{ start: 4, end: 5, text: 'x' }, { start: 0, end: 1, text: 'yy' }], 'yybcdxf'],
    [[{ start: 2, end: 2, text: '-' }, { start: 2, end: 2, text: '+' }], 'ab-+cdef'],
    [[{ start: 0, end: 3, text: '' }, { start: 2, end: 4, text: '' }], undefined],
    [[{ start: 5, end: 9, text: '' }], undefined],
  ])('%j', (edits, expected) => {
    expect(edited('abcdef', edits)).toBe(expected);
  });
});

describe('of the suggestions that rules make in their fixtures', () => {
  const checked = ruleFixtures().flatMap(({ title, path }) => {
    const text = readFileSync(path, 'utf8');
    const at = (t: string): ts.SourceFile => ts.createSourceFile(path, t, ts.ScriptTarget.Latest, true);
    const file = at(text);
    const all = (f: ts.SourceFile, project = NO_PROJECT): readonly Site[] => analyse([f], { ts, models: builtInModels, rules, project }).sites;
    const sites = all(file);
    const count = (of: readonly Site[]): number => of.flatMap(({ outcomes }) => Object.values(outcomes)).flatMap((o) => (o.status === 'violated' && o.supersededBy === undefined ? o.suggestions ?? [] : [])).length;
    if (count(sites) === 0) return [];
    const result = withCheckedSuggestions(sites, () => ({ file, check: { judge: all, parse: at, project: NO_PROJECT } }));
    return [{ title, made: count(sites), offered: count(result.sites), withheld: result.withheld.map(({ rule, why }) => `${rule}: ${why}`) }];
  });

  it('there are some', () => {
    expect(checked.reduce((sum, { made }) => sum + made, 0)).toBeGreaterThan(5);
  });

  it.each(checked)('none is withheld in $title', ({ made, offered, withheld }) => {
    expect(withheld).toEqual([]);
    expect(offered).toBe(made);
  });
});
