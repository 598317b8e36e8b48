// The finder: what the engine finds in its store, a client finds in the lists of a service, record by record.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textsOf } from '../../src/cli/search/hit.ts';
import type { Session } from '../../src/contract/call.ts';
import { resources } from '../../src/contract/index.ts';
import { listAddresses, placeIn, takesDeleted } from '../../src/contract/record-address.ts';
import type { Resource, Row } from '../../src/contract/resource.ts';
import { type Seeded, seeded } from '../sites/seeded.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { OWNER } from '../support/engine.ts';
import { gathered } from '../support/job.ts';
import { inLong } from '../support/long.ts';

let site: Seeded | undefined;
let here: Session;
let there: Session;
const backend = () => {
  if (!site) throw new Error('no site is there yet');
  return site.engine.backend;
};
const { client } = usingClient('application/json', backend);

beforeAll(async () => {
  site = await seeded({ sample: 'small' });
  const credential = await credentialOn(backend());
  here = await backend().open({ user: OWNER });
  there = await client().open(credential);
});
afterAll(() => site?.engine.end());

const SOME = inLong(2, 5);
const listed = resources.filter((resource) => listAddresses(resource, 0).length > 0 && !resource.unstored);
const identity = ({ fields, identity: ends }: Resource, row: Row): string =>
  fields.ID ? String(row.ID) : ends.map((name) => row[name]).join();
/** A value that an archive keeps is told by that archive alone. */
const isListed = (row: Row): boolean => (row.ArchiveID ?? null) === null;

/** What was read of each session: nothing changes the site, and a client reads a list for each owner. */
const read = new Map<Session, Map<string, Promise<readonly Row[]>>>();

function every(session: Session, { name }: Resource, deleted: 0 | 2): Promise<readonly Row[]> {
  const known = read.get(session) ?? new Map<string, Promise<readonly Row[]>>();
  read.set(session, known);
  const key = `${name} ${deleted}`;
  const rows = known.get(key) ?? gathered(session.find.all(name, deleted)).then((all) => all.filter(isListed));
  known.set(key, rows);
  return rows;
}

const idsOf = async (session: Session, resource: Resource, deleted: 0 | 2): Promise<readonly string[]> =>
  (await every(session, resource, deleted)).map((row) => identity(resource, row)).sort();

describe.each(listed.map((resource) => [resource.command, resource] as const))('%s', (_command, resource) => {
  it('are all found', async () => {
    expect(await idsOf(there, resource, 0)).toEqual(await idsOf(here, resource, 0));
  });

  it('are found with those that are deleted, as far as the service shows them', async () => {
    const [shown, stored] = [await idsOf(there, resource, 2), await idsOf(here, resource, 2)];
    expect(stored).toEqual(expect.arrayContaining([...shown]));
    if (listAddresses(resource, 0).every(takesDeleted)) expect(shown).toEqual(stored);
    else expect(shown).toEqual(expect.arrayContaining([...(await idsOf(here, resource, 0))]));
  });

  it('are found one by one, by the ID in either case and what a list shows them by', async () => {
    for (const row of (await every(here, resource, 0)).slice(0, SOME)) {
      const id = resource.fields.ID ? { id: String(row.ID) } : {};
      const locator = { ...id, place: resource.fields.ID ? placeIn(resource, row) : row };
      const found = await here.find.record(resource.name, locator);
      expect(found).toMatchObject({ state: 'live', row: { ...(row.ID === undefined ? {} : { ID: row.ID }) } });
      expect(await there.find.record(resource.name, locator)).toEqual(found);
      const upper = Object.fromEntries(Object.entries(id).map(([name, value]) => [name, value.toUpperCase()]));
      expect(await here.find.record(resource.name, { ...locator, ...upper })).toEqual(found);
    }
  });

  it('are found by the members of their key', async () => {
    if (resource.key.length === 0) return;
    for (const row of (await every(here, resource, 0)).slice(0, SOME)) {
      const members = Object.fromEntries(resource.key.map((name) => [name, row[name] ?? null]));
      const ids = async (session: Session) =>
        (await session.find.byMembers(resource.name, members))?.map((one) => identity(resource, one)).sort();
      expect(await ids(here)).toContain(identity(resource, row));
      expect(await ids(there)).toEqual(await ids(here));
    }
  });

  it('are found by a piece of a text', async () => {
    const search = { fields: textsOf(resource), text: 'er', deleted: 0 } as const;
    const ids = async (session: Session) =>
      (await gathered(session.find.holding(resource.name, search))).map((row) => identity(resource, row)).sort();
    expect(await ids(there)).toEqual(await ids(here));
  });

  it('are found by their names', async () => {
    const [field] = resource.names;
    if (field === undefined) return;
    for (const row of (await every(here, resource, 0)).slice(0, SOME)) {
      const search = { within: placeOfOwner(resource, row) };
      const ids = async (session: Session) =>
        (await session.find.byName(resource.name, field, String(row[field]), search))?.map(({ ID }) => ID).sort();
      expect(await ids(here)).toContain(row.ID);
      expect(await ids(there)).toEqual(await ids(here));
    }
  });
});

/** What the address of a list needs. */
const placeOfOwner = (resource: Resource, row: Row): Row => {
  const names = listAddresses(resource, 0).flatMap(({ filled }) => filled.map(({ member }) => member));
  const known = [...names, ...('PeriodID' in resource.fields ? ['PeriodID'] : [])];
  return Object.fromEntries(known.flatMap((name) => (row[name] == null ? [] : [[name, row[name]]])));
};
