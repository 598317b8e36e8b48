// Work that another client of the server is in the way of: of two that wait for each other the server takes one back, which is
// run again.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeOf } from '../../src/engine/store/postgres/failure.ts';
import { TURN } from '../../src/engine/store/postgres/site-of.ts';
import { run } from '../../src/engine/store/sql/steps.ts';
import { usingPm } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { addThing, countUp, makeThings, openThings, thingsIn } from './fixture.ts';

const pm = usingPm();
const COUNT_UP = (site: string): string => `UPDATE thing SET Number = Number + 10 WHERE SiteID = '${site}'`;
/** As a server answers that promises a state of the data. */
const OVERTAKEN = `DO $$ BEGIN RAISE 'overtaken' USING ERRCODE = 'serialization_failure'; END $$`;

describe('beside another client of PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const scene = async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    const things = openThings(address);
    for (const site of ['a', 'b']) await things.inTransaction((transaction) => addThing(transaction, site, 1));
    const other = new pg.Client({ connectionString: address });
    await other.connect();
    onTestFinished(() => other.end());
    return { address, other, ...things };
  };
  const waits = async (address: string): Promise<void> => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%Number + 10%'`;
    while ((await onDatabase(address, waiting)).length === 0) await pause(10);
  };

  test('a transaction that waits for it, and it for the transaction, runs again and is kept once', async () => {
    const { address, other, inTransaction, repeated } = await scene();
    // Whoever looks first finds the deadlock, and is taken back.
    await other.query(`SET deadlock_timeout = '1min'; BEGIN; ${COUNT_UP('b')}`);
    let theirs: Promise<unknown> | undefined;
    await inTransaction(async (transaction) => {
      await countUp(transaction, 'a', 1);
      theirs ??= other.query(`${COUNT_UP('a')}; COMMIT`);
      if (repeated.length === 0) await waits(address);
      await countUp(transaction, 'b', 1);
    });
    await theirs;
    // It may come first again, before the other one has woken up.
    expect(new Set(repeated.map(codeOf))).toEqual(new Set(['40P01']));
    expect(await thingsIn(address)).toBe('a 1 11,b 1 11');
  });

  test('a command says at its end how often it was run again', async () => {
    const address = await server().newDatabase();
    const command = (line: string) => pm(line, { env: { PM_DATABASE: address } });
    await command('colors list').prints('Below');
    const other = new pg.Client({ connectionString: address });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`SET deadlock_timeout = '1min'; BEGIN; UPDATE "color" SET "Rank" = 5 WHERE "ID" = 1`);
    const running = Promise.resolve(command('colors update Below --rank 9'));
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    while ((await onDatabase(address, blocked)).length === 0) await pause(10);
    await other.query(`UPDATE site_writer SET ${TURN} = ${TURN} + 1; COMMIT`);
    expect((await running).err).toMatch(
      /Transactions run again because of other programs: [1-9]\d*\. Nothing was lost\./,
    );
    await command('colors get Below -o json').prints('"Rank": 9');
  });

  test('a transaction that the server calls overtaken runs again, and is kept once', async () => {
    const { address, inTransaction, repeated } = await scene();
    await inTransaction(async (transaction) => {
      await countUp(transaction, 'a', 1);
      if (repeated.length === 0) await transaction.run(run(OVERTAKEN));
    });
    expect(repeated.map(codeOf)).toEqual(['40001']);
    expect(await thingsIn(address)).toBe('a 1 1,b 1 0');
  });
});
