import type { Models } from '../engine/models.js';

/** The models step-lock ships with. */
export const builtInModels: Models = { words: ['lock', 'lease', 'mutex', 'status', 'state', 'phase', 'setnx', 'redis\\.p?call', '\\bNX\\b', 'claim', 'for\\W{0,3}update', 'checkpoint', 'attempt',
  'renew', 'heart_?beat', 'on_?(?:lost|loss)\\b', 'elected', 'leader',
  '@stepTransition',
  'expireIn', 'visibility_?timeout',
  'redis', 'holder', 'semaphore', 'acquire', 'onConflict', 'skipDuplicates',
  '(?:done|sent|processed|processing|finished|completed|started|executed|handled|published|delivered|picked|taken)_?at\\b',
] };
