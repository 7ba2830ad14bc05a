import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { enclosingFunction } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { toldMaxDuration } from '../syntax/told-facts.js';
import { questionKey } from '../syntax/questions.js';
import { noteRead, unnoted } from '../kept.js';
import type { Unit } from '../syntax/unit.js';
import { termMilliseconds } from './duration.js';
import { madeLease } from './made-lease.js';

/** The time after which a run is ended from outside, in milliseconds, and where the code says so: the file where its configuration does. */
export interface RunCap {
  readonly ms: number;
  readonly place: Place;
}

/** `@maxDuration 5m` before the function, `export const maxDuration = 300` of a serverless route, or what the platform's configuration sets for the file. */
export function runCap(unit: Unit, node: ts.Node): RunCap | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  const tagged = toldMaxDuration(unit, fn);
  if (tagged !== undefined) return { ms: tagged, place: unit.placeOf(fn) };
  // Who declares the name says all there is to say of it.
  noteRead(questionKey(unit.path, 'name', 'maxDuration'));
  for (const s of unnoted(() => unit.file.statements)) {
    if (!ts.isVariableStatement(s) || s.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) !== true) continue;
    const d = s.declarationList.declarations.find((x) => ts.isIdentifier(x.name) && x.name.text === 'maxDuration');
    const ms = d?.initializer && termMilliseconds(termOf(unit, d.initializer), 1000);
    if (d !== undefined && ms !== undefined) return { ms, place: unit.placeOf(d) };
  }
  const configured = unit.runLimit();
  return configured === undefined ? undefined : { ms: configured, place: unit.placeOf(fn) };
}

/** How long a grant lasts, in milliseconds; undefined where the code does not tell. */
export function leaseMilliseconds(unit: Unit, acquire: AcquireOperation): number | undefined {
  const { ttl } = acquire;
  return ttl.kind === 'given' ? termMilliseconds(ttl.ttl.term, ttl.ttl.unit === 's' ? 1000 : 1) : madeLease(unit, acquire)?.ttlMs;
}
