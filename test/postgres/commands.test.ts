// The command line on a database of a PostgreSQL server: what it does there is what it does on a file.
import { describe, expect, it } from 'vitest';
import { makeCertificates } from '../support/certificates.ts';
import { type CommandResult, type Setting, usingPm } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';

const pm = usingPm();

/** Commands on one database. */
const on =
  (address: string, env = {}) =>
  (line: string | readonly string[], setting: Setting = {}) =>
    pm(line, { ...setting, env: { PM_DATABASE: address, ...env, ...setting.env } });

describe('pm on a database of PostgreSQL', { tags: 'postgres' }, () => {
  const { server, newSite } = usingPostgres();

  it('makes the tables and a first site in an empty one, and says so once', async () => {
    const address = await server().newDatabase();
    const there = on(address);
    await there('doctor').prints(`${address} is empty: it has no tables yet`, 'makes them, and a first site');
    expect(await onDatabase(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    await there('individuals list').says(`Made ${address}: a new site; the user name of its administrator is admin.`);
    expect((await there('individuals list')).err).toBe('');
    await there('doctor').prints(`${address} can be used; its tables have version`, 'its server 1');
    await there('whoami').prints('database', 'admin');
  });

  it('prints commands on a plan that run there', async () => {
    const address = await newSite();
    const stdin = 'Name,Rank,Code\nCoral,7,ff7f50\n';
    const run = new RegExp(`pm (apply c\\.plan --expect [0-9a-f]{64} --database ${address})\\n`);
    const made = await pm(`plan colors - --out c.plan --database ${address}`, { stdin }).says(run);
    await pm('apply c.plan --yes').fails(7, `Or run it there: --database ${address}`);
    const shown = `plan show c.plan --database ${address}`;
    for (const line of [shown, 'plan show c.plan']) await pm(line).says(run);
    await pm(`${run.exec(made.err)?.[1]} --yes`).prints('ended');
  });

  it('makes nothing in an empty one with -n, and says what it would be', async () => {
    const address = await server().newDatabase();
    const there = on(address);
    await there('colors create --name Coral --rank 7 --code ff7f50 -n').says(
      `no tables in ${address}`,
      'a dry run makes none',
    );
    await there('seed --sample small -n').says(`no tables in ${address}`);
    expect(await onDatabase(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    await there('individuals list').says(`Made ${address}`);
    await there('colors create --name Coral --rank 7 --code ff7f50 -n').prints('Coral');
    expect(await there('colors list').prints()).not.toContain('Coral');
  });

  it('ends where it has read the first records of a long list, and needs no more', async () => {
    const address = await newSite();
    const there = on(address);
    const colors = Array.from({ length: 501 }, (_, at) => `Color ${at},${at},ff7f50\n`);
    await there('import colors - --mode create --yes', { stdin: ['Name,Rank,Code\n', ...colors].join('') });
    await there('colors list --fields Nonsense').fails(2, 'no field "Nonsense"');
    await there('colors list --where "Nonsense = 1"').fails(2, 'Nonsense');
    await there('colors create --name New --set Nonsense=1').fails(2, 'Nonsense');
    // A process with an open connection would not end.
    const connections = 'SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()';
    await expect.poll(() => onDatabase(address, connections)).toEqual([[1]]);
  });

  it('makes one first site where many begin at the same time', async () => {
    const there = on(await server().newDatabase());
    const begun = await Promise.all(Array.from({ length: 4 }, () => there('sites list --ids -o json')));
    const sites = new Set(begun.map(({ out }) => out));
    expect(begun.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    expect(begun.filter(({ err }) => err.includes('Made'))).toHaveLength(1);
    expect(sites.size).toBe(1);
  });

  it('changes records, keeps their history, and takes a job back', async () => {
    const there = on(await newSite());
    await there('seed --sample small').says('60');
    await there('colors create --name Coral --rank 7 --code ff7f50').prints('Coral');
    await there('colors update Coral --rank 8').prints('8');
    await there('history color Coral').prints('Rank', '7');
    await there('log').prints('Coral');
    await there('undo').says('1');
    await there('colors get Coral -o json').prints('"Rank": 7');
    const [person] = await there(`individuals list -o json --where "UserName != 'admin'"`).rows();
    const user = String(person?.UserName);
    await there(`individuals delete ${user} -y`);
    await there(`individuals show ${user}`).fails(6, 'deleted');
    await there(`individuals undelete ${user}`);
    await there('individuals list').prints(user);
    await there('dashboards show admin').prints('');
    await there('find coral').prints('Coral');
    await there('departments tree').prints('');
  });

  it('imports a file, and answers what it holds', async () => {
    const there = on(await newSite());
    const rows = Array.from({ length: 1_200 }, (_, i) => `${i + 10},new ${i},00ff00`);
    const stdin = ['Rank,Name,Code', ...rows].join('\n');
    const before = await there('colors list -o json').rows();
    await there('import colors - -y', { stdin }).says('1 200');
    expect(await there('colors list -o json').rows()).toHaveLength(before.length + 1_200);
    await there('jobs list').prints('1200');
    await there('undo -y').says('1 200');
    expect(await there('colors list -o json').rows()).toEqual(before);
  });

  it('names the database again in what it tells to do next, where a flag named it', async () => {
    const address = await newSite();
    const stdin = 'Rank,Name,Code\n10,Coral,ff7f50\n11,Teal,008080';
    await pm(`import colors - -y --database ${address}`, { stdin }).says(/pm undo \w+ --database postgres:/);
    await pm('individuals list -p local').prints('admin');
  });

  it('asks for a password where the server does, and never shows it', async () => {
    const address = await newSite();
    await server().wantPassword('cor:rect');
    const results: readonly CommandResult[] = [
      await on(address, { PGPASSWORD: 'cor:rect' })('individuals list'),
      await on(address, { PGPASSWORD: 'wrong' })('individuals list').fails(10, 'refuses the login', 'PGPASSWORD'),
      await on(address, { PGPASSWORD: 'cor:rect' })('config list --origin'),
    ];
    for (const { out, err } of results) expect(out + err).not.toMatch(/cor:rect|wrong/);
  });

  it('wants TLS where the address does', async () => {
    const { authority, good } = makeCertificates();
    server().put('server.crt', good.cert);
    server().put('server.key', good.key);
    server().configure(['ssl = on']);
    const root = server().put('ca.pem', authority);
    const address = `${await newSite()}?sslmode=verify-full&sslrootcert=${root}`;
    await on(address, { PGPASSWORD: 'cor:rect' })('individuals list').prints('admin');
  });
});

describe('a database of PostgreSQL', { tags: 'postgres' }, () => {
  const { server, newSite } = usingPostgres();

  it('that does not exist, is not ours or of a newer pm is named with what to do', async () => {
    const address = await server().newDatabase();
    await on(address.replace(/\w+$/, 'other'))('individuals list').fails(10, 'other does not exist', 'createdb');
    await onDatabase(address, 'CREATE TABLE orders (ID integer)');
    await on(address)('individuals list').fails(10, 'is not a database of pm', 'table orders');
    await on(address)('doctor').fails(11, '');
    const newer = await server().newDatabase();
    await on(newer)('individuals list');
    await onDatabase(newer, 'UPDATE pm_database SET Version = 99');
    await on(newer)('individuals list').fails(
      10,
      'made by a newer pm',
      'version 99',
      'Install the newest pm',
      'No copy of before lies there',
    );
    await onDatabase(newer, 'UPDATE pm_database SET Version = -1');
    await on(newer)('individuals list').fails(10, 'a pm that was never released', 'createdb');
  });

  it('that is read-only can be read, and says why it cannot be written', async () => {
    const address = await newSite();
    const there = on(address);
    await there('colors create --name Coral --rank 7 --code ff7f50');
    await onDatabase(address, `ALTER DATABASE ${address.split('/').at(-1)} SET default_transaction_read_only = on`);
    await there('colors list').prints('Coral');
    await there('colors create --name Teal --rank 8 --code 008080').fails(10, 'it is read-only there', 'standby');
    expect(await there('colors list').prints()).not.toContain('Teal');
    await there('doctor').prints('cannot be written: it is read-only there', 'standby');
  });

  it('whose role may not write, or make tables, is told so by the doctor', async () => {
    const address = await newSite();
    const empty = await server().newDatabase();
    const role = `guest_${address.split('/').at(-1)}`;
    await onDatabase(address, `CREATE ROLE ${role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const asGuest = (there: string) => on(there.replace('pm@', `${role}@`));
    await asGuest(address)('doctor').prints('does not let this user do that', 'GRANT');
    await asGuest(empty)('doctor').prints('does not let this user do that', 'OWNER TO');
  });

  it('that cannot be reached is named, and nothing is changed', async () => {
    const address = await newSite();
    server().kill();
    await on(address)('colors create --name Coral --rank 7 --code ff7f50').fails(8, 'cannot be reached', 'pg_isready');
    server().start();
    expect(await on(address)('colors list').prints()).not.toContain('Coral');
  });
});
