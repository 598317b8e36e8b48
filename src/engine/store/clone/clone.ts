// A clone: copies every table, compares both sides, and takes the mark away where they are equal. Run again after whatever
// ended it, it goes on behind the last rows that are there.
import { ServiceError } from '../../../contract/errors.ts';
import { headOf, headsIn } from '../journal/job-heads.ts';
import type { Steps } from '../sql/steps.ts';
import { type Compared, compareTables } from './compare.ts';
import {
  beginChecking,
  beginClone,
  findClone,
  type Origin,
  type Position,
  positions,
  type Unfinished,
} from './mark.ts';
import { countRows, goOnBehind, insertPage, lastNumbers, type Page, pageAfter } from './rows.ts';
import type { Destination, Source, Target } from './sides.ts';
import { type Counted, checkStopped, type Watch, type Work } from './sides.ts';
import type { CopiedTable } from './tables.ts';

interface CloneOrder {
  readonly source: Source;
  readonly origin: Origin;
  readonly destination: Destination;
  readonly tables: readonly CopiedTable[];
  readonly watch: Watch;
}

export async function countTables(source: Source, tables: readonly CopiedTable[]): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const table of tables) counted.push({ table, rows: await source.read(() => countRows(table)) });
  return counted;
}

/**
 * Answers how each table compares; where all are equal, the target is a database like any other. Throws `conflict` where
 * the target is a clone of something else or of another state, `busy` where it is written by another clone, `interrupted`.
 */
export async function clone(order: CloneOrder, counted: readonly Counted[]): Promise<readonly Compared[]> {
  const { source, origin, destination, tables, watch } = order;
  const names = tables.map(({ name }) => name);
  const target = await destination.open(() => beginClone(origin, names));
  try {
    const found = (await target.read(findClone)) as Unfinished;
    checkOrigin(target.place, found, origin);
    if (found.stage === 'copying') {
      await copyTables({ source, target, watch }, counted);
      await target.write(() => completed(target, watch));
    }
    // Set on every run: a server counts outside of transactions, so that its numbers move on while it is copied.
    const numbers = await source.read(() => lastNumbers(source.dialect, tables));
    await target.write(() => goOnBehind(target.dialect, tables, numbers));
    const compared = await compareTables({ source, target, watch }, counted);
    if (compared.every(({ isEqual }) => isEqual)) await target.unmark();
    return compared;
  } finally {
    await target.close();
  }
}

function* completed({ added }: Target, watch: Watch): Steps<void> {
  watch.begin('Indexes', added.length, 0);
  for (const add of added) {
    checkStopped(watch);
    yield* add();
    watch.done(1);
  }
  yield* beginChecking();
}

/** Throws `conflict`. */
export function checkOrigin(place: string, found: Unfinished, { source, target, state, by }: Origin): void {
  if (found.state === state) return;
  const isOther = found.source !== source;
  const what = isOther ? `of ${found.source}, not of ${source}` : `of ${source} as it was before its last change`;
  throw new ServiceError('conflict', `${place} is an unfinished copy ${what}`, {
    hint: 'What it holds would be deleted.',
    next: { do: by, from: source, to: target, anew: true },
  });
}

async function copyTables(work: Work, counted: readonly Counted[]): Promise<void> {
  const at = await work.target.read(positions);
  const total = counted.reduce((sum, { rows }) => sum + rows, 0);
  work.watch.begin(
    'Copied',
    total,
    [...at.values()].reduce((sum, { copied }) => sum + copied, 0),
  );
  for (const { table } of counted) await copyTable(work, table, at.get(table.name) ?? { copied: 0, last: undefined });
}

/** The next page is read while one is written. */
async function copyTable({ source, target, watch }: Work, table: CopiedTable, from: Position) {
  const insertion = { dialect: target.dialect, table, place: target.place };
  let at = from;
  let page: Page = await source.read(() => pageAfter(table, at.last));
  while (page.last !== undefined) {
    checkStopped(watch);
    const { rows, last, next } = page;
    const [, following] = await Promise.all([
      target.write(() => insertPage(insertion, { rows, last, next }, at)),
      source.read(() => pageAfter(table, last, next)),
    ]);
    watch.done(rows.length);
    at = { copied: at.copied + rows.length, last };
    page = following;
  }
}

/** The IDs of the jobs that are running in the source; damaged ones are copied as they are. */
export async function runningJobs(source: Source): Promise<readonly string[]> {
  const { list } = headsIn(source.place, source.dialect);
  const heads = await source.read(() => list(undefined, { unfinished: true, onDamaged: () => undefined }));
  return heads
    .map(headOf)
    .filter(({ state }) => state === 'running')
    .map(({ id }) => id);
}
