// A database on a server is brought to a newer version: its rows stay, it is changed once, and an older pm writes nothing more.
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { DATABASE, newestOf } from '../../src/engine/store/schema/versions.ts';
import { rowsOf } from '../support/database-text.ts';
import { usingNextPm } from '../support/next-version.ts';
import { type CommandResult, type Member, usingPm, words } from '../support/pm.ts';
import { onDatabase, POSTGRES_USER, usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { spawned } from '../support/terminal.ts';
import { expectUserNames } from '../support/user-names.ts';
import { keptText } from '../support/versions.ts';

const pm = usingPm();
const [{ number: oldest, sha256 }] = DATABASE.versions;
const newest = newestOf(DATABASE).number;
const NAMES = ['admin', 'gone', 'jörg.x', 'second', 'strasse'];

const SHAPE = [
  `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name FROM information_schema.columns
  WHERE table_schema = 'public' ORDER BY 1, 2`,
  `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
  'SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0 ORDER BY 1, 2',
];

/** Tables that a file has for itself. */
const OF_FILES = /^INSERT INTO "(?:sqlite_sequence|schema_version)"/;

/** What a pm of the oldest version left in a database on a server: the rows of a file, and the counters of its sites. */
const OLDER = [
  'SET session_replication_role = replica',
  `CREATE TABLE pm_database (ID INTEGER PRIMARY KEY, Application BIGINT NOT NULL, Version INTEGER NOT NULL, Sha256 TEXT NOT NULL)`,
  `INSERT INTO pm_database VALUES (1, ${DATABASE.applicationID}, ${oldest}, '${sha256}')`,
  keptText('server', oldest),
  ...rowsOf('local')
    .split(/;\n(?=INSERT )/)
    .filter((statement) => !OF_FILES.test(statement))
    .map((statement) => statement.replace(/^INSERT INTO "(history|secret|counter|job\w*|token)"/, 'INSERT INTO $1')),
  ...['history', 'job'].map(
    (name) => `INSERT INTO counter SELECT SiteID, '${name}', max(Sequence) FROM ${name} GROUP BY SiteID`,
  ),
].join(';\n');

describe('a database of an older version on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const program = usingNextPm();

  async function older(): Promise<string> {
    const address = await server().newDatabase();
    await onDatabase(address, OLDER);
    return address;
  }

  /** A command of the next version. */
  const next = (address: string, line: string): Promise<CommandResult> =>
    spawned(process.execPath, [program(), ...words(line)], pm.home, '', { PM_DATABASE: address });

  async function opened(address: string): Promise<Store> {
    const { store } = await openPostgres({
      address: addressOf(address, POSTGRES_USER, 'a test'),
      password: () => undefined,
      resources: storedResources,
      computed: computedFields,
    });
    onTestFinished(() => store.close());
    return store;
  }

  async function expectSameTables(one: string, other: string): Promise<void> {
    for (const sql of SHAPE) expect(await onDatabase(one, sql)).toEqual(await onDatabase(other, sql));
  }

  it('gets the tables of a new one by the lines of the list', async () => {
    const [address, fresh] = [await older(), await server().newDatabase()];
    await Promise.all([opened(address), opened(fresh)]);
    await expectSameTables(address, fresh);
    expect(await expectUserNames(address)).toEqual(NAMES);
  });

  it('gets a new field by the line that is printed for it, which is then written and read, and keeps its rows', async () => {
    const [address, fresh] = [await older(), await server().newDatabase()];
    const rows = 'SELECT "ID", "SiteID", "UserName", "FullName$", "Deleted" FROM "individual" ORDER BY 1';
    const before = await onDatabase(address, rows);
    expect(await next(address, 'individuals update admin --phone 0123 --assistant strasse')).toMatchObject({ exit: 0 });
    expect(await onDatabase(address, rows)).toEqual(before);
    const { ID } = JSON.parse((await next(address, 'individuals get strasse -o json')).out) as Member;
    const admin = JSON.parse((await next(address, 'individuals get admin -o json')).out) as Member;
    expect(admin).toMatchObject({ Phone: '0123', AssistantID: ID });
    await next(fresh, 'individuals list');
    await expectSameTables(address, fresh);
    expect(await onDatabase(address, 'SELECT Version FROM pm_database')).toEqual([[newest + 1]]);
    await next(address, 'undo --yes');
    expect(JSON.parse((await next(address, 'individuals get admin -o json')).out)).toMatchObject({ Phone: null });
  });

  it('is told of by one command of several processes, and before by the doctor, which changes nothing', async () => {
    const address = await older();
    const { out } = await next(address, 'doctor -o json');
    expect(out).toContain(`is of an older pm: its tables have version ${oldest}, this pm makes ${newest + 1}`);
    const said = await Promise.all([1, 2].map(() => next(address, 'individuals list')));
    expect(
      said
        .map(({ err }) => err)
        .join('')
        .match(/^Brought the tables of .*$/gm),
    ).toEqual([
      expect.stringMatching(
        new RegExp(` from version ${oldest} to ${newest + 1}: an older pm writes nothing there any more\\.$`),
      ),
    ]);
    const made = `made by a newer pm (its tables have version ${newest + 1}, this pm knows ${newest})`;
    await pm('individuals list', { env: { PM_DATABASE: address } }).fails(10, made);
  });

  /** Gives somebody another user name; the transaction ends after what is done meanwhile. */
  const rename = (store: Store, UserName: string, meanwhile = async () => {}) =>
    store.transaction(async (writer) => {
      const { SiteID, ID } = (await writer.login('jörg.x'))?.individual ?? {};
      await writer.update('individual', String(SiteID), String(ID), { UserName });
      expect(await writer.get('individual', String(SiteID), String(ID))).toMatchObject({ UserName });
      await meanwhile();
    });

  it('waits for what an older pm is writing, and takes it along', async () => {
    const address = await older();
    let upgrade: Promise<CommandResult> | undefined;
    await rename(await opened(address), 'late', async () => {
      upgrade = next(address, 'individuals get late -o id');
      while ((await onDatabase(address, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length === 0);
    });
    expect(await upgrade).toMatchObject({ exit: 0 });
    expect(await expectUserNames(address)).toContain('late');
  });

  it('is not written any more by an older pm that still runs', async () => {
    const address = await older();
    const store = await opened(address);
    await rename(store, 'Jörg.X');
    await next(address, 'individuals list');
    await refuses(rename(store, 'late')).with('storage', 'other tables than this pm knows', 'Install the newest pm');
    expect(await expectUserNames(address)).toEqual(NAMES);
  });
});
