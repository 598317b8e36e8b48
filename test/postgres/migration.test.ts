// An empty database gets its tables once; one of others, or of another pm, is left as it is.
import { describe, expect, onTestFinished, test } from 'vitest';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, connect } from '../../src/engine/store/postgres/connection.ts';
import { prepare, type Wanted } from '../../src/engine/store/postgres/migrate.ts';
import type { FileKind } from '../../src/engine/store/schema/versions.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';

/** These versions, each with what brings a server there from the one before. */
const kind = (
  first: number,
  ...steps: readonly (readonly [number: number, onServer: readonly string[]])[]
): FileKind => ({
  applicationID: 7,
  versions: [
    { number: first, sha256: `tables ${first}` },
    ...steps.map(([number, onServer]) => ({ number, sha256: `tables ${number}`, onServer })),
  ],
});
const WANTED = { kind: kind(2), statements: ['CREATE TABLE thing (ID integer)'] };

const TO_3 = ['ALTER TABLE thing ADD Name text', "UPDATE thing SET Name = 'of ' || ID"];
const TO_4 = ['ALTER TABLE thing ADD Rank integer', 'UPDATE thing SET Rank = ID + 1'];
/** Two versions later. */
const NEXT: Wanted = { ...WANTED, kind: kind(2, [3, TO_3], [4, TO_4]) };
const otherBuild: FileKind = { ...kind(2), versions: [{ number: 2, sha256: 'others' }] };

describe('the tables of a database on PostgreSQL', { tags: 'postgres' }, () => {
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

  test('are not made beside those of others on which the user has no rights', async () => {
    const address = await server().newDatabase();
    const lowly = 'GRANT CREATE ON SCHEMA public TO lowly';
    await onDatabase(address, `CREATE ROLE lowly LOGIN; CREATE TABLE theirs (ID integer); ${lowly}`);
    const connection = await opened(address.replace('//pm@', '//lowly@'));
    await refuses(prepare(connection, WANTED)).with('storage', 'the table theirs');
    expect(await tablesIn(address)).toEqual(['theirs']);
  });

  test.each([
    ['CREATE VIEW thing AS SELECT 1', 'a name that pm needs is taken there'],
    ["CREATE TYPE thing AS ENUM ('x')", 'a name that pm needs is taken there'],
  ])('are not made after %s', async (sql, why) => {
    const address = await server().newDatabase();
    await onDatabase(address, sql);
    await refuses(prepare(await opened(address), WANTED)).with('storage', why);
  });

  test('are not made where no schema is there for them', async () => {
    const address = await server().newDatabase();
    await onDatabase(address, `ALTER DATABASE ${address.split('/').at(-1)} SET search_path = nowhere`);
    await refuses(prepare(await opened(address), WANTED)).with('storage', 'has no schema for the tables');
  });

  test.each(['LATIN1', 'SQL_ASCII'])('are not made where texts are kept as %s', async (encoding) => {
    const made = `in_${encoding.toLowerCase()}`;
    const address = await server().newDatabase();
    await onDatabase(address, `CREATE DATABASE ${made} TEMPLATE template0 LOCALE 'C' ENCODING '${encoding}'`);
    const there = address.replace(/[^/]+$/, made);
    await refuses(prepare(await opened(there), WANTED)).with('storage', `as ${encoding}, and not as UTF8`);
    expect(await tablesIn(there)).toEqual([]);
  });

  test('are found where another process makes them while this one looks', async () => {
    const address = await server().newDatabase();
    const [connection, other] = [await opened(address), await opened(address)];
    let isFirst = true;
    const ask: Connection['ask'] = async (sql, params) => {
      if (!sql.includes('pg_class') || !isFirst) return connection.ask(sql, params);
      isFirst = false;
      await prepare(other, WANTED);
      return connection.ask(sql, params);
    };
    expect(await prepare({ ...connection, ask }, WANTED)).toBe(false);
    expect(isFirst).toBe(false);
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
      'is not a database of pm',
      'table orders',
      'createdb',
    );
    expect(await tablesIn(address)).toEqual(['orders']);
  });

  test.each<[string, FileKind, string, Wanted?]>([
    ['a newer pm', kind(3), 'made by a newer pm (its tables have version 3, this pm knows 2)'],
    ['a pm of before', kind(1), 'a pm that was never released (its tables have version 1, this pm reads 2 and newer)'],
    ['another older build', otherBuild, 'another build of pm: its tables are called version 2, as ours are', NEXT],
    ['another program that says so', { ...kind(2), applicationID: 8 }, 'is not a database of pm'],
    ['another build', otherBuild, 'another build of pm'],
  ])('of %s are refused', async (_, other, why, wanted = WANTED) => {
    const address = await server().newDatabase();
    await prepare(await opened(address), { ...WANTED, kind: other });
    await refuses(prepare(await opened(address), wanted)).with('storage', why);
  });

  /** A database with the tables of version 2. */
  const older = async (): Promise<string> => {
    const address = await server().newDatabase();
    await prepare(await opened(address), WANTED);
    await onDatabase(address, 'INSERT INTO thing VALUES (7)');
    return address;
  };

  test('of an older pm are changed step by step, and keep their rows', async () => {
    const address = await older();
    expect(await prepare(await opened(address), NEXT)).toBe(true);
    expect(await onDatabase(address, 'SELECT ID, Name, Rank FROM thing')).toEqual([[7, 'of 7', 8]]);
    expect(await onDatabase(address, 'SELECT Version, Sha256 FROM pm_database')).toEqual([[4, 'tables 4']]);
    expect(await prepare(await opened(address), NEXT)).toBe(false);
  });

  test('of an older pm are changed once by many that begin at the same time', async () => {
    const address = await older();
    const connections = await Promise.all(Array.from({ length: 8 }, () => opened(address)));
    const changed = await Promise.all(connections.map((connection) => prepare(connection, NEXT)));
    expect(changed.filter((one) => one)).toHaveLength(1);
    expect(await onDatabase(address, 'SELECT ID, Name, Rank FROM thing')).toEqual([[7, 'of 7', 8]]);
  });

  test('of an older pm are as they were where the server is killed in the middle, and are changed later', async () => {
    const address = await older();
    const slow = { ...NEXT, kind: kind(2, [3, TO_3], [4, [...TO_4, 'SELECT pg_sleep(60)']]) };
    const cut = refuses(prepare(await opened(address), slow)).with('unreachable');
    while ((await onDatabase(address, `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length === 0);
    server().kill();
    await cut;
    server().start();
    expect(await onDatabase(address, 'SELECT * FROM thing')).toEqual([[7]]);
    expect(await onDatabase(address, 'SELECT Version FROM pm_database')).toEqual([[2]]);
    expect(await prepare(await opened(address), NEXT)).toBe(true);
    expect(await onDatabase(address, 'SELECT ID, Name, Rank FROM thing')).toEqual([[7, 'of 7', 8]]);
  });

  test('of an older pm are as they were where a step fails', async () => {
    const address = await older();
    const broken = { ...NEXT, kind: kind(2, [3, TO_3], [4, ['ALTER TABLE nothing ADD Rank integer']]) };
    await expect(prepare(await opened(address), broken)).rejects.toThrow();
    expect(await onDatabase(address, 'SELECT * FROM thing')).toEqual([[7]]);
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
