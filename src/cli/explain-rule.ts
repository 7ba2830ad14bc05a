import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rules } from '../../rules/index.js';
import { UserMistake } from '../audit/user-mistake.js';

/**
 * The page of a rule, as the package ships it.
 * @throws {UserMistake} for a name that is no rule.
 */
export function explainRule(id: string): string {
  if (!rules.some((rule) => rule.id === id)) {
    throw new UserMistake(`\`${id}\` is neither a rule nor a place.`, 'Give the id of a rule, which `step-lock rules` lists, or a place such as `src/worker.ts:41`.');
  }
  // By the manifest, so that it is found from `src` and from `dist`.
  return readFileSync(join(dirname(createRequire(import.meta.url).resolve('step-lock/package.json')), 'docs', 'rules', `${id}.md`), 'utf8');
}
