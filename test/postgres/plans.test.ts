// How PostgreSQL runs the statements of the store where a site has many records: by indexes, in their order, without a sort.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields, makeFirstSite } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, connect, type Params } from '../../src/engine/store/postgres/connection.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { onDatabase, POSTGRES_USER, usingPostgres } from '../support/postgres.ts';

/** What the store asks, to be asked again with EXPLAIN. */
const asked = vi.hoisted((): { readonly sql: string; readonly params: Params }[] => []);
vi.mock(import('../../src/engine/store/postgres/connection.ts'), async (original) => {
  const { connect: connected, ...rest } = await original();
  const listened = async (...to: Parameters<typeof connected>): Promise<Connection> => {
    const connection = await connected(...to);
    const ask: Connection['ask'] = (sql, params = []) => {
      asked.push({ sql, params });
      return connection.ask(sql, params);
    };
    return { ...connection, ask };
  };
  return { ...rest, connect: listened };
});

const MANY = 20_000;
const TABLES = { resources: storedResources, computed: computedFields };

/** A step of a plan, as the server writes it. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Step[];
}

describe(`a site of ${MANY} records on PostgreSQL`, { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  let store: Store | undefined;
  let [site, admin] = ['', ''];
  let plain: Connection | undefined;

  beforeAll(async () => {
    const address = addressOf(await server().newDatabase(), POSTGRES_USER, 'a test');
    const parts = { clock: () => new Date(), newID: () => crypto.randomUUID() };
    plain = await connect(address, () => undefined);
    const opened = await openPostgres({ address, password: () => undefined, ...TABLES }, async (empty) => {
      await makeFirstSite({ ...parts, store: empty }, { name: 'Test', admin: 'ada', global: true });
    });
    store = opened.store;
    const [person] = await store.find({ resource: 'individual', site: undefined, deleted: 2 });
    [site, admin] = [String(person?.SiteID), String(person?.ID)];
    await onDatabase(`postgres://${POSTGRES_USER}@127.0.0.1:${address.port}/${address.name}`, filling(site, admin));
  });
  afterAll(async () => {
    await store?.close();
    await plain?.close();
  });

  /** The steps by which what `work` asks reads a table without an index, or sorts more than a thousand rows. */
  async function faults(work: (store: Store) => Promise<unknown>): Promise<readonly string[]> {
    if (!store || !plain) throw new Error('the store is not open');
    asked.length = 0;
    await work(store);
    const toExplain = asked.splice(0).filter((one) => one.sql.startsWith('SELECT'));
    expect(toExplain).not.toEqual([]);
    const found: string[] = [];
    for (const { sql, params } of toExplain) {
      const { rows } = await plain.ask(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params);
      const [{ Plan }] = JSON.parse(String(rows[0]?.[0])) as [{ Plan: Step }];
      found.push(
        ...stepsOf(Plan)
          .filter(isFault)
          .map((step) => `${step['Node Type']} ${step['Relation Name']}: ${sql}`),
      );
    }
    return found;
  }

  it('gets a record, logs in and looks names up', async () => {
    const found = await faults(async (all) => {
      await all.get('accountability', site, 'thing 7');
      await all.find({ resource: 'accountability', site, ids: ['thing 7', 'thing 8'], deleted: 2 });
      await all.login('ada');
      const [several, people] = [['person 9', 'PERSON 10'], { resource: 'individual', deleted: 0 } as const];
      for (const where of [site, undefined]) {
        await all.find({ ...people, site: where, named: { UserName: 'person 9' } });
        await all.find({ ...people, site: where, namedAny: { field: 'UserName', texts: several }, ordered: true });
      }
      await all.isTaken(['accountability', 'individual', 'organization'], site, 'thing 7');
    });
    expect(found).toEqual([]);
  });

  it('lists a page of what one owner has, and of the whole site, in order', async () => {
    const ordered = { site, ordered: true, deleted: 0, limit: 50 } as const;
    const found = await faults(async (all) => {
      await all.find({ ...ordered, resource: 'accountability', equals: { AncestorID: admin } });
      await all.find({ ...ordered, resource: 'accountability', equals: { AncestorID: 'person 9' } });
      await all.find({ ...ordered, resource: 'individual' });
    });
    expect(found).toEqual([]);
  });

  it('reads the newest of its history, and that of one record', async () => {
    const found = await faults(async (all) => {
      await all.siteLines(site, undefined, 20);
      await all.lines(site, 'accountability', 'thing 7');
    });
    expect(found).toEqual([]);
  });
});

const A_FEW = 1_000;

const stepsOf = (step: Step): readonly Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const isFault = (step: Step): boolean =>
  (/^(?:Seq Scan|Sort|Hash)$/.test(step['Node Type']) && step['Actual Rows'] > A_FEW) ||
  (step['Node Type'] === 'Seq Scan' &&
    ['accountability', 'individual', 'individual_UserName', 'line'].includes(step['Relation Name'] ?? ''));

/** Half of the records are the administrator's, the others those of as many people. */
const filling = (site: string, admin: string): string => `
  INSERT INTO individual ("ID", "SiteID", "FirstName", "LastName", "UserName")
    SELECT 'person ' || n, '${site}', 'F', 'L' || n, 'person ' || n
    FROM generate_series(1, ${MANY}) AS n;
  INSERT INTO "individual_UserName" ("SiteID", "Held", "ID")
    SELECT '${site}', 'person ' || n, 'person ' || n FROM generate_series(1, ${MANY}) AS n;
  INSERT INTO accountability ("ID", "SiteID", "AncestorID", "Rank", "Name", "Name$")
    SELECT 'thing ' || n, '${site}', CASE n % 2 WHEN 0 THEN '${admin}' ELSE 'person ' || n END, n, 'N', 'n'
    FROM generate_series(1, ${MANY}) AS n;
  INSERT INTO line_name (Name) VALUES ('accountability');
  INSERT INTO line (Site, At, Caller, Resource, ID, What)
    SELECT site.Number, 0, caller.Number, resource.Number, 'thing ' || n, 1
    FROM generate_series(1, ${MANY}) AS n, line_name AS site, line_name AS caller, line_name AS resource
    WHERE site.Name = '${site}' AND caller.Name = '${admin}' AND resource.Name = 'accountability';
  ANALYZE`;
