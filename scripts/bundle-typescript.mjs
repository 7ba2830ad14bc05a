// Cuts the parser out of ts-morph's copy of TypeScript: an audit reads texts into trees and asks for kinds, which is a twentieth of the nine megabytes. Run after tsc: it
// looks in `dist` for what is asked of TypeScript, and writes `dist/src/audit/typescript-parser.cjs` with the licence beside it. Nothing is rewritten: the statements at
// the top of that file which declare what is asked for, and those they need in turn, are copied.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import ts from 'typescript';
import { licenceTexts } from './licence-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'dist', 'src', 'audit');
/** The rooms of `dist` that are handed TypeScript by the audit. */
const ROOMS = ['src/engine', 'src/audit', 'src/exceptions', 'src/change', 'src/cli', 'rules'];
/** What makes the nodes: the classes of the public API, without those of the checker. */
const CLASSES = { Node: 'NodeObject', Token: 'TokenObject', Identifier: 'IdentifierObject', PrivateIdentifier: 'PrivateIdentifierObject', SourceFile: 'SourceFileObject', SourceMapSource: 'SourceMapSourceObject' };

const require = createRequire(createRequire(import.meta.url).resolve('ts-morph'));
const file = join(dirname(require.resolve('@ts-morph/common')), 'typescript.js');
const statements = statementsOf(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS));
const declaring = byName(statements);
const published = publishedNames();
const asked = askedNames().filter((name) => published.has(name)).sort();
const text = cut([...asked.map((name) => published.get(name)), 'setObjectAllocator', ...Object.values(CLASSES)]);
const { code } = await transform(text, { minify: true, target: 'node20', legalComments: 'none' });
writeFileSync(join(FOLDER, 'typescript-parser.cjs'), code);
const packages = Object.fromEntries(['@ts-morph/common', 'typescript'].map((name) => [`node_modules/${name}/package.json`, {}]));
writeFileSync(join(FOLDER, 'typescript-parser-licences.txt'), licenceTexts({ inputs: packages }, ROOT));

/** The statements within the one function that the file is. */
function statementsOf(source) {
  for (const { expression } of source.statements.filter(ts.isExpressionStatement)) {
    let fn = expression.expression;
    while (fn !== undefined && ts.isParenthesizedExpression(fn)) fn = fn.expression;
    if (fn !== undefined && ts.isArrowFunction(fn)) return fn.body.statements;
  }
  throw new Error(`${file} is no longer one function`);
}

/** The statements that declare a name or add to what it stands for. */
function byName(all) {
  const found = new Map();
  const note = (name, statement) => found.set(name, [...(found.get(name) ?? []), statement]);
  for (const s of all) {
    if (ts.isFunctionDeclaration(s)) note(s.name.text, s);
    else if (ts.isVariableStatement(s)) s.declarationList.declarations.flatMap((d) => namesOf(d.name)).forEach((name) => note(name, s));
    else if (ts.isIfStatement(s)) note(rootOf(ts.isBinaryExpression(s.expression) ? s.expression.left : s.expression), s);
    else if (ts.isExpressionStatement(s) && ts.isBinaryExpression(s.expression)) note(rootOf(s.expression.left), s);
    // `((Parser2) => {..})(Parser || (Parser = {}))`, `__export(names, {..})`
    else if (ts.isExpressionStatement(s) && ts.isCallExpression(s.expression)) note(rootOf(s.expression.arguments[0]), s);
  }
  return found;
}

function namesOf(name) {
  return ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((e) => (ts.isOmittedExpression(e) ? [] : namesOf(e.name)));
}

function rootOf(expression) {
  let e = expression;
  while (e !== undefined && !ts.isIdentifier(e)) e = ts.isBinaryExpression(e) ? e.left : e.expression;
  return e?.text;
}

/** The names of the namespace, each with the one it has inside. */
function publishedNames() {
  const call = (declaring.get('typescript_exports') ?? []).find((s) => s.getText().startsWith('__export('));
  return new Map(call.expression.arguments[1].properties.map((p) => [p.name.text, p.initializer.body.text]));
}

/** Whatever is spelled as a member of something called `ts` or `typescript`, and what is taken apart. */
function askedNames() {
  const found = new Set();
  for (const room of ROOMS) {
    for (const name of readdirSync(join(ROOT, 'dist', room), { recursive: true, encoding: 'utf8' }).filter((n) => n.endsWith('.js'))) {
      const js = readFileSync(join(ROOT, 'dist', room, name), 'utf8');
      for (const [, member] of js.matchAll(/\b(?:ts|typescript)\??\.([A-Za-z]+)/g)) found.add(member);
      for (const [, member] of js.matchAll(/\{ ?(\w+)(?:: \w+)? ?\}/g)) found.add(member);
    }
  }
  return [...found];
}

/** The statements that names need, in their order; diagnostics are thousands of messages, of which a parser has a few hundred. */
function cut(names) {
  const kept = new Set();
  const open = [];
  const messages = new Set();
  const want = (name) => {
    for (const s of declaring.get(name) ?? []) {
      if (kept.has(s)) continue;
      kept.add(s);
      open.push(s);
    }
  };
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isKey(node)) {
      if (node.text !== 'Diagnostics' || !ts.isPropertyAccessExpression(node.parent)) want(node.text);
      else if (messages.add(node.parent.name.text)) want('diag');
    }
    ts.forEachChild(node, visit);
  };
  names.forEach(want);
  for (let s = open.pop(); s !== undefined; s = open.pop()) visit(s);
  const all = declaring.get('Diagnostics')[0].declarationList.declarations[0].initializer.properties;
  const told = kept.has(declaring.get('Diagnostics')[0]) ? '' : `var Diagnostics = {${all.filter((p) => messages.has(p.name.text)).map((p) => p.getText()).join(',')}};`;
  const makers = Object.entries(CLASSES).map(([name, made]) => `get${name}Constructor: () => ${made}`).join(', ');
  return [
    '"use strict";', told, ...statements.filter((s) => kept.has(s)).map((s) => s.getText()), `setObjectAllocator({ ${makers} });`,
    `module.exports = { ${asked.map((name) => `${name}: ${published.get(name)}`).join(', ')} };`,
  ].join('\n');
}

/** esbuild, which made the file, lets no inner name hide an outer one: what is not a key means what is declared at the top. */
function isKey(node) {
  const p = node.parent;
  if (ts.isPropertyAccessExpression(p)) return p.name === node;
  if (ts.isBindingElement(p)) return p.propertyName === node;
  return (ts.isPropertyAssignment(p) || ts.isMethodDeclaration(p) || ts.isPropertyDeclaration(p) || ts.isGetAccessor(p) || ts.isSetAccessor(p)) && p.name === node;
}
