import { z } from 'zod';
import { isDate } from './dates.js';
import { FINGERPRINT, FINGERPRINT_WANTED } from './fingerprint-text.js';

const entry = z.strictObject({
  rule: z.string().min(1, { error: 'must be the id of a rule' }).describe('The id of the rule whose finding is accepted, as `step-lock rules` lists it.'),
  fingerprint: z.string().regex(FINGERPRINT, { error: FINGERPRINT_WANTED }).exactOptional()
    .describe('The one finding that is accepted, wherever it moves. `step-lock explain <file:line> --exception` prints it.'),
  file: z.string().min(1, { error: 'must be a path or a pattern' }).exactOptional()
    .describe('Without `fingerprint`: all findings of the rule in these files, spelled as in .gitignore, from the folder of this file. Beside it: the path where the finding was, for people and for ESLint.'),
  function: z.string().min(1, { error: 'must be the name of a function' }).exactOptional()
    .describe('Narrows `file` to one function: `runStep`, `Worker.runStep`, or `<module>` for code outside of functions.'),
  owner: z.string().exactOptional().describe('Who answers for it: a person or a team.'),
  expires: z.string().refine(isDate, { error: 'must be a day of the calendar like `2027-03-01`' }).exactOptional().describe('The last day on which it holds, YYYY-MM-DD.'),
  reason: z.string().exactOptional().describe('Why it is accepted, in a sentence that still makes sense on the day it ends.'),
}).superRefine((given, context) => {
  const tell = (path: string, message: string): void => { context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message }); };
  if (given.fingerprint === undefined && given.file === undefined) tell('', 'names no finding: give it a `fingerprint`, or a `file`');
  if (given.function !== undefined && (given.file === undefined || given.fingerprint !== undefined)) tell('function', `narrows \`file\`, and ${given.file === undefined ? 'there is none' : '`fingerprint` names the finding already'}: leave the function out`);
});

/** `step-lock.exceptions.json`. Owner, date and reason may be missing here: an entry without them accepts nothing, which audits tell; it stops nobody's run. */
export const exceptionsSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  schemaVersion: z.literal(1),
  exceptions: z.array(entry),
});

export type ExceptionEntry = z.infer<typeof entry>;

/** The JSON schema of the file, for editors: there owner, date and reason are asked for. */
export function exceptionsJsonSchema(): object {
  return z.toJSONSchema(exceptionsSchema, {
    target: 'draft-7', io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== entry) return;
      jsonSchema.required = ['rule', 'owner', 'expires', 'reason'];
      jsonSchema.anyOf = [{ required: ['fingerprint'] }, { required: ['file'] }];
    },
  });
}
