import type ts from 'typescript';
import { bare, followed, nameText, propertyOf } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { isStateColumn, normalised, targetKey } from './step-words.js';
import { toldStates, toldTarget } from './told-targets.js';
import { Kept } from '../kept.js';

/** The state column of a declared row and the states its type lists. */
export interface DeclaredStates {
  readonly owner: string;
  readonly column: string;
  readonly states: readonly string[];
}

/** The states a value can be; undefined where the code does not show them all. */
export function statesOfTerm(term: Term): readonly string[] | undefined {
  if (term.kind === 'const') return term.value === undefined ? undefined : [String(term.value)];
  if (term.kind === 'list') return together(term.items.map(statesOfTerm));
  // An enum member: `JobStatus.Running`.
  if (term.kind === 'path' && term.base.kind === 'symbol' && isEnumLike(term.base.name, term.prop)) return [term.prop];
  return undefined;
}

/** `JobStatus.Running`, `JOB_STATUS.RUNNING`: an enum or an object of constants, here or elsewhere. */
function isEnumLike(owner: string, member: string): boolean {
  return (/^[A-Z]/.test(owner) && /^[A-Z]/.test(member)) || (/^[A-Z]\w*(?:Status|State|Phase|Stage)(?:Enum)?$/.test(owner) && /^[a-z]\w*$/.test(member));
}

/** As `statesOfTerm`, through conditionals and the declared type of a parameter. */
export function statesOfExpression(unit: Unit, node: ts.Expression): readonly string[] | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isConditionalExpression(e)) return together([e.whenTrue, e.whenFalse].map((x) => statesOfExpression(unit, x)));
  if (ts.isStringLiteralLike(e)) return [e.text];
  if (ts.isPropertyAccessExpression(e) && ts.isIdentifier(e.expression) && (unit.scopes.resolve(e.expression)?.kind === 'enum' || isEnumLike(e.expression.text, e.name.text))) return [e.name.text];
  if (ts.isPropertyAccessExpression(e)) {
    const row = followed(unit, e.expression);
    const value = ts.isObjectLiteralExpression(row) ? propertyOf(unit, row, e.name.text) : undefined;
    return value && statesOfExpression(unit, value);
  }
  if (ts.isElementAccessExpression(e)) return statesOfTable(unit, e.expression);
  const declaration = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  return declaration !== undefined && ts.isParameter(declaration) && declaration.type !== undefined ? statesOfType(unit, declaration.type) : undefined;
}

/** `STATUS_OF[event.type]`: any value of a table of constants that the file spells. */
function statesOfTable(unit: Unit, node: ts.Expression): readonly string[] | undefined {
  const { ts } = unit;
  const table = followed(unit, node);
  if (!ts.isObjectLiteralExpression(table) || table.properties.length === 0) return undefined;
  return together(table.properties.map((p) => {
    const value = ts.isPropertyAssignment(p) ? bare(unit, p.initializer) : undefined;
    return value !== undefined && ts.isStringLiteralLike(value) ? [value.text] : undefined;
  }));
}

function together(parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return parts.some((p) => p === undefined) ? undefined : [...new Set(parts.flatMap((p) => p ?? []))];
}

/** The members of a union of string literals or of an enum; undefined for any other type. */
function statesOfType(unit: Unit, type: ts.TypeNode, depth = 0): readonly string[] | undefined {
  const { ts } = unit;
  if (depth > 4) return undefined;
  if (ts.isParenthesizedTypeNode(type)) return statesOfType(unit, type.type, depth + 1);
  if (ts.isLiteralTypeNode(type)) return ts.isStringLiteral(type.literal) ? [type.literal.text] : type.literal.kind === ts.SyntaxKind.NullKeyword ? [] : undefined;
  if (ts.isUnionTypeNode(type)) return together(type.types.map((t) => statesOfType(unit, t, depth + 1)));
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined;
  const declaration = unit.scopes.typeNamed(type.typeName.text, type);
  if (declaration === undefined) return undefined;
  if (ts.isTypeAliasDeclaration(declaration)) return statesOfType(unit, declaration.type, depth + 1);
  if (!ts.isEnumDeclaration(declaration)) return undefined;
  return declaration.members.map((m) => (m.initializer !== undefined && ts.isStringLiteralLike(m.initializer) ? m.initializer.text : nameText(unit, m.name)));
}

const known = new Kept<Unit, readonly DeclaredStates[]>();

/** The state columns the file declares: in interfaces, classes, type literals, and `text('status', { enum: [..] })`. */
function declarationsOf(unit: Unit): readonly DeclaredStates[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: DeclaredStates[] = [];
  visit(unit.file);
  known.set(unit, found);
  return found;

  function visit(node: ts.Node): void {
    const typed = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    if ((typed || ts.isPropertyAssignment(node)) && isStateColumn(nameText(unit, node.name))) {
      const states = typed ? node.type && statesOfType(unit, node.type) : enumOption(node.initializer);
      if (states !== undefined && states.length > 1) found.push({ owner: ownerOf(node), column: nameText(unit, node.name), states });
    }
    ts.forEachChild(node, visit);
  }

  function enumOption(value: ts.Expression): readonly string[] | undefined {
    let list: readonly string[] | undefined;
    const look = (n: ts.Node): void => {
      if (ts.isPropertyAssignment(n) && nameText(unit, n.name) === 'enum') {
        const array = followed(unit, n.initializer);
        if (ts.isArrayLiteralExpression(array)) list = array.elements.flatMap((e) => (ts.isStringLiteralLike(bare(unit, e)) ? [bare(unit, e).getText(unit.file).slice(1, -1)] : []));
      }
      ts.forEachChild(n, look);
    };
    look(value);
    return list;
  }

  function ownerOf(node: ts.Node): string {
    for (let n = node.parent; n; n = n.parent) {
      if ((ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isClassDeclaration(n)) && n.name) return n.name.text;
      if (ts.isVariableDeclaration(n)) return n.name.getText(unit.file);
    }
    return '';
  }
}

/** What the file declares of a target's state: of a declaration that bears its name, else of the only one that has the column. */
export function declaredStates(unit: Unit, target: string | undefined, column: string | undefined): DeclaredStates | undefined {
  const told = toldTarget(unit, target);
  const states = told === undefined ? [] : toldStates(told);
  if (told !== undefined && states.length > 0) return { owner: told.name, column: told.column ?? column ?? 'status', states };
  const all = declarationsOf(unit).filter((d) => column === undefined || normalised(d.column) === normalised(column));
  const named = target === undefined ? undefined : all.find((d) => sharesNoun(targetKey(d.owner), targetKey(target)));
  if (named !== undefined) return named;
  return new Set(all.map((d) => d.states.join())).size === 1 ? all[0] : undefined;
}

/** `flow_execution` and `execution`: one name ends the other. */
function sharesNoun(a: string, b: string): boolean {
  return a === b || a.endsWith(`_${b}`) || b.endsWith(`_${a}`);
}
