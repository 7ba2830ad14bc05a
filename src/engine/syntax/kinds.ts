import type ts from 'typescript';
import type { Ts } from './typescript.js';

/** By the number of a kind: 1 for the kinds of a group. A guard is a call, and most nodes are of none of them. */
export interface Kinds {
  /** Parentheses, casts and `!`, which say nothing at run time. */
  readonly wrappers: Uint8Array;
  /** Functions, methods, constructors and accessors. */
  readonly functions: Uint8Array;
  /** What brings a name or a type into a scope, or writes to a name. */
  readonly declaring: Uint8Array;
  /** Functions, calls, tagged templates, classes, `new` and object literals. */
  readonly asked: Uint8Array;
}

export function kindsOf({ SyntaxKind: K }: Ts): Kinds {
  const functions = [K.FunctionDeclaration, K.FunctionExpression, K.ArrowFunction, K.MethodDeclaration, K.Constructor, K.GetAccessor, K.SetAccessor];
  return {
    wrappers: group([K.ParenthesizedExpression, K.AsExpression, K.NonNullExpression, K.SatisfiesExpression, K.TypeAssertionExpression]),
    functions: group(functions),
    declaring: group([
      K.VariableDeclaration, K.Parameter, K.FunctionDeclaration, K.FunctionExpression, K.ClassDeclaration, K.ClassExpression, K.EnumDeclaration, K.InterfaceDeclaration, K.TypeAliasDeclaration,
      K.ModuleDeclaration, K.ImportClause, K.NamespaceImport, K.ImportSpecifier, K.ImportEqualsDeclaration, K.TypeParameter, K.BinaryExpression, K.PrefixUnaryExpression, K.PostfixUnaryExpression,
      K.ForOfStatement, K.ForInStatement,
    ]),
    asked: group([...functions, K.CallExpression, K.TaggedTemplateExpression, K.ClassDeclaration, K.ClassExpression, K.NewExpression, K.ObjectLiteralExpression]),
  };

  function group(kinds: readonly ts.SyntaxKind[]): Uint8Array {
    const of = new Uint8Array(K.Count);
    for (const kind of kinds) of[kind] = 1;
    return of;
  }
}
