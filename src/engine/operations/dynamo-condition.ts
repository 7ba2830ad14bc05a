import type ts from 'typescript';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { both, condition, either, negated, OPEN_FILTER, operatorNamed, type Filter } from './access-orm-filter.js';
import { columnNamed, valueNamed } from './dynamo-command.js';

const COMPARED = /^(#?[\w.]+)\s*(<=|>=|<>|=|<|>)\s*(:\w+)$/;
const LISTED = /^(#?[\w.]+)\s+IN\s*\(([^()]*)\)$/i;
const PRESENT = /^attribute_(not_)?exists\s*\(\s*(#?[\w.]+)\s*\)$/i;

/** A ConditionExpression of DynamoDB with the names and values of its command. What is not understood leaves the condition open. */
export function dynamoCondition(unit: Unit, input: ts.ObjectLiteralExpression, text: string): Filter {
  const inner = withoutBrackets(text);
  const alternatives = parted(inner, /^OR\b/i);
  if (alternatives.length > 1) return either(alternatives.map((t) => dynamoCondition(unit, input, t)));
  const parts = /\bBETWEEN\b/i.test(inner) ? [inner] : parted(inner, /^AND\b/i);
  if (parts.length > 1) return both(parts.map((t) => dynamoCondition(unit, input, t)));
  if (/^NOT\b/i.test(inner)) return negated(dynamoCondition(unit, input, inner.slice(3)));
  return atom(unit, input, inner);
}

function atom(unit: Unit, input: ts.ObjectLiteralExpression, text: string): Filter {
  const compared = COMPARED.exec(text);
  if (compared !== null) {
    const [, name = '', sign = '', bound = ''] = compared;
    return { where: [condition(columnNamed(unit, input, name), operatorNamed(sign) ?? 'other', values([bound]))], open: false };
  }
  const listed = LISTED.exec(text);
  if (listed !== null) return { where: [condition(columnNamed(unit, input, listed[1] ?? ''), 'in', values((listed[2] ?? '').split(',').map((v) => v.trim())))], open: false };
  const present = PRESENT.exec(text);
  if (present !== null) return { where: [condition(columnNamed(unit, input, present[2] ?? ''), present[1] === undefined ? 'not-null' : 'is-null', [])], open: false };
  return OPEN_FILTER;

  function values(bound: readonly string[]): ReturnType<typeof termOf>[] {
    return bound.flatMap((b) => {
      const node = valueNamed(unit, input, b);
      return node === undefined ? [] : [termOf(unit, node)];
    });
  }
}

/** The parts between a word that stands outside of all brackets. */
function parted(text: string, word: RegExp): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
    const found = depth === 0 && /\s|\)/.test(text[at - 1] ?? '') ? word.exec(text.slice(at)) : null;
    if (found === null) continue;
    parts.push(text.slice(start, at).trim());
    start = at + found[0].length;
  }
  return [...parts, text.slice(start).trim()];
}

/** `(a AND b)` is `a AND b`; `(a) OR (b)` stays. */
function withoutBrackets(text: string): string {
  const t = text.trim();
  if (!t.startsWith('(') || !t.endsWith(')')) return t;
  let depth = 0;
  for (let at = 0; at < t.length - 1; at++) {
    if (t[at] === '(') depth++;
    if (t[at] === ')') depth--;
    if (depth === 0) return t;
  }
  return withoutBrackets(t.slice(1, -1));
}
