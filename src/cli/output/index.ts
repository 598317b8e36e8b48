// The way of a result to stdout: where, sort, limit, fields, jmespath, format, always in this order.
import type { JSONValue } from '@jmespath-community/jmespath';
import { headingFor } from '../../changes/rows/column-synonyms.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Fields } from '../../contract/field.ts';
import { listsIn, withDays } from '../../contract/kinds.ts';
import { type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { firstOf } from '../../text/batches.ts';
import type { Streams } from '../streams.ts';
import { fieldCalled, readable, withOthers } from './fields.ts';
import { FORMATTERS } from './formats/index.ts';
import { muted, recordSink, say } from './printing.ts';
import {
  type Format,
  integers,
  isForPeople,
  type OutputOptions,
  type Records,
  type Result,
  type Rows,
  type Shape,
  shapeFrom,
  texts,
  type WriteReport,
  withID,
} from './result.ts';
import { addRows, type Sink } from './sink.ts';

/**
 * Prints a result on stdout, record by record where the format allows it. Throws `usage` for a filter, field or expression
 * that cannot be understood, before anything is read; and the stream's own error (`EPIPE`) when the reader has gone.
 */
export async function write(result: Result, options: OutputOptions, io: Streams): Promise<WriteReport> {
  const { groupBy, ...others } = options;
  if (groupBy !== undefined) return write(await countsBy(groupBy, result, options, io), { ...others, where: [] }, io);
  let cut = false;
  const { fields, rows: given } = await fieldsFor(result, options, io.now());
  const chosen = options.fields?.map((name) => fieldCalled(fields, name, '--fields'));
  const kept = await arrange(given, fields, options, io.now());
  const within = options.limit === undefined ? kept : limited(kept, options.limit, () => (cut = true));
  const { format, escapeText, hasLists } = FORMATTERS[options.format];
  const isRead = isForPeople(options.format) && options.jmespath === undefined;
  // A name may stand in a member that is not shown.
  const rows = chosen && !isRead ? mapped(within, (row) => valuesOf(row, chosen)) : within;
  // Some formats write more than a Value can hold.
  const days = options.format === 'xml' ? undefined : withDays(fields);
  const lists = hasLists || options.jmespath !== undefined ? listsIn(result.shape.fields) : undefined;
  const changed = (row: Row): Row => (lists ? (lists(row) as Row) : row);
  const sink = recordSink(io, options.terminal, escapeText);
  const records: Records = {
    shape: { ...result.shape, fields },
    rows: days || lists ? mapped(rows, (row) => changed(days?.(row) ?? row)) : rows,
    one: result.one,
    head: result.head,
    nameOf: isRead ? result.nameOf : undefined,
    columns: chosen ?? columnsOf(result, options),
    chosen: !!chosen,
  };
  const print = options.jmespath === undefined ? format : writeQuery;
  const written = await print(records, options, sink);
  await sink.end();
  return { written, cut };
}

/** How many of the records that --where chooses have each value of a field, the most first. Throws `usage` for one record. */
async function countsBy(groupBy: string, result: Result, options: OutputOptions, io: Streams): Promise<Result> {
  const { shape, one, nameOf } = result;
  if (one) throw new ServiceError('usage', '--group-by counts the records of a list', { hint: 'Leave it out.' });
  const { fields, rows } = await fieldsFor(result, { ...options, fields: [groupBy], sort: undefined }, io.now());
  const name = fieldCalled(fields, groupBy, '--group-by');
  const counts = new Map<Value, { readonly row: Row; count: number }>();
  for await (const row of await arrange(rows, fields, { ...options, sort: undefined }, io.now())) {
    const value = row[name] ?? null;
    const known = counts.get(value);
    if (known) known.count++;
    else counts.set(value, { row, count: 1 });
  }
  const title = headingFor(name);
  const lines = [...counts].map(async ([value, { row, count }]): Promise<Row> => {
    const text = (await nameOf?.(row, name)) ?? value;
    return { [title]: text === null ? null : String(text), Count: count };
  });
  const sorted = (await Promise.all(lines)).sort((a, b) => Number(b.Count) - Number(a.Count));
  if (title !== name) say(io, `Counted: ${title} is ${name}.`);
  return {
    shape: { ...shapeFrom(shape.type, { ...texts(title), ...integers('Count') }), whole: [title] },
    rows: sorted,
    one,
  };
}

/** Throws as `write` for choices that do not fit records of this shape: it prints no records to nowhere. */
export async function checkChoices(shape: Shape, options: OutputOptions, io: Streams): Promise<void> {
  const { jmespath, ...others } = options;
  if (jmespath !== undefined) await checkExpression(jmespath);
  await write({ shape, rows: [], one: false }, others, muted(io, 'stdout'));
}

/** Members may be undefined: settings hold every choice. */
type Choice = Pick<OutputOptions, 'where'> & {
  readonly [Name in 'fields' | 'groupBy' | 'sort' | 'limit' | 'zone' | 'refer']?: OutputOptions[Name] | undefined;
};

/** So many records show which members a service has besides. */
const SHOWN = 100;

/** The fields that flags may name. Where they name others, the first rows show the other members of the records. */
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

/** The error where flags name none of these fields. */
async function refusalOf(fields: Fields, choice: Choice, now: Date): Promise<ServiceError | undefined> {
  try {
    const flag = choice.groupBy === undefined ? '--fields' : '--group-by';
    for (const name of choice.fields ?? []) fieldCalled(fields, name, flag);
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
  return sorted(rows, options.sort, fields, { namesOf: options.refer?.names });
}

async function* filtered(rows: Rows, test: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const row of rows) if (test(row)) yield row;
}

async function* mapped(rows: Rows, change: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield change(row);
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

/** The most that is kept in memory, in bytes of JSON. */
const MOST_IN_MEMORY = 256 * 1024 * 1024;

type Member = { readonly [key: string]: JSONValue };

/**
 * Prints the value of the `--jmespath` expression over the whole result, in the asked format; answers how many records that
 * is. Throws `usage` where the expression cannot be understood, or the format cannot say its value. `most` is the most that
 * is read, in bytes of JSON.
 */
export async function writeQuery(
  records: Records,
  options: OutputOptions,
  sink: Sink,
  most = MOST_IN_MEMORY,
): Promise<number> {
  const { search } = await import('@jmespath-community/jmespath');
  const expression = options.jmespath ?? '@';
  await checkExpression(expression);
  const data = await hold(records, most);
  const value = attempt(expression, () => search(data, expression));
  const { format, textOf, hasColumns, hasBareValues } = FORMATTERS[options.format];
  const members = membersOf(value);
  if (hasBareValues && members.every(isBare)) return addRows(sink, members.map(asLine), ({ line }) => `${line}\n`);
  if (!textOf) return format(asRecords(value, options.format, hasColumns), options, sink);
  const text = await textOf(value);
  if (text !== '') await sink.add(text);
  return membersOf(value).length;
}

/** Throws `usage` for an expression that is none. */
async function checkExpression(expression: string): Promise<void> {
  const { compile } = await import('@jmespath-community/jmespath');
  attempt(expression, () => compile(expression));
}

async function hold({ rows, one, head }: Records, most: number): Promise<JSONValue> {
  const { sizeOf } = await import('./sorting/sort.ts');
  const all: JSONValue[] = [];
  let size = 0;
  for await (const row of rows) {
    size += sizeOf(row);
    if (size > most) {
      const why = `--jmespath needs the whole result in memory, and this one is larger than ${Math.floor(most / 1024 / 1024)} MiB`;
      const hint = 'Narrow it with --where, --fields or --limit, or stream it with -o ndjson.';
      throw new ServiceError('usage', why, { hint });
    }
    all.push(row);
    if (one) return row;
  }
  return one ? null : head ? ({ ...head, Changes: all } as Member) : all;
}

function attempt<T>(expression: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError('usage', `--jmespath "${expression}" cannot be used: ${why}`, {
      cause,
      hint: "Names are the fields' own, such as [].FullName; texts stand in single quotes.",
    });
  }
}

const membersOf = (value: JSONValue): readonly JSONValue[] =>
  Array.isArray(value) ? value : value === null ? [] : [value];

const isBare = (value: JSONValue): boolean => typeof value !== 'object' || value === null;

const asLine = (value: JSONValue): Row => ({ line: value === null ? '' : String(value) });

/** A list of objects, or an object, as records without a contract. */
function asRecords(value: JSONValue, format: Format, hasColumns = false): Records {
  const members = membersOf(value);
  if (!hasColumns || !members.every(isObject)) throw unfit(format);
  const columns = [...new Set(members.flatMap((member) => Object.keys(member)))];
  const shape = { fields: {}, type: '', columns };
  return { shape, rows: flattened(members), one: !Array.isArray(value), columns, chosen: true };
}

const isObject = (value: JSONValue): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unfit = (format: Format): ServiceError =>
  new ServiceError('usage', `-o ${format} cannot show what the --jmespath expression gives`, {
    hint: 'Use -o json or -o yaml.',
  });

async function* flattened(members: readonly Member[]): AsyncGenerator<Row> {
  for (const member of members)
    yield Object.fromEntries(Object.entries(member).map(([name, value]) => [name, flat(value)]));
}

const flat = (value: JSONValue): Value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
