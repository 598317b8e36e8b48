// `--jmespath`: one expression over the whole result, and its value in the asked format.
import { compile, type JSONValue, search } from '@jmespath-community/jmespath';
import { ServiceError } from '../../contract/errors.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { FORMATTERS } from './formats/index.ts';
import type { Format, OutputOptions, Records } from './result.ts';
import { addRows, type Sink } from './sink.ts';
import { sizeOf } from './sorting/sort.ts';

/** The most that is kept in memory, in bytes of JSON. */
const MOST_IN_MEMORY = 256 * 1024 * 1024;

type Member = { readonly [key: string]: JSONValue };

/**
 * Prints the value of the expression; answers how many records that is. Throws `usage` where the expression cannot be
 * understood, or the format cannot say its value. `most` is the most that is read, in bytes of JSON.
 */
export async function writeQuery(
  records: Records,
  options: OutputOptions,
  sink: Sink,
  most = MOST_IN_MEMORY,
): Promise<number> {
  const expression = options.jmespath ?? '@';
  checkExpression(expression);
  const data = await hold(records, most);
  const value = attempt(expression, () => search(data, expression));
  const { format, textOf, hasColumns, hasBareValues } = FORMATTERS[options.format];
  const members = listed(value);
  if (hasBareValues && members.every(isBare)) return addRows(sink, members.map(asLine), ({ line }) => `${line}\n`);
  if (!textOf) return format(asRecords(value, options.format, hasColumns), options, sink);
  const text = await textOf(value);
  if (text !== '') await sink.add(text);
  return listed(value).length;
}

/** Throws `usage` for an expression that is none. */
export function checkExpression(expression: string): void {
  attempt(expression, () => compile(expression));
}

async function hold({ rows, one }: Records, most: number): Promise<JSONValue> {
  const all: JSONValue[] = [];
  let size = 0;
  for await (const row of rows) {
    size += sizeOf(row);
    if (size > most) throw tooMuch(most);
    all.push(row);
    if (one) return row;
  }
  return one ? null : all;
}

const tooMuch = (most: number): ServiceError =>
  new ServiceError(
    'usage',
    `--jmespath needs the whole result in memory, and this one is larger than ${Math.floor(most / 1024 / 1024)} MiB`,
    {
      hint: 'Narrow it with --where, --fields or --limit, or stream it with -o ndjson.',
    },
  );

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

const listed = (value: JSONValue): readonly JSONValue[] =>
  Array.isArray(value) ? value : value === null ? [] : [value];

const isBare = (value: JSONValue): boolean => typeof value !== 'object' || value === null;

const asLine = (value: JSONValue): Row => ({ line: value === null ? '' : String(value) });

/** A list of objects, or an object, as records without a contract. */
function asRecords(value: JSONValue, format: Format, hasColumns = false): Records {
  const members = listed(value);
  if (!hasColumns || !members.every(isObject)) throw unfit(format);
  const columns = [...new Set(members.flatMap((member) => Object.keys(member)))];
  const shape = { fields: {}, type: '', columns };
  return {
    shape,
    rows: flattened(members),
    one: !Array.isArray(value),
    columns,
    chosen: true,
  };
}

const isObject = (value: JSONValue): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unfit = (format: Format): ServiceError =>
  new ServiceError('usage', `-o ${format} cannot show what the --jmespath expression gives`, {
    hint: 'Use -o json or -o yaml.',
  });

async function* flattened(members: readonly Member[]): AsyncGenerator<Row> {
  for (const member of members) {
    yield Object.fromEntries(Object.entries(member).map(([name, value]) => [name, flat(value)]));
  }
}

/** A value within a value is shown as JSON. */
const flat = (value: JSONValue): Value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
