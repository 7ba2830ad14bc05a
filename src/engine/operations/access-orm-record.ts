import type ts from 'typescript';
import { followed } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { object, array, constant, TRUTHY } from './value.js';
import type { Patch } from './access-orm-assign.js';
import type { Chain } from './access-orm-chain.js';
import type { Filter } from './access-orm-filter.js';
import type { ResultForm } from './result-form.js';
import type { StateRead, StateWrite } from './state-access.js';

/** What a layer says of all its records. */
export interface LayerFacts {
  readonly layer: string;
  readonly evidence: 'package' | 'shape' | 'name';
  readonly target: string | undefined;
  readonly client: Term | undefined;
}

export function writeOf(chain: Chain, facts: LayerFacts, verb: StateWrite['verb'], filter: Filter, patch: Patch, result: ResultForm, method = chain.last.name): StateWrite {
  return {
    kind: 'write', node: chain.call, ...facts, verb, where: filter.where, whereOpen: filter.open, set: patch.set, setOpen: patch.open, locksRows: locksRows(chain), result, method,
  };
}

export function readOf(chain: Chain, facts: LayerFacts, filter: Filter, single: boolean, lock: StateRead['lock'] = 'none'): StateRead {
  return { kind: 'read', node: chain.call, ...facts, where: filter.where, whereOpen: filter.open, lock, single };
}

const LOCKING = /\.(?:for\(\s*['"`](?:no key )?update|forUpdate\(|forNoKeyUpdate\()/;

/** A subquery of the statement locks the rows it chooses: in place or in a variable that holds the unawaited builder. */
function locksRows(chain: Chain): boolean {
  const { unit } = chain;
  if (LOCKING.test(chain.call.getText(unit.file))) return true;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (unit.ts.isIdentifier(n)) {
      const e = followed(unit, n);
      found ||= unit.ts.isCallExpression(e) && LOCKING.test(e.getText(unit.file));
    }
    if (!found) unit.ts.forEachChild(n, visit);
  };
  for (const step of chain.steps) if (/^(?:where|whereIn|andWhere)$/.test(step.name)) for (const a of step.args) visit(a);
  return found;
}

/** An answer that is the same for a hit and a miss. */
export const ENTITY_FORM: ResultForm = { label: 'entity', won: [TRUTHY], lost: [TRUTHY], throwsWhenLost: false, silent: true };

/** Nothing in any case. */
export const NOTHING_FORM: ResultForm = { label: 'void', won: [constant(undefined)], lost: [constant(undefined)], throwsWhenLost: false, silent: true };

/** An object of which one property holds the answer. */
export function inObject(label: string, won: Parameters<typeof object>[0], lost: Parameters<typeof object>[0], silent = false): ResultForm {
  return { label, won: [object(won)], lost: [object(lost)], throwsWhenLost: false, ...(silent ? { silent } : {}) };
}

/** An array whose first item holds the answer. */
export function inArray(label: string, won: Parameters<typeof array>[0], lost: Parameters<typeof array>[0]): ResultForm {
  return { label, won: [array(won, undefined)], lost: [array(lost, undefined)], throwsWhenLost: false };
}

/** The layer's view of one call; the first that gives a record wins. */
export type Layer<T> = (chain: Chain) => T | undefined;

export function argument(step: { readonly args: readonly ts.Expression[] } | undefined, at: number): ts.Expression | undefined {
  return step?.args[at];
}
