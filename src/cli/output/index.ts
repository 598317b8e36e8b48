// The way of a result to stdout: where, sort, limit, fields, jmespath, format, always in this order.
import { ServiceError } from '../../contract/errors.ts';
import type { Fields } from '../../contract/field.ts';
import { listsIn } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { firstOf } from '../../text/batches.ts';
import type { Streams } from '../streams.ts';
import { fieldCalled, pick, readable, withOthers } from './fields.ts';
import { FORMATTERS } from './formats/index.ts';
import { muted, recordSink } from './printing.ts';
import {
  isForPeople,
  type OutputOptions,
  type Records,
  type Result,
  type Rows,
  type Shape,
  type WriteReport,
  withID,
} from './result.ts';

/**
 * Prints a result on stdout, record by record where the format allows it. Throws `usage` for a filter, field or expression
 * that cannot be understood, before anything is read; and the stream's own error (`EPIPE`) when the reader has gone.
 */
export async function write(result: Result, options: OutputOptions, io: Streams): Promise<WriteReport> {
  let cut = false;
  const { fields, rows: given } = await fieldsFor(result, options, io.now());
  const chosen = options.fields?.map((name) => fieldCalled(fields, name, '--fields'));
  const kept = await arrange(given, fields, options, io.now());
  const within = options.limit === undefined ? kept : limited(kept, options.limit, () => (cut = true));
  const { format, escapeText } = FORMATTERS[options.format];
  const isRead = isForPeople(options.format) && options.jmespath === undefined;
  // A name may stand in a member that is not shown.
  const rows = chosen && !isRead ? picked(within, chosen) : within;
  const sink = recordSink(io, options.terminal, escapeText);
  const records: Records = {
    shape: { ...result.shape, fields },
    rows: hasLists(options) ? withLists(rows, result.shape) : rows,
    one: result.one,
    nameOf: isRead ? result.nameOf : undefined,
    columns: chosen ?? columnsOf(result, options),
    chosen: !!chosen,
  };
  const print = options.jmespath === undefined ? format : (await import('./jmespath.ts')).writeQuery;
  const written = await print(records, options, sink);
  await sink.end();
  return { written, cut };
}

/** Prints no records to nowhere: throws what `write` would throw for choices that do not fit records of this shape. */
export async function checkChoices(shape: Shape, options: OutputOptions, io: Streams): Promise<void> {
  const { jmespath, ...others } = options;
  if (jmespath !== undefined) (await import('./jmespath.ts')).checkExpression(jmespath);
  await write({ shape, rows: [], one: false }, others, muted(io, 'stdout'));
}

/** Members may be undefined: settings hold every choice. */
type Choice = Pick<OutputOptions, 'where'> & {
  readonly [Name in 'fields' | 'sort' | 'limit' | 'zone' | 'refer']?: OutputOptions[Name] | undefined;
};

/** So many records show which members a service has besides. */
const SHOWN = 100;

/** The fields that flags may name. Where they name others, the first rows show what the records have besides. */
async function fieldsFor(
  { shape, rows }: Pick<Result, 'shape' | 'rows'>,
  choice: Choice,
  now: Date,
): Promise<{ readonly fields: Fields; readonly rows: Rows }> {
  const { fields, open } = shape;
  if (!open || (await refusalOf(fields, choice, now)) === undefined) return { fields, rows };
  const { first, all, end } = await firstOf(rows, SHOWN);
  const known = withOthers(fields, first);
  const refusal = await refusalOf(known, choice, now);
  if (refusal === undefined) return { fields: known, rows: all };
  await end();
  throw refusal;
}

/** Why these fields do not fit what flags name. */
async function refusalOf(fields: Fields, choice: Choice, now: Date): Promise<ServiceError | undefined> {
  try {
    for (const name of choice.fields ?? []) fieldCalled(fields, name, '--fields');
    await arrange([], fields, choice, now);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** The rows that --where, --sort and --limit choose, in their order. Throws `usage`. */
export async function* choose(
  from: Pick<Result, 'shape' | 'rows'>,
  choice: Omit<Choice, 'fields'>,
  now: Date,
): AsyncGenerator<Row> {
  const { fields, rows: given } = await fieldsFor(from, { ...choice, fields: undefined }, now);
  const rows = await arrange(given, fields, choice, now);
  yield* choice.limit === undefined ? rows : limited(rows, choice.limit, () => undefined);
}

async function arrange(given: Rows, fields: Fields, options: Choice, now: Date): Promise<Rows> {
  let rows = given;
  if (options.where.length > 0) {
    const { compileWhere, compileWithNames } = await import('./where.ts');
    const { where, zone, refer } = options;
    const test = refer
      ? await compileWithNames(where, fields, now, zone, refer)
      : compileWhere(where, fields, now, zone);
    rows = filtered(rows, test);
  }
  if (options.sort === undefined) return rows;
  const { sorted } = await import('./sorting/sort.ts');
  return sorted(rows, options.sort, fields);
}

async function* filtered(rows: Rows, test: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const row of rows) if (test(row)) yield row;
}

const hasLists = ({ format, jmespath }: OutputOptions): boolean =>
  jmespath !== undefined || FORMATTERS[format].hasLists === true;

function withLists(rows: Rows, { fields }: Shape): Rows {
  const lists = listsIn(fields);
  return lists ? listed(rows, lists) : rows;
}

/** What these formats write may hold more than a Value. */
async function* listed(rows: Rows, lists: NonNullable<ReturnType<typeof listsIn>>): AsyncGenerator<Row> {
  for await (const row of rows) yield lists(row) as Row;
}

async function* picked(rows: Rows, names: readonly string[]): AsyncGenerator<Row> {
  for await (const row of rows) yield pick(row, names);
}

function columnsOf({ shape, one }: Result, { format, ids = false }: OutputOptions): readonly string[] {
  if (!isForPeople(format) || one) return readable(shape.fields);
  return ids ? withID(shape) : shape.columns;
}

/** The first `count` rows; `whenCut` is called if there was one more. The source is closed at once. */
async function* limited(rows: Rows, count: number, whenCut: () => void): AsyncGenerator<Row> {
  let left = count;
  for await (const row of rows) {
    if (left === 0) return whenCut();
    left--;
    yield row;
  }
}
