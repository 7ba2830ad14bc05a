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
}

/**
 * Takes away the suggestions that do not hold. Sites without any cost nothing.
 * @param checkOf How the file of a site is judged once more; undefined where it cannot be, so that its suggestions are withheld.
 */
export function withCheckedSuggestions(sites: readonly Site[], checkOf: (path: string) => { readonly file: ts.SourceFile; readonly check: Check } | undefined): CheckedSites {
  const withheld: WithheldSuggestion[] = [];
  const files = new Map<string, FileCheck | undefined>();
  const checked = sites.map((site) => {
    const offers = Object.entries(site.outcomes).filter((entry): entry is [string, Violated] => hasSuggestions(entry[1]));
    return offers.length === 0 ? site : { ...site, outcomes: { ...site.outcomes, ...Object.fromEntries(offers.map(([rule, outcome]) => [rule, kept(site, rule, outcome)])) } };
  });
  return { sites: checked, withheld };

  function kept(site: Site, rule: string, outcome: Violated): Violated {
    const { suggestions: _, ...rest } = outcome;
    const results = fileCheck(site.place.file)({ site, rule, outcome });
    const left = results.flatMap(({ suggestion, withheld: why }) => (why === undefined ? [suggestion] : []));
    for (const { suggestion, withheld: why } of results) if (why !== undefined) withheld.push({ rule, site: site.id, title: suggestion.title, why });
    return left.length === 0 ? rest : { ...rest, suggestions: left };
  }

  function fileCheck(path: string): FileCheck {
    if (!files.has(path)) {
      const judged = checkOf(path);
      files.set(path, judged && suggestionCheck(judged.file, judged.check));
    }
    return files.get(path) ?? (() => []);
  }
}

type FileCheck = ReturnType<typeof suggestionCheck>;

/** What another finding speaks for is shown to nobody. */
function hasSuggestions(outcome: Outcome): outcome is Violated {
  return outcome.status === 'violated' && outcome.supersededBy === undefined && (outcome.suggestions?.length ?? 0) > 0;
}
