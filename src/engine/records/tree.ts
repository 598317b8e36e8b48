// The place of a record in its tree: rank path, display rank, level, and sort key.
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { NO_RANK, treeKey } from '../../text/text-key.ts';
import { findIn, type Writing } from '../context.ts';
import type { Stored } from '../store/port.ts';

export interface TreePlace extends Record<string, Value> {
  RankOrder: string;
  DisplayRank: string;
  Level: number;
  /** Sorts a whole tree: rank, name and ID of every record from the top down. */
  TreeKey: string;
}

export function treePlaceOf(row: Row, parent: Row | undefined): TreePlace {
  const rank = typeof row.Rank === 'number' ? row.Rank : NO_RANK;
  const shown = row.Rank === null ? '-' : String(rank);
  return {
    RankOrder: below(parent?.RankOrder, shown.padStart(4, '0')),
    DisplayRank: below(parent?.DisplayRank, shown),
    Level: typeof parent?.Level === 'number' ? parent.Level + 1 : 1,
    TreeKey: treeKey(String(parent?.TreeKey ?? ''), rank, row.Name ?? null, row.ID ?? null),
  };
}

const below = (path: Value | undefined, step: string): string => (path ? `${String(path)}.${step}` : step);

/** The ranks from the top down as bytes, four each, as base64 text. */
export function rankPath(displayRank: Value | undefined): string {
  const ranks = String(displayRank ?? '').split('.');
  const path = Buffer.alloc(ranks.length * 4);
  for (const [index, rank] of ranks.entries()) path.writeInt32BE(Number(rank) || 0, index * 4);
  return path.toString('base64');
}

/** Updates the places below a record that moved, or that has another rank or name. */
export async function updateSubtree(writing: Writing, resource: Resource, parent: Stored): Promise<void> {
  const children = await findIn(writing, resource.name, { equals: { ParentID: parent.ID as string }, deleted: 2 });
  for (const child of children) {
    const place = treePlaceOf(child, parent);
    await writing.store.update(resource.name, writing.site, String(child.ID), place);
    await updateSubtree(writing, resource, { ...child, ...place });
  }
}
