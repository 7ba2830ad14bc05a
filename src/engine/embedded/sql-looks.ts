/** A name, quoted or not, perhaps with schema or holes in it. */
const NAME = '["`\\[]?[\\w.${}:?\\]"`\\[]+';

const UPDATE_MODIFIER = '(?:only\\s+|ignore\\s+|low_priority\\s+|or\\s+\\w+\\s+)?';
const AFTER_SET = `(?:${NAME}\\s*(?:=|$)|\\(|\\?|\\$\\{|\\{hole|$)`;
const AFTER_INTO = '(?:\\(|\\s(?:as|values?|select|with|default|set|on\\s+conflict)\\b)';

/** Shapes that no English sentence has. */
const SHAPES: readonly RegExp[] = [
  new RegExp(`^update\\s+${UPDATE_MODIFIER}(?:${NAME}\\s+)?(?:(?:as\\s+)?\\w+\\s+)?set\\s+${AFTER_SET}`, 'iu'),
  new RegExp(`^update\\s+${NAME}(?:\\s+(?:as\\s+)?\\w+)?\\s+(?:inner\\s+|left\\s+)?join\\s+${NAME}[\\s\\S]*\\bset\\b`, 'iu'),
  new RegExp(`^(?:insert|replace)\\s+(?:or\\s+\\w+\\s+|ignore\\s+|low_priority\\s+)?into\\s+(?:${NAME}\\s*)?${AFTER_INTO}`, 'iu'),
  /^with\s+(?:recursive\s+)?["`]?[\w${}:]+["`]?\s*(?:\([^)]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/iu,
  /^begin\s+(?:transaction|work|immediate|exclusive|deferred|concurrent|isolation\s+level)\b/iu,
  /^begin\s*;/iu,
  /^start\s+transaction\b/iu,
  /^set\s+(?:session\s+|local\s+|global\s+)?(?:characteristics\s+as\s+)?transaction\b/iu,
  /^(?:commit|rollback)(?:\s+(?:work|transaction))?(?:\s+to(?:\s+savepoint)?\s+\S+)?\s*;/iu,
  /^(?:rollback\s+to|release)\s+savepoint\s+\S+\s*;?\s*$/iu,
  /^rollback\s+to\s+\S+\s*;?\s*$/iu,
  /^lock\s+tables?\s+\S+(?:\s+\S+)?\s+(?:in\s+[\w\s]+\s+mode|read|write)\b/iu,
  /^call\s+[\w.`"]+\s*\(/iu,
  /^merge\s+into\s+\S+(?:\s+(?:as\s+)?\S+)?\s+using\b/iu,
];

/** Shapes a sentence could have; a sentence starts with one capital letter, SQL with none or all. */
const WEAK_SHAPES: readonly RegExp[] = [
  new RegExp(`^delete\\s+from\\s+(?:${NAME})?(?:\\s+(?:as\\s+)?\\w+)?\\s*(?:;|$|(?:where|using|returning|limit|order)\\b)`, 'iu'),
  /^(?:begin|commit|rollback)(?:\s+(?:work|transaction))?\s*$/iu,
  /^savepoint\s+\S+\s*;?\s*$/iu,
];

const ARTICLE = /\b(?:the|an|your|this|these|those|that|my|our|their|its|each|every)\b/iu;
const ARTICLE_AND_NOUN = /(?:^|\s)(?:the|an?|your|this|these|those|that|my|our|their|its|one|any|all|each|every|some)\s+[a-z]/iu;

/**
 * A cheap test by the first keyword and the shape behind it, so that `Update the status` and `select an option` are no SQL. Give holes as `?`, as
 * `${x}` or as nothing.
 */
export function looksLikeSql(text: string): boolean {
  const sql = text.slice(0, MAX_LOOK).replace(LEADING, '');
  const first = /^[a-z]+/iu.exec(sql)?.[0] ?? '';
  if (!FIRST_WORDS.has(first.toLowerCase())) {
    return false;
  }
  if (SHAPES.some((shape) => shape.test(sql))) {
    return true;
  }
  const capitalised = /^[A-Z][a-z]/u.test(first);
  return /^select$/iu.test(first) ? isSelect(sql, capitalised) : !capitalised && weakShape(sql, first);
}

const MAX_LOOK = 4000;
const LEADING = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|\$\{[^}]*\}|\{hole:\d+\})+/u;
const FIRST_WORDS: ReadonlySet<string> = new Set([
  'update', 'insert', 'replace', 'delete', 'with', 'begin', 'start', 'set', 'commit', 'rollback', 'release', 'savepoint', 'lock', 'call', 'merge', 'select',
]);

function weakShape(sql: string, first: string): boolean {
  // The last word of a piece may be cut: `AN` of `AND` is no article.
  const head = sql.length > 40 ? sql.slice(0, 40).replace(/\w+$/u, '') : sql;
  if (WEAK_SHAPES.some((shape) => shape.test(sql) && !ARTICLE.test(head))) {
    return true;
  }
  // `INSERT INTO jobs ${rows}`: only the capitals tell it from prose.
  return first === 'INSERT' && /^INSERT\s+INTO\s+\S*\s*\??$/u.test(sql);
}

/** Behind SELECT stands an output list and FROM, or a call, or a value alone. */
function isSelect(sql: string, capitalised: boolean): boolean {
  const rest = sql.slice('select'.length).trimStart();
  if (!/^select(?:\s|$|["'(*])/iu.test(sql)) {
    return false;
  }
  if (/^(?:[\w.]+\s*\([^)]|[\w.]+\(\)|\*|\d+\s*(?:;|$|as\b|from\b|[,)])|distinct\b|exists\s*\(|case\s+when\b|["`]\w+["`]|\$\d|\()/iu.test(rest)) {
    return !capitalised || /\bfrom\b|\(/iu.test(rest);
  }
  const from = /(?:^|\s)from\s+/iu.exec(rest);
  if (from === null) {
    return false;
  }
  const list = rest.slice(0, from.index);
  const table = rest.slice(from.index + from[0].length);
  return !ARTICLE_AND_NOUN.test(list) && !/^(?:the|an?|your|this|these|those)\b/iu.test(table) && isOutputList(list) && (!capitalised || isSentenceProof(sql));
}

/** Items by commas, each one word or a word with an alias: `a, b AS c`. */
function isOutputList(list: string): boolean {
  return list.split(',').every((item) => !/^\s*\w+(?:\s+\w+){2,}\s*$/u.test(item) || /\sas\s/iu.test(item) || /\b(?:case|not|and|or)\b/iu.test(item));
}

function isSentenceProof(sql: string): boolean {
  return /\bwhere\s+\S+\s*(?:=|<|>|in\b|is\b)|\bfor\s+update\b|\blimit\s+\d/iu.test(sql);
}
