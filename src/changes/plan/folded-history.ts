// Some lines of one record taken together: each member as it was before them.
import type { Line } from '../../contract/lines.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { writableBody } from './change.ts';

/** A line of the history of a record; those that are not chosen are to be kept. */
export interface HistoryStep {
  readonly line: Line;
  readonly isChosen: boolean;
}

/** What the chosen lines did to one member. */
export interface FoldedMember {
  /** The value before the first chosen line. If another line changed it between two of them, the value of that line. */
  readonly before: Value;
  /** As the last of them left it. */
  readonly left: Value;
  readonly sequence: number;
}

export interface FoldedRecord {
  /** Changed members. `EXISTS` and `Deleted` are among them. */
  readonly members: ReadonlyMap<string, FoldedMember>;
  /** The record without what the other lines changed in it: writable members. */
  readonly own: Row;
  /** The last image of a record that was deleted for good. */
  readonly image: Row | undefined;
}

/** Stands for the record itself: false before it was created, true before it was deleted for good. */
export const EXISTS = ' exists';

/** Folds the steps of one record, the newest first. `now` is the current record, deleted or not. */
export function foldHistory(resource: Resource, steps: readonly HistoryStep[], now: Row | undefined): FoldedRecord {
  const members = new Map<string, FoldedMember & { readonly isClosed: boolean }>();
  const state: Record<string, Value> = { ...now, [EXISTS]: now !== undefined };
  const own: Record<string, Value> = { ...(now && writableBody(resource, now)) };
  let image: Row | undefined;
  for (const { line, isChosen } of steps) {
    const isFinal = isFinalLine(resource, line);
    const before = changedMembers(resource, line);
    for (const [name, value] of Object.entries(before)) {
      const known = members.get(name);
      const first = { left: state[name] ?? null, sequence: line.sequence, isClosed: false };
      if (!isChosen) known && members.set(name, { ...known, isClosed: true });
      else if (!known?.isClosed) members.set(name, { ...first, ...known, before: value });
    }
    Object.assign(state, before, isFinal ? line.before : undefined);
    if (isFinal && isChosen) image ??= line.before;
    if (!isChosen && line.what === 'update') Object.assign(own, before);
  }
  return { members, own, image };
}

/** Did the record go for good? */
const isFinalLine = (resource: Resource, { what }: Line): boolean =>
  what === 'remove' || (what === 'delete' && !isSoft(resource));

function changedMembers(resource: Resource, { what, before = {} }: Line): Row {
  switch (what) {
    case 'remove':
      return { [EXISTS]: true };
    case 'create':
      return { [EXISTS]: false };
    case 'delete':
      return isSoft(resource) ? { Deleted: false } : { [EXISTS]: true };
    case 'undelete':
      return { Deleted: true };
    case 'update':
      return writableBody(resource, before);
  }
}
