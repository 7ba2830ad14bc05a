import type ts from 'typescript';
import { bare, followed, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { statesOfExpression } from './states.js';
import { normalised, stateWord } from './step-words.js';
import { Kept } from '../kept.js';

/** The moves between states that code allows, as it declares them. */
export interface TransitionTable {
  readonly name: string;
  readonly unit: Unit;
  readonly node: ts.Node;
  /** What the table is of, by its name and type: `job`, `run`. Empty where they do not say. */
  readonly nouns: readonly string[];
  readonly states: ReadonlySet<string>;
  /** Whether a move is listed. A step that stays where it is makes none. */
  allows(from: string, to: string): boolean;
  /** Nothing leads out of the state. */
  isFinal(state: string): boolean;
}

const known = new Kept<Unit, readonly TransitionTable[]>();

/** The tables that a file declares or imports. A table with a part that cannot be read is none. */
export function transitionTables(unit: Unit): readonly TransitionTable[] {
  return [...declared(unit), ...imported(unit)];
}

const NAME = /transition|allowed|(?<![a-z])next|flow|machine|moves|lifecycle|legal|valid|edges|graph/i;

function declared(unit: Unit): readonly TransitionTable[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: TransitionTable[] = [];
  const visit = (n: ts.Node): void => {
    const named = (ts.isVariableDeclaration(n) || ts.isPropertyDeclaration(n)) && n.initializer !== undefined;
    if (named && NAME.test(n.name.getText(unit.file))) {
      const table = tableAt(unit, n);
      if (table !== undefined) found.push(table);
    }
    ts.forEachChild(n, visit);
  };
  if (unit.says(NAME)) visit(unit.file);
  known.set(unit, found);
  return found;
}

function imported(unit: Unit): readonly TransitionTable[] {
  const { ts } = unit;
  return unit.file.statements.flatMap((s) => {
    const names = ts.isImportDeclaration(s) && s.importClause?.namedBindings !== undefined && ts.isNamedImports(s.importClause.namedBindings) ? s.importClause.namedBindings.elements.map((e) => (e.propertyName ?? e.name).text).filter((n) => NAME.test(n)) : [];
    if (names.length === 0 || !ts.isImportDeclaration(s) || !ts.isStringLiteral(s.moduleSpecifier)) return [];
    const from = unit.importOf(s.moduleSpecifier.text);
    return from === undefined ? [] : declared(from).filter((t) => names.includes(t.name));
  });
}

type Moves = ReadonlyMap<string, ReadonlySet<string>>;

function tableAt(unit: Unit, declaration: ts.VariableDeclaration | ts.PropertyDeclaration): TransitionTable | undefined {
  const { ts } = unit;
  const value = declaration.initializer && plain(unit, declaration.initializer);
  const moves = value === undefined ? undefined : ts.isObjectLiteralExpression(value) ? movesByState(unit, value) : ts.isArrayLiteralExpression(value) ? movesInPairs(unit, value) : undefined;
  if (moves === undefined || moves.size < 2) return undefined;
  const targets = new Set([...moves.values()].flatMap((to) => [...to]));
  // Values that are never keys are something else: the rights of a role.
  if (![...targets].some((t) => moves.has(t))) return undefined;
  const name = declaration.name.getText(unit.file);
  return {
    name, unit, node: declaration, nouns: nounsOf(`${name} ${declaration.type?.getText(unit.file) ?? ''}`), states: new Set([...moves.keys(), ...targets]),
    allows: (from, to) => moves.get(stateWord(from))?.has(stateWord(to)) === true,
    isFinal: (state) => (moves.get(stateWord(state))?.size ?? 0) === 0,
  };
}

/** Through `as const`, `satisfies`, `Object.freeze(..)`, `new Set(..)`, `new Map(..)`. */
function plain(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = followed(unit, node);
  const [first] = (ts.isNewExpression(e) && /^(?:Set|Map)$/.test(e.expression.getText(unit.file))) || (ts.isCallExpression(e) && e.expression.getText(unit.file) === 'Object.freeze') ? (e.arguments ?? []) : [];
  return first === undefined ? e : plain(unit, first);
}

/** `{ pending: ['running', 'cancelled'], done: [] }`, `{ pending: { running: true } }` */
function movesByState(unit: Unit, object: ts.ObjectLiteralExpression): Moves | undefined {
  const { ts } = unit;
  const moves = new Map<string, Set<string>>();
  for (const p of object.properties) {
    if (!ts.isPropertyAssignment(p)) return undefined;
    const from = keyOf(unit, p.name);
    const to = from === undefined ? undefined : statesListed(unit, p.initializer);
    if (from === undefined || to === undefined) return undefined;
    moves.set(stateWord(from), new Set(to.map(stateWord)));
  }
  return moves;
}

function keyOf(unit: Unit, name: ts.PropertyName): string | undefined {
  if (!unit.ts.isComputedPropertyName(name)) return nameText(unit, name);
  const states = statesOfExpression(unit, name.expression);
  return states?.length === 1 ? states[0] : undefined;
}

function statesListed(unit: Unit, node: ts.Expression): readonly string[] | undefined {
  const { ts } = unit;
  const e = plain(unit, node);
  if (ts.isArrayLiteralExpression(e)) return together(e.elements.map((x) => (ts.isSpreadElement(x) ? undefined : statesOfExpression(unit, x))));
  if (!ts.isObjectLiteralExpression(e)) return undefined;
  return together(e.properties.map((p) => {
    const key = ts.isPropertyAssignment(p) && p.initializer.kind === ts.SyntaxKind.TrueKeyword ? keyOf(unit, p.name) : undefined;
    return key === undefined ? undefined : [key];
  }));
}

/** `[['pending', 'running'], ..]`, `[{ from: 'pending', to: 'running' }, ..]` */
function movesInPairs(unit: Unit, list: ts.ArrayLiteralExpression): Moves | undefined {
  const { ts } = unit;
  const moves = new Map<string, Set<string>>();
  for (const element of list.elements) {
    const e = bare(unit, element);
    const [from, to] = ts.isArrayLiteralExpression(e) && e.elements.length === 2 ? e.elements.map((x) => oneOrMore(unit, x)) : ts.isObjectLiteralExpression(e) ? ['from', 'to'].map((n) => part(unit, e, n)) : [];
    if (from === undefined || to === undefined) return undefined;
    for (const f of from) moves.set(stateWord(f), new Set([...(moves.get(stateWord(f)) ?? []), ...to.map(stateWord)]));
  }
  // States that nothing leads out of are only listed as ends.
  for (const to of [...moves.values()]) for (const t of to) if (!moves.has(t)) moves.set(t, new Set());
  return moves;
}

function part(unit: Unit, object: ts.ObjectLiteralExpression, name: string): readonly string[] | undefined {
  const p = object.properties.find((x) => x.name !== undefined && unit.ts.isPropertyAssignment(x) && nameText(unit, x.name) === name);
  return p !== undefined && unit.ts.isPropertyAssignment(p) ? oneOrMore(unit, p.initializer) : undefined;
}

function oneOrMore(unit: Unit, node: ts.Expression): readonly string[] | undefined {
  return statesListed(unit, node) ?? statesOfExpression(unit, node);
}

function together(parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return parts.some((p) => p === undefined) ? undefined : parts.flatMap((p) => p ?? []);
}

const GENERAL = new Set(['transition', 'transitions', 'allowed', 'next', 'flow', 'machine', 'moves', 'lifecycle', 'legal', 'valid', 'edges', 'graph', 'state', 'states', 'status', 'statuses', 'phase', 'record', 'readonly', 'array', 'set', 'map',
  'readonly_array', 'partial', 'readonlyset', 'readonlymap', 'from', 'to', 'string', 'all', 'is', 'by', 'of', 'the', 'table', 'rules', 'only']);

function nounsOf(text: string): readonly string[] {
  const words = text.split(/[^A-Za-z0-9_]+/).flatMap((w) => normalised(w).split('_'));
  return [...new Set(words.map((w) => w.replace(/s$/, '')).filter((w) => w.length > 2 && !GENERAL.has(w) && !GENERAL.has(`${w}s`)))];
}
