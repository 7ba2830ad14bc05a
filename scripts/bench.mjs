// `npm run bench -- <checkout>`: how fast step-lock is beside its peers on one checkout. Each round runs each row once, in turn, so that what
// slows the machine for a while slows all of them; the table has medians, and ratios taken round by round. Printed, never committed.
import { loadavg, cpus, totalmem } from 'node:os';
import { existsSync } from 'node:fs';
import { benchContext } from './bench/bench-context.mjs';
import { USAGE, readCommandLine } from './bench/command-line.mjs';
import { endRunning, measure, usageWays } from './bench/measure.mjs';
import { readyRow } from './bench/rows.mjs';
import { measureScaling } from './bench/scaling.mjs';
import { BIN } from './bench/step-lock.mjs';
import { ratiosTable, rowsTable, scalingTable } from './bench/table.mjs';

const options = readCommandLine(process.argv.slice(2), process.cwd());
if (options.help) {
  console.log(USAGE);
} else if (options.mistake !== undefined) {
  console.error(options.mistake);
  process.exitCode = 2;
} else if (!existsSync(BIN)) {
  console.error('There is no build to measure. Run `npm run build` first.');
  process.exitCode = 2;
} else {
  await bench(options);
}

async function bench({ rows: ids, runs, timeout, ...rest }) {
  const context = benchContext({ rows: ids, runs, timeout, ...rest });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(context));
  try {
    const loadBefore = load();
    const rows = ids.filter((id) => id !== 'scaling').map((id) => {
      tell(`making ${id} ready`);
      return { ...readyRow(id, context), runs: [] };
    });
    for (let round = 1; round <= runs; round += 1) {
      for (const row of rows.filter(({ failed }) => failed === undefined)) {
        tell(`round ${round}: ${row.id}`);
        await runRow(row, round, timeout);
      }
    }
    const head = `${machine()}; ${runs} ${runs === 1 ? 'round' : 'rounds'}; load ${loadBefore} before, ${load()} after; memory and CPU by ${usageWays()[0] === 'time' ? 'GNU time' : 'the processes themselves'}.`;
    console.log([head, rowsTable(rows), ratiosTable(rows)].filter((text) => text !== '').join('\n\n'));
    if (ids.includes('scaling')) await printScaling(context);
  } finally {
    context.end();
    if (rest.keep) console.error(`The scratch copies are in ${context.scratch}`);
  }
}

async function runRow(row, round, timeout) {
  const ran = await measure(row.command(round), { timeoutMs: timeout * 60_000 });
  const { failed, note, share } = ran.late ? { failed: `ended after ${timeout} minutes` } : (row.read?.(ran) ?? readStatus(ran));
  if (failed !== undefined) row.failed = failed;
  row.note = note ?? row.note;
  row.runs.push({ ...ran, share });
}

function readStatus({ status }) {
  return status === 0 ? {} : { failed: `ended with status ${status}` };
}

async function printScaling(context) {
  const { sizes, failed } = await measureScaling(context, tell);
  console.log(`\n${failed === undefined ? scalingTable(sizes) : `scaling: ${failed}`}`);
}

/** What runs has a process group of its own, and copies of a checkout are large: neither is left behind. */
function stop(context) {
  endRunning();
  context.end();
  process.exit(130);
}

function machine() {
  return `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'unknown kind'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
}

function load() {
  return loadavg()[0].toFixed(1);
}

/** Progress is on stderr, so that stdout is the table alone. */
function tell(what) {
  process.stderr.write(`bench: ${what}\n`);
}
