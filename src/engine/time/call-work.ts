import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { importTarget } from '../syntax/declared-import.js';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, followed } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Work } from './spent.js';

/** Packages by what a call of them waits for, with the time they give up after when nobody says otherwise. */
interface PackageWork { readonly work: Work; readonly defaultMs?: number }
const PACKAGES: readonly (readonly [RegExp, PackageWork])[] = [
  [/^(?:openai|@anthropic-ai\/sdk|groq-sdk|together-ai)$/, { work: 'model', defaultMs: 600_000 }],
  [/^(?:ai|@ai-sdk\/.+|langchain|@langchain\/.+|@google\/genai|@google\/generative-ai|cohere-ai|ollama|@mistralai\/.+|replicate|@aws-sdk\/client-bedrock-runtime)$/, { work: 'model' }],
  [/^(?:axios|got|ky|undici|node-fetch|cross-fetch|superagent|needle|ofetch|wretch|stripe|nodemailer|resend|twilio|@octokit\/.+|octokit|googleapis|@slack\/.+|@sendgrid\/.+|@aws-sdk\/.+|playwright.*|puppeteer.*)$/, { work: 'network' }],
  [/^(?:node:)?child_process$|^(?:execa|zx|cross-spawn|tinyexec)$/, { work: 'process' }],
  [/^(?:ioredis|redis|@redis\/.+|@upstash\/redis|@vercel\/kv|pg|postgres|mysql2.*|@prisma\/client|kysely|drizzle-orm.*|knex|typeorm|mongoose|mongodb|sequelize|@mikro-orm\/.+|better-sqlite3|redlock|redis-semaphore)$/, { work: 'store' }],
];

/** What an awaited call waits for. */
export function workOf(unit: Unit, call: ts.Expression): PackageWork {
  const { ts } = unit;
  if (ts.isTaggedTemplateExpression(call)) return { work: /\bsql\b|prisma|\$query|\$execute/.test(call.tag.getText(unit.file)) ? 'store' : 'opaque' };
  if (!ts.isCallExpression(call)) return { work: 'opaque' };
  const name = calledName(unit, call);
  const root = rootOf(unit, call);
  const from = root === undefined ? undefined : packageOf(unit, root);
  const known = from === undefined ? undefined : PACKAGES.find(([pattern]) => pattern.test(from))?.[1];
  if (known !== undefined) return known;
  if (root === undefined) return { work: 'opaque' };
  const text = root.getText(unit.file);
  if (name === 'fetch' && unit.ts.isIdentifier(bare(unit, call.expression))) return { work: 'network' };
  if (STORE_OBJECT.test(lastWord(text)) || STORE_CHAIN.test(call.expression.getText(unit.file))) return { work: 'store' };
  return { work: 'opaque' };
}

const STORE_OBJECT = /^(?:redis\w*|\w*Redis|kv|cache|\w*Cache|db|\w*Db|database|prisma\w*|\w*Prisma|tx|trx|knex|pool|\w*Pool|pg|sql|conn|connection|em|entityManager|dataSource|\w*Repo|\w*Repository|repo|repository|collection|\w*Model|supabase|session|store|\w*Store)$/;
const STORE_CHAIN = /\b(?:prisma|this\.prisma|db|this\.db|tx|trx)\.\w+\.(?:find|create|update|delete|upsert|count|aggregate|groupBy)\w*$|\.(?:select|insert|update|insertInto|updateTable|selectFrom|deleteFrom)\(/;

function lastWord(text: string): string {
  return /(\w+)$/.exec(text)?.[1] ?? '';
}

/** The object at the left end of a chain of members and calls; for a plain function its name. */
function rootOf(unit: Unit, call: ts.CallExpression): ts.Expression | undefined {
  const { ts } = unit;
  let e = bare(unit, call.expression);
  let below = e;
  for (let depth = 0; depth < 20; depth++) {
    if (ts.isPropertyAccessExpression(e) || ts.isElementAccessExpression(e)) {
      if (e.expression.kind === ts.SyntaxKind.ThisKeyword) return e;
      below = e;
      e = bare(unit, e.expression);
    } else if (ts.isCallExpression(e) || ts.isAwaitExpression(e) || ts.isNewExpression(e)) e = bare(unit, e.expression);
    else break;
  }
  return ts.isIdentifier(e) ? e : below;
}

/** The package the root comes from: by its import, or by the type it is declared with or made of. */
function packageOf(unit: Unit, root: ts.Expression): string | undefined {
  const { ts } = unit;
  const binding = ts.isIdentifier(root) ? unit.scopes.resolve(root) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  if (target !== undefined) return target.kind === 'package' ? target.from : undefined;
  const type = present(typeOf(unit, root));
  if (type.kind === 'named' && type.from !== undefined) return type.from;
  const made = followed(unit, root);
  const callee = ts.isNewExpression(made) || ts.isCallExpression(made) ? bare(unit, made.expression) : undefined;
  const maker = callee === undefined ? undefined : ts.isIdentifier(callee) ? callee : ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) ? callee.expression : undefined;
  const madeBy = maker && unit.scopes.resolve(maker);
  const origin = madeBy && importTarget(unit, madeBy.declaration);
  return origin?.kind === 'package' ? origin.from : undefined;
}
