import type ts from 'typescript';
import { bare, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** A command of its own that a file gives a Redis client: the text of its script and, unless each call tells it, the number of its keys. */
export interface DefinedCommand {
  readonly lua: ts.Expression;
  readonly numberOfKeys: ts.Expression | undefined;
}

const known = new Kept<Unit, ReadonlyMap<string, DefinedCommand | undefined>>();

/** The command of a name: `defineCommand(name, { lua })`, or one of the `scripts` a client is made with. Undefined where two of one name are defined. */
export function definedCommand(unit: Unit, name: string): DefinedCommand | undefined {
  const held = known.get(unit);
  if (held !== undefined) return held.get(name);
  const found = unit.says(/\blua\b/) ? commandsOf(unit) : new Map<string, undefined>();
  known.set(unit, found);
  return found.get(name);
}

function commandsOf(unit: Unit): ReadonlyMap<string, DefinedCommand | undefined> {
  const { ts } = unit;
  const found = new Map<string, DefinedCommand | undefined>();
  const visit = (n: ts.Node): void => {
    const lua = ts.isObjectLiteralExpression(n) ? propertyOf(unit, n, 'lua') : undefined;
    const name = lua && ts.isObjectLiteralExpression(n) ? nameOf(unit, n) : undefined;
    if (name !== undefined && lua !== undefined && ts.isObjectLiteralExpression(n)) found.set(name, found.has(name) ? undefined : { lua, numberOfKeys: propertyOf(unit, n, 'numberOfKeys') });
    else ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;
}

function nameOf(unit: Unit, definition: ts.ObjectLiteralExpression): string | undefined {
  const { ts } = unit;
  const p = definition.parent;
  if (ts.isPropertyAssignment(p)) {
    const scripts = p.parent.parent;
    return ts.isPropertyAssignment(scripts) && nameText(unit, scripts.name) === 'scripts' ? nameText(unit, p.name) : undefined;
  }
  if (!ts.isCallExpression(p)) return undefined;
  const callee = bare(unit, p.expression);
  const [first] = p.arguments;
  const name = first !== undefined && ts.isPropertyAccessExpression(callee) && callee.name.text === 'defineCommand' ? termOf(unit, first) : undefined;
  return name?.kind === 'const' && typeof name.value === 'string' ? name.value : undefined;
}
