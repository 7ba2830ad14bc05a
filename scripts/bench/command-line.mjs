// The arguments of the bench. A mistake is a sentence with a next step; nothing is measured then.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROW_IDS } from './row-ids.mjs';

export const USAGE = `npm run bench -- <checkout> [options]

Measures step-lock beside its peers on a checkout and prints one table. Nothing in the checkout is changed.

  --path <folder>      the part of the checkout that is judged (default: all of it); tsc and ESLint run on the project of this folder
  --tsconfig <file>    the project of tsc and typed ESLint, relative to that folder (default: tsconfig.json)
  --only <rows>        measure these rows only, separated by commas: ${ROW_IDS.join(', ')}
  --skip <rows>        measure all but these rows
  --runs <n>           rounds; each row runs once a round, in turn, and medians are printed (default: 5)
  --copies <list>      sizes of the tree for the row scaling (default: 1,2,4,8)
  --timeout <minutes>  end a command that runs longer, and say so (default: 20)
  --keep               leave the scratch copy there and tell where it is
`;

/** What was asked for, or `{ mistake }`: one sentence for a person. */
export function readCommandLine(args, cwd) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        path: { type: 'string' }, tsconfig: { type: 'string' }, only: { type: 'string' }, skip: { type: 'string' }, runs: { type: 'string' },
        copies: { type: 'string' }, timeout: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return { mistake: `${error.message} Run \`npm run bench -- --help\`.` };
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) return { mistake: 'Name one checkout: `npm run bench -- <folder>`.' };

  const checkout = resolve(cwd, named);
  const path = values.path ?? '.';
  if (!isFolder(resolve(checkout, path))) return { mistake: `There is no folder ${resolve(checkout, path)}. Name a folder of sources.` };
  const numbers = readNumbers(values);
  if (numbers.mistake !== undefined) return numbers;
  const rows = readRows(values);
  if (rows.mistake !== undefined) return rows;
  return { checkout, path, tsconfig: values.tsconfig ?? 'tsconfig.json', keep: values.keep ?? false, ...numbers, ...rows };
}

function readNumbers(values) {
  const runs = positive(values.runs ?? '5');
  if (runs === undefined) return { mistake: `--runs takes a whole number from 1, not ${values.runs}.` };
  const timeout = positive(values.timeout ?? '20');
  if (timeout === undefined) return { mistake: `--timeout takes whole minutes from 1, not ${values.timeout}.` };
  const copies = (values.copies ?? '1,2,4,8').split(',').map(positive);
  if (copies.includes(undefined)) return { mistake: `--copies takes whole numbers separated by commas, not ${values.copies}.` };
  return { runs, timeout, copies };
}

function readRows({ only, skip }) {
  const chosen = only?.split(',') ?? ROW_IDS;
  const left = skip?.split(',') ?? [];
  const unknown = [...chosen, ...left].find((id) => !ROW_IDS.includes(id));
  if (unknown !== undefined) return { mistake: `There is no row ${unknown}. The rows are ${ROW_IDS.join(', ')}.` };
  return { rows: ROW_IDS.filter((id) => chosen.includes(id) && !left.includes(id)) };
}

function positive(text) {
  return /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}

function isFolder(path) {
  return existsSync(path) && statSync(path).isDirectory();
}
