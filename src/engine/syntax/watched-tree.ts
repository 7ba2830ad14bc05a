import type ts from 'typescript';
import { noteRead } from '../kept.js';
import { holesOf, namesDeclared, type Hole } from './pieces.js';
import { questionKey } from './questions.js';
import type { Binding, Scopes } from './scope.js';
import type { Ts } from './typescript.js';

/**
 * Has a tree tell what is read of it: whoever goes down into the list of its statements, or into the body or value of a declaration, is noted to have read it, by whatever
 * way he came. A name is looked up through its scopes, which note it too.
 */
export interface WatchedTree {
  scopes(inner: Scopes): Scopes;
  /** Notes that the place of a node went into an answer. */
  notePlace(node: ts.Node): void;
}

export function watched(ts: Ts, file: ts.SourceFile): WatchedTree {
  const path = file.fileName;
  const holes = holesOf(ts, file);
  const holeAt = new Map(holes.map((hole) => [hole.node, questionKey(path, 'place', `{${hole.name}`)]));
  const statementAt = new Map<ts.Node, string>(file.statements.map((s) => {
    const [name] = namesDeclared(ts, s);
    return [s, name === undefined ? path : questionKey(path, 'place', `#${name}`)];
  }));
  noteOn(file, 'statements', file.statements, questionKey(path, 'skeleton'));
  const within = new Map<ts.Node, string[]>();
  for (const hole of holes) {
    const key = questionKey(path, 'hole', hole.name);
    noteOn(hole.owner, hole.property, hole.node, key);
    for (let n: ts.Node = hole.node.parent; !ts.isSourceFile(n); n = n.parent) within.set(n, [...within.get(n) ?? [], key]);
  }
  for (const [node, keys] of within) noteText(node, keys);
  const names = new Map<string, string>();

  return {
    scopes: (inner) => ({
      resolve: (id) => noted(inner.resolve(id), id.text),
      lookup: (name, from) => noted(inner.lookup(name, from), name),
      typeNamed: (name, from) => {
        const found = inner.typeNamed(name, from);
        if (found === undefined || found === inner.typeNamed(name, file)) noteName(name);
        return found;
      },
    }),
    notePlace(node) {
      for (let n = node; !ts.isSourceFile(n); n = n.parent) {
        const key = holeAt.get(n) ?? statementAt.get(n);
        if (key === undefined) continue;
        noteRead(key);
        return;
      }
      noteRead(path);
    },
  };

  function noted(binding: Binding | undefined, name: string): Binding | undefined {
    if (binding !== undefined && binding.scope !== file) return binding;
    noteName(name);
    // Whoever assigns to it stands in another part.
    if (binding !== undefined && (binding.kind === 'let' || binding.writes.length > 0)) noteRead(questionKey(path, 'word', name));
    return binding;
  }

  function noteName(name: string): void {
    let key = names.get(name);
    if (key === undefined) names.set(name, (key = questionKey(path, 'name', name)));
    noteRead(key);
  }
}

function noteOn(owner: ts.Node, property: 'statements' | Hole['property'], value: unknown, key: string): void {
  Object.defineProperty(owner, property, {
    configurable: true,
    enumerable: true,
    get: () => {
      noteRead(key);
      return value;
    },
  });
}

/** The text of a declaration holds that of its body. */
function noteText(node: ts.Node, keys: readonly string[]): void {
  for (const method of ['getText', 'getFullText'] as const) {
    const plain = node[method].bind(node);
    Object.defineProperty(node, method, {
      configurable: true,
      enumerable: false,
      value: (file?: ts.SourceFile) => {
        keys.forEach(noteRead);
        return plain(file);
      },
    });
  }
}
