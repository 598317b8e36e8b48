// An empty database gets its tables once; one of others, or of another pm, is left as it is.
import { describe, expect, onTestFinished, test } from 'vitest';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, connect } from '../../src/engine/store/postgres/connection.ts';
import { prepare } from '../../src/engine/store/postgres/migrate.ts';
import type { FileKind } from '../../src/engine/store/schema/versions.ts';
import { onDatabase, usingPostgres, whyNoPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';

const kind = (...numbers: readonly number[]): FileKind => ({
  applicationID: 7,
  versions: numbers.map((number) => ({ number, sha256: `tables ${number}` })),
});
const WANTED = { kind: kind(1, 2), statements: ['CREATE TABLE thing (ID integer)'] };

describe.skipIf(whyNoPostgres)(`the tables of a database on PostgreSQL ${whyNoPostgres ?? ''}`, () => {
  const { server } = usingPostgres();
  const opened = async (address: string): Promise<Connection> => {
    const connection = await connect(addressOf(address, 'pm', '--database'), () => undefined);
    onTestFinished(() => connection.close());
    return connection;
  };
  const tablesIn = async (address: string): Promise<readonly unknown[]> =>
    (await onDatabase(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).flat();

  test('are made in an empty one, and left as they are afterwards', async () => {
    const address = await server().newDatabase();
    expect(await prepare(await opened(address), WANTED)).toBe(true);
    expect(await tablesIn(address)).toEqual(['commit_marker', 'pm_database', 'site_writer', 'thing']);
    await onDatabase(address, 'INSERT INTO thing VALUES (1)');
    expect(await prepare(await opened(address), WANTED)).toBe(false);
    expect(await onDatabase(address, 'SELECT * FROM thing')).toEqual([[1]]);
  });

  test('are made once by many that begin at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const address = await server().newDatabase();
      const connections = await Promise.all(Array.from({ length: 8 }, () => opened(address)));
      const made = await Promise.all(connections.map((connection) => prepare(connection, WANTED)));
      expect(made.filter((one) => one)).toHaveLength(1);
    }
  });

  test('are made whole where the one that began was cut off', async () => {
    const address = await server().newDatabase();
    const broken = { ...WANTED, statements: [...WANTED.statements, 'CREATE TABLE thing (ID integer)'] };
    await expect(prepare(await opened(address), broken)).rejects.toThrow();
    expect(await tablesIn(address)).toEqual(['pm_database']);
    expect(await prepare(await opened(address), WANTED)).toBe(true);
  });

  test('of another program are not touched', async () => {
    const address = await server().newDatabase();
    await onDatabase(address, 'CREATE TABLE orders (ID integer)');
    await refuses(prepare(await opened(address), WANTED)).with(
      'storage',
      'not one of ours',
      'table orders',
      'createdb',
    );
    expect(await tablesIn(address)).toEqual(['orders']);
  });

  test.each([
    ['a newer pm', kind(1, 2, 3), 'made by a newer pm (its tables have version 3, this pm knows 2)'],
    ['an older pm', kind(1), 'made by an older pm (its tables have version 1, this pm makes 2)'],
    ['another program that says so', { ...kind(1, 2), applicationID: 8 }, 'not one of ours'],
    ['another build', { ...kind(2), versions: [{ number: 2, sha256: 'others' }] }, 'another build of pm'],
  ])('of %s are refused', async (_, other, why) => {
    const address = await server().newDatabase();
    await prepare(await opened(address), { ...WANTED, kind: other });
    await refuses(prepare(await opened(address), WANTED)).with('storage', why);
  });

  test('can be used by who may only read them', async () => {
    const address = await server().newDatabase();
    await prepare(await opened(address), WANTED);
    const reader = await opened(address);
    await reader.exec('SET default_transaction_read_only = on');
    expect(await prepare(reader, WANTED)).toBe(false);
  });

  test('are not made by who may only read', async () => {
    const reader = await opened(await server().newDatabase());
    await reader.exec('SET default_transaction_read_only = on');
    await refuses(prepare(reader, WANTED)).with('storage', 'read-only');
  });
});
