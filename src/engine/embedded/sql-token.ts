import { dropCasts } from './sql-casts.js';
import { countHoles, showHoles, SQL_HOLE } from './sql-hole.js';
import { scanComment, scanNumber, scanParam, scanQuoted, scanString, type SqlScan } from './sql-scan.js';
import { SQL_KEYWORDS } from './sql-words.js';

/**
 * One token. `text` is the name without its quotes, or the content of a string; `word` is the lower-case form of an unquoted word and empty
 * for all else, so that a quoted `"from"` is never taken for a keyword.
 */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'param' | 'hole' | 'op' | 'open' | 'close' | 'comma' | 'dot' | 'semicolon';
  readonly text: string;
  readonly word: string;
  /** Offsets in the joined text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Holes inside the token. */
  readonly holes: readonly number[];
  /** How many holes stand before it in the text. */
  readonly holesBefore: number;
  /** Params only: position counted from 0, when it has one. */
  readonly index?: number;
}

/**
 * Cuts SQL text into tokens in one pass. Comments and `::type` casts are dropped; an unclosed quote is an `op` token. Never throws.
 *
 * @param text the parts joined by {@link SQL_HOLE}
 */
export function tokenizeSql(text: string): readonly SqlToken[] {
  // Only MySQL quotes names with backticks, and only MySQL reads "x" as a string.
  const scan: SqlScan = { text, at: 0, holes: 0, params: 0, failures: 0, tokens: [], doubleQuoteIsString: text.includes('`') };
  while (scan.at < text.length) {
    step(scan);
  }
  return dropCasts(scan.tokens);
}

function step(scan: SqlScan): void {
  const char = scan.text[scan.at] ?? '';
  if (SPACE.test(char)) {
    scan.at += 1;
    return;
  }
  if (scanComment(scan) || scanString(scan) || scanQuoted(scan) || scanParam(scan) || scanNumber(scan) || scanName(scan)) {
    return;
  }
  scanSymbol(scan, char);
}

const SPACE = /\s/u;
const NAME = /[\p{L}_\0][\p{L}\p{N}_$\0]*/uy;

function scanName(scan: SqlScan): boolean {
  NAME.lastIndex = scan.at;
  const glued = NAME.exec(scan.text)?.[0];
  if (glued === undefined) {
    return false;
  }
  const pieces = gluedPieces(glued);
  for (const piece of pieces) {
    pushName(scan, piece);
  }
  return true;
}

/** `jobs_${x}` is one name; `WHERE${x}`, `${x}AND` and `${x}${y}` are tokens that happen to touch. */
function gluedPieces(glued: string): readonly string[] {
  if (!glued.includes(SQL_HOLE)) {
    return [glued];
  }
  const pieces = glued.split(/(\0)/u).filter((piece) => piece !== '');
  const words = pieces.filter((piece) => piece !== SQL_HOLE);
  const isName = words.length > 0 && words.every((word) => !SQL_KEYWORDS.has(word.toLowerCase()));
  return isName ? [glued] : pieces;
}

function pushName(scan: SqlScan, piece: string): void {
  const holes = countHoles(piece);
  const first = scan.holes;
  const numbers = Array.from({ length: holes }, (_, offset) => first + offset);
  const kind = piece === SQL_HOLE ? 'hole' : holes > 0 ? 'quoted' : 'word';
  scan.tokens.push({
    kind, text: showHoles(piece, first), word: kind === 'word' ? piece.toLowerCase() : '', start: scan.at, end: scan.at + piece.length, holes: numbers,
    holesBefore: first,
  });
  scan.holes += holes;
  scan.at += piece.length;
}

const SYMBOL = /<=>|<>|<=|>=|!=|\|\||->>|->|#>>|#>|@>|<@|!~\*|!~|~\*|=>|:=|::|&&|\?\||\?&/uy;
const SYMBOL_KINDS: Readonly<Record<string, SqlToken['kind']>> = { '(': 'open', ')': 'close', ',': 'comma', '.': 'dot', ';': 'semicolon' };

function scanSymbol(scan: SqlScan, char: string): void {
  SYMBOL.lastIndex = scan.at;
  const text = SYMBOL.exec(scan.text)?.[0] ?? char;
  scan.tokens.push({ kind: SYMBOL_KINDS[text] ?? 'op', text, word: '', start: scan.at, end: scan.at + text.length, holes: [], holesBefore: scan.holes });
  scan.at += text.length;
}
