import type ts from 'typescript';
import { adoptedIn } from './adopt.js';
import { isFunctionWithBody } from './expression.js';
import { questionKey } from './questions.js';
import type { Unit } from './unit.js';
import { Kept, noteRead, unnoted } from '../kept.js';

/** The nodes of a file at which questions begin, each list in the order of the text, what is around before what is within. */
export interface FileNodes {
  readonly calls: readonly ts.CallExpression[];
  /** Calls and tagged templates. */
  readonly evaluations: readonly (ts.CallExpression | ts.TaggedTemplateExpression)[];
  /** Functions, methods and accessors. */
  readonly functions: readonly ts.FunctionLikeDeclaration[];
  readonly classes: readonly ts.ClassLikeDeclaration[];
  /** All of these, `new` expressions and object literals. */
  readonly all: readonly ts.Node[];
}

/** Read once a file: a walk of the tree costs more than most of what is asked at its nodes. */
export function fileNodes(unit: Unit): FileNodes {
  noteRead(unit.path);
  return nodesOf(unit);
}

/** The classes among them that are built on others: parts of the file without a class say nothing. A file whose text names none is not parsed. */
export function heirsOf(unit: Unit): FileNodes['classes'] {
  noteRead(questionKey(unit.path, 'word', 'class'));
  if (!unit.mayName('class') || !(unit.mayName('extends') || unit.mayName('implements'))) return [];
  return nodesOf(unit).classes.filter(({ heritageClauses }) => heritageClauses !== undefined);
}

function nodesOf(unit: Unit): FileNodes {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = unnoted(() => read(unit));
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
    if (unit.kinds.asked[n.kind] === 1) note(n);
    ts.forEachChild(n, visit);
  };
  const adopted = adoptedIn(unit.file)?.asked;
  if (adopted === undefined) visit(unit.file);
  else adopted.forEach(note);
  return { calls, evaluations, functions, classes, all };

  function note(n: ts.Node): void {
    all.push(n);
    if (ts.isCallExpression(n)) {
      calls.push(n);
      evaluations.push(n);
    } else if (ts.isTaggedTemplateExpression(n)) evaluations.push(n);
    else if (isFunctionWithBody(unit, n)) functions.push(n);
    else if (ts.isClassLike(n)) classes.push(n);
  }
}
