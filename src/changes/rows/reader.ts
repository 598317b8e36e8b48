// Reads the rows of a file into drafts, once it is known which column fills which member.
import type { Resource, Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { BadFile, type FaultList } from '../files/bad-file.ts';
import type { FileRow, InputFile } from '../files/input.ts';
import type { CellRules, DateOrder } from './cells.ts';
import { type Binding, bindColumns } from './columns.ts';
import { type FindByKey, finderFor, keyOf, newKeyOf, type SeenKeys, seenKeys, spareKeyOf } from './keys.ts';
import { draftOf, type Records, type RowDraft } from './row-draft.ts';

export type Mode = 'upsert' | 'create' | 'update' | 'skip' | 'delete' | 'undelete';

export interface IntakeOptions {
  readonly resource: Resource;
  /** The name of the file in sentences. */
  readonly file: string;
  /** Members that match rows with records; empty for the ID or the resource's own key. */
  readonly key: readonly string[];
  readonly mode: Mode;
  /** Members by column; an empty text leaves the column out. */
  readonly map: ReadonlyMap<string, string>;
  readonly blank: 'leave' | 'clear';
  readonly onDeleted: 'error' | 'undelete' | 'new';
  readonly dates: DateOrder | undefined;
  readonly zone: Zone | undefined;
  /** Makes the IDs of new records. */
  readonly newID: () => string;
}

/** What the reading of a file came to; it grows while the changes are taken. */
export interface Tally {
  rows: number;
  creates: number;
  updates: number;
  deletes: number;
  undeletes: number;
  /** Members that are cleared. */
  clears: number;
  /** Rows that are as they should be already. */
  unchanged: number;
  /** Rows that the mode leaves alone. */
  skipped: number;
  /** Columns that hold what the service works out itself. */
  readonly readOnly: Set<string>;
}

/** What one reading of a file is handed on. */
export interface Work {
  readonly input: InputFile;
  readonly options: IntakeOptions;
  readonly tally: Tally;
  readonly faults: FaultList;
  readonly records: Records;
  readonly sha256: string;
}

/** How the rows of one file are matched with records. */
export interface Matcher {
  readonly key: readonly string[];
  readonly find: FindByKey;
  /** What finds a record whose ID is not there. */
  readonly spare:
    | { readonly key: readonly string[]; readonly find: FindByKey; readonly taken: Set<Value | undefined> }
    | undefined;
  readonly seen: SeenKeys;
}

export interface Reader {
  /** The rows; what is wrong with the file itself goes to the faults behind the last one. */
  rows(): AsyncGenerator<RowDraft>;
  /**
   * The key of the file, once rows of it are read; undefined where columns are at fault, since half of what would be
   * said of the rows then comes from that alone.
   */
  matcher(): Matcher | undefined;
}

type Bindings = readonly (Binding | undefined)[];

const NULL_FORMS: readonly string[] = ['json', 'ndjson', 'yaml'];

export function readerOf(work: Work): Reader {
  const { input, options, records, faults } = work;
  const { resource, key: asked, mode } = options;
  const cells: CellRules = {
    blank: options.blank,
    nulls: NULL_FORMS.includes(input.dialect.form),
    dates: options.dates,
    zone: options.zone,
    decimalComma: input.dialect.delimiter === ';',
  };
  const binder = binderFor(work);
  let matcher: Matcher | undefined;
  return {
    matcher() {
      if (matcher || binder.isBad()) return binder.isBad() ? undefined : matcher;
      const there = binder.members();
      const key = mode === 'create' && asked.length === 0 ? newKeyOf(resource, there) : keyOf(resource, asked, there);
      const spare = asked.length === 0 && key[0] === 'ID' ? spareKeyOf(resource, there) : [];
      matcher = {
        key,
        find: finderFor(resource, key, records, there),
        spare:
          spare.length > 0
            ? { key: spare, find: finderFor(resource, spare, records, there), taken: new Set() }
            : undefined,
        seen: seenKeys(),
      };
      return matcher;
    },
    async *rows() {
      try {
        for await (const row of input.rows()) {
          work.tally.rows++;
          yield draftOf(row, binder.bindingsFor(row), cells);
        }
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        faults.take(error);
      }
    },
  };
}

/** Rows of a table share their columns; others name members of their own, mostly the same ones. */
function binderFor({ input, options, tally, faults }: Work) {
  const bound = new Map<readonly string[] | string, Bindings>();
  const members = new Set<string>();
  const told = new Set<string>();
  const bind = (columns: readonly string[], line: number): Bindings => {
    const { bindings, readOnly, faults: found } = bindColumns(options.resource, columns, options.map, line);
    for (const binding of bindings) if (binding) members.add(binding.member);
    for (const column of readOnly) tally.readOnly.add(column);
    const nothing = found.length === 0 && !bindings.some(Boolean) ? [{ line, message: NOTHING }] : found;
    for (const fault of nothing) {
      const words = `${fault.column} ${fault.message}`;
      if (!told.has(words)) faults.add(fault);
      told.add(words);
    }
    return bindings;
  };
  const known = (key: readonly string[] | string, columns: readonly string[], line: number): Bindings => {
    const bindings = bound.get(key) ?? bind(columns, line);
    bound.set(key, bindings);
    return bindings;
  };
  if (input.columns) known(input.columns, input.columns, 1);
  return {
    members: (): ReadonlySet<string> => members,
    isBad: (): boolean => told.size > 0,
    bindingsFor: ({ names, line }: FileRow): Bindings =>
      known(input.columns ? names : names.join('\u0000'), names, line),
  };
}

const NOTHING = 'has no column that fills a member which can be set';
