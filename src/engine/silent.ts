import type { Models } from './models.js';
import { modelCall } from './operations/model-call.js';
import { mentionTest } from './tagged-names.js';

/** `isSilent` where the user modelled calls: who names one of these is not. */
export function silentTest({ locks = [], writes = [] }: Models): (text: string) => boolean {
  const calls = [...locks.flatMap(({ operations }) => operations.map(({ call }) => call)), ...writes.map(({ call }) => call)];
  const names = calls.map((call) => modelCall(call).name).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  const isNamed = mentionTest(names);
  return (text) => !isNamed(text) && isSilent(text);
}

/**
 * Tells by its text alone that a file shows nothing by itself: no row is written or locked in it, no lock is taken, renewed, given back or made, and nothing in it
 * looks like that. Most files that hold a word such as `status` are of this kind: screens, types, routes that read. They need not be parsed to be judged. Where other
 * files ask about them (a declaration, a body, who calls a function) they answer as all do.
 *
 * Each test stands for what a family of readers cannot do without. A reader that learns to see more is told here as well; `test/engine/silent.test.ts` holds the files
 * of its fixtures against this.
 */
export function isSilent(text: string): boolean {
  return !METHODS.test(text) && !SQL.test(text) && !operates(text) && !SPEAKS.test(text) && !setsInStore(text) && !makesLock(text) && !guardsLocally(text);
}

/** Behind the name of what is called: `(`, type arguments, `!(`, `?.(`, `as`, the end of parentheses around it. */
const CALLED = '(?:\\s*[(<!]|\\s*\\?\\.\\s*[(<]|\\s+as\\b|\\)\\s*[(!])';

/** A method by name, in either case. */
function anyCase(word: string): string {
  return word.replaceAll(/(?<!\\)[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);
}

/** Names of methods that the layers of rows, documents and objects take for a write (`operations/access-*`), those of hand-written stores, and what runs a text that another file holds. */
const WRITES = ['update(?:Many(?:AndReturn)?|One|Item|Entity|Table|AndFetch(?:ById)?)?', 'upsert(?:Entity)?', 'patch(?:AndFetch(?:ById)?)?', 'increment', 'decrement', 'insert(?:Into|One|Many)?', 'merge', 'replaceOne', 'nativeUpdate',
  'findOneAnd(?:Update|Replace)', 'findByIdAndUpdate', 'send', 'transactWrite(?:Items)?', 'index', 'commit', 'put(?:Item|Object|Entity)?', 'flush', 'persistAndFlush', 'saveAndFlush', 'item',
  '(?:persist|save|put|write|store)(?:Snapshot|State|Run|Step|Workflow|Checkpoint)?', 'set(?:Snapshot|State|Run|Step|Workflow|Checkpoint)', '(?:save|persist|put|write|update)If\\w*', 'compareAnd(?:Set|Swap)', '(?:update|set|change)(?:Status|State|Phase)',
  'transition(?:To)?', 'mark(?:As)?[A-Z]\\w*', 'run', 'using', 'runImmediately', 'acquireImmediately', 'rpc', 'prepare'];
/** A GET alone does nothing to a lock; a SET is asked for below. */
const COMMANDS = ['setnx', 'setex', 'psetex', 'del', 'unlink', 'getdel', 'delex', 'expire', 'pexpire', 'eval', 'evalsha'].map(anyCase);
/** A command that is spelled at its call, or a constant; a text that a constant of another file holds. */
const SENT = '(?:call|sendCommand|customCommand|executeCommand|send_command|sendcommand)\\s*\\(\\s*(?:new\\b|\\[?\\s*["\'`A-Z])|(?:query|execute|exec|raw|unsafe|sql|batch|command|all|one|none|oneOrNone|manyOrNone|iterate|\\$\\w+)\\w*\\s*(?:<[^()]*>)?\\(\\s*(?:\\{\\s*(?:text|sql|query)\\s*:\\s*)?(?!async\\b|function\\b|await\\b)[A-Za-z_$][\\w$.]*\\s*[,)}]';

const METHODS = new RegExp(`\\.#?(?:\\$?(?:${[...WRITES, ...COMMANDS].join('|')})${CALLED}|${SENT})|\\b(?:updateDoc|setDoc|writeFile(?:Sync)?|outputFile(?:Sync)?)${CALLED}`);

/** A statement begins a literal: with what may stand before its first keyword, and the word without which it would be prose. */
const SQL = /["'`](?:\s|\(|--[^\n]*\n|\/\*|\$\{[^}]*\})*(?:update\s[^;]{0,400}?\bset\b|(?:insert|replace)\s[^;]{0,80}?\binto\b|merge\s+into|with\s[^;]{0,400}?\bas\s*(?:not\s+)?(?:materialized\s*)?\()/i;

/** What a lock API calls its operations, with a word for lock in it or not (`operations/lock-words.ts`); what helpers that renew are called (`operations/renewal-call.ts`); what wrappers are (`functions/called-function.ts`). */
const ROLES = '[tT]ake|[oO]btain|[gG]rab|[rR]eserve|[fF]ree|[dD]rop|[rR]elinquish|[gG]iveBack|[eE]xtend|[rR]efresh|[pP]rolong|[tT]ouch|[kK]eep';
const NOUN = '(?:Lock|Lease|Mutex|Claim|Next|Exclusive|Grant|Hold|Step|Job|Run|Task|Row|Record|Entity|Key|Resource|Ttl|Or(?:Throw|Null|Fail))';
const NAMES = [`\\b[_#$]*(?:do|try|doTry)?(?:${ROLES})${NOUN}*s?[_$]*`, '(?:[aA]cquire|[cC]laim|[eE]xclusive|[lL]eader|[rR]enew|[rR]elease|[hH]eart[bB]eat|[kK]eep[aA]live|auto(?:Extend|Refresh)|Auto(?:Extend|Refresh)|[wW]atchdog)\\w*', '[bB]eat(?:ing|s)?',
  '(?:[sS]tart|[bB]egin|[rR]un|[wW]ith)\\w*(?:Renew|Extend|Refresh)\\w*'].join('|');
const OPERATIONS = new RegExp(`(?:${NAMES})(?:\\)?\\s*[(<!]|\\s*\\?\\.\\s*[(<]|\\s+as\\b)(?<!\\.extend\\()|\\.extend\\(\\s*[^\\s{]`);
/** The same in less time and for more texts. */
const MAY_OPERATE = new RegExp(`(?:${ROLES}|[cC]laim|[eE]xclusive|[lL]eader|[rR]enew|[rR]elease|[bB]eat|[cC]quire|alive|Alive|atchdog)\\w*\\)?\\s*(?:[(<!]|\\?\\.\\s*[(<]|as\\b)`);

function operates(text: string): boolean {
  return MAY_OPERATE.test(text) && OPERATIONS.test(text);
}

/**
 * Words for locks: where they stand, a call of any name may be one of a lock by its declared type (`mentionsLock`). Reads that lock rows, inserts that let a row stand, packages whose
 * calls have plain names, elections, tags and slips of them, comments that speak to this tool.
 */
const SPEAKS = new RegExp([
  '(?<![bcBC])(?:[lL]ock|LOCK)', '(?<!re|Re|[pP])(?:[lL]ease|LEASE)', '[mM]utex|MUTEX', '[sS]emaphore|SEMAPHORE', '(?<!place|Place|PLACE)(?:[hH]older|HOLDER)', '[lL]eader',
  '\\b(?:for|FOR)\\s+(?:no\\s+key\\s+|NO\\s+KEY\\s+)?(?:update|UPDATE|share|SHARE)\\b', '\\bfor(?:NoKey)?(?:Update|Share)\\b', '\\.for\\(', '[pP]essimistic|PESSIMISTIC',
  'on(?:Conflict|\\s+conflict)|ON\\s+CONFLICT', 'skipDuplicates', 'orIgnore', 'ignoreDuplicates',
  'etcd3', 'consul\\b', 'bullmq', 'pg-boss', 'agenda', 'sqs', '\\blua\\b',
  '[\'"`](?:[eE]lected|[pP]romoted|[gG]ained|[bB]ec[oa]me-?[lL]eader|[sS]tarted-?[lL]eading)', '\\bon(?:Elected|Promoted|StartedLeading)',
  '@(?:\\w*[lL]ocks?|\\w*[tT]ransition|single\\w*|fails?\\w*|max\\w*)\\b', 'step-lock',
].join('|'));

const STORE = '(?:repo|repository|repositories|store|storage|dao|table|db|database|snapshots?|persistence|dal|ledger)';
const ON_STORE = new RegExp(`${STORE}[)!?]*\\.(?:set|SET)\\(`, 'i');
const OF_STORE = new RegExp(`:\\s*[\\w.]*${STORE}\\b`, 'i');

/** Most sets are of maps and of queries: a store has a name for one, a document is found by `doc` or `ref`, a command has options or stands behind a read that is waited for. */
function setsInStore(text: string): boolean {
  const sets = /\.(?:set|SET)\s*(?:\?\.\s*)?[(<]/g;
  let found = sets.exec(text);
  if (found === null) return false;
  if (ON_STORE.test(text) || OF_STORE.test(text) || /[fF]irestore|\.doc\s*\(|\.ref\b/.test(text) || (/\bawait\b|\.then\b/.test(text) && /\.(?:get|exists)\s*[(<]/i.test(text))) return true;
  for (; found !== null; found = sets.exec(text)) if (found[0].endsWith('<') || hasThirdArgument(text, sets.lastIndex)) return true;
  return false;
}

function hasThirdArgument(text: string, from: number): boolean {
  let depth = 1;
  let commas = 0;
  for (let i = from; i < text.length && depth > 0; i++) {
    const c = text[i];
    if (c === '"' || c === '\'') {
      for (i++; i < text.length && text[i] !== c && text[i] !== '\n'; i++) if (text[i] === '\\') i++;
    } else if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
    else if (c === ',' && depth === 1 && ++commas === 2) return true;
  }
  return false;
}

/** A class, an object or a function that has the operations of a lock. */
function makesLock(text: string): boolean {
  return /lock|acquire|exclusive|leader/i.test(text) && MEMBERS.test(text);
}

const MEMBERS = /\b[_#]?(?:do)?(?:try)?(?:[aA]cquire|[cC]laim|[tT]ake|[oO]btain|[gG]rab|[rR]eserve|[eE]xclusive)(?:[A-Z]\w*)?\s*\??\s*[:=]/;

/** A lock in the memory of this process, before work that is waited for: a flag, a set of busy keys, a chain of promises, or one of a package. */
function guardsLocally(text: string): boolean {
  if (!/\basync\b/.test(text)) return false;
  if (/new (?:Map|Set|WeakMap)\b|: ?(?:Map|Set|WeakMap)</.test(text) && /\.delete\(/.test(text) && /\.(?:add|set)\(/.test(text)) return true;
  if (/(?:^|[;{}])\s*(?:this\.#?)?[\w$]+ ?= ?(?:false|null|undefined)\s*(?:[;}]|$)/m.test(text) && /\bif\b/.test(text)) return true;
  return /^\s*(?:this\.#?)?[\w$]+ ?= ?[^=;]*\.(?:then|catch|finally)\(/m.test(text) || /await [^;\n]*\.(?:use|request|dispatch|flock)[(<]/.test(text);
}
