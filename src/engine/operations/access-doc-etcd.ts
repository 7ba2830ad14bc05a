import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { assignment, type Patch } from './access-orm-assign.js';
import { importsPackage, stepNamed, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { both, condition, OPEN_FILTER, operatorFilter, operatorNamed, type Filter } from './access-orm-filter.js';
import { inObject, NOTHING_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { bodyPatch, wordOfPath } from './doc-body.js';
import type { StateAccess } from './state-access.js';
import { constant } from './value.js';

const ETCD = /^etcd3$/;

/** `client.put(key).value(v)`, `client.if(key, 'Mod', '==', rev).then(client.put(key).value(v)).commit()`, `client.get(key).string()`. */
export function etcdAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps, call } = chain;
  if (!importsPackage(unit, ETCD)) return undefined;
  const asks = stepNamed(chain, 'if');
  if (last.name === 'commit' && asks !== undefined) return transactionWrite(chain, asks);
  const put = stepNamed(chain, 'put');
  const value = stepNamed(chain, 'value');
  if (put !== undefined && value !== undefined && put.receiver !== undefined && !isBranch(unit, call)) return writeAt(chain, put, value, { where: [], open: false }, NOTHING_FORM);
  const get = steps.find((s) => s.name === 'get');
  const key = get?.args[0];
  return get?.receiver === undefined || key === undefined || !/^(?:get|string|json|buffer|number|exec)$/.test(last.name) ? undefined : readOf(chain, factsOf(unit, key, get.receiver), identityOf(unit, key), true);
}

function transactionWrite(chain: Chain, asks: ChainStep): StateAccess | undefined {
  const { unit, steps } = chain;
  const branch = stepNamed(chain, 'then')?.args ?? [];
  for (const node of branch) {
    const puts = putOf(unit, node);
    if (puts === undefined) continue;
    const guard = both(steps.filter((s) => s === asks || s.name === 'and').map((s) => comparedBy(unit, s, columnOf(unit, puts.put.args[0]))));
    return writeAt(chain, puts.put, puts.value, guard, inObject('object with succeeded', { succeeded: constant(true) }, { succeeded: constant(false) }));
  }
  return undefined;
}

function putOf(unit: Unit, node: ts.Expression): { readonly put: ChainStep; readonly value: ChainStep } | undefined {
  const { ts } = unit;
  const value = followed(unit, node);
  const on = ts.isCallExpression(value) && ts.isPropertyAccessExpression(value.expression) && value.expression.name.text === 'value' ? bare(unit, value.expression.expression) : undefined;
  if (on === undefined || !ts.isCallExpression(value) || !ts.isCallExpression(on) || !ts.isPropertyAccessExpression(on.expression) || on.expression.name.text !== 'put') return undefined;
  return { put: { name: 'put', args: on.arguments, call: on, receiver: on.expression.expression }, value: { name: 'value', args: value.arguments, call: value, receiver: on } };
}

function writeAt(chain: Chain, put: ChainStep, value: ChainStep, guard: Filter, result: Parameters<typeof writeOf>[5]): StateAccess | undefined {
  const { unit } = chain;
  const [key] = put.args;
  const [given] = value.args;
  if (key === undefined || given === undefined || put.receiver === undefined) return undefined;
  const column = columnOf(unit, key);
  const patch: Patch = column === undefined ? bodyPatch(unit, given, chain.call) : { set: [assignment(unit, column, given)], open: false };
  return writeOf(chain, factsOf(unit, key, put.receiver), 'upsert', both([identityOf(unit, key), guard]), patch, result, 'put');
}

function factsOf(unit: Unit, key: ts.Expression, client: ts.Expression): LayerFacts {
  return { layer: 'etcd', evidence: 'package', target: wordOfPath(unit, key), client: termOf(unit, client) };
}

function identityOf(unit: Unit, key: ts.Expression): Filter {
  return { where: [condition('key', 'eq', [termOf(unit, key)])], open: false };
}

/** `status` of the key `steps/${id}/status`: the value is the state itself. Undefined where a whole document stands under the key. */
function columnOf(unit: Unit, key: ts.Expression | undefined): string | undefined {
  const { ts } = unit;
  const e = key && followed(unit, key);
  const end = e === undefined ? undefined : ts.isTemplateExpression(e) ? e.templateSpans.at(-1)?.literal.text : textOf(unit, e);
  return /[/:.](status|state|phase)$/i.exec(end ?? '')?.[1];
}

/** `if(key, 'Value', '==', 'pending')`; the other targets are versions. */
function comparedBy(unit: Unit, { args }: ChainStep, column: string | undefined): Filter {
  const [, what, sign, value] = args;
  const target = textOf(unit, what);
  const op = operatorNamed(textOf(unit, sign) ?? '');
  if (value === undefined || op === undefined || target === undefined) return OPEN_FILTER;
  if (/^(?:mod|version|create)/i.test(target)) return op === 'eq' ? { where: [condition('version', 'eq', [termOf(unit, value)])], open: false } : OPEN_FILTER;
  return target === 'Value' && column !== undefined ? operatorFilter(unit, column, op, value) : target === 'Value' && op === 'eq' ? { where: [condition('version', 'eq', [termOf(unit, value)])], open: false } : OPEN_FILTER;
}

/** An operation that a transaction is handed is no write of its own. */
function isBranch(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const p = call.parent;
  return ts.isCallExpression(p) && ts.isPropertyAccessExpression(p.expression) && /^(?:then|else)$/.test(p.expression.name.text);
}
