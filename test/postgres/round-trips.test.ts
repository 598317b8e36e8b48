// How often a server is asked: each statement is a round trip, so a list must not ask for each of its records.
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import type { Writer } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, connect } from '../../src/engine/store/postgres/connection.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { individual, SITE } from '../engine/store-fixture.ts';
import { usingPm } from '../support/pm.ts';
import { usingPostgres, whyNoPostgres } from '../support/postgres.ts';

const pm = usingPm();

describe.skipIf(whyNoPostgres)(`a command on PostgreSQL ${whyNoPostgres ?? ''}`, () => {
  const { server } = usingPostgres();

  it('asks for a list of people as often as for a part of it', async () => {
    const env = { PM_DATABASE: await server().newDatabase() };
    await pm('seed --sample small -y', { env });
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

  it('writes a user name together with its individual', async () => {
    const address = addressOf(await server().newDatabase(), 'pm', '--database');
    const connection = await connect(address, () => undefined);
    onTestFinished(() => connection.close());
    let trips = 0;
    const counting = async (): Promise<Connection> => ({
      ...connection,
      close: async () => undefined,
      ask(sql, params) {
        trips++;
        return connection.ask(sql, params);
      },
      exec(sql) {
        trips++;
        return connection.exec(sql);
      },
    });
    const options = { address, password: () => undefined, resources: storedResources, computed: {} };
    const { store } = await openPostgres({ ...options, connectOnly: counting });
    onTestFinished(() => store.close());
    const tripsOf = async (work: (writer: Writer) => Promise<unknown>): Promise<number> => {
      const before = trips;
      await store.transaction(work);
      return trips - before;
    };
    const made = await tripsOf((writer) => writer.insert('color', { SiteID: SITE, ID: 1, Name: 'red' }));
    expect(await tripsOf((writer) => writer.insert('individual', individual('ann')))).toBe(made);
    expect(await tripsOf((writer) => writer.insertMany('individual', [individual('bob')]))).toBe(made);
    const changed = await tripsOf((writer) => writer.update('individual', SITE, 'ann', { FirstName: 'Ann' }));
    const renamed = await tripsOf((writer) => writer.update('individual', SITE, 'ann', { UserName: 'anna' }));
    expect(renamed).toBe(changed + 1);
  });
});
