import type ts from 'typescript';
import { isFunctionWithBody } from './expression.js';
import type { Unit } from './unit.js';
import { Kept } from '../kept.js';

/** The nodes of a file at which questions begin, each list in the order of the text, what is around before what is within. */
export interface FileNodes {
  readonly calls: readonly ts.CallExpression[];
  /** Calls and tagged templates. */
  readonly evaluations: readonly (ts.CallExpression | ts.TaggedTemplateExpression)[];
  /** Functions with a body. */
  readonly functions: readonly ts.FunctionLikeDeclaration[];
  readonly classes: readonly ts.ClassLikeDeclaration[];
  /** All of these, `new` expressions and object literals. */
  readonly all: readonly ts.Node[];
}

/** Read once a file: a walk of the tree costs more than most of what is asked at its nodes. */
export function fileNodes(unit: Unit): FileNodes {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = read(unit);
  known.set(unit, found);
  return found;
}

const known = new Kept<Unit, FileNodes>();

function read(unit: Unit): FileNodes {
  const { ts } = unit;
  const calls: ts.CallExpression[] = [];
  const evaluations: (ts.CallExpression | ts.TaggedTemplateExpression)[] = [];
  const functions: ts.FunctionLikeDeclaration[] = [];
  const classes: ts.ClassLikeDeclaration[] = [];
  const all: ts.Node[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n)) {
      calls.push(n);
      evaluations.push(n);
      all.push(n);
    } else if (ts.isTaggedTemplateExpression(n)) {
      evaluations.push(n);
      all.push(n);
    } else if (isFunctionWithBody(unit, n)) {
      functions.push(n);
      all.push(n);
    } else if (ts.isClassLike(n)) {
      classes.push(n);
      all.push(n);
    } else if (ts.isNewExpression(n) || ts.isObjectLiteralExpression(n)) all.push(n);
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return { calls, evaluations, functions, classes, all };
}
