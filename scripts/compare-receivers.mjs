// Shows what a full type check would tell the engine that declarations read by syntax do not: `node scripts/compare-receivers.mjs <folder with a tsconfig and installed packages>...`.
// For every call of a method that locks or writes, on a receiver whose type the checker finds in a lock or data package: did the engine read the call without it?
// Works on the build. Prints counts and the calls that only the checker could have told.
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { candidateTest } from '../dist/src/engine/candidate.js';
import { operations } from '../dist/src/engine/operations/operations.js';
import { accessesOf } from '../dist/src/engine/operations/accesses.js';
import { localCall } from '../dist/src/engine/operations/local-packages.js';
import { typeOf } from '../dist/src/engine/syntax/declared-type.js';
import { createUnits } from '../dist/src/engine/syntax/unit.js';
import { builtInModels } from '../dist/src/models/index.js';

const PACKAGES = /node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(ioredis|redis|@redis\/client|@upstash\/(?:redis|lock)|redlock|@sesamecare-oss\/redlock|redis-semaphore|async-mutex|async-lock|@?prisma[^/]*(?:\/client)?|\.prisma\/client|drizzle-orm|kysely|knex|pg|postgres|mysql2|typeorm|sequelize|mongoose|mongodb|@mikro-orm\/[^/]+|objection|@supabase\/[^/]+|etcd3|proper-lockfile)\//;
const METHODS = /^(?:acquire|tryAcquire|lock|tryLock|using|release|unlock|extend|runExclusive|set|setnx|setNX|psetex|del|unlink|getdel|expire|pexpire|eval|evalsha|evalSha|update|updateMany|updateOne|findOneAndUpdate|upsert|save|insert|query|execute|\$executeRaw|\$queryRaw|\$executeRawUnsafe|\$queryRawUnsafe)$/;

/** In `dist` it is a part of the plugin's one file. */
const { outputFiles: [{ text }] } = await build({ entryPoints: [fileURLToPath(new URL('../src/eslint/program-project.ts', import.meta.url))], bundle: true, write: false, format: 'esm', platform: 'node', external: ['typescript'] });
const { programProject } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) {
  console.error('Give one folder or more: node scripts/compare-receivers.mjs ../some-repository/worker');
  process.exit(2);
}
for (const folder of folders) compare(folder);

function compare(folder) {
  const config = ts.findConfigFile(folder, ts.sys.fileExists);
  if (config === undefined) throw new Error(`There is no tsconfig.json in ${folder} or above.`);
  const { fileNames, options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, dirname(config));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const units = createUnits(ts, { ...programProject(ts, program), runLimit: () => undefined }, builtInModels);
  const isCandidate = candidateTest(builtInModels);
  const counts = { files: 0, calls: 0, syntaxKnows: 0, readAnyway: 0, lost: 0 };
  const lost = [];
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || file.fileName.includes('/node_modules/') || !isCandidate(file.text)) continue;
    counts.files++;
    const unit = units.of(file);
    const read = new Set([...operations(unit), ...accessesOf(unit)].map(({ node }) => node));
    const visit = (node) => {
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && METHODS.test(node.expression.name.text)) consider(unit, node, read);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  console.log(`${relative(process.cwd(), folder) || '.'}: ${counts.files} files, ${counts.calls} calls on receivers of lock and data packages; syntax knows the receiver of ${counts.syntaxKnows}, the engine reads ${counts.readAnyway} more by their form, ${counts.lost} are told by the checker only`);
  for (const line of lost) console.log(`  ${line}`);

  function consider(unit, call, read) {
    const from = packageOf(checker.getTypeAtLocation(call.expression.expression));
    if (from === undefined) return;
    counts.calls++;
    const isRead = isWithin(call, read) || localCall(unit, call) !== undefined;
    if (typeOf(unit, call.expression.expression).kind !== 'unknown') counts.syntaxKnows++;
    else if (isRead) counts.readAnyway++;
    else {
      counts.lost++;
      const { line } = unit.file.getLineAndCharacterOfPosition(call.getStart(unit.file));
      lost.push(`${relative(folder, unit.path)}:${line + 1} ${from}: ${call.getText(unit.file).replace(/\s+/g, ' ').slice(0, 120)}`);
    }
  }
}

/** A chain is one access, read at its outermost call. */
function isWithin(call, read) {
  for (let node = call; node !== undefined && !ts.isStatement(node); node = node.parent) if (read.has(node)) return true;
  return false;
}

function packageOf(type) {
  const types = type.isUnionOrIntersection() ? type.types : [type];
  for (const symbol of types.flatMap((one) => [one.aliasSymbol, one.symbol])) {
    for (const declaration of symbol?.declarations ?? []) {
      const found = PACKAGES.exec(declaration.getSourceFile().fileName)?.[1];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
