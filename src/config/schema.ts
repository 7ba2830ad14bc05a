import { z } from 'zod';
import { checkLocks } from './check-locks.js';

/** `arg0`, `arg1.ttlMs`, `arg#last`, `arg#fn`, `recv.name`. */
const slot = z.string().regex(/^(?:arg\d+|arg#last|arg#fn|recv)(?:\.\w+)*$/, {
  error: 'must be a slot like `arg0`, `arg1.ttlMs`, `arg#last`, `arg#fn` or `recv`',
}).describe('Where the call carries the value: `arg0`, a property `arg1.ttlMs`, the last argument `arg#last`, the function handed over `arg#fn`, the object it is called on `recv`.');

const call = z.string().regex(/^(?:[\w$]*#)?(?:[\w$]+|\(\))$/, {
  error: 'must be a function like `takeStep`, a method like `StepLocks#take`, or `#free` or `#()` for what an acquire gave',
});

const lockCall = call.describe('`takeStep`: a function. `StepLocks#take`: a method of a class, interface or factory. `#free`: a method of what an acquire of this model gave. `#()`: calling what it gave.');

const result = z.union([
  z.enum(['boolean', 'handle-or-null', 'handle-or-undefined', 'handle-or-throws', 'void-or-throws', 'ok-or-null', 'count']),
  z.strictObject({ tag: z.string(), won: z.array(z.union([z.string(), z.boolean()])).min(1), lost: z.array(z.union([z.string(), z.boolean()])) }),
  z.strictObject({ flag: z.int().min(0) }),
], {
  error: 'must be one of `boolean`, `handle-or-null`, `handle-or-undefined`, `handle-or-throws`, `void-or-throws`, `ok-or-null`, `count`, or an object `{ tag, won, lost }` or `{ flag }`',
}).describe('How the call answers whether it won.');

const absentTtl = z.enum(['none', 'library']);
const ttl = z.union([absentTtl, z.strictObject({ at: slot, unit: z.enum(['ms', 's']), default: absentTtl.exactOptional() })], {
  error: 'must be `none`, `library`, or an object like `{ at: \'arg2\', unit: \'ms\' }` with unit `ms` or `s`',
}).describe('`none`: never ends by itself. `library`: has a finite TTL of its own.');

const operation = z.strictObject({
  op: z.enum(['acquire', 'release', 'extend', 'run']).describe('`run` takes the lock, runs a function under it and gives it back.'),
  call: lockCall,
  key: slot.exactOptional(),
  owner: slot.exactOptional(),
  ttl: ttl.exactOptional(),
  body: slot.exactOptional().describe('The function that runs under the lock, for `run`; default `arg#fn`.'),
  handle: slot.exactOptional().describe('What the acquire gave, for a release or extension that takes it.'),
  result: result.exactOptional(),
  ownerCheck: z.enum(['atomic', 'none']).exactOptional(),
  ifNotHeld: z.enum(['throws', 'harmless', 'deletes-other']).exactOptional().describe('What a release does to a lock that is not held.'),
  renews: z.boolean().exactOptional().describe('Whether the library prolongs the lock by itself while it is held.'),
});

const lock = z.strictObject({
  id: z.string().min(1, { error: 'must be a name' }),
  package: z.string().min(1, { error: 'must be an import specifier' }).exactOptional().describe('The import specifier it comes from. Without it the names alone tell.'),
  operations: z.array(operation).min(1, { error: 'must list at least one operation' }),
}).describe('One lock API.');

const transition = z.strictObject({
  package: z.string().exactOptional(),
  call: call.describe('`advance`: a function. `StepStore#advance`: a method of a class, interface or factory.'),
  target: z.string().exactOptional().describe('The table, model or document that is written.'),
  id: slot,
  from: slot.exactOptional().describe('The expected state, which the write compares.'),
  to: z.union([slot, z.strictObject({ state: z.string() })], { error: 'must be a slot like `arg2`, or an object `{ state: \'running\' }`' }).exactOptional(),
  owner: slot.exactOptional(),
  result: result.exactOptional(),
}).describe('A function or method that moves a step from one state to another.');

const name = z.string().min(1, { error: 'must be a name or a /pattern/' }).refine((text) => !text.startsWith('/') || isPattern(text), { error: 'must be a valid regular expression between slashes' });

const target = z.strictObject({
  name: name.describe('Table, model or document in any spelling, or a `/pattern/`.'),
  column: z.string().exactOptional().describe('The column that tells the state; default those called `status`, `state` or `phase`.'),
  inFlight: z.array(z.string()).exactOptional().describe('States in which something still has to be done.'),
  terminal: z.array(z.string()).exactOptional().describe('States that are meant to last.'),
  transitions: z.record(z.string(), z.array(z.string())).exactOptional().describe('From each state the states it may go to.'),
}).describe('One kind of step state.');

export const CERTAINTIES = ['certain', 'likely', 'possible'] as const;
export const PROFILES = ['recommended', 'strict'] as const;

/** `step-lock.config.*` and ESLint's `settings['step-lock']`. */
export const configSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  profile: z.enum(PROFILES).exactOptional().describe('Which violations become findings.'),
  certainty: z.enum(CERTAINTIES).exactOptional().describe('The least certainty that is reported.'),
  ignore: z.array(z.string()).exactOptional().describe('Files and folders the audit leaves out, as in .gitignore, from the folder of this file.'),
  policy: z.strictObject({
    onOutage: z.enum(['fail-closed', 'fail-open']).exactOptional().describe('What the work does while the lock store is down.'),
    onContention: z.enum(['retry', 'wait', 'skip']).exactOptional().describe('What the loser of a lock does.'),
    instances: z.enum(['one', 'many']).exactOptional().describe('How many processes run at a time.'),
  }).exactOptional(),
  locks: z.array(lock).superRefine(checkLocks).exactOptional(),
  transitions: z.array(transition).exactOptional(),
  targets: z.array(target).exactOptional(),
  ignoreTargets: z.array(name).exactOptional().describe('Tables, models or documents that hold no step state.'),
}).describe('What step-lock cannot read off the code.');

function isPattern(text: string): boolean {
  if (!/^\/.+\/$/.test(text)) return false;
  try {
    new RegExp(text.slice(1, -1));
    return true;
  } catch {
    return false;
  }
}

/** The JSON schema of the configuration, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
}
