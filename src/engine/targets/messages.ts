import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import { graphOf } from '../functions/function-graph.js';
import { messageCall, type MessageCall } from '../operations/message-call.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from './file-transitions.js';
import { identityOf, type Transition } from './transition.js';
import { Kept } from '../kept.js';

/** A message of the row that a transition writes, sent in the same function or by a helper it calls. */
export interface MessageOfRow extends Omit<MessageCall, 'node'> {
  /** In the function of the write: the call that sends, or the call of the helper that does. */
  readonly node: MessageCall['node'];
  /** The helper's own statement. */
  readonly inside: { readonly unit: Unit; readonly node: ts.Node } | undefined;
  /** The other file's client, where a helper brings its own. */
  readonly clientUnit: Unit;
  /** `before`: the write comes after it on some path. `after`: it comes after the write. */
  readonly order: 'before' | 'after';
}

/** Words of helpers that may send: in other files only such calls are followed. */
const SENDS = /event|outbox|history|publish|emit|enqueue|queue|append|record|notify|dispatch|broadcast|message|journal|log[A-Z]/i;

/** The messages that speak of the written row: they name its identity. */
export function messagesOf(transition: Transition): readonly MessageOfRow[] {
  const { unit, write, fn } = transition;
  const names = new Set(identityOf(write).flatMap(symbolsIn));
  if (names.size === 0) return [];
  const found: MessageOfRow[] = [];
  let around = fn;
  let pivot: ts.Node = write.node;
  // What stands around the callback of a transaction runs before or after all that is in it.
  for (let depth = 0; depth < 3 && !unit.ts.isSourceFile(around); depth++) {
    found.push(...messagesBeside(unit, around, pivot, names));
    const scope = fileTransitions(unit).accesses.find((a) => a.kind === 'transaction' && a.body === around);
    if (scope === undefined) break;
    pivot = scope.node;
    around = enclosingFunction(unit, pivot);
  }
  return found;
}

function messagesBeside(unit: Unit, fn: ts.FunctionLikeDeclaration, pivot: ts.Node, names: ReadonlySet<string>): MessageOfRow[] {
  const { ts } = unit;
  const found: MessageOfRow[] = [];
  const visit = (node: ts.Node): void => {
    if (node === pivot || isFunctionWithBody(unit, node)) return;
    if ((ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) && !isPart(node, pivot)) {
      const message = messageAt(unit, node);
      if (message !== undefined && speaksOf(unit, node, names)) {
        const order = orderOf(unit, fn, node, pivot);
        if (order !== undefined) found.push({ ...message, order });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(fn, visit);
  return found;
}

function isPart(a: ts.Node, b: ts.Node): boolean {
  return (a.pos >= b.pos && a.end <= b.end) || (b.pos >= a.pos && b.end <= a.end);
}

function messageAt(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): Omit<MessageOfRow, 'order'> | undefined {
  // Every write of a function looks through it.
  const held = known.get(node);
  if (held !== undefined) return held === NO_MESSAGE ? undefined : held;
  const found = findMessage(unit, node);
  known.set(node, found ?? NO_MESSAGE);
  return found;
}

const NO_MESSAGE = Symbol('no message');
const known = new Kept<ts.Node, Omit<MessageOfRow, 'order'> | typeof NO_MESSAGE>();

function findMessage(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): Omit<MessageOfRow, 'order'> | undefined {
  const own = messageCall(unit, node);
  if (own !== undefined) return { ...own, inside: undefined, clientUnit: unit };
  if (!unit.ts.isCallExpression(node)) return undefined;
  const isNamed = SENDS.test(node.expression.getText(unit.file));
  const called = isNamed || unit.ts.isIdentifier(node.expression) ? calledFunction(unit, node) : undefined;
  // A function of the file itself is read whatever it is called.
  if (called === undefined || (!isNamed && called.unit !== unit)) return undefined;
  const inner = messagesIn(called.unit, called.fn);
  const [only, ...more] = inner;
  if (only === undefined || more.length > 0) return undefined;
  const given = only.client && callTerms(unit, node, called)?.argumentOf(termOf(called.unit, only.client));
  return { ...only, node, inside: { unit: called.unit, node: only.node }, client: given ?? only.client, clientUnit: given === undefined ? called.unit : unit };
}

function messagesIn(unit: Unit, fn: ts.FunctionLikeDeclaration): readonly MessageCall[] {
  const found: MessageCall[] = [];
  const visit = (node: ts.Node): void => {
    const message = unit.ts.isCallExpression(node) || unit.ts.isTaggedTemplateExpression(node) ? messageCall(unit, node) : undefined;
    if (message !== undefined && enclosingFunction(unit, node) === fn) found.push(message);
    unit.ts.forEachChild(node, visit);
  };
  visit(fn);
  return found;
}

function symbolsIn(term: Term): readonly string[] {
  const ids: string[] = [];
  walkTerm(term, (t) => {
    if (t.kind === 'symbol' && t.name !== 'this') ids.push(t.id);
  });
  return ids;
}

function speaksOf(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression, names: ReadonlySet<string>): boolean {
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found) return;
    if (unit.ts.isIdentifier(n) && unit.scopes.resolve(n) !== undefined) found = symbolsIn(termOf(unit, n)).some((id) => names.has(id));
    unit.ts.forEachChild(n, visit);
  };
  const parts = unit.ts.isCallExpression(node) ? chainArguments(unit, node) : [node.template];
  parts.forEach(visit);
  return found;
}

/** The arguments of all calls of a chain: `db.insert(events).values({ stepId })`. */
function chainArguments(unit: Unit, call: ts.CallExpression): readonly ts.Expression[] {
  const all: ts.Expression[] = [...call.arguments];
  for (let e: ts.Expression = call.expression; ;) {
    if (unit.ts.isPropertyAccessExpression(e)) e = e.expression;
    else if (unit.ts.isCallExpression(e)) {
      all.push(...e.arguments);
      e = e.expression;
    } else return all;
  }
}

/** Whether one comes after the other without an error in between; in a loop the order of the text counts. */
function orderOf(unit: Unit, fn: ts.FunctionLikeDeclaration, message: ts.Node, write: ts.Node): 'before' | 'after' | undefined {
  const [first, second] = message.pos < write.pos ? [message, write] : [write, message];
  const graph = graphOf(unit, fn);
  if (graph === undefined) return undefined;
  const goal = new Set(graph.idsOf(second));
  const queue = [...graph.idsOf(first)];
  const seen = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (goal.has(id)) return first === message ? 'before' : 'after';
    for (const edge of graph.nodes[id]?.edges ?? []) {
      if (edge.kind === 'throw' || edge.kind === 'back' || seen.has(edge.to)) continue;
      seen.add(edge.to);
      queue.push(edge.to);
    }
  }
  return undefined;
}
