// What goes wrong with a server while records are written: nothing is lost, and nothing is there twice. In killed.test.ts it
// is killed at random.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../../src/engine/index.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres, type PostgresOptions } from '../../src/engine/store/postgres/store.ts';
import { openServer } from '../../src/server/index.ts';
import { usingGround } from '../faults/ground.ts';
import { credentialOn } from '../support/backends.ts';
import { OWNER } from '../support/engine.ts';
import { type CommandResult, type Member, pmIn, type Setting } from '../support/pm.ts';
import { onDatabase, POSTGRES_USER, usingPostgres } from '../support/postgres.ts';
import { refuses } from '../support/refuses.ts';
import { PM, spawned } from '../support/terminal.ts';

const RESTARTS = 2;
const ROWS = 2_000;
const ground = usingGround();

describe('an import into PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const commandsOn = (address: string) => {
    const pm = pmIn(() => ground.root);
    return (line: string, setting: Setting = {}) => pm(line, { ...setting, env: { PM_DATABASE: address } });
  };
  /** How often each of the colors is there that were sent. */
  const made = async (address: string): Promise<ReadonlyMap<string, number>> =>
    new Map(
      (await onDatabase(address, `SELECT "Name", count(*) FROM "color" WHERE "Name" LIKE 'new %' GROUP BY 1`)).map(
        ([name, count]) => [String(name), Number(count)],
      ),
    );

  /** Waits until the job is in the journal, whose rows are written next. */
  const begun = async (address: string): Promise<void> => {
    while ((await onDatabase(address, `SELECT 1 FROM job WHERE State = 'running'`)).length === 0) await pause(10);
  };

  it('by four processes into one site leaves exactly the rows that they sent', async () => {
    const address = await server().newDatabase();
    await commandsOn(address)('individuals list');
    const each = 4;
    const file = ground.colors(ROWS / each);
    const running = Array.from({ length: each }, (_, at) => {
      // What is there already, and the same file that is given twice at once, is refused.
      const own = `${file}-${at}.csv`;
      writeFileSync(own, readFileSync(file, 'utf8').replaceAll('new ', `new ${at} `));
      return spawned(process.execPath, [PM, 'import', 'colors', own, '-y', '--mode', 'create'], ground.root, '', {
        PM_DATABASE: address,
      });
    });
    const ended = await Promise.all(running);
    expect(ended.map(({ exit, err }) => (exit === 0 ? 0 : err))).toEqual([0, 0, 0, 0]);
    const counts = [...(await made(address)).values()];
    expect(counts).toEqual(Array.from({ length: ROWS }, () => 1));
    const ids = await onDatabase(address, 'SELECT count(*), count(DISTINCT "ID") FROM "color"');
    expect(new Set(ids[0]).size).toBe(1);
  });

  it(`while the server is killed and started again, ${RESTARTS} times, loses nothing and doubles nothing`, async () => {
    const address = await server().newDatabase();
    const there = commandsOn(address);
    await there('individuals list');
    const file = ground.colors(ROWS);
    const importing = there(`import colors ${file} -y`);
    let isOver = false;
    void importing.finally(() => (isOver = true));
    for (let restart = 0; restart < RESTARTS && !isOver; restart++) {
      if (restart === 0) await begun(address);
      else await pause(Math.random() * 500);
      server().kill();
      await pause(Math.random() * 300);
      server().start();
    }
    await settled(there, await importing);
    const counts = await made(address);
    expect(counts.size).toBe(ROWS);
    expect([...counts.values()].filter((count) => count !== 1)).toEqual([]);
    const [job] = await there('jobs list -o json').rows();
    expect(job).toMatchObject({ State: 'ended', Done: ROWS });
  });

  it('that the server leaves says at once that it waits for it, gives up after --timeout, and is resumed later', async () => {
    const address = await server().newDatabase();
    const there = commandsOn(address);
    await there('individuals list');
    const importing = there(`import colors ${ground.colors(ROWS)} -y --timeout 3`);
    await begun(address);
    server().kill();
    const { exit, err } = await importing;
    expect(err).toMatch(/(?:cannot be reached|connection was cut).*\. Waiting for it/);
    expect(err).toMatch(/error: .*(?:cannot be reached|connection was cut|not known whether)/);
    expect(exit).not.toBe(0);
    server().start();
    await settled(there, { exit, err, out: '' });
    expect((await made(address)).size).toBe(ROWS);
  });
});

/** Resumes the newest job until it has ended. */
async function settled(there: (line: string) => ReturnType<ReturnType<typeof pmIn>>, result: CommandResult) {
  let { exit, err } = result;
  for (let tries = 0; exit !== 0 && tries < 5; tries++) {
    const [job]: readonly (Member | undefined)[] = await there('jobs list -o json').rows();
    if (!job) throw new Error(`no job is there: ${err}`);
    ({ exit, err } = await there(`jobs resume ${String(job.ID)} -y`));
  }
  expect({ exit, err }).toMatchObject({ exit: 0 });
}

describe('a server whose connections are all in use', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  it('answers 503 with Retry-After, and goes on when one is free again', async () => {
    const address = addressOf(await server().newDatabase(), POSTGRES_USER, 'a test');
    const parts = { clock: () => new Date(), newID: () => crypto.randomUUID() };
    const pools: PostgresOptions['pools'] = { readers: 1, writers: 1, lists: 1, waitMs: 100 };
    const options = { address, pools, password: () => undefined, resources: storedResources, computed: computedFields };
    const { store } = await openPostgres(options, async (empty) => {
      await makeFirstSite({ ...parts, store: empty }, { name: 'Test', admin: OWNER, global: true });
    });
    const backend = openEngine({ ...parts, store, owner: OWNER });
    const served = await openServer({ backend, ...parts, log: () => undefined });
    onTestFinished(async () => {
      await served.close();
      await backend.close();
    });
    const { login, password } = await credentialOn(backend);
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const get = () => fetch(`${served.url}/v4/me`, { headers: { authorization, accept: 'application/json' } });
    expect((await get()).status).toBe(200);
    await store.snapshot(async (reader) => {
      await reader.find({ resource: 'site', site: undefined, deleted: 0 });
      await refuses(store.find({ resource: 'site', site: undefined, deleted: 0 })).with('overloaded', 'no connection');
      const answer = await get();
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.text()).toContain('too much to do');
    });
    expect((await get()).status).toBe(200);
  });
});
