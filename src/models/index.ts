import type { Models } from '../engine/models.js';

/** The models step-lock ships with. Words of screens that contain one of ours (`useState`, `block`, `clock`, `please`, `selected`, `placeholder`) do not count. */
export const builtInModels: Models = { words: ['(?<![bc])lock', '(?<!p)lease', 'mutex', 'status', '(?<!use)state', 'phase', 'setnx', 'redis\\.p?call', '\\bNX\\b', 'claim', 'for\\W{0,3}update', 'checkpoint', 'attempt',
  'renew', 'heart_?beat', 'on_?(?:lost|loss)\\b', '(?<!s)elected', 'leader',
  '@stepTransition',
  'expireIn', 'visibility_?timeout',
  'redis', '(?<!place)holder', 'semaphore', 'acquire', 'onConflict', 'skipDuplicates',
  '(?:done|sent|processed|processing|finished|completed|started|executed|handled|published|delivered|picked|taken)_?at\\b',
] };
