import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { discover } from '../../src/audit/discover.js';
import { fileTree } from '../../src/audit/file-tree.js';
import { loadTypeScript } from '../../src/audit/load-typescript.js';
import { createSourceProject } from '../../src/audit/source-project.js';
import { analyseParts } from '../../src/engine/engine.js';
import { isNoting } from '../../src/engine/kept.js';
import { builtInModels } from '../../src/models/index.js';
import { holesOf, namesDeclared } from '../../src/engine/syntax/pieces.js';
import { questionKey } from '../../src/engine/syntax/questions.js';
import type { Ts } from '../../src/engine/syntax/typescript.js';

const { typescript } = await loadTypeScript();
const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Whatever the engine goes down into in another file has to be among the reads of the file it judges: else a change there would be missed. */
describe.each([['projects/agent-runtime', 100], ['programs', 100], ['rules/require-release', 0]] as const)('%s', (folder, atLeast) => {
  const found = discover({ root: FIXTURES + folder, paths: ['.'], include: { test: true, generated: false, declaration: false } });
  const scanned = found.files.map(({ path }) => path);
  const candidates = new Map(scanned.map((path) => [path, readFileSync(path, 'utf8')]));

  it('what is visited is read', () => {
    const missed: string[] = [];
    let elsewhere = 0;
    for (const path of scanned) {
      const project = createSourceProject({ typescript, candidates, scanned, configFiles: found.configFiles, tree: fileTree() });
      const visited = new Set<ts.Node>();
      const recording: Ts = {
        ...typescript,
        forEachChild: (node, ...rest) => {
          // The end of a file says nothing.
          if (isNoting() && node.kind !== typescript.SyntaxKind.EndOfFileToken) visited.add(node);
          return typescript.forEachChild(node, ...rest);
        },
      };
      const file = project.port.file(path);
      if (file === undefined) continue;
      const parts = analyseParts([file], { ts: recording, models: builtInModels, rules, project: project.port, whole: true, tracks: true });
      const reads = new Set([...parts.files, ...parts.rows].flatMap((part) => part.reads));
      for (const node of visited) {
        const other = node.getSourceFile();
        if (other === file) continue;
        elsewhere++;
        if (!isCovered(node, other, reads)) missed.push(`${path.slice(FIXTURES.length)} visits ${other.fileName.slice(FIXTURES.length)}:${String(other.getLineAndCharacterOfPosition(node.getStart(other)).line + 1)} ${typescript.SyntaxKind[node.kind]}`);
      }
    }
    expect(missed).toEqual([]);
    // A run that looks at no other file would pass the rest.
    expect(elsewhere).toBeGreaterThan(atLeast);
  }, 300_000);
});

function isCovered(node: ts.Node, file: ts.SourceFile, reads: ReadonlySet<string>): boolean {
  const path = file.fileName;
  if (reads.has(path)) return true;
  if (typescript.isSourceFile(node)) return reads.has(questionKey(path, 'skeleton'));
  const hole = holesOf(typescript, file).find((h) => node.pos >= h.node.pos && node.end <= h.node.end);
  const statement = file.statements.find((s) => node.pos >= s.pos && node.end <= s.end);
  const piece = hole?.node ?? statement;
  if (piece === undefined || statement === undefined) return false;
  if (hole !== undefined ? reads.has(questionKey(path, 'hole', hole.name)) : reads.has(questionKey(path, 'skeleton')) || namesDeclared(typescript, statement).some((name) => reads.has(questionKey(path, 'name', name)))) return true;
  const words = new Set(piece.getText(file).match(/#?[A-Za-z_$][\w$]*/g));
  return [...reads].some((key) => key.startsWith(questionKey(path, 'word')) && words.has(key.slice(questionKey(path, 'word').length)))
    // What a file exports by `export default ..` or `module.exports = ..` is told whole.
    || (hole === undefined && [...reads].some((key) => key.startsWith(questionKey(path, 'exported'))) && /\bexports?\b/.test(statement.getText(file)));
}
