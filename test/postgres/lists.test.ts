// Lists are read page by page, on a connection of their own.
import { describe, expect, test } from 'vitest';
import { listed, PAGE } from '../../src/engine/store/postgres/cursor.ts';
import { type Pool, withConnection } from '../../src/engine/store/postgres/pool.ts';
import { usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { openThings } from './fixture.ts';

const NUMBERS = 'SELECT n FROM generate_series(1, ?::int) AS n ORDER BY n';

describe('a list on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const pool = async (most: number): Promise<Pool> =>
    openThings(await server().newDatabase(), { most, waitMs: 100 }).pool;
  const looksUp = (of: Pool) => withConnection(of, async (connection) => (await connection.ask('SELECT 1')).count);

  test.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE])('of %i rows has each once, in order', async (count) => {
    const found: unknown[] = [];
    for await (const [n] of listed(await pool(1), NUMBERS, [count])) found.push(n);
    expect(found).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  test('of one page has no connection any more when its first row is there', async () => {
    const own = await pool(1);
    let looked = 0;
    for await (const _ of listed(own, NUMBERS, [10])) looked += await looksUp(own);
    expect(looked).toBe(10);
  });

  test('of several pages keeps its connection to itself, and gives it back when its reader stops', async () => {
    const own = await pool(1);
    for await (const [n] of listed(own, NUMBERS, [3 * PAGE])) {
      if (n === PAGE + 1) await refuses(looksUp(own)).with('overloaded');
      if (n === PAGE + 1) break;
    }
    expect(await looksUp(own)).toBe(1);
  });

  test('is of one state, whatever is written meanwhile', async () => {
    const own = await pool(2);
    const change = (sql: string) => withConnection(own, (connection) => connection.exec(sql));
    await change('CREATE TABLE t AS SELECT n FROM generate_series(1, 1200) AS n');
    let count = 0;
    for await (const _ of listed(own, 'SELECT n FROM t', [])) if (++count === 1) await change('DELETE FROM t');
    expect(count).toBe(1200);
  });

  test('fails where its server is killed after the first page, instead of ending early', async () => {
    const own = await pool(1);
    const reading = (async () => {
      for await (const [n] of listed(own, NUMBERS, [100 * PAGE])) if (n === PAGE) server().kill();
    })();
    await refuses(reading).with('unreachable');
    server().start();
  });
});
