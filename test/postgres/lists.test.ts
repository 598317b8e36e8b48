// Lists are read page by page, on a connection of their own.
import { describe, expect, test } from 'vitest';
import { type Lists, listed, PAGE } from '../../src/engine/store/postgres/cursor.ts';
import { listTurns } from '../../src/engine/store/postgres/list-turns.ts';
import { withConnection } from '../../src/engine/store/postgres/pool.ts';
import { usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { openThings } from './fixture.ts';

const NUMBERS = 'SELECT n FROM generate_series(1, ?::int) AS n ORDER BY n';

describe('a list on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const lists = async (most: number, pageMs = 60_000): Promise<Lists> => {
    const { pool } = openThings(await server().newDatabase(), { most, waitMs: 100 });
    return { pool, turnOf: listTurns({ most, mostOfOne: most, waitMs: 60_000, pageMs }) };
  };
  const read = (from: Lists, sql: string, ...params: number[]) => listed(from, 'ada', sql, params);
  const looksUp = ({ pool }: Lists) =>
    withConnection(pool, async (connection) => (await connection.ask('SELECT 1')).count);

  test.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE])('of %i rows has each once, in order', async (count) => {
    const found: unknown[] = [];
    for await (const [n] of read(await lists(1), NUMBERS, count)) found.push(n);
    expect(found).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  test('of one page has no connection any more when its first row is there', async () => {
    const own = await lists(1);
    let looked = 0;
    for await (const _ of read(own, NUMBERS, 10)) looked += await looksUp(own);
    expect(looked).toBe(10);
  });

  test('of several pages keeps its connection to itself', async () => {
    const own = await lists(1);
    for await (const [n] of read(own, NUMBERS, 3 * PAGE))
      if (n === PAGE + 1) await refuses(looksUp(own)).with('overloaded');
    expect(await looksUp(own)).toBe(1);
  });

  test.each([1, PAGE, PAGE + 1, 2 * PAGE + 1])('gives it back when its reader stops after %i rows', async (count) => {
    const own = await lists(1);
    for await (const [n] of read(own, NUMBERS, 3 * PAGE)) if (n === count) break;
    expect(await looksUp(own)).toBe(1);
  });

  test('is cut where its reader is slow and another one waits, who then has the connection', async () => {
    const own = await lists(1, 0);
    const slow = read(own, NUMBERS, 3 * PAGE);
    await slow.next();
    expect((await read(own, NUMBERS, 3 * PAGE).next()).value).toEqual([1]);
    const rest = async () => {
      for await (const _ of slow);
    };
    await refuses(rest()).with('overloaded');
  });

  test('is read as slowly as its reader likes where nobody waits', async () => {
    const own = await lists(2, 0);
    const slow = read(own, NUMBERS, 3 * PAGE);
    for (let pages = 0; pages < 3; pages++) for (let at = 0; at < PAGE; at++) await slow.next();
    await read(own, NUMBERS, 3 * PAGE).next();
    expect((await slow.next()).done).toBe(true);
  });

  test('is of one state, whatever is written meanwhile', async () => {
    const own = await lists(2);
    const change = (sql: string) => withConnection(own.pool, (connection) => connection.exec(sql));
    await change('CREATE TABLE t AS SELECT n FROM generate_series(1, 1200) AS n');
    let count = 0;
    for await (const _ of read(own, 'SELECT n FROM t')) if (++count === 1) await change('DELETE FROM t');
    expect(count).toBe(1200);
  });

  test('fails where its server is killed after the first page, instead of ending early', async () => {
    const own = await lists(1);
    const reading = (async () => {
      for await (const [n] of read(own, NUMBERS, 100 * PAGE)) if (n === PAGE) server().kill();
    })();
    await refuses(reading).with('unreachable');
    server().start();
  });
});
