import type ts from 'typescript';
import type { ResultForm } from '../operations/result-form.js';
import { constant, NOTHING, presenceOf, propertyOfValue, truthOf, TRUTHY, UNKNOWN, type Value } from '../operations/value.js';
import type { Binding } from '../syntax/scope.js';
import { bare, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { FlowEdge, FlowGraph, FlowNode } from './cfg-types.js';
import { liveFacts } from './live-facts.js';
import { unsetNames } from './unset-names.js';
import { evaluate, fieldName } from './evaluate.js';
import { EnvTable, type EnvKey, type PathEnv } from './path-env.js';

/**
 * Where a lock stands on a path. `lost`: an acquire said no, or threw. `escaped`: the handle was given to code that may free it. `kept`: it was put into a collection
 * in memory, out of which it may be freed, or be taken back.
 */
export type Hold = 'free' | 'held' | 'lost' | 'released' | 'escaped' | 'kept';

/** One state on one path through a function. `from` leads back to the entry: the path is the witness. */
export interface World {
  readonly at: FlowNode;
  readonly hold: Hold;
  /** The acquire the hold speaks of. */
  readonly site: ts.Node | undefined;
  readonly env: PathEnv;
  readonly from: World | undefined;
  /** The kind of edge that led here. */
  readonly via: FlowEdge['kind'] | undefined;
  /** At a return: the value. */
  readonly returned: Value | undefined;
  /** What was thrown last was thrown by a `throw` of the function, and by no call. */
  readonly thrownHere: boolean;
}

/** What calls of the function mean for one lock (or one guarded write). */
export interface Protocol {
  readonly acquires: ReadonlyMap<ts.Node, ResultForm>;
  readonly releases: ReadonlySet<ts.Node>;
  /** Whether a call or an assignment hands the lock to code that may free it later. */
  escapes(node: ts.Node): boolean;
  /** Whether a call puts the lock into a collection in memory: `map.set(job.id, job)`. Absent: none does. */
  keeps?(node: ts.Node): boolean;
  /** Whether a call takes back what was put there: `map.delete(job.id)`. */
  recalls(node: ts.Node): boolean;
  /** Whether a condition asks if the lock still is one's own, before it is freed by hand: who finds that it is not leaves nothing behind. */
  asksOwner?(condition: ts.Node): boolean;
  /** A call that finds out for itself whether it may: no work that hangs on the answer. */
  isGuarded?(node: ts.Node): boolean;
  /** True where each round of a loop tests its conditions anew. Absent: what one round has learned of a condition holds in all, so that equal tests agree. */
  readonly testsAnew?: boolean;
}

const CLOCK = /\b(?:Date\.now|performance\.now|process\.(?:hrtime|uptime))\b|\bnew Date\(\)/;

/** More worlds than this, and nothing is said of the function. */
const WORLD_BUDGET = 6000;

/**
 * Runs all paths of a graph, telling apart by what the lock's answer was: tests on the answer, and on names that got it or a constant, are decided; all others go both
 * ways. Worlds at one node with the same knowledge are one, so that loops end.
 *
 * @returns every reached world, in order; undefined when the budget is spent.
 */
export function simulate(unit: Unit, graph: FlowGraph, protocol: Protocol): readonly World[] | undefined {
  const { ts } = unit;
  const { lastUse, placeOf } = liveFacts(unit, graph);
  const uses = new Map<EnvKey, number>();
  const seen = new Set<string>();
  const known = new EnvTable();
  const mentions = new Map<string, Map<ts.Node, boolean>>();
  // Asked by each of the worlds that come to a node.
  const escapes = byNode((node) => protocol.escapes(node));
  const keeps = byNode((node) => protocol.keeps?.(node) === true);
  const worlds: World[] = [];
  const entry = graph.nodes[graph.entry];
  if (entry === undefined) return [];
  enter({ at: entry, hold: 'free', site: undefined, env: known.of(unsetNames(unit, graph.root)), from: undefined, via: undefined, returned: undefined, thrownHere: false });
  for (let i = 0; i < worlds.length; i++) {
    if (worlds.length > WORLD_BUDGET) return undefined;
    const world = worlds[i];
    if (world !== undefined) step(world);
  }
  return worlds;

  function enter(world: World): void {
    const key = `${String(world.at.id)}|${world.hold}|${String(world.site?.pos)}|${world.returned === undefined ? '' : String(known.valueId(world.returned))}|${String(world.env.id)}|${String(world.thrownHere)}|${isEnd(world.at) ? String(world.from?.at.id) : ''}`;
    if (seen.has(key)) return;
    seen.add(key);
    worlds.push(world);
  }

  /** Each way out is told by the place that leads to it. */
  function isEnd({ kind }: FlowNode): boolean {
    return kind === 'exit' || kind === 'throw-exit';
  }

  function step(world: World): void {
    const { at } = world;
    switch (at.kind) {
      case 'call':
      case 'await': return stepCall(world);
      case 'assign': return follow(world, () => true, { env: assigned(world.env, at.node), ...(at.node !== undefined && inHand(world) && escapes(at.node) ? { hold: 'escaped' } : {}) });
      case 'test': return stepTest(world);
      case 'return': return follow(world, () => true, returning(world));
      default: return stepOn(world);
    }
  }

  function stepCall(world: World): void {
    const { at } = world;
    const node = at.node;
    if (node === undefined) return stepOn(world);
    const call = at.kind === 'await' && ts.isAwaitExpression(node) ? bare(unit, node.expression) : node;
    const form = protocol.acquires.get(call);
    if (form !== undefined) {
      // A call that is awaited on the spot answers at its await.
      if (at.kind === 'call' && answersLater(call)) return follow(world, (e) => e.kind !== 'throw', { env: withValue(world.env, call, UNKNOWN) });
      // `await client?.set(..)` waits for nothing where there is no client.
      if (at.kind === 'await' && world.env.get(call) === NOTHING) return stepOn(world);
      return acquire(world, call, form);
    }
    if (at.kind === 'call') {
      if (protocol.releases.has(node)) return follow(world, () => true, { hold: inHand(world) || world.hold === 'escaped' ? 'released' : world.hold });
      if (world.hold === 'held' && keeps(node)) return follow(world, () => true, { hold: 'kept' });
      if (world.hold === 'kept' && protocol.recalls(node)) return follow(world, () => true, { hold: 'held' });
      if (inHand(world) && escapes(node)) return follow(world, () => true, { hold: 'escaped' });
    }
    stepOn(world);
  }

  function inHand(world: World): boolean {
    return world.hold === 'held' || world.hold === 'kept';
  }

  function answersLater(call: ts.Node): boolean {
    let p = call.parent;
    while (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p)) p = p.parent;
    return ts.isAwaitExpression(p);
  }

  function acquire(world: World, call: ts.Node, form: ResultForm): void {
    // In a loop an earlier round's lock stays held whatever this round answers.
    const otherwise: Hold = inHand(world) && world.site === call ? world.hold : 'lost';
    for (const value of form.won) follow(world, (e) => e.kind !== 'throw', { hold: 'held', site: call, env: withValue(world.env, call, value) });
    for (const value of form.lost) follow(world, (e) => e.kind !== 'throw', { hold: otherwise, site: call, env: withValue(world.env, call, value) });
    follow(world, (e) => e.kind === 'throw', { hold: otherwise, site: call });
  }

  function stepTest(world: World): void {
    const { at, env } = world;
    const tested = at.node;
    if (tested === undefined || at.asks === 'next' || !isExpression(tested)) return stepOn(world);
    const value = evaluate(unit, env, tested);
    const truth = at.asks === 'truthy' ? truthOf(value) : at.asks === 'present' ? presenceOf(value) : value.kind === 'unknown' ? undefined : !(value.kind === 'const' && value.value === undefined);
    for (const edge of at.edges) {
      if (truth !== undefined && (edge.kind === 'true' || edge.kind === 'false') && (edge.kind === 'true') !== truth) continue;
      go(world, edge, at.asks === 'present' ? { env: asked(env, tested, edge.kind === 'true', truth === undefined) } : truth === undefined && at.asks === 'truthy' ? { env: learned(env, tested, edge.kind === 'true') } : {});
    }
  }

  /** `client?.set(..)` is undefined where there is no client. A field that was asked so once is there, or is not, for the rest of the function too. */
  function asked(env: PathEnv, tested: ts.Expression, present: boolean, open: boolean): PathEnv {
    let chain: ts.Expression = tested;
    while (ts.isOptionalChain(chain.parent) && chain.parent.expression === chain) chain = chain.parent;
    const into = !present && chain !== tested ? env.with(chain, NOTHING) : env;
    const field = chain !== tested && open ? fieldName(unit, tested) : undefined;
    return field === undefined ? into : into.with(field, present ? TRUTHY : NOTHING);
  }

  function isExpression(node: ts.Node): node is ts.Expression {
    return !ts.isStatement(node) && !ts.isParameter(node) && !ts.isBindingElement(node);
  }

  /** What a test that could not be decided teaches: the condition itself, when nothing can change it, and a tested name. */
  function learned(env: PathEnv, tested: ts.Expression, truth: boolean): PathEnv {
    const e = bare(unit, tested);
    // `Date.now() < deadline` holds until it does not: a loop that waits ends by it.
    const into = CLOCK.test(e.getText(unit.file)) ? env : env.with(e, truth ? TRUTHY : FALSE);
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    if (binding === undefined) return into;
    if (truth) return into.with(binding, TRUTHY);
    return binding.writes.length === 0 ? into.with(binding, FALSE) : into;
  }

  function returning(world: World): Partial<World> {
    const node = world.at.node;
    const value = node === undefined ? undefined : ts.isReturnStatement(node) ? node.expression : isExpression(node) ? node : undefined;
    return { returned: value === undefined ? NOTHING : evaluate(unit, world.env, value) };
  }

  function stepOn(world: World): void {
    let taken = false;
    for (const edge of world.at.edges) {
      if (edge.kind === 'case' && edge.switchOn !== undefined) {
        if (edge.caseOf === undefined ? taken : !mayEqual(world.env, edge.switchOn, edge.caseOf)) continue;
        if (edge.caseOf !== undefined && mustEqual(world.env, edge.switchOn, edge.caseOf)) taken = true;
      }
      go(world, edge, {});
      if (taken && edge.kind === 'case') break;
    }
  }

  function mayEqual(env: PathEnv, a: ts.Expression, b: ts.Expression): boolean {
    const [p, q] = [evaluate(unit, env, a), evaluate(unit, env, b)];
    return p.kind !== 'const' || q.kind !== 'const' || p.value === q.value;
  }

  function mustEqual(env: PathEnv, a: ts.Expression, b: ts.Expression): boolean {
    const [p, q] = [evaluate(unit, env, a), evaluate(unit, env, b)];
    return p.kind === 'const' && q.kind === 'const' && p.value === q.value;
  }

  function follow(world: World, takes: (edge: FlowEdge) => boolean, change: Partial<World>): void {
    for (const edge of world.at.edges) if (takes(edge)) go(world, edge, change);
  }

  function go(world: World, edge: FlowEdge, change: Partial<World>): void {
    const at = graph.nodes[edge.to];
    if (at === undefined) return;
    const all = change.env ?? world.env;
    const env = edge.kind === 'back' && protocol.testsAnew === true ? withoutConditions(all) : all;
    const place = placeOf(at);
    enter({
      at, hold: change.hold ?? world.hold, site: change.site ?? world.site, env: env.highestOf(useOf) <= place ? env : env.filtered((key) => useOf(key) <= place), from: world, via: edge.kind,
      returned: change.returned ?? world.returned, thrownHere: edge.kind === 'throw' ? world.at.kind === 'throw' : world.thrownHere,
    });
  }

  /** The answers of the lock are asked for to the end. */
  function useOf(key: EnvKey): number {
    let use = uses.get(key);
    if (use === undefined) uses.set(key, (use = isNode(key) && protocol.acquires.has(key) ? -Infinity : lastUse(key)));
    return use;
  }

  function withoutConditions(env: PathEnv): PathEnv {
    return env.filtered((key) => !isNode(key) || protocol.acquires.has(key));
  }

  function isNode(key: EnvKey): key is ts.Node {
    return typeof key === 'object' && 'kind' in key && typeof key.kind === 'number';
  }

  function withValue(env: PathEnv, key: EnvKey, value: Value): PathEnv {
    return value.kind === 'unknown' ? env.without(key) : env.with(key, value);
  }

  function assigned(env: PathEnv, node: ts.Node | undefined): PathEnv {
    if (node === undefined) return env;
    if (ts.isVariableDeclaration(node)) {
      if (node.initializer !== undefined) return bind(env, env, node.name, evaluate(unit, env, node.initializer));
      if (!ts.isIdentifier(node.name)) return bind(env, env, node.name, UNKNOWN);
      return bind(env, env, node.name, ts.isForOfStatement(node.parent.parent) || ts.isForInStatement(node.parent.parent) ? UNKNOWN : NOTHING);
    }
    if (ts.isBinaryExpression(node)) {
      const plain = node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
      const target = bare(unit, node.left);
      const into = ts.isIdentifier(target) ? set(env, unit.scopes.resolve(target), plain ? evaluate(unit, env, node.right) : UNKNOWN) : forgetIn(env, target);
      const field = fieldName(unit, target);
      return field === undefined ? into : into.without(field);
    }
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const target = bare(unit, node.operand);
      return ts.isIdentifier(target) ? set(env, unit.scopes.resolve(target), UNKNOWN) : env;
    }
    return ts.isParameter(node) || ts.isBindingElement(node) ? forgetIn(env, node.name) : env;
  }

  /** `before`: what was known when the value was worked out. */
  function bind(into: PathEnv, before: PathEnv, name: ts.BindingName, value: Value): PathEnv {
    if (ts.isIdentifier(name)) return set(into, unit.scopes.resolve(name), value);
    let bound = into;
    for (const [i, element] of name.elements.entries()) {
      if (!ts.isBindingElement(element)) continue;
      if (element.dotDotDotToken !== undefined) {
        bound = forgetIn(bound, element.name);
        continue;
      }
      const key = ts.isArrayBindingPattern(name) ? String(i) : nameText(unit, element.propertyName ?? (element.name));
      const part = propertyOfValue(value, key);
      bound = bind(bound, before, element.name, element.initializer !== undefined && part.kind === 'const' && part.value === undefined ? evaluate(unit, before, element.initializer) : part);
    }
    return bound;
  }

  function set(env: PathEnv, binding: Binding | undefined, value: Value): PathEnv {
    if (binding === undefined) return env;
    const into = withValue(env, binding, value);
    // Conditions that speak of the name were tested on its old value.
    return binding.writes.length === 0 ? into : into.filtered((key) => !isNode(key) || !mentionsName(key, binding.name));
  }

  function mentionsName(node: ts.Node, name: string): boolean {
    if (protocol.acquires.has(node)) return false;
    let ofName = mentions.get(name);
    if (ofName === undefined) mentions.set(name, (ofName = new Map<ts.Node, boolean>()));
    const held = ofName.get(node);
    if (held !== undefined) return held;
    const found = new RegExp(`\\b${name.replace(/\$/g, '\\$')}\\b`).test(node.getText(unit.file));
    ofName.set(node, found);
    return found;
  }

  function forgetIn(env: PathEnv, target: ts.Node): PathEnv {
    if (ts.isIdentifier(target)) return set(env, unit.scopes.resolve(target), UNKNOWN);
    let into = env;
    ts.forEachChild(target, (child) => { into = forgetIn(into, child); });
    return into;
  }
}

const FALSE = constant(false);

function byNode(ask: (node: ts.Node) => boolean): (node: ts.Node) => boolean {
  const known = new Map<ts.Node, boolean>();
  return (node) => {
    const held = known.get(node);
    if (held !== undefined) return held;
    const answer = ask(node);
    known.set(node, answer);
    return answer;
  };
}
