// What is stored comes back as it was, found by the filters, the orders and the keys of the document.
import { expect, it, onTestFinished } from 'vitest';
import { UniqueViolation } from '../../src/engine/store/port.ts';
import { instantKey } from '../../src/engine/store/sql/rows.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { textKey } from '../../src/text/text-key.ts';
import { accountability, all, ids, individual, keep, newFile, newStore, opened, SITE } from './store-fixture.ts';

const ANN = individual('ann');

it('gives back every kind of value as it was written, in the order of the contract', async () => {
  const store = await newStore();
  const period = { ID: 7, SiteID: SITE, StartDate: '2026-01-01T00:00:00+05:30', EndDate: '2026-03-31T00:00:00+05:30' };
  const site = {
    ID: SITE,
    Name: 'Ännchen',
    FeatureApi: true,
    FeatureProject: false,
    Logo: 'AAEC',
    SiteID: SITE,
    Others: '{"x":1}',
  };
  const project = {
    SiteID: SITE,
    ID: 'p',
    HoursActual: 1.5,
    HoursProjected: 2,
    EndDateActual: '2026-02-03',
    TreeKey: '0001',
  };
  await keep(store, { site: [site], period: [period], project: [project] });
  expect(await store.get('site', SITE, SITE)).toMatchObject({
    ...site,
    Comment: null,
    FeatureUpload: null,
    Deleted: false,
  });
  expect(await store.get('period', SITE, '7')).toMatchObject(period);
  expect(await store.get('project', SITE, 'p')).toMatchObject({ ...project, Deleted: false, DeletedByRef: false });
  const names = Object.keys((await store.get('period', SITE, '7')) ?? {});
  expect(names.slice(0, 4)).toEqual(['ID', 'SiteID', 'StartDate', 'EndDate']);
});

it('never answers a password or the keys it compares by', async () => {
  const store = await newStore();
  await keep(store, { individual: [individual('ann', { Password: 'secret' })] });
  const names = Object.keys((await store.get('individual', SITE, 'ann')) ?? {});
  expect(names).not.toContain('Password');
  expect(names.filter((name) => name.includes('$'))).toEqual([]);
});

it('orders by rank, then by the key of the name, then by ID, and stops at the limit', async () => {
  const store = await newStore();
  const item = (id: string, Rank: number, Name: string) => accountability(id, 'ann', { Rank, Name });
  const records = [
    item('5', 2, 'a'),
    item('2', 1, 'Beta'),
    item('1', 1, 'beta'),
    item('3', 1, 'alpha'),
    item('4', 1, 'ﬁne'),
  ];
  await keep(store, { individual: [ANN], accountability: records });
  const query = all('accountability', { equals: { AncestorID: 'ann' }, ordered: true });
  expect(await ids(store, query)).toEqual(['3', '1', '2', '4', '5']);
  expect(await ids(store, { ...query, limit: 2 })).toEqual(['3', '1']);
});

it('finds names in any case and width, in one site or in all', async () => {
  const store = await newStore();
  await keep(store, { individual: [individual('ann', { UserName: 'Ann@Ｘ' })] });
  const named = { UserName: 'aNN@x' };
  expect(await ids(store, all('individual', { named }))).toEqual(['ann']);
  expect(await ids(store, all('individual', { named, site: undefined }))).toEqual(['ann']);
  expect(await ids(store, all('individual', { named, site: 'other' }))).toEqual([]);
});

it('finds records that others name, and nulls', async () => {
  const store = await newStore();
  await keep(store, {
    organization: [{ SiteID: SITE, ID: 'o', Name: 'o', ParentID: null }],
    individual: [ANN, individual('bob'), individual('cid')],
    organizationMember: ['cid', 'ann'].map((id) => ({
      SiteID: SITE,
      ID: `${id} in o`,
      IndividualID: id,
      OrganizationID: 'o',
    })),
  });
  const inO = { resource: 'organizationMember', pick: 'IndividualID', equals: { OrganizationID: 'o' } };
  const among = { field: 'ID', sources: [inO] };
  expect(await ids(store, all('individual', { among, ordered: true }))).toEqual(['ann', 'cid']);
  expect(await ids(store, all('organization', { equals: { ParentID: null } }))).toEqual(['o']);
});

it('says which members clash', async () => {
  const store = await newStore();
  const right = { SiteID: SITE, RowID: 'r', PrincipalID: 'p', ChildType: null };
  const entry = { SiteID: SITE, ID: 'r/d', BasicRoleID: null, DialogID: null };
  await keep(store, { individual: [ANN], permission: [{ ...right, ID: '1' }], basicRoleDialog: [entry] });
  const clash = async (resource: string, row: Parameters<typeof individual>[1]) => {
    const error: unknown = await keep(store, { [resource]: [row ?? {}] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UniqueViolation);
    return (error as UniqueViolation).fields;
  };
  expect(await clash('individual', individual('ann', { UserName: 'other' }))).toEqual(['ID']);
  expect(await clash('individual', individual('bob', { UserName: 'ANN', SiteID: 'other' }))).toEqual(['UserName']);
  expect(await clash('permission', { ...right, ID: '2' })).toEqual(['RowID', 'PrincipalID', 'ChildType']);
  expect(await clash('basicRoleDialog', entry)).toEqual(['BasicRoleID', 'DialogID']);
});

it('refuses a record that names another one of no such ID, and keeps nothing of it', async () => {
  const store = await newStore();
  await expect(keep(store, { accountability: [accountability('a', 'nobody')] })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await store.find(all('accountability'))).toEqual([]);
});

it('changes the members it is given and no others', async () => {
  const store = await newStore();
  await keep(store, { individual: [ANN], accountability: [accountability('a', 'ann', { Name: 'Old', Rank: 3 })] });
  await store.transaction((writer) => writer.update('accountability', SITE, 'a', { Name: 'New', Unknown: 1 }));
  expect(await store.get('accountability', SITE, 'a')).toMatchObject({ Name: 'New', Rank: 3, AncestorID: 'ann' });
  expect(await ids(store, all('accountability', { named: { Name: 'new' } }))).toEqual(['a']);
});

it('counts integer IDs up for each resource and site, and never gives one twice', async () => {
  const file = await newFile();
  const first = await opened(file);
  const next = (store: typeof first, resource: string, site: string) =>
    store.transaction((writer) => writer.nextID(resource, site));
  expect([await next(first, 'color', SITE), await next(first, 'color', SITE)]).toEqual([1, 2]);
  expect([await next(first, 'color', 'other'), await next(first, 'phase', SITE)]).toEqual([1, 1]);
  await first.close();
  expect(await next(await opened(file), 'color', SITE)).toBe(3);
});

it('keeps the past of a record in the order it was written', async () => {
  const store = await newStore();
  const line = (what: 'create' | 'update', at: number, before: { Name: string } | undefined) =>
    ({ at, caller: 'ann', resource: 'color', id: '1', what, before }) as const;
  await store.transaction(async (writer) => {
    await writer.addLines(SITE, [line('create', 2, undefined), line('update', 1, { Name: 'red' })]);
    await writer.addLines('other', [line('create', 2, undefined)]);
  });
  const past = await store.lines(SITE, 'color', '1');
  expect(past.map(({ what, before }) => [what, before])).toEqual([
    ['create', undefined],
    ['update', { Name: 'red' }],
  ]);
  expect(past.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

it('keeps a secret, replaces it and forgets it', async () => {
  const store = await newStore();
  const set = (hash: string | undefined) => store.transaction((writer) => writer.setPasswordHash(SITE, 'ann', hash));
  await set('one');
  await set('two');
  expect(await store.passwordHash(SITE, 'ann')).toBe('two');
  await set(undefined);
  expect(await store.passwordHash(SITE, 'ann')).toBeUndefined();
});

it('finds somebody who has a password and is not deleted', async () => {
  const store = await newStore();
  await keep(store, { individual: [ANN, individual('bob', { Deleted: true }), individual('eve')] });
  expect(await store.userWithPassword(SITE)).toBeUndefined();
  const set = (id: string) => store.transaction((writer) => writer.setPasswordHash(SITE, id, 'hash'));
  await set('bob');
  expect(await store.userWithPassword(SITE)).toBeUndefined();
  await set('eve');
  expect(await store.userWithPassword(SITE)).toBe('eve');
});

it('counts the live records of each owner', async () => {
  const store = await newStore();
  const records = [
    accountability('1', 'ann'),
    accountability('2', 'ann'),
    accountability('3', 'bob', { Deleted: true }),
  ];
  await keep(store, { individual: [ANN, individual('bob')], accountability: records });
  expect(await store.count('accountability', SITE, 'AncestorID')).toEqual(new Map([['ann', 2]]));
});

it('counts what falls into a time', async () => {
  const store = await newStore();
  const commitment = (ID: number, PeriodID: number, DeletedByRef = false) => ({
    SiteID: SITE,
    ID,
    AncestorID: 'ann',
    DueDate: '2026-01-01T00:00:00Z',
    PeriodID,
    DeletedByRef,
  });
  const project = (ID: string, more: object) => ({ SiteID: SITE, ID, ...more });
  await keep(store, {
    period: [1, 2].map((ID) => ({ SiteID: SITE, ID })),
    commitment: [commitment(1, 1), commitment(2, 1), commitment(3, 2), commitment(4, 1, true)],
    project: [
      project('under way', { StartDateActual: '2025-06-01' }),
      project('meant to begin', { StartDateProjected: '2026-03-31' }),
      project('begins later', { StartDateActual: '2026-04-01', StartDateProjected: '2026-01-01' }),
      project('over', { StartDateActual: '2025-06-01', EndDateActual: '2025-12-31' }),
      project('ends in it', { StartDateActual: '2025-06-01', EndDateActual: '2026-01-01' }),
      project('deleted', { StartDateActual: '2025-06-01', Deleted: true }),
      project('never begins', {}),
    ],
  });
  const quarter = await store.totals({
    site: SITE,
    period: 1,
    from: '2026-01-01T00:00:00Z',
    to: '2026-03-31T23:59:59Z',
  });
  expect(quarter).toEqual({ commitments: 2, projects: 3 });
});

it('lets go of the data when a list is left early', async () => {
  const file = await newFile();
  const store = await opened(file);
  const other = openDatabase(file, { timeout: 0 });
  onTestFinished(() => void other.close());
  const isHeld = () => other.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 1;
  await keep(store, { individual: [ANN, individual('bob')] });
  for await (const { ID } of store.iterate(all('individual', { ordered: true }))) {
    expect(ID).toBe('ann');
    await keep(store, { individual: [individual('cid')] });
    expect(isHeld()).toBe(true);
    break;
  }
  expect(isHeld()).toBe(false);
});

it('walks through several lists side by side, each with its own view', async () => {
  const store = await newStore();
  await keep(store, { individual: [ANN, individual('bob')] });
  const pairs: unknown[] = [];
  for await (const a of store.iterate(all('individual', { ordered: true }))) {
    for await (const b of store.iterate(all('individual', { ordered: true }))) pairs.push([a.ID, b.ID]);
  }
  expect(pairs).toEqual([
    ['ann', 'ann'],
    ['ann', 'bob'],
    ['bob', 'ann'],
    ['bob', 'bob'],
  ]);
});

it.each([
  ['2026-03-01', '2026-03-01T00:00:00.0000000'],
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.0000000'],
  ['2026-03-01T12:00:00.1234567+02:00', '2026-03-01T10:00:00.1234567'],
  ['2026-03-01T00:00:00.5+14:00', '2026-02-28T10:00:00.5000000'],
  ['0000-01-01T00:00:00+01:00', '0000-01-01T00:00:00.0000000'],
  ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.9999999'],
])('compares %s as %s', (date, key) => {
  expect(instantKey(date)).toBe(key);
});

it('compares texts by their compatible, lower-case form', () => {
  expect(['Ａnn', 'ANN', 'ﬁ', '\u00c5', 'A\u030a'].map(textKey)).toEqual(['ann', 'ann', 'fi', '\u00e5', '\u00e5']);
});
