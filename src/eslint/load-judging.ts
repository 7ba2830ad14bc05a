import type { Judging } from './judging.js';
import { judging } from './own-judging.js';

/** The part of the plugin that judges. Where the plugin is built, `scripts/bundle-eslint.mjs` makes it a file of its own that is loaded here and not before: a file whose findings are kept needs none of it. */
export function loadJudging(): Judging {
  return judging;
}
