// Work that waits for its site shares the transaction before it, and one commit; a single statement that reads has no transaction at all.
import { describe, expect, test } from 'vitest';
import { inSnapshot } from '../../src/engine/store/postgres/cursor.ts';
import { TURN } from '../../src/engine/store/postgres/site-of.ts';
import type { Transaction } from '../../src/engine/store/postgres/transactions/transaction.ts';
import { all, type Steps } from '../../src/engine/store/sql/steps.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { addThing, addThingAhead, makeThings, openThings, thingsIn } from './fixture.ts';

const THINGS = 'SELECT ID FROM thing ORDER BY ID';

describe('pieces of work on one site', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const newThings = async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    return { address, ...openThings(address) };
  };
  const adding = (id: number) => async (transaction: Transaction) => {
    await transaction.lock('a');
    await addThing(transaction, 'a', id);
    return id;
  };

  test('share a commit where they wait for each other', async () => {
    const { address, inTransaction } = await newThings();
    const made = await Promise.all(Array.from({ length: 20 }, (_, id) => inTransaction(adding(id))));
    expect(made).toEqual(Array.from({ length: 20 }, (_, id) => id));
    const [writers] = await onDatabase(address, 'SELECT count(DISTINCT xmin::text), count(*) FROM thing');
    // A savepoint has a transaction number of its own; the lock of the site is taken once for all that share it.
    expect(writers).toEqual(['20', '20']);
    const [locks] = await onDatabase(address, `SELECT ${TURN} FROM site_writer WHERE SiteID = 'a'`);
    expect(Number(locks?.[0])).toBeLessThan(20);
  });

  test('are rolled back alone where one throws, fails in a statement or passes over an error', async () => {
    const { address, inTransaction } = await newThings();
    const outcomes = await Promise.allSettled([
      inTransaction(adding(1)),
      inTransaction(async (transaction) => {
        await adding(2)(transaction);
        throw new Error('refused');
      }),
      inTransaction(adding(3)),
      inTransaction(adding(3)),
      inTransaction(async (transaction) => {
        await adding(4)(transaction);
        await addThing(transaction, 'a', 1).catch(() => undefined);
      }),
      inTransaction(adding(5)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    expect(await thingsIn(address)).toBe('a 1 0,a 3 0,a 5 0');
  });

  test.each([0, 1, 3])(
    'are kept as they are told where statement %i fails, which nothing waited for',
    async (failing) => {
      const { address, inTransaction } = await newThings();
      await inTransaction(adding(1));
      const ids = [2, 3, 4, 5].map((id, at) => (at === failing ? 1 : id));
      const pieces = ids.map((id) =>
        inTransaction(async (transaction) => {
          await transaction.lock('a');
          await transaction.run(all(THINGS));
          await addThingAhead(transaction, 'a', id);
        }),
      );
      const outcomes = await Promise.allSettled(pieces);
      const told = ids.filter((_, at) => outcomes[at]?.status === 'fulfilled');
      expect(told).not.toContain(1);
      expect(await thingsIn(address)).toBe([1, ...told].map((id) => `a ${id} 0`).join());
      for (const one of outcomes) if (one.status === 'rejected') expect(String(one.reason)).toContain('thing_pkey');
    },
  );

  test('keep nothing where a statement in a savepoint fails that was not waited for, whatever the work passes over', async () => {
    const { address, inTransaction } = await newThings();
    const work = inTransaction(async (transaction) => {
      await adding(1)(transaction);
      await transaction.savepoint(() => addThingAhead(transaction, 'a', 1));
      await transaction.savepoint(() => addThing(transaction, 'a', 2)).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('thing_pkey');
    expect(await thingsIn(address)).toBe('');
  });

  test('read side by side: a write waits for what was asked before it, and a read for what was written', async () => {
    const { inTransaction } = await newThings();
    const [before, , after] = await inTransaction((transaction) =>
      Promise.all([
        transaction.read(all('SELECT count(*) FROM thing, pg_sleep(0.05)')),
        addThing(transaction, 'a', 1),
        transaction.read(all('SELECT count(*) FROM thing')),
      ]),
    );
    expect([before, after]).toEqual([[[0]], [[1]]]);
  });

  test('have all reads that were under way fail with the first error, and go on after their savepoint', async () => {
    const { address, inTransaction } = await newThings();
    const outcomes = await inTransaction(async (transaction) => {
      const reading = () =>
        Promise.allSettled(['SELECT 1 / 0', THINGS, THINGS].map((sql) => transaction.read(all(sql))));
      const failing = async (found: PromiseSettledResult<unknown>[]) => {
        throw found.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
      };
      const seen = await transaction.savepoint(() => reading().then(failing)).catch((error: unknown) => error);
      await adding(1)(transaction);
      return seen;
    });
    expect(outcomes).toEqual(Array(3).fill(expect.stringContaining('division by zero')));
    expect(await thingsIn(address)).toBe('a 1 0');
  });

  test('all run again where the transaction that they share is lost', async () => {
    const { address, inTransaction, repeated } = await newThings();
    let isCut = false;
    const cutting = async (transaction: Transaction): Promise<void> => {
      await transaction.lock('a');
      if (!isCut) {
        isCut = true;
        await transaction.run(all('SELECT pg_terminate_backend(pg_backend_pid())'));
      }
      await addThing(transaction, 'a', 2);
    };
    await Promise.all([inTransaction(adding(1)), inTransaction(cutting), inTransaction(adding(3))]);
    expect(await thingsIn(address)).toBe('a 1 0,a 2 0,a 3 0');
    expect(repeated.length).toBeGreaterThan(0);
  });
});

describe('reads of one state', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  test('run again where others have written between the first two of them', async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    const { pool, inTransaction } = openThings(address);
    const seen: unknown[] = [];
    const answer = await inSnapshot(pool, 'again', async ({ read }) => {
      const first = await read(() => all(THINGS));
      if (seen.length === 0) await inTransaction((transaction) => addThing(transaction, 'a', 1));
      seen.push(first);
      return [first, await read(() => all(THINGS))];
    });
    expect(seen).toEqual([[], [[1]]]);
    expect(answer).toEqual([[[1]], [[1]]]);
  });

  test('are in a transaction where a single one needs several statements', async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    const { pool } = openThings(address);
    const twice = function* (): Steps<unknown> {
      return [yield* all("SELECT current_setting('transaction_read_only')"), yield* all(THINGS)];
    };
    expect(await inSnapshot(pool, 'again', ({ read }) => read(twice))).toEqual([[['on']], []]);
  });

  test('begin no transaction for a single statement', async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    const { pool } = openThings(address, { most: 1 });
    const isReadOnly = () => all("SELECT current_setting('transaction_read_only')");
    expect(await inSnapshot(pool, 'again', ({ read }) => read(isReadOnly))).toEqual([['off']]);
    expect(await inSnapshot(pool, 'once', ({ read }) => read(isReadOnly))).toEqual([['on']]);
  });
});
