import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { localGuard, type LocalGuard } from '../operations/local-guards.js';
import { chainMutex } from '../operations/local-mutex.js';
import { localCall } from '../operations/local-packages.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';

/** A lock that keeps out only callers in the same process, or on the same host. */
export interface LocalLock {
  /** The call that takes it; for one that the code makes itself, the memory it lives in. */
  readonly node: ts.Node;
  readonly kind: 'package' | 'chain' | LocalGuard['kind'];
  readonly scope: 'process' | 'host';
  readonly name: string;
  /** Where its section begins. */
  readonly entry: ts.Node;
  /** What runs while it is held. */
  readonly sections: readonly ts.Node[];
}

/** The local locks of a file, one for each memory or call, in the order of the text. */
export function localLocks(unit: Unit): readonly LocalLock[] {
  const { ts } = unit;
  const found = new Map<ts.Node, LocalLock>();
  for (const n of fileNodes(unit).all) {
    if (ts.isCallExpression(n)) {
      const lock = packageLock(unit, n) ?? chainCall(unit, n);
      if (lock !== undefined) add(lock);
    } else if (isFunctionWithBody(unit, n)) {
      const guard = localGuard(unit, n);
      if (guard !== undefined) add({ node: guard.memory.declaration, kind: guard.kind, scope: 'process', name: guard.memory.name, entry: guard.test, sections: guard.section });
    }
  }
  return [...found.values()];

  /** One memory guards all that asks it. */
  function add(lock: LocalLock): void {
    const held = found.get(lock.node);
    found.set(lock.node, held === undefined ? lock : { ...held, sections: [...held.sections, ...lock.sections] });
  }
}

function packageLock(unit: Unit, call: ts.CallExpression): LocalLock | undefined {
  const found = localCall(unit, call);
  if (found === undefined) return undefined;
  const name = call.expression.getText(unit.file);
  const base = { node: call, kind: 'package' as const, scope: found.scope, name, entry: call };
  if (found.body !== undefined) return { ...base, sections: [bare(unit, found.body)] };
  const fn = enclosingFunction(unit, call);
  return { ...base, sections: unit.ts.isSourceFile(fn) ? [] : statementsAfter(unit, fn, call) };
}

function statementsAfter({ ts }: Unit, fn: ts.Node, call: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isStatement(n) && !ts.isBlock(n) && n.pos >= call.end) found.push(n);
    else ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn, visit);
  return found;
}

/** A call of a function that runs what it is handed one after the other. Functions of other files are looked at where their name says so. */
function chainCall(unit: Unit, call: ts.CallExpression): LocalLock | undefined {
  const body = call.arguments.map((a) => bare(unit, a)).find((a) => isFunctionWithBody(unit, a));
  if (body === undefined) return undefined;
  const callee = bare(unit, call.expression);
  const isImported = unit.ts.isIdentifier(callee) && unit.scopes.resolve(callee)?.kind === 'import';
  if (isImported && !/lock|mutex|exclusive|serial|queue|sync|one/i.test(calledName(unit, call))) return undefined;
  const called = isPlain(unit, callee) ? calledFunction(unit, call) : undefined;
  const memory = called && chainMutex(called.unit, called.fn);
  if (memory === undefined || called === undefined) return undefined;
  return { node: called.unit === unit ? memory.declaration : call, kind: 'chain', scope: 'process', name: memory.name, entry: call, sections: [body] };
}

/** `exclusive(..)`, `this.exclusive(..)`, `queue.run(..)`: not the methods of values, which are asked far too often. */
function isPlain({ ts }: Unit, callee: ts.Expression): boolean {
  return ts.isIdentifier(callee) || (ts.isPropertyAccessExpression(callee) && !/^(?:map|filter|then|catch|finally|forEach|some|every|find|reduce|sort|flatMap|on|once|use|get|post|put|delete|describe|it|test)$/.test(callee.name.text));
}
