// What the rows of a job did to records. The lines of history tell it, so that the journal keeps no second copy.
import { isWritable } from '../../contract/field.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import type { JobRow, JobStore, RowResult, SideEffect } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import { batchedRows, batchesOf, grouped } from '../../text/batches.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import type { Reader, SiteLine } from '../store/port.ts';
import { membersOf } from './history.ts';

/** The journal, with the results of rows by their lines. A row that an older pm ran, or that changed nothing, has its own. */
export const withEffects = (jobs: JobStore, reader: Reader): JobStore => ({
  ...jobs,
  rows: (job, want) =>
    batchedRows(async function* () {
      const isByLines = want?.idsAlone ? isNumbered : isDone;
      for await (const page of batchesOf(jobs.rows(job, want)))
        for (let at = 0; at < page.length; at += PIECE)
          yield await completed(reader, job, page.slice(at, at + PIECE), isByLines);
    }),
});

/** Who asks whether any row can be taken back reads few of them. */
const PIECE = 200;

const isDone = ({ state, result }: JobRow): boolean =>
  (state === 'done' || state === 'undone') && result?.before === undefined;

/** The engine gives numbers; all other IDs are those of the plan. */
const isNumbered = (row: JobRow): boolean => isDone(row) && resourceNamed(row.resource).id === 'integer';

async function completed(
  reader: Reader,
  job: string,
  page: readonly JobRow[],
  isByLines: (row: JobRow) => boolean,
): Promise<readonly JobRow[]> {
  const numbers = page.filter(isByLines).map(({ number }) => number);
  if (numbers.length === 0) return page;
  const lines = await reader.jobLines(job, Math.min(...numbers), Math.max(...numbers));
  const byRow = grouped(
    lines.filter((line) => line.job === job),
    ({ row = 0 }) => row,
  );
  const leftAt = await leftBy(reader, lines);
  return page.map((row) => {
    const own = isByLines(row) ? byRow.get(row.number) : undefined;
    return own ? { ...row, result: { ...row.result, ...resultOf(row, own, leftAt) } } : row;
  });
}

/** `lines`: of this row, the oldest first. */
function resultOf(row: JobRow, lines: readonly SiteLine[], leftAt: LeftAt): RowResult {
  const resource = resourceNamed(row.resource);
  const first = lines.find((line) => isOf(row, resource, line));
  const own = lines.filter(({ resource: name, id }) => name === first?.resource && id === first?.id);
  const beside = grouped(
    lines.filter((line) => !own.includes(line)),
    recordKey,
  );
  const effects = [...beside.values()].flatMap((some) => sideEffectsIn(some, leftAt));
  return defined({ ...(first && ofOwn(row, resource, own, leftAt)), effects: nonEmpty(effects) });
}

/** A plan names a new record by an ID of its own where the engine gives a number. */
const isOf = ({ id }: JobRow, resource: Resource, line: SiteLine): boolean =>
  line.resource === resource.name && (id === undefined || resource.id === 'integer' || sameID(id, line.id));

function ofOwn({ id }: JobRow, resource: Resource, own: readonly SiteLine[], leftAt: LeftAt): RowResult {
  const [{ what, id: given, before = {} }] = own as [SiteLine];
  switch (what) {
    case 'create':
      return resource.fields.ID === undefined || sameID(given, id) ? {} : { id: given };
    case 'undelete':
      return { before: { Deleted: true } };
    case 'delete':
    case 'remove':
      if (what === 'delete' && isSoft(resource)) return { before: { Deleted: false } };
      return { id: given, before: membersOf(resource.name, before) };
    case 'update':
      return changeBy(own, leftAt, (name) => isReversible(resource, name));
  }
}

const isReversible = ({ fields, open }: Resource, name: string): boolean => {
  const field = fields[name];
  return field ? isWritable(field) && !field.writeOnly : open;
};

/** The change of another record, where it shows the same primary membership. */
function sideEffectsIn(lines: readonly SiteLine[], leftAt: LeftAt): readonly SideEffect[] {
  const [{ resource, id, what }] = lines as [SiteLine];
  const shown = PRIMARY_MEMBERS[resource];
  if (!shown || what !== 'update') return [];
  const { before, after } = changeBy(lines, leftAt, (name) => shown.includes(name));
  return Object.keys(before).length > 0 ? [{ resource, id, before, after }] : [];
}

/** The members that several lines of one record changed together, before and after. */
function changeBy(lines: readonly SiteLine[], leftAt: LeftAt, isWanted: (name: string) => boolean) {
  const before: Record<string, Value> = {};
  const after: Record<string, Value> = {};
  for (const line of lines)
    for (const [name, value] of Object.entries(membersOf(line.resource, line.before ?? {})))
      if (isWanted(name) && !(name in before)) before[name] = value;
  const last = lines.at(-1);
  for (const name in before) {
    const left = last ? leftAt(last, name) : null;
    if (left === before[name]) delete before[name];
    else after[name] = left;
  }
  return { before, after };
}

/** A member of a record as this line left it: as the next line that changed it has found it, or else as it is now. */
type LeftAt = (line: SiteLine, name: string) => Value;

/** `lines`: all later ones of a record are among them. */
async function leftBy(reader: Reader, lines: readonly SiteLine[]): Promise<LeftAt> {
  const byRecord = grouped(lines, recordKey);
  const now = new Map<string, Row>();
  const updated = grouped(
    lines.filter(({ resource, what }) => what === 'update' && STORED.has(resource)),
    ({ resource, site }) => `${resource} ${site}`,
  );
  for (const some of updated.values()) {
    const [{ resource, site }] = some as [SiteLine];
    const ids = [...new Set(some.map(({ id }) => id))];
    for (const row of await reader.find({ resource, site, ids, deleted: 2 }))
      now.set(recordKey({ resource, site, id: String(row.ID) }), membersOf(resource, row));
  }
  return (line, name) => {
    const key = recordKey(line);
    const ofRecord = byRecord.get(key) ?? [];
    for (let at = ofRecord.indexOf(line) + 1; at < ofRecord.length; at++) {
      const found = membersOf(line.resource, ofRecord[at]?.before ?? {});
      if (name in found) return found[name] ?? null;
    }
    return now.get(key)?.[name] ?? null;
  };
}

/** Lines may be older than the contract, which has their resource no longer. */
const STORED = new Set<string>(storedResources.map(({ name }) => name));

const recordKey = ({ resource, site, id }: Pick<SiteLine, 'resource' | 'site' | 'id'>): string =>
  `${resource} ${site} ${id}`;
