import type { ResultModel, SlotPath } from '../models.js';
import type { DocTag, DocTagName, TaggedFunction } from '../syntax/doc-comments.js';
import { nameText } from '../syntax/expression.js';

/** What stands behind a tag, as `name=value` pairs; or why it cannot be read. */
export type TagSlots = { readonly given: ReadonlyMap<string, string> } | { readonly mistake: string };

/** What each tag may say of the function. */
const KEYS = {
  acquiresLock: ['key', 'owner', 'ttl', 'unit', 'result', 'body', 'renews'],
  releasesLock: ['key', 'owner', 'handle', 'ownerCheck', 'ifNotHeld'],
  extendsLock: ['key', 'owner', 'handle', 'ttl', 'unit', 'ownerCheck'],
  stepTransition: ['id', 'from', 'to', 'owner', 'target', 'result'],
} as const satisfies Partial<Record<DocTagName, readonly string[]>>;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  unit: ['ms', 's'],
  renews: ['yes', 'no'],
  ownerCheck: ['atomic', 'none'],
  ifNotHeld: ['throws', 'harmless', 'deletes-other'],
  result: ['boolean', 'handle-or-null', 'handle-or-undefined', 'handle-or-throws', 'void-or-throws', 'ok-or-null', 'count'] satisfies readonly Extract<ResultModel, string>[],
};

/** Values that are no parameter. */
const WORDS: Readonly<Record<string, readonly string[]>> = { ttl: ['none', 'library'], owner: ['none'], key: ['none'] };

/** Reads `key=stepId ttl=options.ttlMs - what it is for`. */
export function tagSlots(fn: TaggedFunction, tag: DocTag): TagSlots {
  const keys: readonly string[] = tag.name in KEYS ? KEYS[tag.name as keyof typeof KEYS] : [];
  const given = new Map<string, string>();
  const told = tag.text.replace(/(?:^|\s)- .*$/, '').trim();
  for (const word of told === '' ? [] : told.split(/\s+/)) {
    const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
    if (name === undefined || value === undefined) return { mistake: `\`@${tag.name}\` of \`${fn.name}\` cannot read \`${word}\`. Write pairs like \`${keys[0] ?? 'key'}=parameter\`, and words for people after \` - \`.` };
    if (!keys.includes(name)) return { mistake: `\`@${tag.name}\` of \`${fn.name}\` knows no \`${name}\`. It knows ${listed(keys)}.` };
    const mistake = wrongValue(fn, tag, name, value);
    if (mistake !== undefined) return { mistake };
    given.set(name, value);
  }
  return { given };
}

function wrongValue(fn: TaggedFunction, tag: DocTag, name: string, value: string): string | undefined {
  const choices = CHOICES[name];
  if (choices !== undefined) return choices.includes(value) ? undefined : `\`${name}\` in \`@${tag.name}\` of \`${fn.name}\` must be one of ${listed(choices)}, not \`${value}\`.`;
  if (name === 'target' || WORDS[name]?.includes(value) === true || (name === 'to' && isText(value)) || pathOf(fn, value) !== undefined) return undefined;
  const names = parameterNames(fn);
  const there = names.length === 0 ? 'it has no parameters' : `its parameters are ${listed(names)}`;
  return `\`${name}=${value}\` in \`@${tag.name}\` of \`${fn.name}\` names no parameter: ${there}.`;
}

/** `'running'`: a state spelled in the tag. */
export function isText(value: string): boolean {
  return /^'[^']*'$|^"[^"]*"$/.test(value);
}

/** The slot of a parameter, of a property of one (`options.ttlMs`), or of a name taken out of one (`{ ttlMs }`). */
export function pathOf({ unit, declaration }: TaggedFunction, value: string): SlotPath | undefined {
  const { ts } = unit;
  const [head, ...props] = value.split('.');
  for (const [index, { name }] of declaration.parameters.entries()) {
    if (ts.isIdentifier(name) && name.text === head) return [`arg${index}`, ...props].join('.');
    if (!ts.isObjectBindingPattern(name)) continue;
    const part = name.elements.find((e) => nameText(unit, e.name) === head);
    if (part !== undefined) return [`arg${index}`, nameText(unit, part.propertyName ?? part.name), ...props].join('.');
  }
  return undefined;
}

/** The names a function takes its values by. */
export function parameterNames({ unit, declaration }: TaggedFunction): string[] {
  const { ts } = unit;
  return declaration.parameters.flatMap(({ name }) => (ts.isObjectBindingPattern(name) ? name.elements.map((e) => nameText(unit, e.name)) : [name.getText(unit.file)]));
}

function listed(names: readonly string[]): string {
  return names.map((n) => `\`${n}\``).join(', ');
}
