import type ts from 'typescript';
import { bare, enclosingFunction, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { NO_PATCH, assignment, patchOf, type Patch } from './access-orm-assign.js';
import { importsPackage, lastSegment, objectOf, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, operatorFilter, operatorNamed, type Filter } from './access-orm-filter.js';
import { bodyPatch, copiedBy } from './doc-body.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess } from './state-access.js';

const FIRESTORE = /^(?:@google-cloud\/firestore|firebase-admin(?:\/.*)?|firebase-functions(?:\/.*)?|firebase\/(?:compat\/)?firestore(?:\/lite)?|@react-native-firebase\/firestore|@angular\/fire\/.*)$/;
const METHODS = /^(?:get|update|set|delete)$/;
const FUNCTIONS = /^(?:getDoc|updateDoc|setDoc|deleteDoc)$/;

/** A document: the collection it is in, and what names it there. */
interface DocumentRef {
  readonly collection: string | undefined;
  readonly id: Term;
}

/** `ref.update({..}, { lastUpdateTime })`, `tx.get(ref)`, `tx.update(ref, {..})`, `updateDoc(ref, {..})`, `collection.where(..).get()`. */
export function firestoreAccess(chain: Chain): StateAccess | undefined {
  const { unit, last } = chain;
  if (last.receiver === undefined) return FUNCTIONS.test(last.name) && importsPackage(unit, FIRESTORE) ? accessOf(chain, last.name.replace('Doc', ''), last.args[0], last.args.slice(1), undefined) : undefined;
  if (!METHODS.test(last.name)) return undefined;
  const [first, ...rest] = last.args;
  const own = documentOf(unit, last.receiver);
  if (own !== undefined) return accessOf(chain, last.name, last.receiver, last.args, undefined);
  const handed = first === undefined ? undefined : documentOf(unit, first);
  if (handed !== undefined && first !== undefined) return accessOf(chain, last.name, first, rest, last.receiver);
  return last.name === 'get' ? queryRead(chain) : undefined;
}

/** `on`: the transaction or batch that carries it out. */
function accessOf(chain: Chain, verb: string, node: ts.Expression | undefined, args: readonly ts.Expression[], on: ts.Expression | undefined): StateAccess | undefined {
  const { unit } = chain;
  const ref = node && documentOf(unit, node);
  if (ref === undefined || node === undefined) return undefined;
  const facts: LayerFacts = { layer: 'firestore', evidence: importsPackage(unit, FIRESTORE) ? 'package' : 'shape', target: ref.collection, client: termOf(unit, on ?? node) };
  const identity: Filter = { where: [condition('id', 'eq', [ref.id])], open: false };
  // What a transaction reads stays as it is until the commit.
  if (verb === 'get') return readOf(chain, facts, identity, true, on === undefined ? 'none' : 'wait');
  const guard = both([preconditionOf(unit, args), on !== undefined && isHelped(unit, on, chain.call) ? OPEN_FILTER : NO_FILTER]);
  const filter = both([identity, guard]);
  const guarded = guard.where.length > 0 || guard.open;
  const result = guarded ? handleOrThrowsForm() : ENTITY_FORM;
  if (verb === 'delete') return writeOf(chain, facts, 'delete', filter, NO_PATCH, result, verb);
  // A document that is set as a whole and made of no other is a new one, as far as the code tells.
  if (verb === 'set' && !guarded && !/\bmerge\b/.test(args[1]?.getText(unit.file) ?? '') && (args[0] === undefined || copiedBy(unit, args[0]) === undefined)) return undefined;
  return writeOf(chain, facts, verb === 'set' ? 'upsert' : 'update', filter, verb === 'set' ? bodyPatch(unit, args[0], chain.call) : patchGiven(unit, args), result, verb);
}

/** `{ status: 'done' }`, or field and value in turn: `update('status', 'done')`. */
function patchGiven(unit: Unit, args: readonly ts.Expression[]): Patch {
  const [first, second] = args;
  const field = textOf(unit, first);
  return field !== undefined && second !== undefined ? { set: [assignment(unit, field, second)], open: args.length > 2 } : patchOf(unit, first);
}

/** `{ lastUpdateTime: snap.updateTime }` behind the data. */
function preconditionOf(unit: Unit, args: readonly ts.Expression[]): Filter {
  const [, options] = args;
  if (options === undefined || textOf(unit, args[0]) !== undefined) return NO_FILTER;
  const object = objectOf(unit, options);
  if (object === undefined) return OPEN_FILTER;
  const time = propertyOf(unit, object, 'lastUpdateTime');
  return time === undefined ? NO_FILTER : { where: [condition('version', 'eq', [termOf(unit, time)])], open: false };
}

/** A document by its path: `db.collection('steps').doc(id)`, `doc(db, 'steps', id)`, `snap.ref`; through names and fields. */
function documentOf(unit: Unit, node: ts.Expression): DocumentRef | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isPropertyAccessExpression(e) && e.name.text === 'ref') return { collection: collectionOf(unit, e.expression), id: termOf(unit, e) };
  if (!ts.isCallExpression(e)) return undefined;
  const callee = bare(unit, e.expression);
  if (ts.isIdentifier(callee) && callee.text === 'doc' && importsPackage(unit, FIRESTORE)) return documentCall(unit, e);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'doc') return undefined;
  const collection = collectionOf(unit, callee.expression);
  const [id] = e.arguments;
  if (collection === undefined && !importsPackage(unit, FIRESTORE)) return undefined;
  // Without an id it is a new document.
  return id === undefined ? undefined : { collection: collection ?? lastSegment(unit, callee.expression), id: termOf(unit, id) };
}

/** `doc(db, 'runs', runId, 'steps', id)`, `doc(collection(db, 'steps'), id)`. */
function documentCall(unit: Unit, call: ts.CallExpression): DocumentRef | undefined {
  const [root, ...path] = call.arguments;
  const id = path.at(-1);
  if (root === undefined || id === undefined) return undefined;
  const before = path.at(-2);
  return { collection: before === undefined ? collectionOf(unit, root) : textOf(unit, before) ?? lastSegment(unit, before), id: termOf(unit, id) };
}

/** The name of the collection that an expression is made from: a reference, a query, its snapshot, one of its documents. */
function collectionOf(unit: Unit, node: ts.Expression, depth = 0): string | undefined {
  const { ts } = unit;
  if (depth > 8) return undefined;
  const e = followed(unit, node);
  if (ts.isAwaitExpression(e) || ts.isElementAccessExpression(e) || ts.isNonNullExpression(e)) return collectionOf(unit, e.expression, depth + 1);
  if (ts.isIdentifier(e)) {
    const source = iterated(unit, e);
    return source && collectionOf(unit, source, depth + 1);
  }
  if (ts.isPropertyAccessExpression(e)) return /^(?:docs|ref)$/.test(e.name.text) ? collectionOf(unit, e.expression, depth + 1) : undefined;
  if (!ts.isCallExpression(e)) return undefined;
  const callee = bare(unit, e.expression);
  const name = lastSegment(unit, callee);
  if (name === 'collection' || name === 'collectionGroup') {
    const at = ts.isIdentifier(callee) ? e.arguments.at(-1) : e.arguments[0];
    return at && (textOf(unit, at) ?? lastSegment(unit, at) ?? at.getText(unit.file));
  }
  if (ts.isIdentifier(callee)) return e.arguments[0] && collectionOf(unit, e.arguments[0], depth + 1);
  return ts.isPropertyAccessExpression(callee) ? collectionOf(unit, callee.expression, depth + 1) : undefined;
}

/** `for (const doc of snap.docs)`, `snap.docs.map((doc) => ..)`, `const [doc] = snap.docs`. */
function iterated(unit: Unit, id: ts.Identifier): ts.Expression | undefined {
  const { ts } = unit;
  const d = unit.scopes.resolve(id)?.declaration;
  if (d === undefined) return undefined;
  if (ts.isVariableDeclaration(d) && ts.isForOfStatement(d.parent.parent)) return d.parent.parent.expression;
  if (ts.isBindingElement(d) && ts.isArrayBindingPattern(d.parent) && ts.isVariableDeclaration(d.parent.parent)) return d.parent.parent.initializer;
  const runner = ts.isParameter(d) ? d.parent.parent : undefined;
  const callee = runner !== undefined && ts.isCallExpression(runner) ? bare(unit, runner.expression) : undefined;
  return callee !== undefined && ts.isPropertyAccessExpression(callee) && /^(?:forEach|map|filter|flatMap)$/.test(callee.name.text) ? callee.expression : undefined;
}

/** `collection.where('status', '==', 'pending').limit(1).get()`. */
function queryRead(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const collection = last.receiver && collectionOf(unit, last.receiver);
  if (collection === undefined || last.receiver === undefined) return undefined;
  const facts: LayerFacts = { layer: 'firestore', evidence: importsPackage(unit, FIRESTORE) ? 'package' : 'shape', target: collection, client: termOf(unit, last.receiver) };
  return readOf(chain, facts, both(steps.filter((s) => s.name === 'where').map((s) => whereOf(unit, s))), false);
}

function whereOf(unit: Unit, { args }: ChainStep): Filter {
  const [field, sign, value] = args;
  const column = textOf(unit, field);
  const op = operatorNamed((textOf(unit, sign) ?? '').replace('-', ' '));
  return column === undefined || op === undefined || value === undefined ? OPEN_FILTER : operatorFilter(unit, column, op, value);
}

/** The transaction is a parameter of a function that others call, or is lent to a function that may read through it. */
function isHelped(unit: Unit, on: ts.Expression, write: ts.CallExpression): boolean {
  const { ts } = unit;
  const e = bare(unit, on);
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  if (binding === undefined) return true;
  // A batch compares nothing, wherever it is made.
  if (!ts.isParameter(binding.declaration)) return false;
  if (!ts.isCallExpression(binding.declaration.parent.parent)) return true;
  let lent = false;
  const visit = (n: ts.Node): void => {
    if (lent || n.pos >= write.pos) return;
    lent = ts.isCallExpression(n) && n !== write && (n.arguments.some((a) => ts.isIdentifier(a) && unit.scopes.resolve(a) === binding) || isOtherRead(n));
    if (!lent) ts.forEachChild(n, visit);
  };
  visit(enclosingFunction(unit, binding.id));
  return lent;

  /** `tx.getAll(..)`, `tx.get(query)`: which documents they lock is not told here. */
  function isOtherRead(n: ts.CallExpression): boolean {
    const callee = bare(unit, n.expression);
    if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression) || unit.scopes.resolve(callee.expression) !== binding) return false;
    const [first] = n.arguments;
    return callee.name.text === 'getAll' || (callee.name.text === 'get' && (first === undefined || documentOf(unit, first) === undefined));
  }
}
