import type ts from 'typescript';
import { suggestionCheck, type Check, type Withheld } from './checked-suggestions.js';
import type { Outcome, Violated } from './outcome.js';
import type { Site } from './site.js';

/** A suggestion that is not offered, with the reason. */
export interface WithheldSuggestion { readonly rule: string; readonly site: string; readonly title: string; readonly why: Withheld }

export interface CheckedSites {
  /** The same sites; of their suggestions those that hold. */
  readonly sites: readonly Site[];
  readonly withheld: readonly WithheldSuggestion[];
  /** What was found of each suggestion, by file, in the order in which they were tried. */
  readonly results: ReadonlyMap<string, FileResults>;
}

/** What was found of the suggestions of a file, one after the other; null: it holds. */
export type FileResults = readonly (Withheld | null)[];

/** How the file of a site is judged once more, or what an earlier run that did so found. */
export type HowToCheck = { readonly file: ts.SourceFile; readonly check: Check } | { readonly known: FileResults };

/**
 * Takes away the suggestions that do not hold. Sites without any cost nothing.
 * @param checkOf How the file of a site is judged once more; undefined where it cannot be, so that its suggestions are withheld.
 */
export function withCheckedSuggestions(sites: readonly Site[], checkOf: (path: string) => HowToCheck | undefined): CheckedSites {
  const withheld: WithheldSuggestion[] = [];
  const tried = new Map<string, (Withheld | null)[]>();
  const files = new Map<string, FileCheck | undefined>();
  const checked = sites.map((site) => {
    const offers = Object.entries(site.outcomes).filter((entry): entry is [string, Violated] => hasSuggestions(entry[1]));
    return offers.length === 0 ? site : { ...site, outcomes: { ...site.outcomes, ...Object.fromEntries(offers.map(([rule, outcome]) => [rule, kept(site, rule, outcome)])) } };
  });
  return { sites: checked, withheld, results: tried };

  function kept(site: Site, rule: string, outcome: Violated): Violated {
    const { suggestions: _, ...rest } = outcome;
    const results = fileCheck(site.place.file)({ site, rule, outcome });
    tried.set(site.place.file, [...tried.get(site.place.file) ?? [], ...results.map(({ withheld: why }) => why ?? null)]);
    const left = results.flatMap(({ suggestion, withheld: why }) => (why === undefined ? [suggestion] : []));
    for (const { suggestion, withheld: why } of results) if (why !== undefined) withheld.push({ rule, site: site.id, title: suggestion.title, why });
    return left.length === 0 ? rest : { ...rest, suggestions: left };
  }

  function fileCheck(path: string): FileCheck {
    if (!files.has(path)) {
      const how = checkOf(path);
      files.set(path, how && ('known' in how ? asFound(how.known) : suggestionCheck(how.file, how.check)));
    }
    return files.get(path) ?? (() => []);
  }
}

/** Tells again what was found. */
function asFound(known: FileResults): FileCheck {
  let at = 0;
  return ({ outcome }) => (outcome.suggestions ?? []).map((suggestion) => {
    const why = known[at++] ?? null;
    return why === null ? { suggestion } : { suggestion, withheld: why };
  });
}

type FileCheck = ReturnType<typeof suggestionCheck>;

/** What another finding speaks for is shown to nobody. */
function hasSuggestions(outcome: Outcome): outcome is Violated {
  return outcome.status === 'violated' && outcome.supersededBy === undefined && (outcome.suggestions?.length ?? 0) > 0;
}
