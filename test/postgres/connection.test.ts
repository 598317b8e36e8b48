// Connections to a real server: what values become, how statements are numbered, and how a failure is told.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, connect, LIMITS, type Limits } from '../../src/engine/store/postgres/connection.ts';
import { passwordFor } from '../../src/engine/store/postgres/passwords.ts';
import { poolOf, withConnection } from '../../src/engine/store/postgres/pool.ts';
import { makeCertificates } from '../support/certificates.ts';
import { onDatabase, startPostgres, usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';

const opened = async (address: string, env = {}, limits: Partial<Limits> = {}): Promise<Connection> => {
  const read = addressOf(address, 'pm', '--database');
  const connection = await connect(read, () => passwordFor(read, { HOME: '/nowhere', ...env }), {
    ...LIMITS,
    ...limits,
  });
  onTestFinished(() => connection.close());
  return connection;
};

/** The address of something that listens as a server does. */
async function listening(talk: (socket: Socket) => void): Promise<string> {
  const server = createServer(talk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `postgres://pm@127.0.0.1:${(server.address() as AddressInfo).port}/people`;
}

/** The login is taken without a password, and a statement may come. */
const LET_IN = Buffer.from([...'R\0\0\0\x08\0\0\0\0', ...'Z\0\0\0\x05I'].map((one) => one.charCodeAt(0)));

/** The names of what a client says at its login. */
const namesIn = (packet: Buffer): readonly string[] =>
  packet
    .toString('latin1', 8)
    .split('\0')
    .filter((_, index) => index % 2 === 0)
    .filter(Boolean);

describe('a connection to PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  test('answers rows as lists, numbers as numbers, and truth as 0 and 1', async () => {
    const connection = await opened(await server().newDatabase());
    const { rows, count } = await connection.ask(
      "SELECT 1::bigint, count(*), sum(2::bigint), 1.5::double precision, 'x', NULL, true, 1 > 2",
    );
    expect(rows).toEqual([[1, 1, 2, 1.5, 'x', null, 1, 0]]);
    expect(count).toBe(1);
  });

  test('numbers the placeholders of a statement, and none in a quoted text or name', async () => {
    const connection = await opened(await server().newDatabase());
    const sql = `SELECT ?::int + 0, 'a?''?' AS "b?", ?::text`;
    for (const once of [1, 2]) expect((await connection.ask(sql, [once, '?'])).rows).toEqual([[once, "a?'?", '?']]);
  });

  test('answers the rows that a statement has changed', async () => {
    const connection = await opened(await server().newDatabase());
    await connection.exec('CREATE TABLE t (ID integer PRIMARY KEY)');
    expect(await connection.ask('INSERT INTO t VALUES (?), (?)', [1, 2])).toMatchObject({ count: 2, did: 'INSERT' });
    expect(await connection.ask('UPDATE t SET ID = 3 WHERE ID = ?', [7])).toMatchObject({ count: 0 });
  });

  test('says that a database does not exist', async () => {
    const address = (await server().newDatabase()).replace(/\w+$/, 'other');
    await refuses(opened(address)).with('storage', 'postgres://pm@127.0.0.1:', '/other does not exist', 'createdb');
  });

  test('says that the server does not run', async () => {
    const address = await server().newDatabase();
    server().kill();
    await refuses(opened(address)).with('unreachable', 'cannot be reached', 'pg_isready');
    server().start();
  });

  test('says nothing at the login that a pooler in between would not take', async () => {
    const said: string[] = [];
    const address = await listening((socket) =>
      socket.once('data', (packet) => {
        said.push(...namesIn(packet));
        socket.end();
      }),
    );
    await refuses(opened(address)).with('unreachable');
    expect(said).toEqual(['user', 'database', 'application_name', 'client_encoding']);
  });

  test('says that a pooler took the login, and has no connection for it', async () => {
    const address = await listening((socket) => socket.once('data', () => socket.write(LET_IN)));
    const connection = await opened(address, {}, { connectMs: 100 });
    const asked = [connection.ask('SELECT 1'), connection.ask('SELECT 2')];
    for (const one of asked) await refuses(one).with('overloaded', 'no more connections', 'free in time');
    expect(connection.isLost()).toBe(true);
  });

  test('gives its statements names that no other connection gives, so that a pooler never runs another one', async () => {
    const address = await server().newDatabase();
    const names = async (): Promise<unknown> => {
      const connection = await opened(address);
      await connection.ask('SELECT 1');
      return (await connection.exec('SELECT name FROM pg_prepared_statements')).rows[0]?.[0];
    };
    const [first, second] = [await names(), await names()];
    expect(first).toMatch(/^pm_/);
    expect(second).not.toBe(first);
  });

  test('says that a pooler gives its connection to others between two statements', async () => {
    const connection = await opened(await server().newDatabase());
    const asked = () => connection.ask('SELECT 1');
    await asked();
    await connection.exec('DEALLOCATE ALL');
    await refuses(asked()).with('storage', 'pooler', 'pool_mode = session');
  });

  test('says that a server does not answer in time', async () => {
    const address = await listening(() => undefined);
    await refuses(opened(address, {}, { connectMs: 100 })).with('unreachable', 'does not answer');
  });

  test('says that the server has no TLS where the address wants it', async () => {
    const address = await server().newDatabase();
    await refuses(opened(`${address}?sslmode=verify-full`)).with('storage', 'without TLS', 'sslmode=disable');
  });

  test('ends a statement that takes too long', async () => {
    const connection = await opened(await server().newDatabase(), {}, { statementMs: 100 });
    await refuses(connection.ask('SELECT pg_sleep(10)')).with('busy', 'did not answer in time');
    expect((await connection.ask('SELECT 1')).rows).toEqual([[1]]);
  });

  test('says that the database is read-only', async () => {
    const address = await server().newDatabase();
    await onDatabase(address, 'CREATE TABLE t (ID integer)');
    const connection = await opened(address);
    await connection.exec('SET default_transaction_read_only = on');
    await refuses(connection.ask('INSERT INTO t VALUES (1)')).with('storage', 'read-only', 'standby');
  });

  test('says that the user may not do something', async () => {
    const address = await server().newDatabase();
    await onDatabase(address, 'CREATE TABLE t (ID integer); CREATE ROLE guest LOGIN');
    const connection = await opened(address.replace('pm@', 'guest@'));
    await refuses(connection.ask('SELECT * FROM t')).with('storage', 'does not let this user');
  });

  test('says that a text holds a character that no database there keeps, and not where the database is', async () => {
    const connection = await opened(await server().newDatabase());
    const error: unknown = await connection.ask('SELECT ?::text', ['a\0b']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'invalid',
      message: 'a text holds the character U+0000, which the database cannot keep',
    });
  });

  test('looks a record of a grown table up by its key, also where the server chose otherwise for the empty one', async () => {
    const connection = await opened(await server().newDatabase());
    const pool = poolOf(async () => connection, { most: 1, waitMs: 1_000 });
    await connection.exec(`CREATE TABLE t (Site text, ID text, Name text, PRIMARY KEY (Site, ID)) WITH (autovacuum_enabled = false);
      ANALYZE t`);
    const look = () => connection.ask('SELECT Name FROM t WHERE Site = ? AND ID = ?', ['a', '1']);
    const plan = async (): Promise<string> => {
      const { rows } = await connection.exec(
        "SELECT name FROM pg_prepared_statements WHERE statement LIKE 'SELECT Name%'",
      );
      return String((await connection.exec(`EXPLAIN EXECUTE "${rows[0]?.[0]}" ('a', '1')`)).rows);
    };
    for (let count = 0; count < 10; count++) await look();
    expect(await plan()).toContain('Seq Scan');
    await connection.exec("INSERT INTO t SELECT 'a', n::text, 'x' FROM generate_series(1, 5000) AS n");
    expect(await plan()).toContain('Seq Scan');
    await withConnection(pool, () => Promise.all(Array.from({ length: 1_000 }, look)));
    expect(await plan()).toContain('t_pkey');
  });

  test('is lost where the server is killed', async () => {
    const connection = await opened(await server().newDatabase());
    const asked = refuses(connection.ask('SELECT pg_sleep(10)')).with('unreachable');
    server().kill();
    await asked;
    expect(connection.isLost()).toBe(true);
    server().start();
  });
});

describe('the password of a user of PostgreSQL', { tags: 'postgres' }, () => {
  test('comes from PGPASSWORD, from the file of PGPASSFILE, or from that of the address', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.end());
    const address = await server.newDatabase();
    await server.wantPassword('cor:rect');
    const file = join(server.folder, 'passwords');
    writeFileSync(file, `127.0.0.1:1:*:*:wrong\n127.0.0.1:${server.port}:*:pm:cor\\:rect\n`, { mode: 0o600 });
    await opened(address, { PGPASSWORD: 'cor:rect' });
    await opened(address, { PGPASSFILE: file });
    await opened(`${address}?passfile=${file}`, { PGPASSWORD: 'other' });
    await refuses(opened(address, { PGPASSWORD: 'wrong' })).with('storage', 'refuses the login', 'PGPASSFILE');
    await refuses(opened(address)).with('storage', 'refuses the login');
  });
});

describe('TLS to PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const { authority, good, wrongName, expired } = makeCertificates();
  const serving = async ({ cert, key } = good): Promise<string> => {
    server().put('server.crt', cert);
    server().put('server.key', key);
    server().configure(['ssl = on']);
    return `${await server().newDatabase()}?sslrootcert=${server().put('ca.pem', authority)}`;
  };

  test('proves the server by its authority and its name', async () => {
    const connection = await opened(`${await serving()}&sslmode=verify-full`);
    const { rows } = await connection.ask('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    expect(rows).toEqual([[1]]);
  });

  test('refuses a server with another name, unless its authority alone is asked for', async () => {
    const address = await serving(wrongName);
    await refuses(opened(`${address}&sslmode=require`)).with(
      'storage',
      'certificate is not trusted for its name',
      'sslrootcert',
    );
    await opened(`${address}&sslmode=verify-ca`);
  });

  test('refuses a certificate that has expired, and one of an unknown authority', async () => {
    await refuses(opened(`${await serving(expired)}&sslmode=verify-ca`)).with(
      'storage',
      'certificate is not trusted for its name',
    );
    const [address] = (await serving()).split('?');
    await refuses(opened(`${address}?sslmode=verify-ca`)).with('storage', 'certificate is not trusted for its name');
  });

  test('needs the file of authorities that the address names', async () => {
    const address = await server().newDatabase();
    await refuses(opened(`${address}?sslmode=require&sslrootcert=/nowhere.pem`)).with('storage', '/nowhere.pem');
  });
});
