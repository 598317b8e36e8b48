// How SQLite finds records: every statement that the store prepares is read as a query plan.
import type Database from 'better-sqlite3';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { ownersOf } from '../../src/contract/record-address.ts';
import type { Row } from '../../src/contract/resource.ts';
import type { Deleted, Query, Reader, RollupQuery, Source, Store } from '../../src/engine/store/port.ts';
import { sqliteSchema } from '../../src/engine/store/sqlite/dialect.ts';
import { driver, openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { accountability, individual, keep, newFile, opened, SITE, setDeleted } from './store-fixture.ts';

const tables = sqliteSchema(storedResources, {}).tables;
const FROM = '2026-01-01T00:00:00Z';
const TO = '2026-12-31T23:59:59Z';
const DELETED: readonly Deleted[] = [0, 1, 2];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs work on a fresh store and answers the plan of each of its statements, by its SQL. */
async function plansOf(work: (store: Store) => Promise<unknown>): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = await newFile();
  const store = await opened(file);
  const prepare = vi.spyOn(driver().prototype, 'prepare');
  await work(store);
  const statements = new Set(
    prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql)),
  );
  prepare.mockRestore();
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  return new Map([...statements].map((sql) => [sql, planOf(database, sql)]));
}

function planOf(database: Database.Database, sql: string): readonly string[] {
  const nulls = Array<null>(sql.split('?').length - 1).fill(null);
  const steps = database.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...nulls);
  return steps.map(({ detail }) => detail);
}

const isScan = (step: string): boolean => /^SCAN (?!json_each\b|params\b|CONSTANT ROW)/.test(step);
const isSearchBySite = (step: string): boolean => /\("?SiteID"?=\?\)/.test(step);
const isSort = (step: string): boolean => /USE TEMP B-TREE/.test(step);
const offending = (plans: ReadonlyMap<string, readonly string[]>, ...faults: readonly ((step: string) => boolean)[]) =>
  [...plans].filter(([, plan]) => plan.some((step) => faults.some((fault) => fault(step))));

const each = async (store: Reader, queries: readonly Query[]): Promise<void> => {
  for (const query of queries) await store.find(query);
};

it('reads and writes single records, side tables and cascades by their keys', async () => {
  const plans = await plansOf(async (store) => {
    await keep(store, { individual: [individual('ann')], accountability: [accountability('a', 'ann')] });
    await store.transaction(async (writer) => {
      await writer.update('accountability', SITE, 'a', { Name: 'b', Rank: 2 });
      await writer.addLines(SITE, [
        { at: 1, caller: 'ann', resource: 'accountability', id: 'a', what: 'create', before: undefined },
      ]);
      await writer.setPasswordHash(SITE, 'ann', 'hash');
      await writer.setPasswordHash(SITE, 'ann', undefined);
      for (const { name } of tables) {
        await writer.get(name, SITE, '1');
        await writer.nextID(name, SITE);
        await writer.owning(name, SITE, ['1']);
        for (const gone of [true, false]) await setDeleted(writer, name, '1', gone);
      }
      await writer.remove('accountability', SITE, ['a']);
    });
    await store.lines(SITE, 'accountability', 'a');
    await store.passwordHash(SITE, 'ann');
    await store.totals({ site: SITE, period: 1, from: FROM, to: TO });
  });
  expect(plans.size).toBeGreaterThan(2.5 * tables.length);
  expect(offending(plans, isScan, isSearchBySite, isSort)).toEqual([]);
});

it('cascades through every owner field by its index', async () => {
  const owned = tables.flatMap(({ name, resource }) =>
    ownersOf(resource).map(({ field, targets }) => ({ name, field, targets })),
  );
  const plans = await plansOf((store) =>
    store.transaction(async (writer) => {
      for (const { targets } of owned)
        for (const target of targets)
          await setDeleted(writer, target === 'principal' ? 'individual' : target, 'x', true);
    }),
  );
  const marked = [...plans.keys()].filter((sql) => sql.includes('SET "DeletedByRef"'));
  expect(marked).toHaveLength(new Set(owned.map(({ name }) => name)).size);
  expect(offending(plans, isScan, isSearchBySite)).toEqual([]);
});

it('lists what one owner has in order, without a sort', async () => {
  // Memberships stand in the order of others, which no index has.
  const ordered = tables.filter(({ orderNamed }) => orderNamed.length === 0);
  const queries = ordered.flatMap(({ name, resource }) =>
    ownersOf(resource).flatMap(({ field }) =>
      DELETED.flatMap((deleted) =>
        [undefined, 50].map((limit) => ({
          resource: name,
          site: SITE,
          equals: { [field]: 'x' },
          ordered: true,
          deleted,
          ...(limit === undefined ? {} : { limit }),
        })),
      ),
    ),
  );
  const plans = await plansOf((store) => each(store, queries));
  expect(plans.size).toBeGreaterThan(60);
  expect(offending(plans, isScan, isSearchBySite, isSort)).toEqual([]);
});

it('finds records by their names, and user names over all sites', async () => {
  const named = tables.flatMap(({ name, resource, columns, marks }) =>
    columns
      .filter(({ name: from }) => resource.names.includes(from))
      .flatMap(({ name: from }) =>
        DELETED.filter((deleted) => deleted !== 1 || marks.length > 0).map((deleted) => ({
          resource: name,
          site: SITE,
          named: { [from]: 'x' },
          deleted,
        })),
      ),
  );
  const everywhere: Query = { resource: 'individual', site: undefined, named: { UserName: 'x' }, deleted: 2 };
  const several: readonly Query[] = [SITE, undefined].flatMap((site) =>
    [false, true].map((ordered) => ({
      ...{ resource: 'individual', site, ordered, deleted: 0 },
      namedAny: { field: 'UserName', texts: ['x', 'y'] },
    })),
  );
  const plans = await plansOf(async (store) => {
    await each(store, [...named, everywhere, ...several]);
    await store.login('x');
  });
  expect(plans.size).toBeGreaterThan(2 * tables.length);
  expect(offending(plans, isScan, isSearchBySite)).toEqual([]);
});

it('finds records by the fields that the engine looks them up by', async () => {
  const lookups: readonly [string, Row][] = [
    ['individual', { UserID: 'x' }],
    ['individual', { IsAdmin: true }],
    ['organizationMember', { IndividualID: 'x', OrganizationID: 'y' }],
    ['organizationMember', { IndividualID: 'x', Primary: true }],
    ['permission', { RowID: 'x', PrincipalID: 'y', ChildType: null }],
    ['organization', { ParentID: null }],
    ['organizationMember', { ReportsToID: 'x' }],
    ['task', { Responsible: 'x' }],
  ];
  const plans = await plansOf((store) =>
    each(
      store,
      lookups.map(([resource, equals]) => ({ resource, site: SITE, equals, deleted: 0 })),
    ),
  );
  expect(plans.size).toBe(lookups.length);
  expect(offending(plans, isScan, isSearchBySite)).toEqual([]);
});

it('finds records within a time', async () => {
  const between = (resource: string, field: string, equals: Row): Query => ({
    resource,
    site: SITE,
    equals,
    between: { field, from: FROM, to: TO },
    deleted: 0,
    ordered: true,
  });
  const plans = await plansOf((store) =>
    each(store, [
      between('commitment', 'DueDate', { AncestorID: 'x' }),
      between('dialog', 'DialogDate', {}),
      between('metricValue', 'Date', { MetricID: 'x', ArchiveID: null }),
    ]),
  );
  expect(offending(plans, isScan, isSearchBySite, isSort)).toEqual([]);
});

const source = (resource: string, pick: string, equals: Row): Source => ({ resource, pick, equals });
const eitherOf = (resource: string, field: string, one: Source, other: Source): Query => ({
  resource,
  site: SITE,
  among: { field, sources: [one, other] },
  deleted: 0,
});

it('finds records named by other records without walking through the site', async () => {
  const among = (resource: string, field: string, other: string, pick: string, equals: Row): Query => ({
    resource,
    site: SITE,
    among: { field, sources: [source(other, pick, equals)] },
    deleted: 0,
  });
  const queries = [
    among('individual', 'ID', 'organizationMember', 'IndividualID', { OrganizationID: 'x' }),
    among('organization', 'ID', 'organizationMember', 'OrganizationID', { IndividualID: 'x' }),
    among('project', 'ID', 'teamMember', 'TaskID', { IndividualID: 'x' }),
    among('individual', 'ID', 'teamMember', 'IndividualID', { TaskID: 'x' }),
    among('indicator', 'BasicRoleID', 'basicRole', 'ID', { IndividualID: 'x' }),
    among('task', 'AncestorID', 'dialog', 'ID', { AncestorID: 'x' }),
    eitherOf('task', 'ID', source('task', 'ID', { Responsible: 'x' }), source('task', 'ID', { AncestorID: 'x' })),
    eitherOf('task', 'ID', source('task', 'ID', { AncestorID: 'x' }), source('task', 'ID', { ParentID: 'x' })),
    eitherOf('archive', 'ID', source('archive', 'ID', { ItemID: 'x' }), source('archive', 'ID', { AncestorID: 'x' })),
    eitherOf(
      'metric',
      'AncestorID',
      source('organizationMember', 'OrganizationID', { IndividualID: 'x' }),
      source('teamMember', 'TaskID', { IndividualID: 'x' }),
    ),
  ];
  const ordered = queries.flatMap((query) => [
    query,
    { ...query, ordered: true },
    { ...query, ordered: true, limit: 50 },
  ]);
  const plans = await plansOf((store) => each(store, ordered));
  expect(plans.size).toBe(ordered.length);
  expect(offending(plans, isScan, isSearchBySite)).toEqual([]);
});

it('walks through a site only where the whole site is asked for, and then in order', async () => {
  const sites = tables.filter(({ name }) =>
    ['individual', 'organization', 'project', 'dialog', 'period', 'color'].includes(name),
  );
  const plans = await plansOf((store) =>
    each(
      store,
      sites.map(({ name }) => ({ resource: name, site: SITE, deleted: 0, ordered: true, limit: 50 })),
    ),
  );
  expect(plans.size).toBe(sites.length);
  expect(offending(plans, isScan, isSort)).toEqual([]);
});

it('sums dashboards, and lists what they counted, from the few to what they own', async () => {
  const asked: RollupQuery = {
    site: SITE,
    scopes: ['x', 'y'],
    from: FROM,
    to: TO,
    now: TO,
    period: 1,
    thresholds: [60, 80, 100],
  };
  const commitments = ['organization commitments', 'department commitments', 'individual commitments'] as const;
  const projects = ['active projects', 'completed projects', 'active projects of departments'] as const;
  const metrics = ['below', 'min', 'meets', 'exceeds', '8020', '8020dept'] as const;
  const plans = await plansOf(async (store) => {
    for (const one of [asked, { ...asked, period: undefined }]) {
      await store.rollup(one);
      for (const what of [...commitments, ...projects]) await store.countedRecords(one, what);
      for (const kind of metrics) await store.gradedMetrics(one, kind);
    }
  });
  // The parameters, the scopes, their parts and what is found of those are read whole, or by an index in memory; no table is.
  const ofTable = (step: string): boolean =>
    isScan(step) && !/^SCAN (params|unit|part|owner|talked|json_each)\b/.test(step);
  const isIndexed = (step: string): boolean => step.includes('AUTOMATIC') && !/^SEARCH measured\b/.test(step);
  expect(plans.size).toBeGreaterThan(10);
  expect(offending(plans, ofTable, isSearchBySite, isIndexed)).toEqual([]);
});
