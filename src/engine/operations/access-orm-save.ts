import type ts from 'typescript';
import { bare, enclosingFunction, followed, propertyOf } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { patchOf, type Patch } from './access-orm-assign.js';
import { clientTerm, declaredType, importsPackage, lastSegment, objectOf, typeName, type Chain } from './access-orm-chain.js';
import { condition } from './access-orm-filter.js';
import { ENTITY_FORM, NOTHING_FORM, writeOf, type LayerFacts } from './access-orm-record.js';
import { changesOf, loadOf } from './access-orm-loaded.js';
import type { StateWrite } from './state-access.js';

const LAYERS: readonly (readonly [RegExp, string])[] = [[/^typeorm$|^@nestjs\/typeorm$/, 'typeorm'], [/mongoose$/, 'mongoose'], [/^sequelize|^@sequelize\//, 'sequelize'], [/^@mikro-orm\//, 'mikro-orm']];
const FLUSHES = /^(?:flush|persistAndFlush)$/;
const SAVES = /^(?:save|saveAndFlush)$/;
const UNIT_OF_WORK = /^(?:em|entityManager|uow|unitOfWork|manager|orm)$/i;

/** Writing back a loaded and changed object: `repo.save(x)`, `x.save()`, `em.flush()`. */
export function saveAccess(chain: Chain): StateWrite | undefined {
  const { unit, last, steps } = chain;
  if (last.receiver === undefined) return undefined;
  if (FLUSHES.test(last.name)) return flushAccess(chain);
  if (!SAVES.test(last.name) || steps.length > 1) return undefined;
  const [first] = last.args;
  const own = bare(unit, last.receiver);
  // `x.save()` and `x.save({ session })`.
  const self = last.name === 'save' && unit.ts.isIdentifier(own) ? unit.scopes.resolve(own) : undefined;
  if (self !== undefined && loadOf(unit, self) !== undefined) return saved(chain, self, changed(chain, self), transactionOf(unit, first) ?? clientTerm(unit, last.receiver));
  // `repo.save(x)`, `manager.save(Entity, x)`.
  const node = last.args.length >= 2 && first !== undefined && /^[A-Z]/.test(first.getText(unit.file)) ? last.args[1] : first;
  return node === undefined ? undefined : savedObject(chain, node);
}

/** What `x.save({ transaction })` and `x.save({ session })` run on. */
function transactionOf(unit: Unit, node: ts.Expression | undefined): StateWrite['client'] {
  const options = objectOf(unit, node);
  const given = options && (propertyOf(unit, options, 'transaction') ?? propertyOf(unit, options, 'session'));
  return given && termOf(unit, given);
}

function savedObject(chain: Chain, node: ts.Expression): StateWrite | undefined {
  const { unit, last } = chain;
  const { ts } = unit;
  const client = clientTerm(unit, last.receiver);
  const e = bare(unit, node);
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  if (binding !== undefined && loadOf(unit, binding) !== undefined) return saved(chain, binding, changed(chain, binding), client);
  // `{ ...loaded, status }`, in place or in a variable.
  const object = followed(unit, node);
  const spread = ts.isObjectLiteralExpression(object) ? object.properties[0] : undefined;
  if (!ts.isObjectLiteralExpression(object) || spread === undefined || !ts.isSpreadAssignment(spread)) return undefined;
  const source = bare(unit, spread.expression);
  const copied = ts.isIdentifier(source) ? unit.scopes.resolve(source) : undefined;
  if (copied === undefined || loadOf(unit, copied) === undefined) return undefined;
  const parts = object.properties.slice(1).map((p) => (ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p) ? patchOf(unit, object).set.filter((a) => a.column === p.name.getText(unit.file))
    : undefined));
  return saved(chain, copied, { set: parts.flatMap((p) => p ?? []), open: parts.includes(undefined) }, client);
}

function saved(chain: Chain, binding: Binding, patch: Patch, client: StateWrite['client']): StateWrite | undefined {
  const { unit, last } = chain;
  const load = loadOf(unit, binding);
  if (load === undefined || (patch.set.length === 0 && !patch.open)) return undefined;
  const layer = LAYERS.find(([p]) => importsPackage(unit, p))?.[1];
  // A version checked by the library makes a lost save throw; the model that says so may be in this file.
  const versioned = unit.says(/optimisticConcurrency|\bversion:\s*true|concurrencyCheck/);
  const form = FLUSHES.test(last.name) ? NOTHING_FORM : ENTITY_FORM;
  const filter = { where: [condition('id', 'eq', [termOf(unit, binding.id)])], open: versioned };
  const facts: LayerFacts = {
    layer: layer ?? 'structural',
    evidence: layer === undefined ? 'shape' : 'package',
    target: loadedFrom(unit, load), client,
  };
  return { ...writeOf(chain, facts, 'save', filter, patch, { ...form, throwsWhenLost: versioned }), loadedBy: load };
}

/** The model, entity or repository of a load: `Run` of `em.findOne(Run, id)`, `PostModel`, `imports`. */
function loadedFrom(unit: Unit, load: ts.CallExpression): string | undefined {
  const { ts } = unit;
  let c: ts.CallExpression = load;
  for (;;) {
    const callee = bare(unit, c.expression);
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    const inner = bare(unit, callee.expression);
    if (!ts.isCallExpression(inner)) {
      const [first] = c.arguments;
      if (first !== undefined && ts.isStringLiteralLike(first) && /^[A-Z]\w*$/.test(first.text)) return first.text;
      if (first !== undefined && ts.isIdentifier(first) && /^[A-Z]/.test(first.text)) return first.text;
      const type = declaredType(unit, inner);
      const entity = type !== undefined && ts.isTypeReferenceNode(type) && /Repository$/.test(typeName(unit, type) ?? '') ? type.typeArguments?.[0]
        : undefined;
      return entity?.getText(unit.file) ?? lastSegment(unit, inner);
    }
    c = inner;
  }
}

/** What is assigned since the object was loaded or last saved. */
function changed(chain: Chain, binding: Binding): Patch {
  const { unit, call } = chain;
  const previous = commitsBefore(chain, (c) => savesIt(unit, c, binding)).at(-1)?.end;
  return changesOf(unit, binding, previous ?? binding.declaration.end, call.pos);
}

function savesIt(unit: Unit, call: ts.CallExpression, binding: Binding): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(callee) || !(SAVES.test(callee.name.text) || FLUSHES.test(callee.name.text))) return false;
  const isIt = (n: ts.Expression): boolean => ts.isIdentifier(n) && unit.scopes.resolve(n) === binding;
  return isIt(bare(unit, callee.expression)) || call.arguments.some((a) => isIt(bare(unit, a))) || (callee.name.text === 'flush' && call.arguments.length === 0);
}

function commitsBefore(chain: Chain, matches: (call: ts.CallExpression) => boolean): readonly ts.CallExpression[] {
  const { ts } = chain.unit;
  const found: ts.CallExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (n.pos >= chain.call.pos) return;
    if (ts.isCallExpression(n) && n.end < chain.call.pos && matches(n)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(enclosingFunction(chain.unit, chain.call));
  return found;
}

/** `em.flush()` writes all loaded objects that were changed; the first of them stands for the write. */
function flushAccess(chain: Chain): StateWrite | undefined {
  const { unit, last, steps } = chain;
  const { ts } = unit;
  const given = [...last.args, ...steps.filter((s) => s.name === 'persist').flatMap((s) => s.args)];
  const manager = steps[0].receiver;
  const isUnitOfWork = UNIT_OF_WORK.test(lastSegment(unit, manager) ?? '') || /EntityManager|UnitOfWork/.test(typeName(unit, declaredType(unit, manager)) ?? '');
  if (manager === undefined || (!isUnitOfWork && !importsPackage(unit, /^@mikro-orm\//) && last.name === 'flush')) return undefined;
  const client = termOf(unit, manager);
  for (const node of given) {
    const e = bare(unit, node);
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    const write = binding && saved(chain, binding, changed(chain, binding), client);
    if (write !== undefined) return write;
  }
  if (last.args.length > 0) return undefined;
  let write: StateWrite | undefined;
  const visit = (n: ts.Node): void => {
    if (write !== undefined || n.pos >= chain.call.pos) return;
    if (ts.isIdentifier(n) && (ts.isVariableDeclaration(n.parent) || ts.isBindingElement(n.parent)) && n.parent.name === n) {
      const binding = unit.scopes.resolve(n);
      write = binding && saved(chain, binding, changed(chain, binding), client);
    }
    ts.forEachChild(n, visit);
  };
  visit(enclosingFunction(unit, chain.call));
  return write;
}
