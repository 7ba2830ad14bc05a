import type ts from 'typescript';
import { callersOf } from '../functions/callers.js';
import { programCallers, valuesInFile, type ProgramCallers } from '../functions/program-callers.js';
import { enclosingFunction, functionName, wholeValue } from '../syntax/expression.js';
import { quotedCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { entryOf, registered, type Entry } from './actor-entry.js';
import { entryByName, namesStart, purposeOf, type ActorKind } from './actor-words.js';
import { wholeFunction } from './rivals.js';
import { Kept } from '../kept.js';

/** Who makes a write: how the code that leads to it is entered. */
export interface Actor {
  readonly kind: ActorKind;
  /** For facts and tables: `http POST /steps/:id`, `cancel by http POST /cancel`, `queue steps`, `unknown`. */
  readonly text: string;
  /** For sentences: `POST /cancel` in backticks, the worker of a queue, a function by its name. Undefined where nothing tells. */
  readonly who: string | undefined;
}

export const UNKNOWN_ACTOR: Actor = { kind: 'unknown', text: 'unknown', who: undefined };

/** `file`: callers of other files are left out, as a linter does for speed. */
export type Reach = 'file' | 'program';

/** Calls are followed outwards this far, in this many ways. */
const DEPTH = 6;
const MOST_WAYS = 8;

/** The actors that lead to a node, each way once, the most telling first. */
export function actorsOf(unit: Unit, node: ts.Node, reach: Reach): readonly Actor[] {
  const known = actors[reach];
  const held = known.get(node);
  if (held !== undefined) return held;
  const found = findActors(unit, node, reach);
  known.set(node, found);
  return found;
}

/** Every writer of a target is asked for against every other one. */
const actors = { file: new Kept<ts.Node, readonly Actor[]>(), program: new Kept<ts.Node, readonly Actor[]>() };

function findActors(unit: Unit, node: ts.Node, reach: Reach): readonly Actor[] {
  const ways: Way[] = [];
  follow(unit, node, [], reach, ways, new Set());
  const byText = new Map(ways.map((way) => actorOf(way)).map((actor) => [actor.text, actor]));
  const told = [...byText.values()].filter((a) => a.kind !== 'unknown');
  return told.length === 0 ? [UNKNOWN_ACTOR] : told;
}

/** All actors that lead to a node, as one: the first speaks, the others are counted in the text. */
export function actorOfNode(unit: Unit, node: ts.Node, reach: Reach): Actor {
  const [first = UNKNOWN_ACTOR, ...others] = actorsOf(unit, node, reach);
  return others.length === 0 ? first : { ...first, text: [first, ...others.slice(0, 2)].map((a) => a.text).join('; ') + (others.length > 2 ? `; and ${others.length - 2} more` : '') };
}

const runs = new Kept<ts.Node, ReadonlySet<ts.Node>>();

/** Whether one of two writes is made by code that the other one's function calls, so that they come one after the other until it is all run twice. */
export function isOneRun(a: { readonly unit: Unit; readonly node: ts.Node }, b: { readonly unit: Unit; readonly node: ts.Node }): boolean {
  return functionsAround(a).has(wholeFunction(b.unit, b.node)) || functionsAround(b).has(wholeFunction(a.unit, a.node));
}

/** A function that is called for nothing in particular when a process starts. */
export function startsUp(unit: Unit, fn: ts.FunctionLikeDeclaration | ts.SourceFile): boolean {
  return !unit.ts.isSourceFile(fn) && fn.parameters.length === 0 && namesStart(functionName(unit, fn));
}

/** Whether some function leads to both of two writes. */
export function haveOneRoot(a: { readonly unit: Unit; readonly node: ts.Node }, b: { readonly unit: Unit; readonly node: ts.Node }): boolean {
  const roots = functionsAround(b);
  return [...functionsAround(a)].some((fn) => roots.has(fn));
}

/**
 * Whether a function of another file leads to a node, or one that stands inside of another function and was made there for somebody who runs it later: a handler that is
 * registered by name, a method of what is given back.
 */
export function isStartedElsewhere(at: { readonly unit: Unit; readonly node: ts.Node }): boolean {
  const own = wholeFunction(at.unit, at.node);
  return [...functionsAround(at)].some((fn) => fn.getSourceFile() !== at.unit.file || (fn === own ? isGivenBack(at.unit, fn) : isMadeInside(at.unit, fn)));
}

function isMadeInside(unit: Unit, fn: ts.Node): boolean {
  return unit.ts.isFunctionLike(fn) && !unit.ts.isSourceFile(enclosingFunction(unit, fn));
}

/** `return { runTask: async (..) => .. }` */
function isGivenBack(unit: Unit, fn: ts.Node): boolean {
  const { ts } = unit;
  const object = ts.isPropertyAssignment(fn.parent) ? fn.parent.parent : fn.parent;
  return isMadeInside(unit, fn) && ts.isObjectLiteralExpression(object) && ts.isReturnStatement(wholeValue(unit, object).parent);
}

/** The function of a node and those that lead to it. */
function functionsAround({ unit, node }: { readonly unit: Unit; readonly node: ts.Node }): ReadonlySet<ts.Node> {
  const held = runs.get(node);
  if (held !== undefined) return held;
  const ways: Way[] = [];
  follow(unit, node, [], 'program', ways, new Set());
  const found = new Set<ts.Node>([wholeFunction(unit, node), ...ways.flatMap((w) => [...w.through])]);
  runs.set(node, found);
  return found;
}

/** The functions from a write outwards, and the entry they lead to. */
interface Way {
  readonly through: readonly ts.Node[];
  readonly names: readonly string[];
  readonly entry: Entry | undefined;
}

function follow(unit: Unit, node: ts.Node, names: readonly string[], reach: Reach, ways: Way[], path: Set<ts.Node>): void {
  const { ts } = unit;
  const fn = wholeFunction(unit, node);
  if (ways.length >= MOST_WAYS || path.has(fn)) return;
  const through = [...path];
  if (ts.isSourceFile(fn)) return void ways.push({ names, entry: undefined, through });
  through.push(fn);
  const entry = entryOf(unit, fn);
  const all = [...names, functionName(unit, fn)];
  if (entry !== undefined) return void ways.push({ names: all, entry, through });
  if (path.size >= DEPTH) return void ways.push({ names: all, entry: undefined, through });
  path.add(fn);
  const before = ways.length;
  const { calls, values } = usesOf(unit, fn, reach);
  for (const value of values) {
    const handed = registered(value.unit, value.node);
    if (handed !== undefined && ways.length < MOST_WAYS) ways.push({ names: all, entry: handed, through });
  }
  for (const { unit: from, call } of calls) follow(from, call, all, reach, ways, path);
  // A callback that nobody runs in sight belongs to the function around it.
  if (ways.length === before && isInner(unit, fn)) follow(unit, fn, names, reach, ways, path);
  if (ways.length === before) ways.push({ names: all, entry: undefined, through });
  path.delete(fn);
}

function isInner(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  return (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) && !ts.isVariableDeclaration(fn.parent) && !ts.isSourceFile(wholeFunction(unit, fn));
}

function usesOf(unit: Unit, fn: ts.FunctionLikeDeclaration, reach: Reach): { calls: readonly { unit: Unit; call: ts.CallExpression }[]; values: ProgramCallers['values'] } {
  return reach === 'program' ? programCallers(unit, fn) : { calls: callersOf(unit, fn).calls.map((call) => ({ unit, call })), values: valuesInFile(unit, fn) };
}

function actorOf({ names, entry }: Way): Actor {
  const label = entry?.label ?? '';
  // A worker's piece of work may cancel or retry something; what it is there for says the job it takes.
  const told = entry?.kind === 'queue' ? names.slice(-1) : names;
  const purpose = entry?.kind === 'http' && /web-?hook/i.test(label) ? 'webhook' : firstOf(told, purposeOf) ?? purposeOf(label);
  const guessed = entry === undefined ? byName(names) : undefined;
  if (guessed !== undefined && (purpose === undefined || guessed.kind !== 'unknown')) return purpose === undefined ? guessed : { ...guessed, kind: purpose, text: `${purpose} by ${guessed.text}` };
  const way = entry === undefined ? '' : `${entry.kind}${label === '' ? '' : ` ${label}`}`;
  const text = purpose === undefined ? way : way === '' ? purpose : `${purpose} by ${way}`;
  return { kind: purpose ?? entry?.kind ?? 'unknown', text, who: nameOf(entry, purpose) };
}

function nameOf(entry: Entry | undefined, purpose: ActorKind | undefined): string | undefined {
  const shown = entry === undefined || entry.label === '' ? undefined : quotedCode(entry.label, 24);
  if (entry?.kind === 'http' && shown !== undefined) return shown;
  if (purpose !== undefined) return `the ${purpose}`;
  if (entry?.kind === 'queue') return shown === undefined ? 'the worker' : `the worker ${shown}`;
  if (entry?.kind === 'cron') return shown === undefined ? 'the timed job' : `the timed job ${shown}`;
  return entry === undefined ? undefined : 'the request handler';
}

/** Nothing registers the code in sight; the outermost function that says by its name what it is speaks. */
function byName(names: readonly string[]): Actor {
  const name = names.findLast((n) => entryByName(n) !== undefined);
  const kind = name === undefined ? undefined : entryByName(name);
  return name === undefined || kind === undefined ? UNKNOWN_ACTOR : { kind, text: `${kind} ${name}`, who: quotedCode(name.length > 28 ? name.slice(name.lastIndexOf('.') + 1) : name, 28) };
}

/** The function nearest to the write says best what it is for. */
function firstOf<T>(names: readonly string[], ask: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const found = ask(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
