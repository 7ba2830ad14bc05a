import { importsPackage } from './access-orm-chain.js';
import { NOTHING_FORM } from './access-orm-record.js';
import type { SqlRun } from './access-sql-run.js';
import { handleOrNothingForm, handleOrThrowsForm, type ResultForm } from './result-form.js';
import { object } from './value.js';

/** What a method promises of the rows: one or an exception, one or nothing, a list, at least one, none at all. */
type RowsPromised = 'one' | 'maybe-one' | 'list' | 'some' | 'none';

/** Drivers whose methods say how many rows have to come back, by the package the file imports. */
const METHODS: readonly { readonly package: RegExp; readonly methods: Readonly<Record<string, RowsPromised>> }[] = [
  {
    package: /^pg-promise$/,
    methods: { one: 'one', oneOrNone: 'maybe-one', none: 'none', any: 'list', manyOrNone: 'list', many: 'some', query: 'list' },
  },
  {
    package: /^(?:slonik|@slonik\/.+)$/,
    methods: { one: 'one', oneFirst: 'one', maybeOne: 'maybe-one', maybeOneFirst: 'maybe-one', any: 'list', anyFirst: 'list', many: 'some', manyFirst: 'some' },
  },
];

/** How pg-promise and slonik tell a hit: the name of the method says how many rows there must be. Undefined for other drivers and methods. */
export function promisedRows(run: SqlRun, returning: boolean, rows: () => ResultForm): ResultForm | undefined {
  const driver = METHODS.find((m) => importsPackage(run.unit, m.package));
  const promised = driver !== undefined && Object.hasOwn(driver.methods, run.method) ? driver.methods[run.method] : undefined;
  if (promised === undefined) return undefined;
  // A driver that asks for rows of a statement that gives none fails at once, hit or miss.
  if (promised === 'none' || (!returning && promised === 'maybe-one')) return NOTHING_FORM;
  switch (promised) {
    case 'one': return handleOrThrowsForm(object({}));
    case 'maybe-one': return handleOrNothingForm('null', object({}));
    case 'some': return { ...rows(), lost: [], throwsWhenLost: true };
    case 'list': return rows();
  }
}
