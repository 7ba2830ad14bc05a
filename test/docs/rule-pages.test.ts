import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import type { RuleDefinition } from '../../src/engine/judge/rule.js';
import { builtInModels } from '../../src/models/index.js';
import { SKILL_ROWS } from '../../src/skill/skill.js';

function pageOf(id: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/rules/${id}.md`, import.meta.url)), 'utf8');
}

/** The examples of a rule's page, as the reader sees them. */
function examples(id: string, kind: 'wrong' | 'right'): string[] {
  return [...pageOf(id).matchAll(new RegExp(`^\`\`\`ts ${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((found) => found[1] ?? '');
}

function findingsIn(code: string, profile: RuleDefinition['profile'] = 'recommended'): string[] {
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true);
  return reported(analyse([file], { ts, models: builtInModels, rules }).sites, rules, profile).map(({ rule }) => rule.id);
}

describe.each(rules)('page of $id', ({ id, skill, dimension, profile }) => {
  it('names the skill row and the dimension of the rule', () => {
    expect(pageOf(id)).toContain(`**Skill** ${skill}: ${SKILL_ROWS[skill]}. **Dimension** ${dimension}.`);
  });

  it('has examples of both kinds', () => {
    expect(examples(id, 'wrong').length).toBeGreaterThan(0);
    expect(examples(id, 'right').length).toBeGreaterThan(0);
  });

  it.each(examples(id, 'wrong').map((code, index) => ({ code, example: index + 1 })))('finds the fault of wrong example $example', ({ code }) => {
    expect(findingsIn(code, profile)).toContain(id);
  });

  it.each(examples(id, 'right').map((code, index) => ({ code, example: index + 1 })))('finds nothing in right example $example', ({ code }) => {
    expect(findingsIn(code)).toEqual([]);
    expect(findingsIn(code, profile)).not.toContain(id);
  });
});
