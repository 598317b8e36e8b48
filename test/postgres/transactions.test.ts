// Transactions on a real server: the writers of one site run one after another, and what is cut or in another's way runs again.
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { patienceOf } from '../../src/engine/store/postgres/again.ts';
import { all, one, run } from '../../src/engine/store/sql/steps.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { addThing, addThingLater, countUp, makeThings, openThings, thingsIn } from './fixture.ts';

/** As it is sent; READ COMMITTED has another end. */
const COMMIT = 'COMMIT\0';

describe('a transaction on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const newThings = async (): Promise<string> => {
    const address = await server().newDatabase();
    await makeThings(address);
    return address;
  };

  test('keeps what it writes', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address);
    expect(await inTransaction((transaction) => addThing(transaction, 'a', 1))).toBe(1);
    expect(await thingsIn(address)).toBe('a 1 0');
  });

  test('keeps nothing where its work throws', async () => {
    const address = await newThings();
    const { inTransaction, repeated } = openThings(address);
    const work = inTransaction(async (transaction) => {
      await addThing(transaction, 'a', 1);
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(await thingsIn(address)).toBe('');
    expect(repeated).toEqual([]);
  });

  test('lets the writers of one site write one after another, and those of others meanwhile', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address, { most: 8 });
    await inTransaction((transaction) => addThing(transaction, 'a', 1));
    let others = 0;
    const ofSite = Array.from({ length: 20 }, () =>
      inTransaction(async (transaction) => {
        await transaction.lock('a');
        await countUp(transaction, 'a', 1);
        if (others === 0) {
          await inTransaction(async (other) => {
            await other.lock('b');
            await addThing(other, 'b', ++others);
          });
        }
      }),
    );
    await Promise.all(ofSite);
    expect(await thingsIn(address)).toBe('a 1 20,b 1 0');
  });

  test('of another process waits as well', async () => {
    const address = await newThings();
    const [first, second] = [openThings(address), openThings(address)];
    await first.inTransaction((transaction) => addThing(transaction, 'a', 1));
    const counting = [first, second].flatMap(({ inTransaction }) =>
      Array.from({ length: 10 }, () =>
        inTransaction(async (transaction) => {
          await transaction.lock('a');
          await countUp(transaction, 'a', 1);
        }),
      ),
    );
    await Promise.all(counting);
    expect(await thingsIn(address)).toBe('a 1 20');
  });

  test('runs again where two lock each other out, and none is lost', async () => {
    const address = await newThings();
    const { inTransaction, repeated } = openThings(address);
    for (const site of ['a', 'b']) await inTransaction((transaction) => addThing(transaction, site, 1));
    let both = 0;
    const inOrder = (...sites: readonly string[]) =>
      inTransaction(async (transaction) => {
        for (const site of sites) {
          await transaction.lock(site);
          both++;
          // Both have their first site before one of them asks for the other's.
          for (let waits = 0; both < 2 && waits < 100; waits++) await new Promise((resolve) => setTimeout(resolve, 10));
          await countUp(transaction, site, 1);
        }
      });
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')]);
    expect(await thingsIn(address)).toBe('a 1 2,b 1 2');
    expect(repeated.length).toBeGreaterThan(0);
  });

  test('is not kept where its work passes over the error of a statement', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address);
    const work = inTransaction(async (transaction) => {
      await addThing(transaction, 'a', 1);
      await transaction.run(run('INSERT INTO nothing VALUES (1)')).catch(() => undefined);
      return 'done';
    });
    await refuses(work).with('storage', 'other tables');
    expect(await thingsIn(address)).toBe('');
  });

  test('goes on after a savepoint that was rolled back', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address);
    await inTransaction(async (transaction) => {
      await addThing(transaction, 'a', 1);
      const clash = transaction.savepoint(() => addThing(transaction, 'a', 1));
      await expect(clash).rejects.toMatchObject({ name: 'Clash', taken: { keyOf: 'thing' } });
      await transaction.savepoint(() => addThing(transaction, 'a', 2));
    });
    expect(await thingsIn(address)).toBe('a 1 0,a 2 0');
  });

  test('locks a site again that a savepoint had locked, which was rolled back', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address);
    await inTransaction((transaction) => addThing(transaction, 'a', 1));
    let isLocked = false;
    await inTransaction(async (transaction) => {
      await transaction
        .savepoint(async () => {
          await transaction.lock('a');
          throw new Error('back');
        })
        .catch(() => undefined);
      await transaction.lock('a');
      await countUp(transaction, 'a', 1);
      const other = openThings(address, { limits: { lockMs: 100 } });
      await other.inTransaction((late) => late.lock('a')).catch(() => (isLocked = true));
    });
    expect(isLocked).toBe(true);
  });

  test('runs the steps of one call whole before those of the next', async () => {
    const address = await newThings();
    const { inTransaction } = openThings(address);
    const order: string[] = [];
    function* steps(name: string) {
      for (const step of [1, 2]) {
        yield* one('SELECT 1');
        order.push(`${name}${step}`);
      }
    }
    await inTransaction((transaction) => Promise.all([transaction.run(steps('a')), transaction.run(steps('b'))]));
    expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  test('takes no statement after its end', async () => {
    const { inTransaction } = openThings(await newThings());
    const { transaction } = await inTransaction(async (running) => ({ transaction: running }));
    await expect(transaction.run(all('SELECT 1'))).rejects.toThrow('no transaction');
  });

  test.each([
    ['before a statement arrives', 'INSERT INTO thing', 'lost'],
    ['before a statement is answered', 'INSERT INTO thing', 'unanswered'],
    ['before the COMMIT arrives', COMMIT, 'lost'],
  ] as const)('whose connection is cut %s runs again, once', async (_, text, cut) => {
    const address = await newThings();
    const proxy = await cuttingProxy(server().port);
    const { inTransaction, repeated, pool } = openThings(proxy.address(address));
    proxy.cutAt(text, cut);
    await inTransaction((transaction) => addThing(transaction, 'a', 1));
    expect(await thingsIn(address)).toBe('a 1 0');
    expect(repeated).toHaveLength(1);
    await pool.close();
    await proxy.end();
  });

  test('whose COMMIT is not answered is read back, and not run again', async () => {
    const address = await newThings();
    const proxy = await cuttingProxy(server().port);
    const { inTransaction, repeated, pool } = openThings(proxy.address(address));
    proxy.cutAt(COMMIT, 'unanswered');
    expect(await inTransaction((transaction) => addThing(transaction, 'a', 1))).toBe(1);
    expect(await thingsIn(address)).toBe('a 1 0');
    expect(repeated).toEqual([]);
    await pool.close();
    await proxy.end();
  });

  test('whose COMMIT waits at the server behind a statement, when its connection is cut, is not run beside it', async () => {
    const address = await newThings();
    const proxy = await cuttingProxy(server().port);
    onTestFinished(() => proxy.end());
    const { inTransaction, repeated, pool } = openThings(proxy.address(address));
    const rival = new pg.Client(address);
    onTestFinished(() => rival.end());
    await rival.connect();
    await rival.query(`BEGIN; INSERT INTO thing VALUES ('shared', 1, 0)`);
    proxy.cutAt(COMMIT, 'abandoned');
    let runs = 0;
    const work = inTransaction(async (transaction) => {
      await transaction.lock('a');
      await addThingLater(transaction, 'a', ++runs);
      if (runs === 1) await addThingLater(transaction, 'shared', 1);
    });
    await vi.waitFor(async () => expect(await waitingIn(address)).toBe(2));
    await rival.query('ROLLBACK');
    await work;
    expect(await thingsIn(address)).toBe('a 1 0,shared 1 0');
    expect(repeated).toEqual([]);
    await pool.close();
  });

  /** How many connections wait for another one's rows. */
  const waitingIn = async (address: string): Promise<number> =>
    (
      await onDatabase(
        address,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length;

  test('whose COMMIT is not answered, and which cannot be read back, is told as unknown', async () => {
    const address = await newThings();
    const proxy = await cuttingProxy(server().port);
    const { inTransaction, pool } = openThings(proxy.address(address), { patience: patienceOf(500) });
    proxy.cutAt(COMMIT, 'unanswered', 'for good');
    const work = inTransaction((transaction) => addThing(transaction, 'a', 1));
    await refuses(work).with('unknown_outcome', 'not known whether', 'read the records');
    expect(await thingsIn(address)).toBe('a 1 0');
    await pool.close();
    await proxy.end();
  });

  test('that reports while it runs is not run again', async () => {
    const address = await newThings();
    const proxy = await cuttingProxy(server().port);
    const { inTransaction, pool } = openThings(proxy.address(address));
    proxy.cutAt('INSERT INTO thing', 'lost');
    await refuses(inTransaction((transaction) => addThing(transaction, 'a', 1), 'once')).with('busy', 'run again');
    expect(await thingsIn(address)).toBe('');
    await pool.close();
    await proxy.end();
  });

  test('fails with "overloaded" where no connection becomes free', async () => {
    const { inTransaction } = openThings(await newThings(), { most: 1, waitMs: 100 });
    await inTransaction(async (transaction) => {
      await transaction.lock('a');
      const other = inTransaction((late) => late.lock('b'));
      await refuses(other).with('overloaded', 'no connection', '0.1 seconds');
    });
  });

  test('fails with "busy" where it waits too long for another process', async () => {
    const address = await newThings();
    const [first, second] = [openThings(address), openThings(address, { limits: { lockMs: 100 } })];
    await first.inTransaction(async (transaction) => {
      await transaction.lock('a');
      await refuses(second.inTransaction((other) => other.lock('a'))).with('busy', 'is busy: other programs');
    });
  });
});
