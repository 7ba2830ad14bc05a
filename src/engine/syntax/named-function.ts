import type ts from 'typescript';
import { isNoting, Kept, noteRead, unnoted } from '../kept.js';
import { exportOf, importTarget } from './declared-import.js';
import { initialiserOf } from './expression.js';
import { questionKey } from './questions.js';
import type { Binding } from './scope.js';
import type { Unit } from './unit.js';

/**
 * Whether a name surely stands for no value of a package: nobody declares it, or it is a function or class of the project. Asked before the type of a name, which would
 * read the whole signature of the function.
 */
export function isOwnName(unit: Unit, id: ts.Identifier): boolean {
  const binding = unit.scopes.resolve(id);
  if (binding === undefined) return true;
  const held = known.get(binding);
  if (held !== undefined) return held;
  const found = isOwn(unit, binding);
  known.set(binding, found);
  return found;
}

/** Asked at each call, and by several: a name is called more than once. */
const known = new Kept<Binding, boolean>();

function isOwn(unit: Unit, binding: Binding): boolean {
  if (isFunction(unit, binding)) return true;
  const target = binding.kind === 'import' ? importTarget(unit, binding.declaration) : undefined;
  if (target?.kind !== 'file' || target.name === '*') return false;
  if (saysFunction(target.unit, target.name)) return true;
  const found = exportOf(target.unit, target.name);
  if (found === undefined || 'kind' in found || found.name === '') return false;
  const declared = found.unit.scopes.lookup(found.name, found.unit.file);
  return declared !== undefined && isFunction(found.unit, declared);
}

/** Whether the text of a file says that it exports a function or class of a name: most names that are called do, and their files need not be parsed for that. */
function saysFunction(unit: Unit, name: string): boolean {
  if (isNoting()) noteRead(questionKey(unit.path, 'pattern', `/^${FUNCTIONS(name)}/m`));
  let names = said.get(unit);
  if (names === undefined) said.set(unit, (names = unnoted(() => new Set(unit.saysAll(SAID)))));
  return names.has(name);
}

const said = new Kept<Unit, ReadonlySet<string>>();

/** `export function f`, `export class C`, `export const f = async (a, b) =>`, each at the beginning of its line, as formatters have them. */
const FUNCTIONS = (name: string): string => `export (?:default )?(?:(?:async )?function\\*? ?|(?:abstract )?class |const (?=\\w+ = (?:async )?(?:function\\b|\\w+ =>|\\((?:[\\w$,\\s]*\\)(?:: [^=;\\n]+)? =>|[\\w$]+\\??:|\\s*\\{[^{}()]*\\}(?:: |\\) =>)))))${name}\\b`;
const SAID = new RegExp(`^${FUNCTIONS('(\\w+)')}`, 'gm');

function isFunction(unit: Unit, binding: Binding): boolean {
  const { ts } = unit;
  if (binding.kind === 'function' || binding.kind === 'class') return true;
  const value = initialiserOf(unit, binding);
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) && ts.isVariableDeclaration(binding.declaration) && binding.declaration.type === undefined;
}
