import { calledName, isHarmless } from '../flow/call-words.js';
import type { AccessNode, StateRead, StateWrite } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare } from '../syntax/expression.js';
import { mentions } from '../syntax/compare-terms.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { sameTarget } from './accesses.js';
import { fileTransitions } from './file-transitions.js';

/** A call that reads or changes something kept outside of the process: rows, a key, what a store object keeps. */
export interface Touch {
  readonly node: AccessNode;
  readonly name: string;
  /** The object it is called on; undefined for plain functions. */
  readonly receiver: Term | undefined;
  /** The first argument: the identity, in most stores. */
  readonly first: Term | undefined;
  readonly access: StateRead | StateWrite | undefined;
}

/** A call as a touch of something. Names of parameters that a locker hands to its section stand for the locker: `holder` is then what it is called on. */
export function touchOf(unit: Unit, node: AccessNode, holder?: { readonly names: ReadonlySet<string>; readonly receiver: Term | undefined; readonly key: Term }): Touch {
  const { ts } = unit;
  const callee = ts.isCallExpression(node) ? bare(unit, node.expression) : bare(unit, node.tag);
  const [argument] = ts.isCallExpression(node) ? node.arguments : [];
  const first = argument === undefined || ts.isSpreadElement(argument) ? undefined : termOf(unit, argument);
  const found = fileTransitions(unit).accesses.find((a) => a.node === node);
  const access = found === undefined || found.kind === 'transaction' ? undefined : found;
  const name = calledName(unit, node);
  if (holder !== undefined && ts.isIdentifier(callee) && holder.names.has(callee.text)) return { node, name, receiver: holder.receiver, first: holder.key, access };
  return { node, name, receiver: ts.isPropertyAccessExpression(callee) ? termOf(unit, callee.expression) : undefined, first, access };
}

/** A call that only looks: by its name, or as a statement that reads rows. */
export function looks({ name, access }: Touch): boolean {
  return access !== undefined ? access.kind === 'read' : READS.test(name);
}

/** A call that may change something: no read, no log, no bookkeeping of the program's own. */
export function changes(unit: Unit, { node, name, access, receiver }: Touch): boolean {
  if (access !== undefined) return access.kind === 'write' && access.verb !== 'delete';
  if (!unit.ts.isCallExpression(node) || READS.test(name) || (receiver?.kind === 'symbol' && receiver.id.startsWith('global:'))) return false;
  // `redis.set(key, value)` in a list that is waited for is no map's `set`.
  return WRITES.test(name) || !isHarmless(unit, node);
}

/** Whether two touches are of one thing: the same rows by the same identity, the same key of one client, or one noun of the program's own functions. */
export function sameThing(a: Touch, b: Touch): boolean {
  if (loads(a, b) || loads(b, a)) return true;
  if (a.access !== undefined && b.access !== undefined) return sameTarget(a.access, b.access);
  if (a.access !== undefined || b.access !== undefined) return isOwn(a, b) && sharesIdentity(a, b);
  return isOwn(a, b);
}

/** One read the very object that the other writes back: `repo.save(run)` of `repo.load(id)`. */
function loads(read: Touch, { access }: Touch): boolean {
  return access?.kind === 'write' && access.loadedBy === read.node;
}

/** Whether the identity of two touches is the same value, in the first argument or among the conditions. */
export function sharesIdentity(a: Touch, b: Touch): boolean {
  if (a.access !== undefined && b.access !== undefined) {
    const [p, q] = [a.access, b.access].map((x) => x.where.flatMap((c) => (c.op === 'eq' ? c.values : [])));
    return p !== undefined && q !== undefined && p.some((x) => q.some((y) => x.kind !== 'const' && sameTerm(x, y)));
  }
  return a.first !== undefined && b.first !== undefined && a.first.kind !== 'const' && (sameTerm(a.first, b.first) || (a.first.kind === 'object' && mentions(a.first, b.first)));
}

function isOwn(a: Touch, b: Touch): boolean {
  const [p, q] = [nounOf(a.name), nounOf(b.name)];
  const plain = a.receiver === undefined || b.receiver === undefined || isThis(a.receiver) || isThis(b.receiver);
  if (plain) {
    const together = a.receiver === undefined ? b.receiver === undefined : b.receiver !== undefined && sameTerm(a.receiver, b.receiver);
    return together && p !== '' && p === q;
  }
  if (a.receiver === undefined || b.receiver === undefined || !sameTerm(a.receiver, b.receiver)) return false;
  return p === '' || q === '' || p === q;
}

function isThis(term: Term): boolean {
  return term.kind === 'symbol' && term.id === 'this';
}

/** What is left of a name without its verb: `run` of `loadRun` and `saveRuns`. Names without a verb are one noun. */
function nounOf(name: string): string {
  const rest = name.replace(VERB, '').replace(/(?:By[A-Z]\w*|OrThrow|OrFail|OrNull|Async|Locked)$/, '');
  return rest.toLowerCase().replace(/s$/, '');
}

const READ_VERBS = 'get|find|load|read|fetch|query|select|is|has|check|count|exists|peek|lookup|list|retrieve|current|latest|h?m?get(?:all)?|hgetall|smembers|sismember|zscore|zrange|llen|scard|ttl';
const WRITE_VERBS = `set|put|save|write|store|persist|update|insert|upsert|create|add|append|push|remove|mark|start|finish|complete|fail|cancel|pay|payout|charge|debit|credit|withdraw|transfer|spend|consume|
deduct|reserve|book|incr(?:ement|by)?|decr(?:ement|by)?|hset|hmset|hincrby|sadd|srem|zadd|zrem|lpush|rpush|apply|commit|merge|patch|refund|submit|move`.replace(/\s+/g, '');
const READS = new RegExp(`^(?:${READ_VERBS}|balance|status|state|snapshot|remaining|available|stock|quota|usage|quantity|seats|credits|capacity|inventory)(?=[A-Z_]|$)`);
const WRITES = new RegExp(`^(?:${WRITE_VERBS})(?=[A-Z_]|$)`);
const VERB = new RegExp(`^(?:${READ_VERBS}|${WRITE_VERBS})(?=[A-Z_]|$)`);
