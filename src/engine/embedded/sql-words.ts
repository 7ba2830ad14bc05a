/** Words that are SQL grammar: never the name of a column or table unless quoted or dotted. */
export const SQL_KEYWORDS: ReadonlySet<string> = new Set((
  'all and any array as asc between binary by case cast collate conflict cross delete desc distinct div do else end escape except exists fetch '
  + 'filter for from full glob group having ilike in inner insert intersect interval into is isnull join lateral left like limit mod natural not '
  + 'nothing notnull nulls offset on or order over partition regexp returning right rlike select set similar some then union update using values '
  + 'when where window with xor'
).split(' '));

/** Words that stand for a value, not for a column. */
export const SQL_CONSTANTS: ReadonlySet<string> = new Set([
  'null', 'true', 'false', 'default', 'current_timestamp', 'current_date', 'current_time', 'localtimestamp', 'localtime', 'current_user', 'session_user',
  'sysdate',
]);

/** Units behind a number in `INTERVAL 5 MINUTE`. */
export const SQL_TIME_UNITS: ReadonlySet<string> = new Set([
  'microsecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year',
]);

/** After one of these words a hole is an operand or a name; after anything else that ends an operand it is a piece of its own. */
export const SQL_OPERAND_FOLLOWS: ReadonlySet<string> = new Set((
  'all and any array as between by case cast collate distinct div else escape except exists from glob having ilike in insert intersect interval into '
  + 'is join lateral like limit mod not offset on only or regexp returning rlike select set similar some then to union update using values when where '
  + 'with xor'
).split(' '));
