import type ts from 'typescript';
import type { Unit } from './unit.js';
import { Kept, unnoted } from '../kept.js';
import { DOC_TAGS, isDocTag, type DocTagName } from './doc-tag-names.js';

export { DOC_TAGS, isDocTag, type DocTagName };

export interface DocTag {
  readonly name: DocTagName;
  /** What stands behind it on its line. */
  readonly text: string;
  /** Offset of the `@`. */
  readonly pos: number;
}

/** A function, method or function type with the tags in the comment before it. */
export interface TaggedFunction {
  readonly unit: Unit;
  readonly name: string;
  /** A function type with a name of its own: what is called bears other names. */
  readonly isAlias: boolean;
  readonly declaration: ts.SignatureDeclaration;
  readonly tags: readonly DocTag[];
}

export interface TagMistake {
  readonly pos: number;
  readonly message: string;
}

export interface DocComments {
  readonly functions: readonly TaggedFunction[];
  readonly mistakes: readonly TagMistake[];
}

const NOTHING: DocComments = { functions: [], mistakes: [] };
const known = new Kept<Unit, DocComments>();

/** The tagged functions of a file, and the tags that stand where they say nothing. */
export function docComments(unit: Unit): DocComments {
  const held = known.get(unit);
  if (held !== undefined) return held;
  // A file with tags that changes has all files judged anew: what is read here need not be noted.
  const found = unnoted(() => (ANY_TAG.test(unit.file.text) ? read(unit) : NOTHING));
  known.set(unit, found);
  return found;
}

/** Near misses as well: an unknown tag that looks like one of these is a slip of the pen. */
const ANY_TAG = /@(?:\w*[lL]ocks?|\w*[tT]ransition|single\w*|fails?\w*|max\w*)\b/;
/** A tag begins its line: what stands within a sentence speaks of tags. */
const TAG = /(?<=(?:^\/\*\*|\n)[ \t]*(?:\*[ \t]*)?)@(\w+)([^\n]*)/g;

function read(unit: Unit): DocComments {
  const { ts } = unit;
  const { text } = unit.file;
  const functions: TaggedFunction[] = [];
  const mistakes: TagMistake[] = [];
  const seen = new Set<number>();
  visit(unit.file);
  return { functions, mistakes };

  function visit(node: ts.Node): void {
    if (!ts.isSourceFile(node) && canBear(node)) {
      for (const { pos, end } of commentsBefore(unit, node)) {
        if (!text.startsWith('/**', pos) || seen.has(pos)) continue;
        seen.add(pos);
        readComment(node, pos, end);
      }
    }
    ts.forEachChild(node, visit);
  }

  function canBear(node: ts.Node): boolean {
    return ts.isStatement(node) || ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElement(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  }

  function readComment(node: ts.Node, start: number, end: number): void {
    const tags: DocTag[] = [];
    for (const found of text.slice(start, end).matchAll(TAG)) {
      const [, word = '', rest = ''] = found;
      const pos = start + found.index;
      if (isDocTag(word)) tags.push({ name: word, pos, text: rest.replace(/\s*\*\/\s*$/, '').trim() });
      else if (slipOf(word) !== undefined) mistakes.push({ pos, message: `There is no tag \`@${word}\`. Write \`@${slipOf(word) ?? ''}\`.` });
    }
    const [first] = tags;
    if (first === undefined) return;
    const declaration = signatureAt(node);
    if (declaration !== undefined) functions.push({ unit, name: nameOf(node), isAlias: ts.isTypeAliasDeclaration(node) || ts.isCallSignatureDeclaration(node), declaration, tags });
    else mistakes.push({ pos: first.pos, message: `\`@${first.name}\` stands before something that is no function. Put it right before the function, method or function type it speaks of.` });
  }

  function signatureAt(node: ts.Node): ts.SignatureDeclaration | undefined {
    if (ts.isVariableStatement(node)) return signatureAt(node.declarationList.declarations[0] ?? node.declarationList);
    if (ts.isTypeAliasDeclaration(node)) return ofType(node.type);
    if (ts.isPropertySignature(node)) return ofType(node.type);
    if (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) return ofType(node.type) ?? ofValue(node.initializer);
    if (ts.isPropertyAssignment(node)) return ofValue(node.initializer);
    if (ts.isExportAssignment(node)) return ofValue(node.expression);
    if (ts.isReturnStatement(node)) return ofValue(node.expression);
    if (ts.isExpressionStatement(node)) return ts.isBinaryExpression(node.expression) ? ofValue(node.expression.right) : undefined;
    return ts.isFunctionLike(node) ? node : undefined;
  }

  function ofType(type: ts.TypeNode | undefined): ts.SignatureDeclaration | undefined {
    return type !== undefined && ts.isFunctionTypeNode(type) ? type : undefined;
  }

  function ofValue(value: ts.Expression | undefined): ts.SignatureDeclaration | undefined {
    if (value !== undefined && ts.isParenthesizedExpression(value)) return ofValue(value.expression);
    return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
  }

  function nameOf(node: ts.Node): string {
    if (ts.isVariableStatement(node)) return nameOf(node.declarationList.declarations[0] ?? node.declarationList);
    if (ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression)) return /[\w$]+$/.exec(node.expression.left.getText(unit.file))?.[0] ?? '';
    const { name } = node as { name?: ts.Node };
    return name === undefined ? '' : name.getText(unit.file);
  }
}

/** The comments before a node, those on the line of what stands before it among them. */
export function commentsBefore({ ts, file }: Unit, node: ts.Node): readonly ts.CommentRange[] {
  return [...(node.pos === 0 ? [] : ts.getTrailingCommentRanges(file.text, node.pos) ?? []), ...(ts.getLeadingCommentRanges(file.text, node.pos) ?? [])];
}

/** The tag that a word with one or two wrong letters was meant to be. */
function slipOf(word: string): DocTagName | undefined {
  return DOC_TAGS.find((tag) => Math.abs(tag.length - word.length) <= 2 && distance(tag.toLowerCase(), word.toLowerCase()) <= 2);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
