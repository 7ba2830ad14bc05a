import { ABSENT, FREE, knows, MATCH, MURKY } from './lua-facts.js';
import { parseLua } from './lua-parse.js';
import { roleOf, type LuaRole } from './lua-role.js';
import { readExpire, readSet } from './lua-set.js';
import type { LuaCall, LuaRef, LuaScript } from './lua-types.js';
import { isCallers, sameRef, type LuaValue } from './lua-value.js';
import { walkLua, type LuaEvent, type LuaWalk } from './lua-walk.js';
import { isReadCommand } from './lua-command.js';

/**
 * Says what a Redis script does to its keys as a lock. Never throws. A script that is not understood to the last token, or that works on queues and
 * other structures, is `opaque` with `ownerCheck: 'unknown'`.
 */
export function classifyLua(text: string): LuaScript {
  const block = parseLua(text);
  if (block === undefined) {
    return verdict('opaque', []);
  }
  const walk = walkLua(block);
  const calls = walk.events.map(toCall);
  const acts = walk.events.map((event) => ({ event, role: roleOf(walk, event) }));
  const isKnown = (act: { readonly role: LuaRole | undefined }): act is LuaAct => act.role !== undefined;
  if (walk.opaque || acts.length === 0 || !acts.every(isKnown)) {
    return verdict('opaque', calls);
  }
  return classify(walk, acts, calls, /\bARGV\b/u.test(text));
}

interface LuaAct { readonly event: LuaEvent; readonly role: LuaRole }

function toCall({ command, args, facts }: LuaEvent): LuaCall {
  return { command, args, underOwnerMatch: knows(facts, MATCH), underAbsent: knows(facts, ABSENT) };
}

function verdict(kind: LuaScript['kind'], calls: readonly LuaCall[], rest: Partial<LuaScript> = {}): LuaScript {
  return { kind, ownerCheck: 'unknown', recreates: false, reentrant: false, calls, ...rest };
}

function classify(walk: LuaWalk, acts: readonly LuaAct[], calls: readonly LuaCall[], takesArguments: boolean): LuaScript {
  if (countsItsLock(acts)) {
    return verdict('opaque', calls);
  }
  const first = (role: LuaRole): number => acts.findIndex((act) => act.role === role);
  const [create, keep, drop] = [first('create'), first('keep'), first('drop')];
  if (create !== -1) {
    if (storesBeside(acts)) {
      return verdict('opaque', calls);
    }
    const kept = acts.findIndex((act) => act.role === 'keep' && isCreated(acts, act));
    const recreates = kept !== -1 && kept < create && acts.every((act) => act.role !== 'create' || readSet(act.event)?.nx !== true);
    return recreates ? extension(walk, acts, calls, true) : acquisition(walk, acts, calls);
  }
  if (drop === -1 && keep === -1) {
    return withoutLock(acts, calls);
  }
  if (hasOtherPurpose(walk, acts) || (walk.matches.length === 0 && boundsOrSpends(acts, takesArguments))) {
    return acts.some((act) => act.role === 'write') && onlyGuarded(acts) ? verdict('guarded-write', calls) : verdict('opaque', calls);
  }
  return drop === -1 ? extension(walk, acts, calls, false) : release(walk, acts, calls);
}

/** `INCR k` with `EXPIRE k` is a rate limit. */
function countsItsLock(acts: readonly LuaAct[]): boolean {
  const counters = acts.filter((act) => act.role === 'count').map((act) => act.event.args[0]);
  return acts.some((act) => ['create', 'keep', 'drop', 'arm'].includes(act.role) && counters.some((key) => sameRef(key, act.event.args[0])));
}

function isCreated(acts: readonly LuaAct[], { event }: LuaAct): boolean {
  return acts.some((act) => act.role === 'create' && sameRef(act.event.args[0], event.args[0]));
}

/** Whoever is refused writes another key all the same: a store whose rows say who made them, as a cache does. */
function storesBeside(acts: readonly LuaAct[]): boolean {
  return acts.some((act) => act.role === 'write' && !knows(act.event.facts, FREE) && !knows(act.event.facts, MURKY) && !isCreated(acts, act));
}

/** Without an owner compared: a read that touches or pops the value, a bulk delete, or data written beside it is no lock. */
function hasOtherPurpose(walk: LuaWalk, acts: readonly LuaAct[]): boolean {
  if (walk.matches.length > 0) {
    return false;
  }
  const answersValue = walk.returns.some((answer) => answer.value.kind === 'stored');
  const isBulk = acts.some((act) => act.role === 'drop' && act.event.args.some((arg) => arg.kind === 'other' && /unpack|\.\.\./u.test(arg.text)));
  return answersValue || isBulk || acts.some((act) => act.role === 'write' || act.role === 'count' || act.event.command === 'getdel');
}

/** `TTL`, and `EXPIRE` where there is none, bounds a counter. `GET`, and `DEL` where something was there, with no argument to compare, spends what was put aside once. */
function boundsOrSpends(acts: readonly LuaAct[], takesArguments: boolean): boolean {
  return acts.some(({ event: { command, args } }) => {
    const changed = (role: LuaRole): boolean => acts.some((act) => act.role === role && sameRef(act.event.args[0], args[0]));
    return /^p?ttl$/u.test(command) ? changed('keep') : command === 'get' && changed('drop') && !takesArguments;
  });
}

function withoutLock(acts: readonly LuaAct[], calls: readonly LuaCall[]): LuaScript {
  if (acts.every((act) => act.role === 'look')) {
    return verdict('read', calls);
  }
  if (!onlyGuarded(acts)) {
    return verdict('opaque', calls);
  }
  const writes = acts.filter((act) => act.role === 'write');
  return verdict('guarded-write', calls, writes.every((act) => knows(act.event.facts, FREE)) ? { ownerCheck: 'atomic' } : {});
}

/** Every change runs behind a test of a stored value. */
function onlyGuarded(acts: readonly LuaAct[]): boolean {
  const changes = acts.filter((act) => act.role !== 'look' && act.role !== 'count');
  return changes.length > 0 && changes.every(({ event }) => knows(event.facts, FREE) || knows(event.facts, MURKY));
}

function acquisition(walk: LuaWalk, acts: readonly LuaAct[], calls: readonly LuaCall[]): LuaScript {
  const creates = acts.filter((act) => act.role === 'create').map((act) => act.event);
  const key = creates[0]?.args[0];
  // What is stored is the owner, whatever else the stored value is compared with: `pending:<token>` has a prefix that all share.
  const owner = creates.map((event) => readSet(event)?.value).find((ref) => ref?.kind === 'arg') ?? ownerOf(walk, key) ?? creates.map(createdOwner).find((ref) => ref !== undefined);
  return verdict('acquire', calls, { reentrant: isReentrant(walk, acts), ...target(key, owner, ttlOf(acts, key, ['create', 'arm', 'keep'])) });
}

function createdOwner(event: LuaEvent): LuaRef | undefined {
  const set = readSet(event);
  return set === undefined ? event.args.find((arg) => arg.kind === 'arg') : set.value;
}

/** The owner's own value leads to a write or to an answer that says yes. */
function isReentrant(walk: LuaWalk, acts: readonly LuaAct[]): boolean {
  const takesOwn = acts.some(({ event, role }) => role === 'create' && knows(event.facts, FREE) && !knows(event.facts, ABSENT));
  const refreshes = acts.some(({ event, role }) => (role === 'keep' || role === 'write') && knows(event.facts, MATCH));
  return takesOwn || refreshes || walk.returns.some((answer) => knows(answer.facts, MATCH) && saysYes(answer.value));
}

function saysYes(value: LuaValue): boolean {
  if (value.kind === 'ref' && value.ref.kind === 'literal') {
    return typeof value.ref.value === 'number' ? value.ref.value > 0 : !['', '0', 'nil', 'null'].includes(value.ref.value.toLowerCase());
  }
  return (value.kind === 'constant' && value.value === true) || isCallers(value) || (value.kind === 'reply' && !isReadCommand(value.command));
}

function extension(walk: LuaWalk, acts: readonly LuaAct[], calls: readonly LuaCall[], recreates: boolean): LuaScript {
  const keeps = acts.filter((act) => act.role === 'keep').map((act) => act.event);
  const key = lockKey(walk, keeps);
  // A key set again where nobody held it is told by `recreates`, not by the owner check.
  const checked = acts.filter((act) => act.role === 'keep' || act.role === 'drop').map((act) => act.event);
  return verdict('extend', calls, { ownerCheck: ownerCheck(checked, key), recreates, ...target(key, ownerOf(walk, key), ttlOf(acts, key, ['keep'])) });
}

function release(walk: LuaWalk, acts: readonly LuaAct[], calls: readonly LuaCall[]): LuaScript {
  const drops = acts.filter((act) => act.role === 'drop').map((act) => act.event);
  const key = lockKey(walk, drops);
  const checked = acts.filter((act) => act.role === 'keep' || act.role === 'drop').map((act) => act.event);
  return verdict('release', calls, { ownerCheck: ownerCheck(checked, key), ...target(key, ownerOf(walk, key), undefined) });
}

/** The key whose owner is compared, when it is among those changed. */
function lockKey(walk: LuaWalk, events: readonly LuaEvent[]): LuaRef | undefined {
  const keys = events.flatMap((event) => event.command === 'del' || event.command === 'unlink' ? event.args : event.args.slice(0, 1));
  return keys.find((key) => walk.matches.some((match) => sameRef(match.key, key))) ?? keys[0];
}

function ownerCheck(events: readonly LuaEvent[], key: LuaRef | undefined): LuaScript['ownerCheck'] {
  const own = events.filter((event) => event.args.some((arg) => sameRef(arg, key)));
  const open = own.filter((event) => !knows(event.facts, FREE));
  if (own.length > 0 && open.length === 0) {
    return 'atomic';
  }
  return own.length === 0 || open.some((event) => knows(event.facts, MURKY)) ? 'unknown' : 'none';
}

function ownerOf(walk: LuaWalk, key: LuaRef | undefined): LuaRef | undefined {
  return (walk.matches.find((match) => sameRef(match.key, key)) ?? walk.matches[0])?.owner;
}

function ttlOf(acts: readonly LuaAct[], key: LuaRef | undefined, roles: readonly LuaRole[]): LuaScript['ttl'] {
  for (const role of roles) {
    for (const { event } of acts.filter((act) => act.role === role && sameRef(act.event.args[0], key))) {
      const ttl = readSet(event)?.ttl ?? readExpire(event);
      if (ttl !== undefined) {
        return ttl;
      }
    }
  }
  return undefined;
}

function target(key: LuaRef | undefined, owner: LuaRef | undefined, ttl: LuaScript['ttl']): Partial<LuaScript> {
  return { ...(key === undefined ? {} : { key }), ...(owner === undefined ? {} : { owner }), ...(ttl === undefined ? {} : { ttl }) };
}
