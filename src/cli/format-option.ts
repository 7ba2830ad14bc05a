import { InvalidArgumentError, Option } from 'commander';
import { FORMAT_FILES, type FormatName } from './format-files.js';

/** `--format html,markdown` or `--format html --format markdown`: each format once, in the order in which they are asked for. */
export function formatOption(): Option {
  return new Option('--format <formats>', `how the report is written, one or more of ${Object.keys(FORMAT_FILES).join(', ')}, separated by commas (default: text)`)
    .argParser<readonly FormatName[] | undefined>((value, before) => [...new Set([...before ?? [], ...namesIn(value)])]);
}

/** @throws {InvalidArgumentError} for a name that is no format, and for none at all. */
function namesIn(list: string): FormatName[] {
  const names = list.split(',').map((name) => name.trim()).filter((name) => name !== '');
  const known = names.filter(isFormat);
  if (names.length === 0 || known.length < names.length) throw new InvalidArgumentError(`Allowed choices are ${Object.keys(FORMAT_FILES).join(', ')}.`);
  return known;
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMAT_FILES, name);
}
