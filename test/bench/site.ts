// Sites to measure on: the engine on a file of its own, and records put straight into the store where there must be many.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../src/contract/call.ts';
import { contract, type ResourceName, storedResources } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { computedFields, makeFirstSite, openEngine } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';

export interface Site {
  /** The folder that PM_HOME may name. */
  readonly home: string;
  readonly file: string;
  /** The address of its database, where that is on a server; the file is not there then. */
  readonly database: string | undefined;
  /** By which a program of its own finds it. */
  readonly flags: readonly string[];
  readonly store: Store;
  readonly session: Session;
  /** The calls of somebody else. */
  as(user: string): Promise<Session>;
  readonly user: string;
  /** Closes the database; the file stays. */
  close(): Promise<void>;
  /** Closes it and deletes the folder. */
  end(): Promise<void>;
}

const USER = 'ada';
const NOW = '2026-01-01T00:00:00Z';
const PIECE = 10_000;

/** Makes a new site with one administrator, and opens it: in a file, or in an empty database on a server. */
export async function newSite(database?: string): Promise<Site> {
  const home = mkdtempSync(join(tmpdir(), 'pm-bench-'));
  const birth = { name: 'Bench', admin: USER, global: true };
  const make = async (store: Store): Promise<void> => void (await makeFirstSite({ ...PARTS, store }, birth));
  if (database === undefined) await createSqlite(optionsIn(home), make);
  else await (await openPostgres(optionsAt(database), make)).store.close();
  return openSite(home, database);
}

/** Opens a site anew, so that nothing is remembered of how it was filled. */
export async function reopened(site: Site): Promise<Site> {
  await site.close();
  return openSite(site.home, site.database);
}

const PARTS = { clock: () => new Date(), newID: randomUUID };
const TABLES = { resources: storedResources, computed: computedFields };
const optionsIn = (home: string) => ({ file: join(home, 'local.db'), ...TABLES });
const optionsAt = (database: string) => ({
  ...{ address: addressOf(database, USER, 'a benchmark'), password: () => undefined, ...TABLES },
});

async function openSite(home: string, database: string | undefined): Promise<Site> {
  const options = optionsIn(home);
  const store = database === undefined ? await openSqlite(options) : (await openPostgres(optionsAt(database))).store;
  const backend = openEngine({ ...PARTS, store, owner: USER });
  return {
    home,
    file: options.file,
    database,
    flags: database === undefined ? [] : ['--database', database],
    store,
    session: await backend.open({ user: USER }),
    as: (user) => backend.open({ user }),
    user: USER,
    close: () => backend.close(),
    async end() {
      await backend.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Makes individuals by the rules; answers their IDs. */
export async function makeIndividuals(site: Site, count: number): Promise<readonly string[]> {
  const { session } = site;
  const me = await session.call(contract.individual.operations.get, { params: { id: session.me.id } });
  const made: string[] = [];
  await session.local?.transaction(async (inside) => {
    for (let n = 0; n < count; n++) {
      const row = await inside.call(contract.individual.operations.create, { body: individual(n, me) });
      made.push(String(row.ID));
    }
  });
  return made;
}

const individual = (n: number, boss: Row): Readonly<Record<string, unknown>> => ({
  IsAdmin: false,
  FirstName: `First${n}`,
  LastName: `Last${n}`,
  Email: `individual${n}@example.com`,
  UserEmail: `individual${n}@example.com`,
  PrimaryOrganizationID: boss.PrimaryOrganizationID,
  PrimaryTitle: `Engineer of line ${n % 40}`,
  PrimaryReportsTo: boss.ID,
  UserName: `individual${n}`,
});

/** The body of an accountability. */
export const accountability = (owner: string, n: number): Readonly<Record<string, unknown>> => ({
  AncestorID: owner,
  Rank: n % 1000,
  Name: `Keeps promise ${n} to the customers of the north`,
  Description: `Sees to it that what was promised in contract ${n} is delivered in time and as it was agreed.`,
});

/**
 * Puts copies of one record, which the engine made, straight into the store, each with an ID of its own and a line of
 * history. Answers their IDs.
 */
export async function fill(
  site: Site,
  resource: ResourceName,
  id: string,
  count: number,
  change: (n: number) => Row,
): Promise<readonly string[]> {
  const at = site.session.me.site;
  const sample = await site.store.get(resource, at, id);
  if (!sample) throw new Error(`there is no ${resource} ${id}`);
  const made = Array.from({ length: count }, () => randomUUID());
  for (let start = 0; start < count; start += PIECE) {
    const rows = made.slice(start, start + PIECE).map((one, i): Row => ({ ...sample, ID: one, ...change(start + i) }));
    await site.store.transaction(async (writer) => {
      await writer.insertMany(resource, rows);
      const line = { caller: site.session.me.id, resource, what: 'create', before: undefined } as const;
      // Some records keep no time of their own.
      await writer.addLines(
        at,
        rows.map(({ ID, Created }) => ({ ...line, at: Date.parse(String(Created ?? NOW)), id: String(ID) })),
      );
    });
  }
  return made;
}
