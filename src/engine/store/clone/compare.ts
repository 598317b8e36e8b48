// Compares the two sides of a clone table by table: by the number of rows, and by a hash over all values in the order of the
// keys, which is the same whatever the database is.
import { createHash } from 'node:crypto';
import { pageAfter } from './rows.ts';
import { type Counted, checkStopped, type Side, type Work } from './sides.ts';
import type { CopiedTable } from './tables.ts';

export interface Compared {
  readonly table: string;
  /** In the source, and in the target. */
  readonly rows: number;
  readonly copied: number;
  /** Of the rows in the source, in hexadecimal digits. */
  readonly sha256: string;
  readonly isEqual: boolean;
}

/** Every table that has rows on either side. */
export async function compareTables(
  { source, target, watch }: Work,
  counted: readonly Counted[],
): Promise<readonly Compared[]> {
  watch.begin(
    'Compared',
    counted.reduce((sum, { rows }) => sum + rows, 0),
    0,
  );
  const all: Compared[] = [];
  for (const { table } of counted) {
    const onRows = (rows: number): void => {
      checkStopped(watch);
      watch.done(rows);
    };
    const [is, copied] = await Promise.all([
      digestOf(source, table, onRows),
      digestOf(target, table, () => checkStopped(watch)),
    ]);
    if (is.rows + copied.rows === 0) continue;
    const isEqual = is.sha256 === copied.sha256 && is.rows === copied.rows;
    all.push({ table: table.name, ...is, copied: copied.rows, isEqual });
  }
  return all;
}

async function digestOf(side: Side, table: CopiedTable, onRows: (rows: number) => void) {
  const hash = createHash('sha256');
  let rows = 0;
  let page = await side.read(() => pageAfter(table, undefined));
  while (page.last !== undefined) {
    for (const row of page.rows) hash.update(`${JSON.stringify(row)}\n`);
    rows += page.rows.length;
    onRows(page.rows.length);
    const { last, next } = page;
    page = await side.read(() => pageAfter(table, last, next));
  }
  return { rows, sha256: hash.digest('hex') };
}
