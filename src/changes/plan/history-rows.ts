// The changes that some lines of the history made in one record, as rows of a job that has made the same.
import type { JobRow, PlannedRow } from '../../contract/jobs.ts';
import { placeIn, recordAddresses } from '../../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { writableBody } from './change.ts';
import { isUnaltered } from './drift.ts';
import { EXISTS, type FoldedRecord, type HistoryStep } from './folded-history.ts';

/** A change of one record, as a job would have done it. */
export interface Done {
  readonly row: JobRow;
  /** The current record. */
  readonly now: Row | undefined;
  readonly sequence: number;
}

/** The changes that are not taken back already, in any order. `now` is the current record, deleted or not. */
export function* changesIn(
  resource: Resource,
  id: string,
  folded: FoldedRecord,
  now: Row | undefined,
): Generator<Done> {
  const { members, own, image } = folded;
  const [existence, deletion] = [members.get(EXISTS), members.get('Deleted')];
  const place = placeIn(resource, image, now);
  const change = (sequence: number, operation: string, what: Partial<JobRow>): Done => {
    const row: JobRow = { number: 1, resource: resource.name, operation, id, place, state: 'done', ...what };
    return { row, now, sequence };
  };
  // It stays as it is: no row takes it back.
  const stays = (sequence: number): Done => change(sequence, 'update', {});
  if (existence?.before === false) {
    // The values that an archive keeps do not change.
    if (resource.name === 'metricValue' && (now?.ArchiveID ?? null) !== null) return yield stays(existence.sequence);
    if (now ? now.Deleted !== true : isSoft(resource)) yield change(existence.sequence, 'create', { body: own });
    return;
  }
  if (existence && !now)
    return yield change(existence.sequence, 'delete', { result: { id, before: imageBefore(folded) } });
  const update = updateIn(resource, folded, now);
  const isDeleted = now?.Deleted === true;
  // It was undeleted, updated and deleted again: only a live record can be updated.
  const isBetween = deletion?.before === true && isDeleted && update !== undefined;
  if (isBetween || (deletion?.before === false && isDeleted))
    yield change(Number.MAX_SAFE_INTEGER, 'delete', { result: { before: { Deleted: false } } });
  if (update) yield change(update.sequence, 'update', { ...addressIn(resource, now), ...update.what });
  if (isBetween || (deletion?.before === true && !isDeleted))
    yield change(Math.min(deletion.sequence, update?.sequence ?? deletion.sequence), 'undelete', {
      result: { before: { Deleted: true } },
    });
}

/** The updates of a record one by one, the newest first. `now` is the current record. */
export function* changesOneByOne(resource: Resource, now: Row, steps: readonly HistoryStep[]): Generator<Done> {
  const state: Record<string, Value> = { ...now };
  const place = placeIn(resource, undefined, now);
  for (const { line } of steps) {
    const before = writableBody(resource, line.before ?? {});
    const patch = Object.fromEntries(Object.keys(before).map((name) => [name, state[name] ?? null]));
    Object.assign(state, before);
    const what = { operation: 'update', id: line.id, place, state: 'done', patch, result: { before } } as const;
    const row: JobRow = { number: 1, resource: resource.name, ...addressIn(resource, now), ...what };
    if (Object.keys(before).length > 0) yield { row, now, sequence: line.sequence };
  }
}

/** The record that was deleted for good, as it was before the chosen changes. */
function imageBefore({ image = {}, members }: FoldedRecord): Row {
  const record: Record<string, Value> = { ...image };
  for (const [name, { before }] of members) if (name in image) record[name] = before;
  return record;
}

/** The members that are not as before already; undefined if all are. */
function updateIn(resource: Resource, { members }: FoldedRecord, now: Row | undefined) {
  const patch: Record<string, Value> = {};
  const before: Record<string, Value> = {};
  let sequence = 0;
  for (const [name, member] of members) {
    const isField = name !== EXISTS && name !== 'Deleted' && (resource.open || name in resource.fields);
    if (!isField || (now && isUnaltered(resource, name, now[name], member.before))) continue;
    patch[name] = member.left;
    before[name] = member.before;
    sequence = Math.max(sequence, member.sequence);
  }
  return sequence > 0 ? { sequence, what: { patch, result: { before } } } : undefined;
}

/** The address of an update that names the record by its members, where none does by its ID. */
function addressIn(resource: Resource, now: Row | undefined): Pick<PlannedRow, 'by' | 'params'> {
  const { update } = resource.operations;
  const addresses = update ? recordAddresses(resource, update) : [];
  const [address] = addresses;
  if (!now || !address || addresses.some(({ own }) => own !== undefined)) return {};
  const params: Record<string, string> = {};
  for (const { param, member } of address.filled) params[param] = String(now[member]);
  return { by: address.by, params };
}
