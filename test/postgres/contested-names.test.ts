// User names are unique in the whole database (D14): imports that give the same ones in two sites are in each other's way. The
// server takes one of them back where two wait for each other; it runs again, and each name is given once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { usingGround } from '../faults/ground.ts';
import { pmIn } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';

const ROWS = 30;
const HEADER = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
const AGAIN = /Transactions run again because of other programs: (\d+)/;
const ground = usingGround();

/** Two of each site; those of the other site begin at the other end. */
const ADMINS = ['admin', 'admin', 'bob', 'bob'];

describe('four imports that give the same user names', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  /** A database with two sites, each with a department of one name. */
  async function twoSites(): Promise<string> {
    const address = await server().newDatabase();
    const pm = pmIn(() => ground.root);
    const there = (line: string) => pm(line, { env: { PM_DATABASE: address } });
    await there('individuals list').prints('admin');
    await there('sites create Second --admin bob -y').prints('Second');
    for (const admin of new Set(ADMINS))
      await there(`departments create --name Hall --rank 1 --as ${admin}`).prints('Hall');
    return address;
  }

  /** A file for each import: the same file that is given twice at once is refused. */
  function fileOf(admin: string, at: number): string {
    const names = Array.from({ length: ROWS }, (_, at) => `same${at}`);
    const rows = (admin === 'bob' ? names.reverse() : names).map(
      (name) => `${name},F,L,${name}@example.com,Worker,Hall,${admin}`,
    );
    const file = join(ground.root, `${admin}-${at}.csv`);
    writeFileSync(file, [HEADER, ...rows, ''].join('\n'));
    return file;
  }

  /** Another client that holds the name in the middle, so that whoever comes from either end waits there. */
  async function holdingMiddle(address: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    const [site] = await onDatabase(address, 'SELECT "SiteID" FROM individual LIMIT 1');
    await client.query('BEGIN');
    const middle = `same${Math.floor(ROWS / 2)}`;
    await client.query('INSERT INTO "individual_UserName" ("Held", "SiteID", "ID") VALUES ($1, $2, $3)', [
      middle,
      site?.[0],
      'nobody',
    ]);
    return client;
  }

  const waiting = async (address: string): Promise<number> =>
    Number((await onDatabase(address, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))[0]?.[0]);

  it('give each once, and say how often they ran again', async () => {
    const address = await twoSites();
    const holder = await holdingMiddle(address);
    const running = ADMINS.map((admin, at) =>
      Promise.resolve(
        pmIn(ground.empty)(`import individuals ${fileOf(admin, at)} --mode create -y -o json --as ${admin}`, {
          env: { PM_DATABASE: address },
        }),
      ),
    );
    while ((await waiting(address)) < ADMINS.length) await pause(10);
    await holder.query('ROLLBACK');
    const ended = await Promise.all(running);
    const counts = ended.map(({ out }) => JSON.parse(out) as { readonly Done: number; readonly Failed: number });
    expect(counts.map(({ Done, Failed }) => Done + Failed)).toEqual([ROWS, ROWS, ROWS, ROWS]);
    expect(counts.reduce((sum, { Done }) => sum + Done, 0)).toBe(ROWS);
    expect(ended.map(({ exit }) => exit)).toEqual(counts.map(({ Done }) => (Done === ROWS ? 0 : Done === 0 ? 7 : 3)));
    const names = `SELECT count(*), count(DISTINCT "UserName") FROM individual WHERE "UserName" LIKE 'same%'`;
    expect((await onDatabase(address, names)).map((all) => all.map(Number))).toEqual([[ROWS, ROWS]]);
    expect(ended.reduce((sum, { err }) => sum + Number(AGAIN.exec(err)?.[1] ?? 0), 0)).toBeGreaterThan(0);
  });
});
