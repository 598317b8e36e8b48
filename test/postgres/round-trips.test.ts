// How often a server is asked: each statement is a round trip, so a list must not ask for each of its records.
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Input } from '../../src/contract/call.ts';
import { contract, storedResources } from '../../src/contract/index.ts';
import type { Writer } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { accountability, newSite } from '../bench/site.ts';
import { individual, SITE } from '../engine/store-fixture.ts';
import { usingPm } from '../support/pm.ts';
import { usingPostgres } from '../support/postgres.ts';

const pm = usingPm();
const PERSON = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryReportsTo,PrimaryOrganization';

describe('a command on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  it('asks for a list of people as often as for a part of it', async () => {
    const env = { PM_DATABASE: await server().newDatabase() };
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const made = async (command: string, ...lines: readonly string[]) =>
      (await pm(`import ${command} - -y`, { env, stdin: lines.join('\n') })).exit;
    expect([
      await made('departments', 'Name,Parent,Rank', ...numbers.map((n) => `D${n},Local,${n}`)),
      await made('individuals', PERSON, ...numbers.map((n) => `u${n},Ann,Lee,u${n}@x.example,Driver,admin,D${n}`)),
      await made('metrics', 'Name,Individual,Rank,Description', ...numbers.map((n) => `M${n},admin,${n},x`)),
    ]).toEqual([0, 0, 0]);
    const asked = async (line: string): Promise<number> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await pm(line, { env }).prints('');
      const { length } = query.mock.calls;
      query.mockRestore();
      return length;
    };
    for (const list of ['individuals list', 'departments list', 'metrics list --individual admin']) {
      const few = await asked(`${list} --limit 2 -o json`);
      expect(few, list).toBeGreaterThan(0);
      expect(await asked(`${list} -o json`), list).toBeLessThan(few + 8);
    }
  });

  it('waits three times where it makes a record: for its turn, for what is there, for the commit, with which it is written', async () => {
    const site = await newSite(await server().newDatabase());
    const { create } = contract.accountability.operations;
    const making = (n: number, ID?: string): Input => ({
      body: { ...accountability(site.session.me.id, n), ...(ID === undefined ? {} : { ID }) },
    });
    await site.session.call(create, making(1));
    expect(await waits(() => site.session.call(create, making(2)))).toBe(3);
    expect(await waits(() => site.session.call(create, making(3, crypto.randomUUID())))).toBe(3);
    await site.end();
  });

  it('writes a user name together with its individual', async () => {
    const address = addressOf(await server().newDatabase(), 'pm', '--database');
    const resources = storedResources;
    const { store } = await openPostgres({ address, password: () => undefined, resources, computed: {} });
    onTestFinished(() => store.close());
    const tripsOf = (work: (writer: Writer) => Promise<unknown>) => waits(() => store.transaction(work));
    const making = (ID: number) => (writer: Writer) =>
      writer.insertMany('color', [{ SiteID: SITE, ID, Name: `${ID}` }]);
    await tripsOf(making(1));
    const made = await tripsOf(making(2));
    expect(await tripsOf(async (writer) => writer.insert('individual', individual('ann')))).toBe(made);
    expect(await tripsOf((writer) => writer.insertMany('individual', [individual('bob')]))).toBe(made);
    const changed = await tripsOf((writer) => writer.update('individual', SITE, 'ann', { FirstName: 'Ann' }));
    const renamed = await tripsOf((writer) => writer.update('individual', SITE, 'ann', { UserName: 'anna' }));
    expect(renamed).toBe(changed + 1);
  });
});

/** How often something was sent while nothing else was under way. */
async function waits(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let [count, pending] = [0, 0];
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...asked: never[]) {
    if (pending++ === 0) count++;
    const answer: unknown = Reflect.apply(query, this, asked);
    void Promise.resolve(answer).finally(() => pending--);
    return answer;
  } as never);
  await work();
  spy.mockRestore();
  return count;
}
