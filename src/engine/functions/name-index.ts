import type ts from 'typescript';
import { questionKey } from '../syntax/questions.js';
import type { Unit } from '../syntax/unit.js';
import { Kept, noteRead, unnoted } from '../kept.js';

/** A name as it stands in the code; `#run` of a private member too. */
export type NameNode = ts.Identifier | ts.PrivateIdentifier;

/** Every identifier of a file, by its text, in the order of the text. Read once a file: many functions ask who mentions them. */
export function identifiersNamed(unit: Unit, name: string): readonly NameNode[] {
  let index = known.get(unit);
  if (index === undefined) known.set(unit, (index = unnoted(() => read(unit))));
  noteRead(questionKey(unit.path, 'word', name));
  return index.get(name) ?? [];
}

/** The same where only members of that name count: a file without one, whose text says so, is not parsed. Others may be among them. */
export function membersNamed(unit: Unit, name: string): readonly NameNode[] {
  noteRead(questionKey(unit.path, 'word', name));
  return mayHaveMember(unit, name) ? identifiersNamed(unit, name) : [];
}

function mayHaveMember(unit: Unit, name: string): boolean {
  const member = new RegExp(`[.]${BETWEEN}#?${name.replaceAll('$', '\\$')}(?![\\w$])`);
  return unnoted(() => unit.says(member) || unit.says(/\\u/));
}

/** Blanks and comments. */
const BETWEEN = '(?:\\s|/\\*[^]*?\\*/|//[^\\n]*)*';

const known = new Kept<Unit, ReadonlyMap<string, readonly NameNode[]>>();

function read(unit: Unit): ReadonlyMap<string, readonly NameNode[]> {
  const { ts } = unit;
  const index = new Map<string, NameNode[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const some = index.get(node.text);
      if (some === undefined) index.set(node.text, [node]);
      else some.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  return index;
}
