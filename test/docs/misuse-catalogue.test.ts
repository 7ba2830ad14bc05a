import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(`${ROOT}docs/misuse-catalogue.md`, 'utf8');
const ROWS = PAGE.split('\n').filter((line) => /^\| (?:M\d|-|\d)/.test(line)).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));

describe('docs/misuse-catalogue.md', () => {
  it('has a row for each line of the catalogue', () => {
    const lines = new Set(ROWS.map(([line]) => line));
    for (let n = 1; n <= 28; n++) expect(lines).toContain(`M${String(n).padStart(2, '0')}`);
  });

  it('names rules that exist', () => {
    const known = new Set(rules.map((r) => r.id));
    for (const [, , rule = ''] of ROWS) for (const [, id = ''] of rule.matchAll(/`([a-z-]+)`/g)) expect(known).toContain(id);
  });

  it.each(ROWS)('%s: %s has fixtures that exist, or a reason', (_line, _misuse, _rule, proof = '') => {
    const fixtures = [...proof.matchAll(/`([\w-]+\/[\w-]+\.ts)`/g)].map(([, name = '']) => name);
    if (fixtures.length === 0) expect(proof.length).toBeGreaterThan(20);
    for (const name of fixtures) expect(existsSync(`${ROOT}fixtures/rules/${name}`), name).toBe(true);
  });
});
