// A database on a server gets its table of user names: its rows stay, it is changed once, and a pm of before writes nothing more.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { DATABASE, newestOf } from '../../src/engine/store/schema/versions.ts';
import { fixture } from '../support/database-text.ts';
import { usingPm } from '../support/pm.ts';
import { onDatabase, POSTGRES_USER, usingPostgres } from '../support/postgres.ts';
import { PM } from '../support/terminal.ts';
import { expectUserNames } from '../support/user-names.ts';

const pm = usingPm();
const NAMES = ['admin', 'gone', 'jörg.x', "o'neill", 'second', 'strasse'];

/** As a pm of version 5 writes: its turn in the site, and then the record. */
const TURN_OF_5 = `INSERT INTO site_writer (SiteID, Number) VALUES ('s', 1)
  ON CONFLICT (SiteID) DO UPDATE SET Number = site_writer.Number + 1`;
const INSERT_OF_5 = `INSERT INTO "individual" ("ID", "SiteID", "UserName", "UserName$") VALUES ('late', 's', 'Late', 'late')`;

const TABLES = `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
  WHERE table_schema = 'public' ORDER BY 1, 2`;
const INDEXES = `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;

describe('a database of version 5 on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  /** A database as a pm of version 5 has left it. */
  async function older(): Promise<string> {
    const address = await server().newDatabase();
    await onDatabase(address, readFileSync(fixture('version-5/server.sql'), 'utf8'));
    return address;
  }

  const upgrades: string[] = [];
  async function opened(address: string): Promise<Store> {
    const { store } = await openPostgres({
      address: addressOf(address, POSTGRES_USER, 'a test'),
      password: () => undefined,
      resources: storedResources,
      computed: computedFields,
      onUpgraded: (from, to) => void upgrades.push(`${from} to ${to}`),
    });
    onTestFinished(() => store.close());
    return store;
  }

  /** A connection of a process that goes on beside. */
  async function beside(address: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  it('gets the tables of a new one, and keeps its rows', async () => {
    const [address, fresh] = [await older(), await server().newDatabase()];
    const columns = '"ID", "SiteID", "UserName", "FullName$", "Deleted"';
    const before = await onDatabase(address, `SELECT ${columns} FROM "individual" ORDER BY 1`);
    await Promise.all([opened(address), opened(fresh)]);
    for (const sql of [TABLES, INDEXES]) expect(await onDatabase(address, sql)).toEqual(await onDatabase(fresh, sql));
    expect(await onDatabase(address, `SELECT ${columns} FROM "individual" ORDER BY 1`)).toEqual(before);
    const { number, sha256 } = newestOf(DATABASE);
    expect(await onDatabase(address, 'SELECT Version, Sha256 FROM pm_database')).toEqual([[number, sha256]]);
    expect(await expectUserNames(address)).toEqual(NAMES);
  });

  it('is changed once by many that begin at the same time', async () => {
    const address = await older();
    upgrades.length = 0;
    const stores = await Promise.all([1, 2, 3, 4].map(() => opened(address)));
    expect(upgrades).toEqual(['5 to 6']);
    for (const store of stores) expect((await store.login('jÖRG.x'))?.individual.FirstName).toBe('Jörg');
  });

  it('is told of by one command of several processes, takes logins, and no name twice', async () => {
    const address = await older();
    const env = { PM_DATABASE: address };
    const doctor = JSON.stringify(await pm('doctor -o json', { env }).rows());
    expect(doctor).toContain('is of an older pm: its tables have version 5, this pm makes 6');
    const said = await Promise.all([1, 2].map(() => saidBy(['individuals', 'list'], env)));
    expect(said.join('').match(/^Brought the tables of .*$/gm)).toEqual([
      expect.stringMatching(
        /^Brought the tables of \S+ from version 5 to 6: an older pm writes nothing there any more\.$/,
      ),
    ]);
    await pm('individuals update admin --user-name Strasse', { env }).fails(7, 'UserName', 'taken');
    await pm('individuals update strasse --user-name Gone', { env }).fails(7, 'UserName');
    await pm('individuals update strasse --user-name ann', { env }).says('');
    expect(await expectUserNames(address)).toEqual(NAMES.map((name) => (name === 'strasse' ? 'ann' : name)).sort());
  });

  it('waits for what a pm of before is writing, and takes its names along', async () => {
    const address = await older();
    const writer = await beside(address);
    await writer.query(`BEGIN; ${TURN_OF_5}; ${INSERT_OF_5}`);
    const opening = opened(address);
    while ((await onDatabase(address, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length === 0);
    await writer.query('COMMIT');
    const store = await opening;
    expect((await store.login('LATE'))?.individual.ID).toBe('late');
    expect(await expectUserNames(address)).toEqual([...NAMES, 'late'].sort());
  });

  it('is not written any more by a pm of before that still runs, whatever it would write', async () => {
    const address = await older();
    const writer = await beside(address);
    await writer.query('SELECT 1 FROM "individual"');
    await opened(address);
    for (const sql of [TURN_OF_5, INSERT_OF_5, `UPDATE "individual" SET "UserName" = 'x', "UserName$" = 'x'`])
      await expect(writer.query(`BEGIN; ${sql}`).finally(() => writer.query('ROLLBACK'))).rejects.toThrow(
        'does not exist',
      );
    expect(await expectUserNames(address)).toEqual(NAMES);
  });
});

/** What a process of its own says on stderr. */
function saidBy(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PM, ...args], { env: { ...process.env, PM_HOME: pm.home, ...env } });
    let said = '';
    child.stderr.on('data', (part) => {
      said += String(part);
    });
    child.on('error', reject);
    child.on('close', () => resolve(said));
  });
}
