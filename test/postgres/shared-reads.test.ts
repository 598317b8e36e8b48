// Quick reads that are asked at the same time share a round trip, and each gets its own answer.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../src/engine/store/postgres/connection.ts';
import { sharedReads } from '../../src/engine/store/postgres/store.ts';
import { usingPostgres } from '../support/postgres.ts';
import { addThing, makeThings, openThings } from './fixture.ts';

const NUMBER = 'SELECT ?::int';

describe('quick reads', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  async function opened() {
    const address = await server().newDatabase();
    await makeThings(address);
    const { pool, inTransaction } = openThings(address, { waitMs: 200, limits: { lockMs: 100 } });
    const asked: string[] = [];
    let borrowed = 0;
    const watched = (connection: Connection): Connection => ({
      ...connection,
      ask(sql, params = []) {
        asked.push([sql, ...params].join(' '));
        return connection.ask(sql, params);
      },
    });
    const real = new Map<Connection, Connection>();
    const reads = sharedReads({
      ...pool,
      async borrow() {
        borrowed++;
        const connection = await pool.borrow();
        const seen = watched(connection);
        real.set(seen, connection);
        return seen;
      },
      giveBack: (connection) => pool.giveBack(real.get(connection) ?? connection),
    });
    return { address, reads, asked, inTransaction, trips: () => borrowed };
  }

  test('go together, the same one once, and each is answered what it has asked', async () => {
    const { reads, asked, trips } = await opened();
    const answers = await Promise.all([1, 2, 2, 3, 2].map((n) => reads.ask(NUMBER, [n])));
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual([1, 2, 2, 3, 2]);
    expect(asked).toEqual([1, 2, 3].map((n) => `${NUMBER} ${n}`));
    expect(trips()).toBe(1);
  });

  test('that are asked later are sent later, also those that are the same: they see what was written meanwhile', async () => {
    const { reads, inTransaction } = await opened();
    const count = async (): Promise<unknown> => (await reads.ask('SELECT count(*) FROM thing')).rows[0]?.[0];
    expect(await count()).toBe(0);
    await inTransaction(async (transaction) => {
      await transaction.lock('a');
      await addThing(transaction, 'a', 1);
    });
    expect(await count()).toBe(1);
  });

  test('fail alone', async () => {
    const { reads } = await opened();
    const outcomes = await Promise.allSettled([
      reads.ask(NUMBER, [1]),
      reads.ask('SELECT 1 / ?::int', [0]),
      reads.ask(NUMBER, [2]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('of a table that another one has locked are all told so, also those behind a statement that is sent for the first time', async () => {
    const { address, reads } = await opened();
    const rival = new pg.Client(address);
    onTestFinished(() => rival.end());
    await rival.connect();
    await rival.query('BEGIN; LOCK TABLE thing');
    const asked = [1, 2, 3].map((id) => reads.ask('SELECT Number FROM thing WHERE ID = ?::int', [id]));
    const codes = (await Promise.allSettled(asked)).map((one) => one.status === 'rejected' && one.reason.code);
    expect(codes).toEqual(['busy', 'busy', 'busy']);
  });
});
