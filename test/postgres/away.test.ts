// A server that has gone away is waited for by all work together: it is told once, and given up together.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { patienceOf } from '../../src/engine/store/postgres/again.ts';
import { one } from '../../src/engine/store/sql/steps.ts';
import { usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { addThing, makeThings, openThings, thingsIn } from './fixture.ts';

describe('a PostgreSQL server that has gone away', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  test('is waited for until it is there again, which is told once', async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    const told: unknown[] = [];
    const { inTransaction } = openThings(address, { patience: patienceOf(60_000, (failure) => told.push(failure)) });
    await inTransaction((transaction) => addThing(transaction, 'a', 1));
    server().kill();
    const waiting = [2, 3, 4].map((id) => inTransaction((transaction) => addThing(transaction, 'a', id)));
    while (told.length === 0) await pause(10);
    server().start();
    await Promise.all(waiting);
    expect(await thingsIn(address)).toBe('a 1 0,a 2 0,a 3 0,a 4 0');
    expect(String(told)).toMatch(/cannot be reached|connection was cut/);
    expect(told).toHaveLength(1);
    server().kill();
    const again = inTransaction((transaction) => addThing(transaction, 'a', 5));
    while (told.length === 1) await pause(10);
    server().start();
    await again;
  });

  test('is not waited for twice by one transaction', async () => {
    const address = await server().newDatabase();
    await makeThings(address);
    let tries = 0;
    const { found, lost } = patienceOf(0);
    const patience = { found, lost: (failure: unknown) => ++tries > 0 && lost(failure) };
    const { inTransaction } = openThings(address, { patience });
    server().kill();
    await refuses(inTransaction((transaction) => transaction.run(one('SELECT 1')))).with('unreachable');
    server().start();
    // One at the beginning, and one of the whole.
    expect(tries).toBe(2);
    await inTransaction((transaction) => transaction.run(one('SELECT 1')));
  });
});
