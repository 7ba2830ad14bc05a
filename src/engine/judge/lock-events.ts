import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import type { Operation } from '../operations/operation.js';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import type { ImplementedOperation } from './implementation-subject.js';

/** An operation of a lock of which nobody hears. */
export interface SilentOperation {
  readonly name: string;
  readonly at: Place;
  /** The events that it should tell. */
  readonly events: string;
  /** It hands the call on to another lock, which may report it. */
  readonly delegates: boolean;
}

const EVENTS = { acquire: '`acquired` and `contended`', release: '`released`', extend: '`extended` and `expired`', section: '`acquired`, `contended` and `released`' } as const;

/** The operations in which nothing is reported: no event, no metric, no line of a log. Those that do nothing with a store have nothing to tell. */
export function silentOperations(unit: Unit, operations: readonly ImplementedOperation[]): readonly SilentOperation[] {
  const { ts } = unit;
  return operations.flatMap(({ role, name, fn }) => {
    if (!operates(fn) || reports(fn)) return [];
    const delegates = role !== 'section' && operationsIn(fn).every((o) => o.evidence === 'declared');
    return [{ name, at: unit.placeOf('name' in fn && fn.name !== undefined ? fn.name : fn), events: EVENTS[role], delegates }];
  });

  function operates(fn: ts.Node): boolean {
    return operationsIn(fn).length > 0;
  }

  function operationsIn(fn: ts.Node): readonly Operation[] {
    return lockOperations(unit).filter((o) => o.kind !== 'inspect' && o.kind !== 'overwrite' && o.node.pos >= fn.pos && o.node.end <= fn.end);
  }

  function reports(fn: ts.Node): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && isReport(n.expression.getText(unit.file).split(/[.?!()#\s]+/))) found = true;
      if (!found) ts.forEachChild(n, visit);
    };
    visit(fn);
    return found;
  }
}

/** What is told for the one who looks for a mistake is no event: in production nobody hears it. */
function isReport(parts: readonly string[]): boolean {
  return !/^(?:debug|trace|verbose|silly)$/.test(parts.at(-1) ?? '') && parts.some((part) => REPORTS.test(part));
}

/** What a person or a program that watches hears of. */
const REPORTS = /^(?:on[A-Z]\w*|\w*[lL]og(?:ger)?|console|\w*[mM]etrics?|\w*[eE]vents?|\w*[eE]mitter|\w*[bB]us|audit\w*|tracer|span|telemetry|stats|hooks?|observers?|\w*[eE]mit\w*|publish\w*|record\w*|track\w*|notify\w*|report\w*|info|warn|increment|inc|counter|histogram|gauge|addEvent)$/;
