import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { joined, OPEN_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import { changesOf } from './access-orm-loaded.js';

/** Calls that give their argument another form: `JSON.stringify(x)`, `Buffer.from(text)`, `marshall(item)`. */
const FORMS = /^(?:JSON\.stringify|Buffer\.from|superjson\.stringify|marshall|encode|encodeURIComponent|(?:new )?TextEncoder\(\)\.encode)$/;

/** What a whole document that is written back sets anew: the properties beside a spread, or those assigned since it was loaded. */
export function bodyPatch(unit: Unit, node: ts.Expression | undefined, before: ts.Node): Patch {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined) return OPEN_PATCH;
  if (ts.isCallExpression(e)) return FORMS.test(e.expression.getText(unit.file)) ? bodyPatch(unit, e.arguments[0], before) : OPEN_PATCH;
  if (!ts.isIdentifier(e)) return patchOf(unit, e);
  const binding = unit.scopes.resolve(e);
  const value = followed(unit, e);
  if (binding === undefined) return OPEN_PATCH;
  const changed = changesOf(unit, binding, binding.declaration.end, before.pos);
  if (ts.isObjectLiteralExpression(value)) return joined([patchOf(unit, value), changed]);
  if (ts.isCallExpression(value) && FORMS.test(value.expression.getText(unit.file))) return bodyPatch(unit, value.arguments[0], before);
  return { ...changed, open: true };
}

/** The loaded document that a written one is made of: `run` of `{ ...run, status }`, of `JSON.stringify(run)`, of `run` itself. */
export function copiedBy(unit: Unit, node: ts.Expression): ts.Identifier | undefined {
  const { ts } = unit;
  const e = bare(unit, node);
  if (ts.isCallExpression(e)) return FORMS.test(e.expression.getText(unit.file)) && e.arguments[0] !== undefined ? copiedBy(unit, e.arguments[0]) : undefined;
  const value = followed(unit, e);
  if (value !== e && ts.isCallExpression(value) && FORMS.test(value.expression.getText(unit.file))) return copiedBy(unit, value);
  if (ts.isObjectLiteralExpression(value)) {
    const spread = value.properties.find((p) => ts.isSpreadAssignment(p));
    return spread !== undefined && ts.isSpreadAssignment(spread) ? copiedBy(unit, spread.expression) : undefined;
  }
  return ts.isIdentifier(e) ? e : undefined;
}

/** What the objects of a bucket are called: the first word of their path. */
export function wordOfPath(unit: Unit, node: ts.Expression | undefined): string | undefined {
  const { ts } = unit;
  const e = node && followed(unit, node);
  if (e === undefined) return undefined;
  const text = ts.isStringLiteralLike(e) ? e.text : ts.isTemplateExpression(e) ? e.head.text || e.templateSpans[0]?.literal.text : undefined;
  return /[A-Za-z][\w-]*/.exec(text ?? '')?.[0];
}
