import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../rules/index.js';
import { importsOf, ownFiles, ROOT, type Import } from './layers/imports.js';
import { ROOMS, type Room } from './layers/table.js';

const files = ownFiles();

describe('layers', () => {
  it('every file stands in a room', () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('no file imports what its room may not', () => {
    expect(files.flatMap((file) => importsOf(file)).flatMap((found) => trespass(found) ?? [])).toEqual([]);
  });

  it('the plugin loads no TypeScript, no ESLint, no ts-morph and no jiti', () => {
    const packages = loadedWith('src/eslint/index.ts').filter((name) => !name.startsWith('node:'));
    expect(packages).toEqual(['@typescript-eslint/utils/eslint-utils', 'ignore', 'zod']);
  });
});

/** Written by a script from files that are judged here. */
const BUNDLED = 'src/report/html-assets.ts';

describe('files', () => {
  it('hold one idea: at most 350 lines', () => {
    expect(files.filter((file) => file !== BUNDLED && readFileSync(`${ROOT}${file}`, 'utf8').split('\n').length - 1 > 350)).toEqual([]);
  });

  it('are named in kebab-case after what is in them', () => {
    const attic = /^(?:utils?|helpers?|common|misc|shared)$|-(?:utils?|helpers?)$/;
    const names = files.map((file) => basename(file, '.ts'));
    expect(names.filter((name) => attic.test(name) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });
});

describe.each(rules)('rule $id', ({ id }) => {
  it('has its file, its page and its fixtures', () => {
    const parts = [`rules/${id}.ts`, `docs/rules/${id}.md`, `fixtures/rules/${id}`];
    expect(parts.filter((part) => !existsSync(`${ROOT}${part}`))).toEqual([]);
  });
});

/** The room of a file: the longest row of the table that holds it. */
function roomOf(file: string): Room | undefined {
  return ROOMS.filter(({ room }) => holds(room, file)).sort((a, b) => b.room.length - a.room.length)[0];
}

function trespass({ from, to, kind, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return undefined;
  const { mayImport, types = [], packages = [], typePackages = [], why } = room;
  const allowed = kind === 'file'
    ? holds(room.room, to) || [...mayImport, ...(typeOnly ? types : [])].some((other) => holds(other, to))
    : [...packages, ...(typeOnly ? typePackages : [])].some((name) => name === to || (name.endsWith(':') && to.startsWith(name)));
  return allowed ? undefined : `${from} imports ${typeOnly ? 'types of ' : ''}${to}; ${room.room} may not (${why})`;
}

function holds(room: string, file: string): boolean {
  return file === room || file.startsWith(`${room}/`);
}

/** The packages a module loads when it is loaded, through this package's own files. */
function loadedWith(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { to, kind, typeOnly } of importsOf(file)) {
      if (typeOnly) continue;
      if (kind === 'file') seen.add(to);
      else packages.add(to);
    }
  }
  return [...packages].sort();
}
