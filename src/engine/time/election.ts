import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { VOID_OR_THROWS_FORM } from '../operations/result-form.js';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, isFunctionWithBody, nameText } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { handlerActs } from './failure-acts.js';
import { Kept } from '../kept.js';

/** A section that an event opens and another one closes: leadership. */
export interface Election {
  readonly operation: AcquireOperation;
  /** The work that goes on without end once the event came, and nothing in it asks whether to stop. */
  readonly endless: ts.Node | undefined;
  /** What runs when leadership is lost; undefined where nothing does. */
  readonly lost: ts.Node | undefined;
  /** Whether that does more than tell people. */
  readonly lostActs: boolean;
}

const WON = /^(?:elected|leader|promoted|gained|become-?leader|became-?leader|leadership[-:]?(?:acquired|gained)|started-?leading)$/i;
const LOST = /^(?:deposed|demoted|lost|resigned|revoked|follower|step-?down|stepped-?down|leadership[-:]?lost|stopped-?leading|expired|released|unelected)$/i;
const ON_WON = /^on(?:Elected|Leader|BecomeLeader|BecameLeader|Promoted|StartedLeading|LeadershipAcquired|LeadershipGained)$/;
const ON_LOST = /^on(?:Deposed|Demoted|StoppedLeading|LeadershipLost|LoseLeadership|Resigned|Unelected|Lost)$/;

const known = new Kept<Unit, readonly Election[]>();

/** The elections of a file: `campaign.on('elected', ..)`, `elect({ onStartedLeading, onStoppedLeading })`. */
export function electionsOf(unit: Unit): readonly Election[] {
  const { ts } = unit;
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found: Election[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n)) {
      const election = byEvent(n) ?? byOptions(n);
      if (election !== undefined) found.push(election);
    }
    ts.forEachChild(n, visit);
  };
  if (unit.says(/elected|leader|promoted|gained/i)) visit(unit.file);
  known.set(unit, found);
  return found;

  function byEvent(call: ts.CallExpression): Election | undefined {
    const handler = listenerOf(call, WON);
    const on = receiverOf(call);
    if (handler === undefined || on === undefined) return undefined;
    const text = on.getText(unit.file);
    let lost: ts.Node | undefined;
    const find = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && isSame(receiverOf(n), on)) lost ??= listenerOf(n, LOST);
      ts.forEachChild(n, find);
    };
    find(unit.file);
    // Without a word of a loss the event may be that of a game or a form.
    return lost === undefined && !/elect|leader|campaign/i.test(text) ? undefined : electionAt(call, on, handler, lost);
  }

  /** The same name, or the same text where it is no name: two functions may both have a `campaign`. */
  function isSame(other: ts.Expression | undefined, on: ts.Expression): boolean {
    if (other === undefined) return false;
    if (ts.isIdentifier(other) && ts.isIdentifier(on)) return unit.scopes.resolve(other) === unit.scopes.resolve(on) && other.text === on.text;
    return other.getText(unit.file) === on.getText(unit.file);
  }

  function byOptions(call: ts.CallExpression): Election | undefined {
    for (const argument of call.arguments) {
      const object = bare(unit, argument);
      if (!ts.isObjectLiteralExpression(object)) continue;
      const won = handlerIn(object, ON_WON);
      if (won !== undefined) return electionAt(call, call.expression, won, handlerIn(object, ON_LOST));
    }
    return undefined;
  }

  function electionAt(node: ts.CallExpression, on: ts.Expression, handler: ts.Node, lost: ts.Node | undefined): Election {
    const key = termOf(unit, on);
    return {
      operation: {
        node, kind: 'acquire', api: calledName(unit, node), key, evidence: 'name', receiver: key, owner: undefined, hasOwnerSlot: false, ttl: { kind: 'lapses-otherwise' }, bare: false,
        result: VOID_OR_THROWS_FORM, link: 'receiver', scope: 'transaction',
      },
      endless: endlessWork(unit, handler, 0),
      lost,
      lostActs: lost !== undefined && handlerActs(unit, lost) !== 'logged',
    };
  }

  function listenerOf(call: ts.CallExpression, events: RegExp): ts.Node | undefined {
    const [event, handler] = call.arguments;
    if (event === undefined || handler === undefined || !/^(?:on|once|addListener|addEventListener)$/.test(calledName(unit, call))) return undefined;
    const name = bare(unit, event);
    return ts.isStringLiteralLike(name) && events.test(name.text) ? handler : undefined;
  }

  function receiverOf(call: ts.CallExpression): ts.Expression | undefined {
    return ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : undefined;
  }

  function handlerIn(object: ts.ObjectLiteralExpression, names: RegExp): ts.Node | undefined {
    for (const p of object.properties) {
      if (p.name === undefined || !names.test(nameText(unit, p.name))) continue;
      return ts.isPropertyAssignment(p) ? p.initializer : ts.isMethodDeclaration(p) ? p : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
    }
    return undefined;
  }
}

/** A loop without an end, or a timer without a handle, in a handler or in a function that it calls. */
function endlessWork(unit: Unit, handler: ts.Node, depth: number): ts.Node | undefined {
  const { ts } = unit;
  const e = ts.isMethodDeclaration(handler) ? handler : bare(unit, handler as ts.Expression);
  const root = isFunctionWithBody(unit, e) ? e : functionNamed(e);
  if (root === undefined || depth > 2) return undefined;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    if ((ts.isForStatement(n) || ts.isWhileStatement(n) || ts.isDoStatement(n)) && isEndless(n)) found = n;
    else if (ts.isCallExpression(n) && calledName(unit, n) === 'setInterval' && ts.isExpressionStatement(n.parent)) found = n;
    else if (ts.isCallExpression(n)) {
      const called = calledFunction(unit, n);
      if (called?.unit === unit) found = endlessWork(unit, called.fn, depth + 1);
    }
    if (found === undefined) ts.forEachChild(n, visit);
  };
  ts.forEachChild(root, visit);
  return found;

  function functionNamed(n: ts.Node): ts.Node | undefined {
    if (!ts.isIdentifier(n)) return undefined;
    const d = unit.scopes.resolve(n)?.declaration;
    const value = d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined ? bare(unit, d.initializer) : d;
    return value !== undefined && isFunctionWithBody(unit, value) ? value : undefined;
  }

  function isEndless(loop: ts.ForStatement | ts.WhileStatement | ts.DoStatement): boolean {
    const condition = ts.isForStatement(loop) ? loop.condition : loop.expression;
    if (condition !== undefined && bare(unit, condition).kind !== ts.SyntaxKind.TrueKeyword) return false;
    return !leavesLoop(loop.statement);
  }

  function leavesLoop(n: ts.Node): boolean {
    if (ts.isFunctionLike(n)) return false;
    if (ts.isBreakStatement(n) || ts.isReturnStatement(n) || ts.isThrowStatement(n)) return true;
    if (ts.isIdentifier(n) && /^(?:aborted|throwIfAborted|signal)$/.test(n.text)) return true;
    return ts.forEachChild(n, (child) => (leavesLoop(child) ? true : undefined)) === true;
  }
}
