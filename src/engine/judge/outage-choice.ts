import type ts from 'typescript';
import type { World } from '../flow/simulate.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Who decides that the work goes on without a lock. `open`: the code does, or an option does that nobody has to set. `asked`: a caller has to ask for it. `unknown`: an
 * error of a kind that is told apart, or a setting whose value is not in sight.
 */
export function chosenOpen(unit: Unit, world: World, site: ts.Node): 'open' | 'asked' | 'unknown' {
  const { ts } = unit;
  for (let w: World = world; w.from !== undefined; w = w.from) {
    const { at } = w.from;
    if (at.node === site) break;
    if (at.kind !== 'test' || at.node === undefined || at.asks !== 'truthy' || ts.isStatement(at.node) || (w.via !== 'true' && w.via !== 'false')) continue;
    const choice = byTest(bare(unit, at.node as ts.Expression), w.via === 'true');
    if (choice !== 'open') return choice;
  }
  return 'open';

  function byTest(e: ts.Expression, outcome: boolean): 'open' | 'asked' | 'unknown' {
    if (isOfError(e)) return outcome && !OUTAGE.test(e.getText(unit.file)) ? 'unknown' : 'open';
    if (ts.isBinaryExpression(e)) return byComparison(e, outcome);
    if (!OPTION.test(e.getText(unit.file))) return 'open';
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    const d = binding?.declaration;
    if (d !== undefined && (ts.isParameter(d) || ts.isBindingElement(d))) return byDefault(d.initializer, outcome);
    return d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined ? byDefault(d.initializer, outcome) : 'asked';
  }

  /** Left out, an option is what its default says, else false. */
  function byDefault(initializer: ts.Expression | undefined, outcome: boolean): 'open' | 'asked' {
    let e = initializer && bare(unit, initializer);
    if (e !== undefined && ts.isBinaryExpression(e) && (e.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken || e.operatorToken.kind === ts.SyntaxKind.BarBarToken)) e = bare(unit, e.right);
    if (e !== undefined && ts.isBinaryExpression(e)) return byComparison(e, outcome);
    return (e?.kind === ts.SyntaxKind.TrueKeyword) === outcome ? 'open' : 'asked';
  }

  /** `options.failOpen !== false` is true where nothing is set. */
  function byComparison(e: ts.BinaryExpression, outcome: boolean): 'open' | 'asked' {
    if (!OPTION.test(e.getText(unit.file))) return 'open';
    const isNot = e.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || e.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsToken;
    if (e.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return (bare(unit, e.right).kind === ts.SyntaxKind.TrueKeyword) === outcome ? 'open' : 'asked';
    const names = bare(unit, e.right).kind;
    if (names !== ts.SyntaxKind.FalseKeyword && names !== ts.SyntaxKind.TrueKeyword && !ts.isStringLiteral(bare(unit, e.right))) return 'open';
    return isNot === outcome ? 'open' : 'asked';
  }

  function isOfError(e: ts.Expression): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (ts.isIdentifier(n)) {
        const d = unit.scopes.resolve(n)?.declaration;
        if (d !== undefined && ts.isVariableDeclaration(d) && ts.isCatchClause(d.parent)) found = true;
      }
      ts.forEachChild(n, visit);
    };
    visit(e);
    return found;
  }
}

const OUTAGE = /conn|timeout|timed_?out|unavail|network|refused|redis|down|offline|outage|unreach|reset/i;
/** Settings that say what to do without a store. Others are no matter of the outage. */
const OPTION = /open|closed|strict|require|optional|allow|ignore|skip|without|fallback|best_?effort|continue|proceed|degrade|tolera|force|on_?error|on_?outage/i;
