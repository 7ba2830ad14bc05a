import type ts from 'typescript';
import { evaluate } from '../flow/evaluate.js';
import { truthOf } from '../operations/value.js';
import type { Place } from '../place.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { contextOf } from './implementation-context.js';
import type { ImplementedOperation } from './implementation-subject.js';
import { isMeantOpen } from './outage.js';

/** A lock that says yes to everybody. */
export interface AlwaysGranted {
  /** Where it says yes. */
  readonly at: Place;
  readonly operation: string;
  /** `answer`: it tells the caller so. `work`: it runs the work. */
  readonly by: 'answer' | 'work';
  /** Where the code makes use of it. `alternative`: in place of a lock that is not there. Undefined: nowhere in sight. */
  readonly use: { readonly at: Place; readonly isAlternative: boolean } | undefined;
  readonly documented: boolean;
}

/** An acquire that asks no store and remembers nothing, and says yes. Undefined where there is none, and where it is used by tests alone. */
export function alwaysGranted(unit: Unit, node: ts.Node, operations: readonly ImplementedOperation[]): AlwaysGranted | undefined {
  const { ts } = unit;
  const first = operations.filter((o) => o.role === 'acquire' || o.role === 'section');
  for (const operation of first) {
    const yes = saysYes(operation);
    if (yes === undefined) continue;
    const uses = usesOf();
    if (uses.length > 0 && uses.every((u) => u.forTests)) return undefined;
    const use = uses.find((u) => u.isAlternative && !u.forTests) ?? uses.find((u) => !u.forTests);
    const documented = isMeantOpen(unit, operation.fn) || isMeantOpen(unit, node);
    return { at: unit.placeOf(yes.node), operation: operation.name, by: yes.by, use, documented };
  }
  return undefined;

  function saysYes({ fn, role }: ImplementedOperation): { readonly node: ts.Node; readonly by: 'answer' | 'work' } | undefined {
    const { body } = fn;
    if (body === undefined) return undefined;
    const parameters = new Set(fn.parameters.flatMap((p) => (ts.isIdentifier(p.name) ? [p.name.text] : [])));
    const returns: ts.Expression[] = [];
    let work: ts.Node | undefined;
    const isPlain = (n: ts.Node): boolean => {
      if (isFunctionWithBody(unit, n)) return true;
      if (ts.isThrowStatement(n) || ts.isIfStatement(n) || ts.isConditionalExpression(n) || ts.isIterationStatement(n, false)) return false;
      if (ts.isBinaryExpression(n) && n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment) return false;
      // A statement of SQL in a tagged template asks a store too.
      if (ts.isTaggedTemplateExpression(n)) return false;
      if (ts.isReturnStatement(n) && n.expression !== undefined) returns.push(n.expression);
      if (ts.isCallExpression(n)) {
        if (ts.isIdentifier(n.expression) && parameters.has(n.expression.text)) work ??= n;
        else if (!PLAIN_CALL.test(n.expression.getText(unit.file))) return false;
      }
      return ts.forEachChild(n, (child) => (isPlain(child) ? undefined : true)) === undefined;
    };
    if (!ts.isBlock(body)) returns.push(body);
    if (!isPlain(body)) return undefined;
    if (role === 'section') return work && { node: work, by: 'work' };
    if (work !== undefined) return { node: work, by: 'work' };
    const [answer] = returns;
    if (answer === undefined) return isEmptyAsync(fn) ? { node: fn.name ?? fn, by: 'answer' } : undefined;
    return returns.every(isYes) ? { node: ts.isReturnStatement(answer.parent) ? answer.parent : answer, by: 'answer' } : undefined;
  }

  function isYes(value: ts.Expression): boolean {
    const e = bare(unit, value);
    if (ts.isCallExpression(e) && e.expression.getText(unit.file) === 'Promise.resolve') return e.arguments[0] === undefined || isYes(e.arguments[0]);
    if (ts.isCallExpression(e)) return /^(?:crypto\.)?randomUUID$|^nanoid$|^uuid(?:v4)?$/.test(e.expression.getText(unit.file));
    if (ts.isObjectLiteralExpression(e)) return !e.properties.some((p) => ts.isPropertyAssignment(p) && p.initializer.kind === ts.SyntaxKind.FalseKeyword);
    if (ts.isIdentifier(e) && unit.scopes.resolve(e)?.kind === 'param') return true;
    return truthOf(evaluate(unit, new Map(), e)) === true || (ts.isTemplateExpression(e) && e.head.text !== '');
  }

  /** `async acquire() {}`: nobody is ever refused. */
  function isEmptyAsync(fn: ts.FunctionLikeDeclaration): boolean {
    return fn.type === undefined || /void/.test(fn.type.getText(unit.file));
  }

  function usesOf(): { readonly at: Place; readonly isAlternative: boolean; readonly forTests: boolean }[] {
    const declared = declaredName();
    if (declared === undefined) return [useAt(unit, node)];
    const units = declared.exported ? unit.mentioning(declared.name) ?? [unit] : [unit];
    return units.flatMap((other) => {
      const found: ts.Node[] = [];
      const visit = (n: ts.Node): void => {
        if (ts.isIdentifier(n) && n.text === declared.name && isUse(n)) found.push(ts.isNewExpression(n.parent) ? n.parent : n);
        ts.forEachChild(n, visit);
      };
      visit(other.file);
      return found.map((n) => useAt(other, n));
    });
  }

  function isUse(id: ts.Identifier): boolean {
    const p = id.parent;
    if (ts.isNewExpression(p)) return p.expression === id;
    if (ts.isClassLike(node) || ts.isTypeReferenceNode(p) || ts.isImportSpecifier(p) || ts.isExportSpecifier(p) || ts.isImportClause(p)) return false;
    return !(ts.isVariableDeclaration(p) && p.name === id) && !(ts.isPropertyAccessExpression(p)) && !(ts.isPropertyAssignment(p) && p.name === id);
  }

  function useAt(other: Unit, n: ts.Node): { readonly at: Place; readonly isAlternative: boolean; readonly forTests: boolean } {
    const context = contextOf(other, n);
    const condition = context.chosenBy?.getText(other.file) ?? '';
    const fn = enclosingFunction(other, n);
    const forTests = TESTS.test(condition) || /(?:^|[/.])(?:tests?|specs?|mocks?|__tests__|__mocks__|fixtures?|testing)(?:[/.]|$)/i.test(other.path.slice(other.path.lastIndexOf('/', other.path.lastIndexOf('/') - 1))) || ts.isSourceFile(fn) && false;
    return { at: other.placeOf(n), isAlternative: context.isAlternative, forTests };
  }

  /** The name it is used by: of a class, or of a constant that is only this. */
  function declaredName(): { readonly name: string; readonly exported: boolean } | undefined {
    if (ts.isClassLike(node)) return node.name && { name: node.name.text, exported: isExported(node) };
    let n: ts.Node = node;
    while (ts.isParenthesizedExpression(n.parent) || ts.isAsExpression(n.parent) || ts.isSatisfiesExpression(n.parent)) n = n.parent;
    const d = n.parent;
    return ts.isVariableDeclaration(d) && ts.isIdentifier(d.name) ? { name: d.name.text, exported: isExported(d.parent.parent) } : undefined;
  }

  function isExported(n: ts.Node): boolean {
    return ts.canHaveModifiers(n) && (ts.getModifiers(n) ?? []).some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  }
}

/** Calls that leave no trace for the next worker to find. */
const PLAIN_CALL = /^(?:Promise\.resolve|(?:crypto\.)?randomUUID|nanoid|uuid(?:v4)?|Date\.now|(?:this\.)?#?(?:console|log(?:ger)?)\.\w+|console\.\w+)$/i;
const TESTS = /NODE_ENV|\btest|vitest|jest|isDev|development/i;
