import type ts from 'typescript';
import { evaluateHeritage } from './cfg-expressions.js';
import { landing } from './cfg-jumps.js';
import { walkLoop } from './cfg-loops.js';
import type { OpenEdge } from './cfg-draft.js';
import { declare, withinScope } from './cfg-scopes.js';
import { walkSwitch } from './cfg-switch.js';
import { walkTry } from './cfg-try.js';
import type { Walk } from './cfg-walk.js';

/** Adds the nodes of one statement. Dead statements and declarations of functions and types add none. */
export function walkStatement(walk: Walk, statement: ts.Statement): void {
  const { ts, draft, jumps } = walk;
  if (draft.isDead) return;
  if (ts.isExpressionStatement(statement)) return walk.value(statement.expression);
  if (ts.isVariableStatement(statement)) return declare(walk, statement.declarationList);
  if (ts.isIfStatement(statement)) return walkIf(walk, statement);
  if (ts.isBlock(statement)) return walk.block(statement.statements);
  if (ts.isReturnStatement(statement)) {
    if (statement.expression !== undefined) walk.value(statement.expression);
    draft.add('return', statement);
    return jumps.return();
  }
  if (ts.isThrowStatement(statement)) {
    walk.value(statement.expression);
    return jumps.throwFrom(draft.add('throw', statement));
  }
  if (ts.isTryStatement(statement)) return walkTry(walk, statement);
  if (ts.isIterationStatement(statement, false)) return walkLoop(walk, statement, []);
  if (ts.isSwitchStatement(statement)) return walkSwitch(walk, statement, []);
  if (ts.isBreakStatement(statement)) return jumps.jump('break', statement.label?.text);
  if (ts.isContinueStatement(statement)) return jumps.jump('continue', statement.label?.text);
  if (ts.isLabeledStatement(statement)) return walkLabelled(walk, statement);
  walkRareStatement(walk, statement);
}

/** Runs statements that share a scope; what they declare with `using` is disposed of on every way out. */
export function walkBlock(walk: Walk, statements: readonly ts.Statement[]): void {
  withinScope(walk, () => {
    for (const statement of statements) walk.statement(statement);
  });
}

function walkRareStatement(walk: Walk, statement: ts.Statement): void {
  const { ts } = walk;
  if (ts.isClassDeclaration(statement)) return evaluateHeritage(walk, statement);
  if (ts.isExportAssignment(statement)) return walk.value(statement.expression);
  if (ts.isEnumDeclaration(statement)) {
    for (const { initializer } of statement.members) if (initializer !== undefined) walk.value(initializer);
    return;
  }
  if (ts.isWithStatement(statement)) {
    walk.value(statement.expression);
    return walk.statement(statement.statement);
  }
  if (ts.isModuleDeclaration(statement)) walkNamespace(walk, statement);
}

/** A ladder of else-ifs nests as deep as it is long, hence the loop. */
function walkIf(walk: Walk, ladder: ts.IfStatement): void {
  const { ts, draft } = walk;
  const ends: OpenEdge[] = [];
  let rest: ts.Statement | undefined = ladder;
  while (rest !== undefined && ts.isIfStatement(rest)) {
    const { whenTrue, whenFalse } = walk.condition(rest.expression);
    draft.open = whenTrue;
    walk.statement(rest.thenStatement);
    ends.push(...draft.take());
    draft.open = whenFalse;
    rest = rest.elseStatement;
  }
  if (rest !== undefined) walk.statement(rest);
  draft.merge(ends);
}

function walkLabelled(walk: Walk, statement: ts.LabeledStatement): void {
  const { ts, draft, jumps } = walk;
  const labels = [statement.label.text];
  let body = statement.statement;
  while (ts.isLabeledStatement(body)) {
    labels.push(body.label.text);
    body = body.statement;
  }
  const labelled = body;
  if (ts.isIterationStatement(labelled, false)) return walkLoop(walk, labelled, labels);
  if (ts.isSwitchStatement(labelled)) return walkSwitch(walk, labelled, labels);
  const end = landing('break', labels);
  jumps.within(end, () => walk.statement(labelled));
  draft.merge(end.arrived);
}

/** A namespace runs in place, like a block. */
function walkNamespace(walk: Walk, declaration: ts.ModuleDeclaration): void {
  const { ts } = walk;
  let body: ts.Node | undefined = declaration.body;
  while (body !== undefined && ts.isModuleDeclaration(body)) body = body.body;
  const isAmbient = declaration.modifiers?.some(modifier => modifier.kind === ts.SyntaxKind.DeclareKeyword) ?? false;
  if (body !== undefined && ts.isModuleBlock(body) && !isAmbient) walk.block(body.statements);
}
