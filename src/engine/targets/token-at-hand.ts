import type ts from 'typescript';
import { resultNames } from '../flow/result-names.js';
import { locksHeldAround } from '../functions/locks-held.js';
import { memberNames, present, typeOf } from '../syntax/declared-type.js';
import { awaited } from '../syntax/declared-member.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import { reaches } from './accesses.js';
import { isVersionColumn, normalised } from './step-words.js';
import { identityOf, type Transition } from './transition.js';

/** A value that changes with each owner or each write, and that the function of a write can name. */
export interface TokenAtHand {
  /** As the code spells it: `lease.fencingToken`. */
  readonly text: string;
  /** Where it comes from: the grant of a lock, the row, or the caller. */
  readonly from: 'grant' | 'row' | 'caller';
  readonly at: ts.Node;
  /** It stands among the values of the write. */
  readonly reaches: boolean;
}

/** The token that a write could carry: of the lock that is held, of the row it speaks of, else one that the caller hands over. */
export function tokenAtHand(transition: Transition): TokenAtHand | undefined {
  return ofGrant(transition) ?? ofRow(transition) ?? ofCaller(transition);
}

/** Tokens of a grant. The name of who holds it says nothing of the turn. */
const GRANTED = /^(?:(?:\w+_)?fence|fencing\w*|token|lock_token|lease_token|lease_id|version|revision|epoch|generation|sequence|seq|mod_revision)$/;
/** Tokens of a row, or among parameters: a bare `token` may be one of a session. */
const KEPT = /^(?:(?:\w+_)?fence|fencing\w*|(?:lock|lease|claim|fencing|run|worker)_token|lease_id|claim_id|epoch|generation)$/;

function ofGrant({ unit, write }: Transition): TokenAtHand | undefined {
  for (const { operation } of locksHeldAround(unit, write.node)) {
    for (const binding of resultNames(unit, operation.node)) {
      const own = memberOf(binding, GRANTED);
      if (own !== undefined) return { text: `${binding.name}.${own}`, from: 'grant', at: operation.node, reaches: carries(unit, write.node, binding, own) };
      // `const { fencingToken, release } = await acquire(..)`
      if (unit.ts.isBindingElement(binding.declaration) && GRANTED.test(normalised(binding.name))) return { text: binding.name, from: 'grant', at: operation.node, reaches: carries(unit, write.node, binding) };
    }
  }
  return undefined;

  function memberOf(binding: Binding, names: RegExp): string | undefined {
    return membersOf(unit, binding).find((m) => names.test(normalised(m)));
  }
}

function membersOf(unit: Unit, binding: Binding): readonly string[] {
  const type = present(awaited(typeOf(unit, binding.id)));
  return type.kind === 'object' ? memberNames(type) : [];
}

/** `job.lockToken` beside `job.id`, `row.version` of the row that was read. */
function ofRow({ unit, write, readBefore }: Transition): TokenAtHand | undefined {
  const named = identityOf(write).flatMap((t) => (t.kind === 'path' && t.base.kind === 'symbol' ? [t.base.name] : []));
  const read = readBefore === undefined ? [] : [...resultNames(unit, readBefore.node)];
  const rows = [...named.flatMap((name) => unit.scopes.lookup(name, write.node) ?? []), ...read];
  for (const row of rows) {
    const own = membersOf(unit, row).find((m) => KEPT.test(normalised(m)) || (read.includes(row) && isVersionColumn(m)));
    if (own !== undefined) return { text: `${row.name}.${own}`, from: 'row', at: row.id, reaches: carries(unit, write.node, row, own) };
  }
  return undefined;
}

function ofCaller({ unit, write }: Transition): TokenAtHand | undefined {
  const { ts } = unit;
  for (let fn: ts.Node = enclosingFunction(unit, write.node); !ts.isSourceFile(fn); fn = enclosingFunction(unit, fn)) {
    if (!ts.isFunctionLike(fn)) return undefined;
    for (const p of fn.parameters) {
      const binding = ts.isIdentifier(p.name) && KEPT.test(normalised(p.name.text)) ? unit.scopes.resolve(p.name) : undefined;
      if (binding !== undefined) return { text: binding.name, from: 'caller', at: p, reaches: carries(unit, write.node, binding) };
    }
  }
  return undefined;
}

/** The token, or the whole it is part of, is among what the write is made of. */
function carries(unit: Unit, write: ts.Node, binding: Binding, member?: string): boolean {
  const { ts } = unit;
  return reaches(unit, write, (n) => {
    if (!ts.isIdentifier(n) || unit.scopes.resolve(n) !== binding) return false;
    if (ts.isPropertyAccessExpression(n.parent) && n.parent.name === n) return false;
    return member === undefined || !ts.isPropertyAccessExpression(n.parent) || n.parent.name.text === member;
  });
}
