// Reads that are made side by side, such as those for the rows of a file, are gathered into a few queries, and their answers
// kept until they are forgotten.
import { resourceNamed } from '../../contract/index.ts';
import { isGuid } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { grouped } from '../../text/batches.ts';
import { valueAt } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';
import type { Query, Reader, Stored } from '../store/port.ts';

type Rows = Promise<readonly Stored[]>;

/** A query that waits for others like it. */
interface Waiting {
  readonly query: Query;
  resolve(rows: readonly Stored[]): void;
  reject(error: unknown): void;
}

export function gatheredReads(reader: Reader) {
  const rows = new Map<string, Rows>();
  let waiting: Waiting[] = [];
  let works = 0;
  const ask = (query: Query): Rows => {
    if (works === 0 || !variesIn(query)) return reader.find(query);
    if (waiting.length === 0) setImmediate(send);
    return new Promise((resolve, reject) => waiting.push({ query, resolve, reject }));
  };
  const send = (): void => {
    const all = waiting;
    waiting = [];
    for (const group of groupsOf(all)) void answer(reader, group);
  };
  const find = (query: Query): Rows => valueAt(rows, JSON.stringify(query), () => ask(query));
  const get: Reader['get'] = async (resource, site, id) => {
    const ofID = { resource, site, ids: [id], deleted: 2 } as const;
    return works > 0 || rows.has(JSON.stringify(ofID)) ? (await find(ofID))[0] : reader.get(resource, site, id);
  };
  return {
    reader: { ...reader, find, get },
    /** Gathers the reads that `work` makes side by side. Other reads are made one by one. */
    async together<T>(work: () => Promise<T>): Promise<T> {
      works++;
      try {
        return await work();
      } finally {
        works--;
      }
    },
    forget: (): void => rows.clear(),
  };
}

/** The part of a query that differs within its group: the only ID, an ID that a field names, a text. */
interface Varying {
  readonly id?: string;
  readonly owner?: readonly [field: string, id: string];
  readonly text?: readonly [field: string, text: string];
}

/** Undefined if a query is to be made alone. */
function variesIn({ resource, ids, equals = {}, named = {}, limit, naming, namedAny }: Query): Varying | undefined {
  if (limit !== undefined || naming || namedAny || (ids && ids.length > 1)) return undefined;
  const { fields } = resourceNamed(resource);
  const owner = Object.entries(equals).find(
    (one): one is [string, string] => typeof one[1] === 'string' && isGuid(one[1]) && fields[one[0]]?.kind === 'guid',
  );
  const text = Object.entries(named)[0];
  const [id] = ids ?? [];
  if (id !== undefined) return { id };
  return owner || text ? { ...(owner && { owner }), ...(text && { text }) } : undefined;
}

function shapeOf({ ids: _ids, equals = {}, named = {}, ...others }: Query, { id, owner, text }: Varying): Query {
  const without = <V>(members: Readonly<Record<string, V>>, name: string | undefined) =>
    Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
  return id === undefined
    ? { ...others, equals: without(equals, owner?.[0]), named: without(named, text?.[0]) }
    : { ...others, equals, named };
}

interface Shaped extends Waiting {
  readonly shape: Query;
  readonly varying: Varying;
}

/** Those that one query can answer. */
function groupsOf(all: readonly Waiting[]): Iterable<readonly Shaped[]> {
  const shaped = all.map((one): Shaped => {
    const varying = variesIn(one.query) ?? {};
    return { ...one, varying, shape: shapeOf(one.query, varying) };
  });
  return grouped(shaped, ({ shape, varying: { id, owner, text } }) =>
    JSON.stringify([shape, id !== undefined, owner?.[0], text?.[0]]),
  ).values();
}

async function answer(reader: Reader, all: readonly Shaped[]): Promise<void> {
  const [first, ...more] = all;
  if (!first) return;
  try {
    if (more.length === 0) return first.resolve(await reader.find(first.query));
    const found = byValues(first.varying, await reader.find(wideQuery(first, all)));
    for (const { varying, resolve } of all) resolve(found.get(keyOf(varying)) ?? []);
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}

/** One query that finds the records of a whole group. */
function wideQuery({ shape, varying: { id, owner, text } }: Shaped, all: readonly Shaped[]): Query {
  const valuesOf = (value: (varying: Varying) => string | undefined): readonly string[] => [
    ...new Set(all.flatMap(({ varying }) => value(varying) ?? [])),
  ];
  return {
    ...shape,
    ...(id !== undefined && { ids: valuesOf((one) => one.id) }),
    ...(owner && { naming: { field: owner[0], ids: valuesOf((one) => one.owner?.[1]) } }),
    ...(text && { namedAny: { field: text[0], texts: valuesOf((one) => one.text?.[1]) } }),
  };
}

const keyOf = ({ id, owner, text }: Varying): string =>
  [id, owner?.[1], text && textKey(text[1])].map((part) => part ?? '').join('\u0000');

function byValues({ id, owner, text }: Varying, rows: readonly Stored[]): ReadonlyMap<string, readonly Stored[]> {
  const valueIn = (row: Row, field: string): string => String(row[field] ?? '');
  return grouped(rows, (row) =>
    keyOf({
      ...(id !== undefined && { id: valueIn(row, 'ID') }),
      ...(owner && { owner: [owner[0], valueIn(row, owner[0])] }),
      ...(text && { text: [text[0], valueIn(row, text[0])] }),
    }),
  );
}
