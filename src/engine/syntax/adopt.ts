import type ts from 'typescript';
import { Kept, unnoted } from '../kept.js';
import { kindsOf, type Kinds } from './kinds.js';
import type { Ts } from './typescript.js';

/** The nodes of a file at which questions begin and names are declared, in the order of the text: what two more walks of the tree would find. */
export interface Adopted {
  readonly asked: readonly ts.Node[];
  readonly declaring: readonly ts.Node[];
}

const found = new Kept<ts.SourceFile, Adopted>();
const kinds = new Kept<Ts, Kinds>();

/**
 * Gives each node of a file that was parsed without parents its parent, and keeps on the way what `adoptedIn` tells. The parser would do the first alone, in more time than both take here.
 * @throws {RangeError} for a file that is nested deeper than the stack allows.
 */
export function adopt(ts: Ts, file: ts.SourceFile): void {
  // A file may be parsed in the midst of other work: what that has read is no part of this.
  unnoted(() => { adoptNodes(ts, file); });
}

function adoptNodes(ts: Ts, file: ts.SourceFile): void {
  let groups = kinds.get(ts);
  if (groups === undefined) kinds.set(ts, (groups = kindsOf(ts)));
  const { asked: isAsked, declaring: isDeclaring } = groups;
  const { FirstNode } = ts.SyntaxKind;
  const asked: ts.Node[] = [];
  const declaring: ts.Node[] = [];
  let parent: ts.Node = file;
  const visit = (node: ts.Node): void => {
    // The parser leaves it open; the public type knows parsed files only.
    (node as { parent: ts.Node }).parent = parent;
    // Tokens and names have no children, and are most of the nodes.
    if (node.kind < FirstNode) return;
    if (isAsked[node.kind] === 1) asked.push(node);
    if (isDeclaring[node.kind] === 1) declaring.push(node);
    const around = parent;
    parent = node;
    ts.forEachChild(node, visit);
    parent = around;
  };
  ts.forEachChild(file, visit);
  found.set(file, { asked, declaring });
}

/** What was found when the file was adopted; undefined for a file that came with its parents. */
export function adoptedIn(file: ts.SourceFile): Adopted | undefined {
  return found.get(file);
}
