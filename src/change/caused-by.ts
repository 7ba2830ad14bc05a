import type { Finding, ReviewSite } from '../review/types.js';
import { isWithinLines, type ChangedFile, type ChangedLines } from './diff.js';

/** The texts of a file in head and in base; undefined where there is none. Paths are those of the review. */
export interface BothTexts {
  head(path: string): string | undefined;
  base(path: string): string | undefined;
}

type Cause = NonNullable<Finding['causedBy']>;

/**
 * The changed line that brought a new finding which stands on an untouched one. In this order: a changed line on its path or at the second writer; a change close to
 * one; a changed line that names the function it stands in, or what the code at the place names; the first change of a file on its path.
 * @returns undefined where the finding itself stands on a changed line, and where nothing of this holds.
 */
export function causedBy(finding: Finding, lines: ChangedLines, sites: ReadonlyMap<string, ReviewSite>, texts: BothTexts): Cause | undefined {
  const range = { first: finding.line, last: Math.max(finding.line, finding.endLine) };
  if (lines.file(finding.file).some(({ first, last }) => first <= range.last && range.first <= last)) return undefined;
  const second = finding.conflictsWith === undefined ? undefined : sites.get(finding.conflictsWith);
  const steps = [...finding.witness, ...(second === undefined ? [] : [second])];

  const onPath = steps.find(({ file, line }) => isWithinLines(lines.file(file), line));
  if (onPath !== undefined) return { file: onPath.file, line: onPath.line, note: 'this line of its path changed' };
  const files = new Map(lines.files.map((file) => [file.path, file]));
  const site = sites.get(finding.site);
  return nearby([...steps, finding], files) ?? naming(finding, site, lines, texts) ?? anywhere([...steps, finding], files);
}

/** Lines within which a change is taken to belong to a place: a call around it, a condition before it. */
const NEAR = 5;

function nearby(places: readonly { readonly file: string; readonly line: number }[], files: ReadonlyMap<string, ChangedFile>): Cause | undefined {
  for (const { file, line } of places) {
    const near = linesOf(files.get(file)).map((at) => ({ at, far: Math.abs(at - line) })).filter(({ far }) => far <= NEAR).sort((a, b) => a.far - b.far)[0];
    if (near !== undefined) return { file, line: near.at, note: 'the change beside its path' };
  }
  return undefined;
}

/** The caller that dropped its lock, the wrapper, the constant: a changed line, of head or of base, that names the function or a name used at the place. */
function naming(finding: Finding, site: ReviewSite | undefined, lines: ChangedLines, texts: BothTexts): Cause | undefined {
  const own = [...finding.witness.map(({ file, line }) => ({ file, line, endLine: line })), finding]
    .map(({ file, line, endLine }) => texts.head(file)?.split('\n').slice(line - 1, endLine).join('\n') ?? '').join('\n');
  const fn = site === undefined ? [] : [site.name.slice(site.name.lastIndexOf('.') + 1)].filter((name) => /^[\w$]+$/.test(name));
  const used = [...new Set(own.match(/[A-Za-z_$][\w$]*/g) ?? [])].filter((word) => word.length > 3 && !KEYWORDS.has(word));
  for (const names of [fn, used]) {
    if (names.length === 0) continue;
    const named = new RegExp(`(?<![\\w$])(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')})(?![\\w$])`);
    for (const file of lines.files) {
      const found = firstNaming(file, named, texts);
      if (found !== undefined) return { file: file.path, line: found.line, note: `the change names \`${found.name}\`` };
    }
  }
  return undefined;
}

const KEYWORDS = new Set(['await', 'const', 'return', 'async', 'this', 'function', 'true', 'false', 'null', 'undefined', 'throw', 'where', 'data', 'status']);

function firstNaming(file: ChangedFile, named: RegExp, texts: BothTexts): { readonly line: number; readonly name: string } | undefined {
  const now = file.status === 'deleted' ? [] : texts.head(file.path)?.split('\n') ?? [];
  const then = file.basePath === undefined ? [] : texts.base(file.basePath)?.split('\n') ?? [];
  for (const { oldStart, oldLines, newStart, newLines } of file.hunks) {
    for (let at = 0; at < newLines; at++) {
      const [name] = named.exec(now[newStart - 1 + at] ?? '') ?? [];
      if (name !== undefined) return { line: newStart + at, name };
    }
    const [gone] = named.exec(then.slice(oldStart - 1, oldStart - 1 + oldLines).join('\n')) ?? [];
    if (gone !== undefined) return { line: newStart, name: gone };
  }
  return undefined;
}

function anywhere(places: readonly { readonly file: string }[], files: ReadonlyMap<string, ChangedFile>): Cause | undefined {
  for (const { file } of places) {
    const [line] = linesOf(files.get(file));
    if (line !== undefined) return { file, line, note: 'the change in a file of its path' };
  }
  return undefined;
}

function linesOf(file: ChangedFile | undefined): number[] {
  if (file === undefined || file.status === 'deleted') return [];
  return file.hunks.flatMap(({ newStart, newLines }) => (newLines === 0 ? [newStart] : Array.from({ length: newLines }, (_, at) => newStart + at)));
}
