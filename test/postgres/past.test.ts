// The past of a site on a server is exact, also where two programs write in it at the same time: see test/laws/past.test.ts.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { TABLES } from '../../src/cli/backup/sides.ts';
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { makeFirstSite, openEngine } from '../../src/engine/index.ts';
import { openServerSource } from '../../src/engine/store/clone/on-server.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { cutClone } from '../support/cut-clone.ts';
import { OWNER } from '../support/engine.ts';
import { inLong } from '../support/long.ts';
import { differences, type Standing, standing, stood } from '../support/past.ts';
import { POSTGRES_USER, usingPostgres } from '../support/postgres.ts';
import { changeRandomly } from '../support/random-site.ts';
import { siteOn, type TestSite } from '../support/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'pm-past-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROUNDS = inLong(2, 10);
const ACTIONS = inLong(15, 25);

describe('a site on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  const at = (text: string) => ({ address: addressOf(text, POSTGRES_USER, 'a test'), password: () => undefined });

  /** A program that writes in the database. */
  async function program(text: string): Promise<TestSite> {
    let now = new Date('2026-05-13T09:00:00Z');
    const parts = { clock: () => now, newID: () => randomUUID() };
    const birth = { name: 'Test', admin: OWNER, global: true };
    const { store } = await openPostgres(
      { ...at(text), ...TABLES },
      async (one) => void (await makeFirstSite({ ...parts, store: one }, birth)),
    );
    const backend = openEngine({ ...parts, store, owner: OWNER });
    onTestFinished(() => backend.close());
    const setClock = (moment: Date): void => {
      now = moment;
    };
    return siteOn({ backend, store, file: text, setClock, end: () => backend.close() });
  }

  it('is as it was at any time, although two programs wrote in it', async () => {
    const text = await server().newDatabase();
    const writers = [await program(text), await program(text)];
    const site = writers[0]?.id ?? '';
    const taken: Standing[] = [];
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const both = writers.map((one, which) => changeRandomly(one, round * 10 + which + 1, ACTIONS));
      for (const count of await Promise.all(both)) accepted += count;
      const copy = join(folder, `round-${round}.db`);
      await cutClone({ from: text, to: copy, home: folder });
      taken.push(standing(copy, site));
    }
    expect(accepted).toBeGreaterThan(ROUNDS * ACTIONS * 0.4);
    for (const then of taken) {
      const source = await openServerSource({ ...at(text), place: text }, TABLES);
      expect(differences(then, await stood(source, site, then.line))).toEqual([]);
    }
  });

  it('is opened by its administrator, to be read', async () => {
    const site = await program(await server().newDatabase());
    site.at('2026-05-14');
    await site.ada.change('organization', site.organization, { Name: 'Renamed' });
    const past = await site.ada.session.local?.past({ at: Date.parse('2026-05-13T12:00:00Z') });
    onTestFinished(() => past?.close());
    const get = (session: Session) =>
      session.call(contract.organization.operations.get, { params: { id: site.organization } });
    expect(await get(past?.session as Session)).toMatchObject({ Name: 'Test' });
    expect(await get(site.ada.session)).toMatchObject({ Name: 'Renamed' });
  });
});
