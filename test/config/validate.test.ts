import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { ConfigMistake } from '../../src/config/config-mistake.js';
import { configJsonSchema } from '../../src/config/schema.js';
import { validateConfig } from '../../src/config/validate.js';
import { HOUSE } from './house-wrapper.js';

const FILE = 'step-lock.config.json';
const release = { op: 'release', call: 'leave', key: 'arg0' };

/** One mistake each, and the sentence that tells it. */
const MISTAKES: readonly (readonly [unknown, string])[] = [
  [[], `${FILE} must be an object, not \`[]\`.`],
  [{ polcy: {} }, `${FILE} has no key \`polcy\`; it knows \`profile\`, \`certainty\`, \`ignore\`, \`policy\`, \`locks\`, \`transitions\`, \`targets\`, \`ignoreTargets\`.`],
  [{ profile: 'all' }, `\`profile\` in ${FILE} must be one of \`recommended\`, \`strict\`, not \`all\`.`],
  [{ policy: { onOutage: 'open' } }, `\`policy.onOutage\` in ${FILE} must be one of \`fail-closed\`, \`fail-open\`, not \`open\`.`],
  [{ policy: { instance: 'one' } }, `\`policy\` in ${FILE} has no key \`instance\`; it knows \`onOutage\`, \`onContention\`, \`instances\`.`],
  [{ ignore: () => 'src' }, `\`ignore\` in ${FILE} must be a list, not \`a function\`.`],
  [{ ignore: 'src' }, `\`ignore\` in ${FILE} must be a list, not \`src\`.`],
  [{ locks: [{ operations: [release] }] }, `\`locks[0].id\` in ${FILE} is missing: it must be a text.`],
  [{ locks: [{ id: 'a', operations: [] }] }, `\`locks[0].operations\` in ${FILE} must list at least one operation.`],
  [{ locks: [{ id: 'a', operations: [{ ...release, key: 'first' }] }] }, `\`locks[0].operations[0].key\` in ${FILE} must be a slot like \`arg0\`, \`arg1.ttlMs\`, \`arg#last\`, \`arg#fn\` or \`recv\`, not \`first\`.`],
  [{ locks: [{ id: 'a', operations: [{ ...release, call: 'Turns.leave' }] }] }, `\`locks[0].operations[0].call\` in ${FILE} must be a function like \`takeStep\`, a method like \`StepLocks#take\`, or \`#free\` or \`#()\` for what an acquire gave, not \`Turns.leave\`.`],
  [{ locks: [{ id: 'a', operations: [{ op: 'extend', call: 'stay', ttl: { at: 'arg1', unit: 'min' } }] }] }, `\`locks[0].operations[0].ttl\` in ${FILE} must be \`none\`, \`library\`, or an object like \`{ at: 'arg2', unit: 'ms' }\` with unit \`ms\` or \`s\`, not \`{"at":"arg1","unit":"min"}\`.`],
  [{ locks: [{ id: 'a', operations: [{ ...release, renews: true }] }] }, `\`locks[0].operations[0].renews\` in ${FILE} says nothing of \`op: 'release'\`: leave it out or change \`op\`.`],
  [{ locks: [{ id: 'a', operations: [{ op: 'release', call: '#leave' }] }] }, `\`locks[0].operations[0].call\` in ${FILE} speaks of what an acquire gave, and this lock has no \`acquire\`: add it.`],
  [{ locks: [{ id: 'a', operations: [release] }, { id: 'a', operations: [{ ...release, call: 'go' }] }] }, `\`locks[1].id\` in ${FILE} is \`a\`, which another lock is called already: give each its own.`],
  [{ locks: [{ id: 'a', operations: [release, release] }] }, `\`locks[0].operations[1].call\` in ${FILE} is \`leave\`, which is described already: describe each call once.`],
  [{ locks: [{ id: 'a', operations: [{ ...release, kee: 'arg0' }] }] }, `\`locks[0].operations[0]\` in ${FILE} has no key \`kee\`; it knows \`op\`, \`call\`, \`key\`, \`owner\`, \`ttl\`, \`body\`, \`handle\`, \`result\`, \`ownerCheck\`, \`ifNotHeld\`, \`renews\`.`],
  [{ targets: [{ name: '/(/' }] }, `\`targets[0].name\` in ${FILE} must be a valid regular expression between slashes.`],
  [{ targets: [{ name: 'a', terminal: [1] }] }, `\`targets[0].terminal[0]\` in ${FILE} must be a text, not \`1\`.`],
  [{ transitions: [{ call: 'go', id: 'arg0', to: 7 }] }, `\`transitions[0].to\` in ${FILE} must be a slot like \`arg2\`, or an object \`{ state: 'running' }\`, not \`7\`.`],
];

describe('a configuration', () => {
  it.each(MISTAKES)('with a mistake is told with place and mend: %j', (config, told) => {
    expect(() => validateConfig(config, FILE)).toThrow(new ConfigMistake(told, 'docs/configuration.md shows what can be said.'));
  });

  it('counts the mistakes it does not tell', () => {
    expect(() => validateConfig({ profile: 1, certainty: 2 }, FILE)).toThrow('There is one more mistake in it.');
  });

  it('may be empty, and may hold all there is', () => {
    expect(validateConfig({}, FILE)).toEqual({});
    expect(validateConfig(WHOLE, FILE)).toEqual(WHOLE);
  });
});

const WHOLE = {
  $schema: './node_modules/step-lock/schema/step-lock.config.schema.json',
  profile: 'strict', certainty: 'likely', ignore: ['src/legacy/'], policy: { onOutage: 'fail-closed', onContention: 'retry', instances: 'many' }, locks: [HOUSE],
  transitions: [{ package: '@acme/steps', call: 'Steps#move', target: 'step_runs', id: 'arg0', from: 'arg1', to: 'arg2', owner: 'arg3', result: 'boolean' }],
  targets: [{ name: '/^flow/', column: 'stage', inFlight: ['baking'], terminal: ['baked'], transitions: { baking: ['baked'] } }], ignoreTargets: ['Order'],
};

describe('the JSON schema', () => {
  const check = new Ajv().compile(configJsonSchema());

  it('accepts what the tool accepts', () => {
    expect(check(WHOLE)).toBe(true);
    expect(check({})).toBe(true);
  });

  it('refuses what can be refused without comparing entries', () => {
    const accepted = MISTAKES.filter(([config]) => check(config));
    expect(accepted.map(([, told]) => told.replace(/^.* (?=says|speaks|is `|must be a valid)/, ''))).toEqual([
      'says nothing of `op: \'release\'`: leave it out or change `op`.', 'speaks of what an acquire gave, and this lock has no `acquire`: add it.',
      'is `a`, which another lock is called already: give each its own.', 'is `leave`, which is described already: describe each call once.', 'must be a valid regular expression between slashes.',
    ]);
  });
});
