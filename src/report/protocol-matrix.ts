import type { Review, ReviewSite, RowStatus } from '../review/types.js';

/** The judged places of one kind against the rules that judge that kind. */
export interface MatrixGroup {
  readonly title: string;
  /** Rules that apply to at least one of the places, in the order of their names. */
  readonly rules: readonly string[];
  readonly rows: readonly MatrixRow[];
  /** How many places were left off: those with nothing open first. */
  readonly leftOff: number;
}

export interface MatrixRow {
  readonly site: ReviewSite;
  /** One cell a rule of the group. */
  readonly cells: readonly RowStatus[];
}

const TITLES = {
  A: 'Acquisitions', L: 'Releases', E: 'Extensions', T: 'State writes', I: 'Lock implementations',
} as const satisfies Record<ReviewSite['subject'], string>;

/** One sign a status, for tables; the legend spells them out. */
export const SIGNS = { violated: '✗', unknown: '?', verified: '✓', 'not-applicable': '·' } as const satisfies Record<RowStatus, string>;
export const SIGNS_LEGEND = '✗ violated, ? unknown, ✓ verified, · does not apply';

/**
 * The protocol matrix: sites by rules, one group a kind of place.
 * @param mostRows The most rows of a group.
 */
export function protocolMatrix({ sites }: Pick<Review, 'sites'>, mostRows: number): MatrixGroup[] {
  return Object.entries(TITLES)
    .map(([subject, title]) => group(title, sites.filter((site) => site.subject === subject), mostRows))
    .filter(({ rows }) => rows.length > 0);
}

function group(title: string, sites: readonly ReviewSite[], mostRows: number): MatrixGroup {
  const status = (site: ReviewSite, rule: string): RowStatus => site.outcomes[rule]?.status ?? 'not-applicable';
  const rules = [...new Set(sites.flatMap(({ outcomes }) => Object.keys(outcomes)))]
    .filter((rule) => sites.some((site) => status(site, rule) !== 'not-applicable'))
    .sort();
  const rows = sites.map((site) => ({ site, cells: rules.map((rule) => status(site, rule)) }));
  const shown = rows.length <= mostRows ? rows : worstOf(rows, mostRows);
  return { title, rules, rows: shown, leftOff: rows.length - shown.length };
}

/** The rows with the most to answer for, in the order of their places. */
function worstOf(rows: readonly MatrixRow[], most: number): readonly MatrixRow[] {
  const weight = ({ cells }: MatrixRow): number => (cells.includes('violated') ? 2 : cells.includes('unknown') ? 1 : 0);
  const kept = new Set(rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, most));
  return rows.filter((row) => kept.has(row));
}
