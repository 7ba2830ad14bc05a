import type ts from 'typescript';
import { exportOf, importTarget } from '../syntax/declared-import.js';
import { typeOf } from '../syntax/declared-type.js';
import { bare, enclosingFunction, isFunctionWithBody, settled } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import { declaredType, lastSegment, typeName } from './access-orm-chain.js';
import { ormAccess } from './access-orm.js';
import { sqlAccess } from './access-sql.js';
import { connectionType, type ConnectionType } from './connection-type.js';
import { isMadeHere } from './own-pool.js';

/** A parameter that callers fill. */
export interface Handed {
  readonly fn: ts.FunctionLikeDeclaration;
  readonly index: number;
  readonly name: string;
  readonly type: ConnectionType;
}

/**
 * The connection a client stands for, as far as its own file tells. `pool`: every statement may run on another one; `sure` where declaration or maker say so, not the name
 * alone; `own` where this very call of the function made it, so that nobody else gets its connections. `session`: one connection; `taken` is the call that checked it out in this function. `transaction`: one with a transaction that other code ends. `parameter`: callers say.
 */
export type Connection =
  | { readonly kind: 'pool'; readonly sure: boolean; readonly own?: true; readonly handed?: Handed }
  | { readonly kind: 'session'; readonly taken: ts.Node | undefined }
  | { readonly kind: 'transaction' }
  | ({ readonly kind: 'parameter' } & Handed)
  | { readonly kind: 'unknown' };

const UNKNOWN: Connection = { kind: 'unknown' };
const CHECKS_OUT = /^(?:connect|getConnection|reserve|acquireConnection|checkout|createQueryRunner|createConnection)$/;
const BEGINS = /^(?:transaction|startTransaction|startUnmanagedTransaction|startTx|beginTransaction|begin)$/;
const TRANSACTION_NAME = /^(?:tx|trx|txn|t|transaction\w*|\w*(?:Tx|Trx|Transaction))$/;
/** Names of the one client of a program. As a parameter or field they say less than as an import. */
export const ROOT_NAME = /^(?:db|database|knex|kysely|sql|pool|prisma\w*|sequelize|orm|pg|mysql|dataSource|appDataSource)$|(?:Pool|Db|Prisma|Knex|DataSource)$|^AppDataSource$/;
/** What MikroORM and TypeORM call the unit of work, of a transaction or not. */
const MANAGER_NAME = /^(?:em|manager|entityManager)$/;
const POOL_NAME = /^(?:pool|prisma|prismaService|prismaClient|dataSource|appDataSource)$|(?:Pool|DataSource)$/i;
const ONE_CONNECTION = /\b(?:max|connectionLimit|maxConnections|poolSize)\s*:\s*1\b/;
/** Libraries that keep the transaction in the asynchronous context: the root may be it. */
const AMBIENT = /\buseCLS\b|@Transactional\b|\bTransactionHost\b|\btypeorm-transactional\b|\bnestjs-cls\b|\bAsyncLocalStorage\b/;

export function connectionOf(unit: Unit, client: ts.Expression, depth = 0): Connection {
  const { ts } = unit;
  const e = settled(unit, client);
  if (depth > 6) return UNKNOWN;
  if (ts.isCallExpression(e) || ts.isNewExpression(e)) return madeBy(unit, e, depth);
  if (ts.isIdentifier(e)) return named(unit, e, depth);
  return ts.isPropertyAccessExpression(e) ? member(unit, e, depth) : UNKNOWN;
}

function madeBy(unit: Unit, e: ts.CallExpression | ts.NewExpression, depth: number): Connection {
  const name = lastSegment(unit, e.expression) ?? '';
  const callee = bare(unit, e.expression);
  if (/^(?:getRepository|withRepository|getCustomRepository)$/.test(name) && unit.ts.isPropertyAccessExpression(callee)) return connectionOf(unit, callee.expression, depth + 1);
  if (unit.ts.isCallExpression(e) && CHECKS_OUT.test(name)) return { kind: 'session', taken: e };
  const takesFunction = e.arguments?.some((a) => isFunctionWithBody(unit, bare(unit, a))) === true;
  if (unit.ts.isCallExpression(e) && BEGINS.test(name) && !takesFunction) return { kind: 'transaction' };
  if (name === 'createPool' || name === 'drizzle' || unit.ts.isNewExpression(e)) {
    const inner = e.arguments?.[0];
    const given = name === 'drizzle' && inner !== undefined ? connectionOf(unit, inner, depth + 1) : UNKNOWN;
    if (given.kind === 'session') return given;
  }
  if (isMadeOfHandle(unit, e, depth)) return UNKNOWN;
  const made = sized(byType(connectionType(typeOf(unit, e)), name === 'createPool'), e, unit);
  return made.kind === 'pool' && isMadeHere(unit, e) ? { ...made, own: true } : made;
}

/** `kyselyOf(tx)`, `kyselyOf(em)`, `tx.getKysely()`: what is made of a transaction's handle, or of one that callers hand over, mostly runs where that one does, whatever its type says. */
function isMadeOfHandle(unit: Unit, e: ts.CallExpression | ts.NewExpression, depth: number): boolean {
  const { ts } = unit;
  const callee = bare(unit, e.expression);
  if (!ts.isCallExpression(e) || lastSegment(unit, callee) === 'drizzle') return false;
  if (ts.isPropertyAccessExpression(callee)) return ts.isIdentifier(bare(unit, callee.expression)) && connectionOf(unit, callee.expression, depth + 1).kind === 'transaction';
  const first = e.arguments[0] && bare(unit, e.arguments[0]);
  if (first === undefined || !ts.isIdentifier(first) || !ts.isIdentifier(callee)) return false;
  const from = connectionOf(unit, first, depth + 1);
  return from.kind === 'transaction' || from.kind === 'session' || (from.kind === 'parameter' && (from.type !== 'unknown' || ROOT_NAME.test(from.name) || MANAGER_NAME.test(from.name)));
}

function sized(connection: Connection, e: ts.Expression, unit: Unit): Connection {
  return connection.kind === 'pool' && ONE_CONNECTION.test(e.getText(unit.file)) ? { kind: 'session', taken: undefined } : connection;
}

function byType(type: ConnectionType, isPool = false): Connection {
  if (isPool || type === 'pool' || type === 'root') return { kind: 'pool', sure: true };
  if (type === 'manager') return { kind: 'pool', sure: false };
  if (type === 'session') return { kind: 'session', taken: undefined };
  return type === 'transaction' ? { kind: 'transaction' } : UNKNOWN;
}

function named(unit: Unit, id: ts.Identifier, depth: number): Connection {
  const { ts } = unit;
  const binding = unit.scopes.resolve(id);
  if (binding === undefined) return UNKNOWN;
  const d = binding.declaration;
  if (ts.isParameter(d)) return parameter(unit, binding, d, id);
  const init = ts.isVariableDeclaration(d) && ts.isIdentifier(d.name) ? assignedOnce(unit, binding, d) : undefined;
  const made = init === undefined ? elsewhere(unit, d, depth) : connectionOf(unit, init, depth + 1);
  const call = init && settled(unit, init);
  // What its maker was given says more than its type.
  if (made.kind !== 'unknown' || (call !== undefined && ts.isCallExpression(call) && isMadeOfHandle(unit, call, depth))) return made;
  const typed = byType(connectionType(typeOf(unit, id)));
  if (typed.kind !== 'unknown') return typed;
  if (TRANSACTION_NAME.test(id.text)) return { kind: 'transaction' };
  // What is imported or made once for the program is no handle of one call.
  const isGlobal = binding.kind === 'import' || (ts.isSourceFile(enclosingFunction(unit, d)) && binding.writes.length === 0);
  return isGlobal && ROOT_NAME.test(id.text) && !unit.says(AMBIENT) ? { kind: 'pool', sure: false } : UNKNOWN;
}

function assignedOnce(unit: Unit, binding: Binding, d: ts.VariableDeclaration): ts.Expression | undefined {
  const [only, ...others] = binding.writes;
  if (only === undefined) return d.initializer;
  const assigns = others.length === 0 && unit.ts.isBinaryExpression(only) && only.operatorToken.kind === unit.ts.SyntaxKind.EqualsToken;
  return assigns && d.initializer === undefined ? only.right : undefined;
}

/** The client of another file that can be read. */
function elsewhere(unit: Unit, d: ts.Node, depth: number): Connection {
  const target = importTarget(unit, d);
  const found = target?.kind === 'file' ? exportOf(target.unit, target.name) : undefined;
  if (found === undefined || 'kind' in found) return UNKNOWN;
  const binding = found.unit.scopes.lookup(found.name, found.unit.file);
  const made = binding?.declaration;
  const init = made !== undefined && binding !== undefined && found.unit.ts.isVariableDeclaration(made) ? assignedOnce(found.unit, binding, made) : found.expression;
  return init === undefined ? UNKNOWN : connectionOf(found.unit, init, depth + 1);
}

/** A parameter of a callback gets what its runner gives; one of a function what its callers hand over. */
function parameter(unit: Unit, binding: Binding, d: ts.ParameterDeclaration, id: ts.Identifier): Connection {
  const fn = d.parent;
  // With a default it is the one or the other.
  if (!isFunctionWithBody(unit, fn) || !unit.ts.isIdentifier(d.name) || d.initializer !== undefined) return UNKNOWN;
  const spelled = typeName(unit, declaredType(unit, id))?.split('.').at(-1);
  const type = spelled !== undefined && /(?:Transaction|TransactionClient|Tx|Trx)$/.test(spelled) ? 'transaction' : connectionType(typeOf(unit, id));
  const runner = runnerOf(unit, fn);
  if (runner !== undefined) return handedBy(unit, runner, type, id.text);
  if (type === 'transaction' || (type !== 'pool' && TRANSACTION_NAME.test(id.text))) return { kind: 'transaction' };
  const handed = { fn, index: fn.parameters.indexOf(d), name: binding.name, type };
  return type === 'pool' ? { kind: 'pool', sure: true, handed } : { kind: 'parameter', ...handed };
}

/** The call a function literal is handed to. */
function runnerOf(unit: Unit, fn: ts.FunctionLikeDeclaration): ts.CallExpression | undefined {
  const { ts } = unit;
  const call = fn.parent;
  return (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) && ts.isCallExpression(call) && call.arguments.some((a) => a === fn) ? call : undefined;
}

function handedBy(unit: Unit, runner: ts.CallExpression, type: ConnectionType, name: string): Connection {
  const access = ormAccess(unit, runner) ?? sqlAccess(unit, runner);
  if (access?.kind === 'transaction' || type === 'transaction') return { kind: 'transaction' };
  const callee = bare(unit, runner.expression);
  const text = callee.getText(unit.file);
  if (/transact|^tx$|\.tx$|[iI]nTx|withTx|\.begin$/.test(text) || TRANSACTION_NAME.test(name)) return { kind: 'transaction' };
  if (/\bconnection\(\)|\.connect$|\.use$|[wW]ith(?:Client|Connection|Session)$/.test(text)) return { kind: 'session', taken: runner };
  return type === 'session' ? { kind: 'session', taken: undefined } : UNKNOWN;
}

function member(unit: Unit, e: ts.PropertyAccessExpression, depth: number): Connection {
  const name = e.name.text.replace(/^#/, '');
  if (name === 'manager' || name === 'mgr') {
    const owner = connectionOf(unit, e.expression, depth + 1);
    if (owner.kind !== 'unknown' && owner.kind !== 'parameter') return owner;
  }
  const type = connectionType(typeOf(unit, e));
  // `PrismaClient | TransactionClient`: whoever makes the object says which, whatever its field is called.
  if (type === 'either') return UNKNOWN;
  const typed = byType(type);
  if (typed.kind === 'pool' && unit.says(AMBIENT)) return UNKNOWN;
  if (typed.kind !== 'unknown') return isOnlyRoot(unit, e) ? typed : UNKNOWN;
  if (TRANSACTION_NAME.test(name)) return { kind: 'transaction' };
  return POOL_NAME.test(name) && !unit.says(AMBIENT) ? { kind: 'pool', sure: false } : UNKNOWN;
}

/** A class that is also made for a transaction (`withTransaction(trx) { return new Runs(trx) }`) holds either in its field. */
function isOnlyRoot(unit: Unit, e: ts.PropertyAccessExpression): boolean {
  const { ts } = unit;
  if (e.expression.kind !== ts.SyntaxKind.ThisKeyword) return true;
  const owner = classOf(unit, e);
  const name = owner?.name?.text;
  return name === undefined || !unit.says(new RegExp(`new ${name}\\b[^;]*\\b(?:tx|trx|transaction|client|conn)\\b`));
}

function classOf(unit: Unit, node: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let n: ts.Node = node; !unit.ts.isSourceFile(n); n = n.parent) if (unit.ts.isClassLike(n)) return n;
  return undefined;
}
