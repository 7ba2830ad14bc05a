import type ts from 'typescript';
import { edited } from '../edited-text.js';
import type { Project } from '../project.js';
import type { Suggestion, Violated } from './outcome.js';
import type { Site, SiteFacts } from './site.js';

/** How a text is judged: the engine with its models and rules, as the findings were found. */
export interface Check {
  /** Judges one file, with all rules; the project is the one handed over. */
  readonly judge: (file: ts.SourceFile, project: Project) => readonly Site[];
  /** Parses a text as the file it stands for was parsed. */
  readonly parse: (text: string) => ts.SourceFile;
  readonly project: Project;
  /** What `judge` says of the file as it is, where that is known. */
  readonly before?: readonly Site[];
}

/** A violated outcome with the site and the rule that it belongs to. */
export interface Suggested { readonly site: Site; readonly rule: string; readonly outcome: Violated }

/** Why a suggestion is not offered. */
export type Withheld = 'too-many' | 'out-of-bounds' | 'syntax' | 'not-found-alone' | 'still-there' | 'something-new';

export interface CheckedSuggestion { readonly suggestion: Suggestion; readonly withheld?: Withheld }

/** So many suggestions of one file are checked: each costs a judgement of the file. */
export const MOST_CHECKS = 12;

/**
 * Checks suggestions by making their edits: the engine, run on the edited text, must no longer find the fault and must find nothing new in the file. The text judged
 * before and after is the one file with the same project, so that the two can be compared.
 */
export function suggestionCheck(file: ts.SourceFile, check: Check): (suggested: Suggested) => CheckedSuggestion[] {
  let before: ReadonlyMap<string, number> | undefined;
  let left = MOST_CHECKS;
  return (suggested) => (suggested.outcome.suggestions ?? []).map((suggestion) => {
    if (left === 0) return { suggestion, withheld: 'too-many' };
    left--;
    before ??= countsOf(check.before ?? check.judge(file, check.project));
    const withheld = reasonAgainst(file, suggestion, suggested, before, check);
    return withheld === undefined ? { suggestion } : { suggestion, withheld };
  });
}

function reasonAgainst(file: ts.SourceFile, { edits }: Suggestion, suggested: Suggested, before: ReadonlyMap<string, number>, check: Check): Withheld | undefined {
  const fault = identityOf(suggested.site, suggested.rule);
  const found = before.get(fault) ?? 0;
  if (found === 0) return 'not-found-alone';
  const text = edited(file.text, edits);
  if (text === undefined) return 'out-of-bounds';
  const mended = check.parse(text);
  if (syntaxErrors(mended) > syntaxErrors(file)) return 'syntax';
  const after = countsOf(check.judge(mended, withFile(check.project, file.fileName, mended)));
  if ((after.get(fault) ?? 0) >= found) return 'still-there';
  return [...after].some(([identity, count]) => count > (before.get(identity) ?? 0)) ? 'something-new' : undefined;
}

function withFile(project: Project, path: string, file: ts.SourceFile): Project {
  const { text } = project;
  return { ...project, file: (asked) => (asked === path ? file : project.file(asked)), ...(text && { text: (asked) => (asked === path ? file.text : text(asked)) }) };
}

/** `parseDiagnostics` is filled by the parser and read by every TypeScript tool, but is not in the public type. */
function syntaxErrors(file: ts.SourceFile): number {
  const { parseDiagnostics } = file as ts.SourceFile & { readonly parseDiagnostics?: readonly unknown[] };
  return parseDiagnostics?.length ?? 0;
}

/** How often each fault is found. What another finding speaks for is told by that one. */
function countsOf(sites: readonly Site[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const site of sites) {
    for (const [rule, outcome] of Object.entries(site.outcomes)) {
      if (outcome.status !== 'violated' || outcome.supersededBy !== undefined) continue;
      const identity = identityOf(site, rule);
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
    }
  }
  return counts;
}

/** Rule, function and operation. What an edit may change, such as owner and TTL, is no part of it; neither are lines. */
function identityOf(site: Site, rule: string): string {
  return [rule, site.name, ...operationOf(site.facts)].join('\0');
}

function operationOf(facts: SiteFacts): string[] {
  switch (facts.subject) {
    case 'A':
    case 'L':
    case 'E':
      return [facts.subject, facts.key];
    case 'T':
      return [facts.subject, facts.target, facts.to];
    case 'I':
      return [facts.subject, facts.name];
  }
}
