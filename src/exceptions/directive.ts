/** What a comment that speaks to step-lock says. */
export interface Directive {
  readonly where: 'line' | 'next-line';
  /** The ids as written, without `step-lock/`; none where the comment names none. */
  readonly rules: readonly string[];
  readonly owner?: string;
  readonly expires?: string;
  readonly reason?: string;
  /** What is wrong with how it is written, one sentence without a full stop. */
  readonly mistake?: string;
}

/** The word by which a text may hold a directive: a quick test before anything is parsed. */
export const DIRECTIVE_WORD = 'step-lock-ignore';

/**
 * Reads `step-lock-ignore-next-line <rule>[, <rule>] -- owner: x, expires: 2027-03-01, reason: the last field, which may hold commas`.
 * @param comment The text between the signs of the comment.
 * @returns undefined for a comment that does not begin with a directive: it may speak of one.
 */
export function readDirective(comment: string): Directive | undefined {
  const text = comment.replace(/\s*\n\s*\*?/g, ' ').replace(/^[\s*]+/, '').trim();
  const head = /^step-lock-ignore[\w-]*/.exec(text)?.[0];
  if (head === undefined) return undefined;
  const rest = text.slice(head.length);
  const dashes = /(?:^|\s)--+(?:\s|$)/.exec(rest);
  const named = dashes === null ? rest : rest.slice(0, dashes.index);
  const rules = named.split(/[\s,]+/).filter((name) => name !== '').map((name) => name.replace(/^step-lock\//, ''));
  const fields = dashes === null ? {} : readFields(rest.slice(dashes.index + dashes[0].length));
  const where = head === 'step-lock-ignore-line' ? 'line' : 'next-line';
  const mistake = headMistake(head) ?? (rules.length === 0 ? 'it names no rule' : fields.mistake);
  return { where, rules, ...fields, ...(mistake === undefined ? {} : { mistake }) };
}

type Fields = Pick<Directive, 'owner' | 'expires' | 'reason' | 'mistake'>;

function headMistake(head: string): string | undefined {
  if (head === 'step-lock-ignore-line' || head === 'step-lock-ignore-next-line') return undefined;
  return `there is no \`${head}\`: write \`step-lock-ignore-next-line\` or \`step-lock-ignore-line\``;
}

function readFields(text: string): Fields {
  const fields: { owner?: string; expires?: string; reason?: string } = {};
  let rest = text.trim();
  while (rest !== '') {
    const [whole, name = ''] = /^(\w+)\s*:\s*/.exec(rest) ?? [];
    if (whole === undefined) return { ...fields, mistake: 'it cannot be read: after `--` write `owner: name, expires: YYYY-MM-DD, reason: why`' };
    rest = rest.slice(whole.length);
    if (name === 'reason') return withReason(fields, rest);
    if (name !== 'owner' && name !== 'expires') return { ...fields, mistake: `there is no field \`${name}\`: it knows \`owner\`, \`expires\`, and at the end \`reason\`` };
    const end = rest.indexOf(',');
    const value = (end === -1 ? rest : rest.slice(0, end)).trim();
    if (value !== '') fields[name] = value;
    rest = end === -1 ? '' : rest.slice(end + 1).trim();
  }
  return fields;
}

/** The reason reaches to the end: other fields behind it would be taken for part of it. */
function withReason(fields: Fields, reason: string): Fields {
  const late = /,\s*(owner|expires)\s*:/.exec(reason)?.[1];
  return {
    ...fields,
    ...(reason === '' ? {} : { reason }),
    ...(late === undefined ? {} : { mistake: `\`${late}\` stands behind \`reason\`, which reaches to the end: put \`reason\` last` }),
  };
}
