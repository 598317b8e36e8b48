// How a client finds records: by their own address, else in the lists that can show them; and what it cannot see.
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { type Handler, json, ME, says } from '../support/fake-server.ts';
import { aSession, rowsOf } from './client-session.ts';

/** More than a call takes as arguments. */
const MANY = 130_000;

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const OWNER = 'cccccccc-0000-4000-8000-000000000003';
const GONE = says(404, '{"code":"not_found"}');

/** A service that has these lists and records, by their paths, and nothing else. */
async function service(there: Readonly<Record<string, unknown>>) {
  const setup = await aSession();
  const answer: Handler = (request, response) => {
    const known = there[request.url.replace('/v4', '')];
    (known === undefined ? GONE : typeof known === 'function' ? (known as Handler) : json(known))(request, response);
  };
  setup.server.does(answer);
  const asked = () => setup.server.requests.map(({ method, url }) => `${method} ${url.replace('/v4', '')}`);
  return { find: setup.session.find, session: setup.session, asked };
}

describe('one record', () => {
  it('is read by its own address', async () => {
    const { find, asked } = await service({ [`/accountabilities/${A}`]: { ID: A, Name: 'Keep' } });
    expect(await find.record('accountability', { id: A })).toMatchObject({ state: 'live', row: { Name: 'Keep' } });
    expect(asked()).toEqual([`GET /accountabilities/${A}`]);
  });

  it('that is not there is absent, with what the service says of it', async () => {
    const { find } = await service({
      [`/individuals/${B}`]: says(404, '{"code":"deleted","detail":"ann is deleted"}'),
    });
    expect(await find.record('individual', { id: A })).toMatchObject({ state: 'absent', refusal: { exit: 6 } });
    const gone = await find.record('individual', { id: B });
    expect(gone).toMatchObject({ state: 'deleted', refusal: { code: 'deleted' } });
    expect(gone.row).toBeUndefined();
  });

  it('of a kind without an address stands in the list of its owner, whatever case the service writes', async () => {
    const row = { ID: A.toUpperCase(), AncestorID: OWNER.toUpperCase(), Body: 'Hello' };
    const { find, asked } = await service({ [`/departments/${OWNER}/comments`]: [row] });
    const place = { AncestorID: OWNER };
    expect(await find.record('comment', { id: A, place })).toMatchObject({ state: 'live', row: { Body: 'Hello' } });
    expect(await find.record('comment', { id: B, place })).toEqual({ state: 'absent' });
    expect(asked()).toEqual([`GET /departments/${OWNER}/comments`]);
  });

  it('is unseen where nobody names the owner whose list would show it, and nothing is asked', async () => {
    const { find, asked } = await service({});
    for (const ask of [undefined, 'listed', 'many', 'deleted'] as const)
      expect(await find.record('comment', { id: A }, ask)).toEqual({ state: 'unseen' });
    expect(asked()).toEqual([]);
  });

  it('that another one asks for at the same time is looked for in what is there already, whatever became of the other', async () => {
    const { server, session } = await aSession();
    const { find } = session;
    let meanwhile: Promise<unknown> | undefined;
    server.does((request, response) => {
      meanwhile ??= find.record('dialog', { id: B }, 'cached');
      setImmediate(() => GONE(request, response));
    });
    await find.record('dialog', { id: A, place: { AncestorID: OWNER } }, 'many');
    expect(await meanwhile).toEqual({ state: 'unseen' });
  });

  it('is unseen where no list answers: an owner of every kind may be meant', async () => {
    const { find, asked } = await service({});
    expect(await find.record('commitment', { id: '7', place: { AncestorID: OWNER, PeriodID: 1 } })).toEqual({
      state: 'unseen',
    });
    expect(asked()).toEqual([
      `GET /individuals/${OWNER}/commitments?period=1`,
      `GET /departments/${OWNER}/commitments?period=1`,
    ]);
  });

  it('of a membership is read by its two ends, unless another one stands there', async () => {
    const path = `/individuals/${A}/departments/${OWNER}/departmentmembers`;
    const { find } = await service({ [path]: { ID: B, Title: 'Chief' }, [`/individuals/${A}/departmentmembers`]: [] });
    const place = { IndividualID: A, OrganizationID: OWNER };
    expect(await find.record('organizationMember', { id: B, place })).toMatchObject({ row: { Title: 'Chief' } });
    expect(await find.record('organizationMember', { place })).toMatchObject({ row: { Title: 'Chief' } });
    expect(await find.record('organizationMember', { id: A, place })).toEqual({ state: 'absent' });
  });

  it('of a commitment is looked for in every period where none is named', async () => {
    const { find } = await service({
      [`/sites/${ME.SiteID}/periods`]: [{ ID: 1 }, { ID: 2 }],
      [`/individuals/${A}/commitments?period=1`]: [{ ID: 5 }],
      [`/individuals/${A}/commitments?period=2`]: [{ ID: 7, Name: 'Goal' }],
    });
    const found = await find.record('commitment', { id: '7', place: { AncestorID: A } });
    expect(found).toMatchObject({ state: 'live', row: { Name: 'Goal' } });
  });

  it('of a right stands in the list of its type of children; where that is not named, all of them are read', async () => {
    const rights = `/projects/${OWNER}/security`;
    const children = { [`${rights}/15`]: [], [`${rights}/16`]: [{ ID: A, ReadState: 1 }], [`${rights}/25`]: [] };
    const { find } = await service({ [rights]: [{ ID: B }], ...children });
    const record = (id: string, place: Row) => find.record('permission', { id, place: { RowID: OWNER, ...place } });
    for (const place of [{ ChildType: 16 }, {}])
      expect(await record(A, place)).toMatchObject({ state: 'live', row: { ReadState: 1 } });
    expect(await record(A, { ChildType: null })).toEqual({ state: 'absent' });
    expect(await record(B, {})).toMatchObject({ state: 'live' });
  });

  it('is unseen where one of the lists that may hold it does not answer', async () => {
    const rights = `/projects/${OWNER}/security`;
    const { find } = await service({ [rights]: [], [`${rights}/15`]: [] });
    expect(await find.record('permission', { id: A, place: { RowID: OWNER } })).toEqual({ state: 'unseen' });
  });

  it('that is deleted is shown by a list that says which are deleted', async () => {
    const { find, asked } = await service({ '/departments?deleted=2': [{ ID: A, Name: 'Labs', Deleted: true }] });
    const found = await find.record('organization', { id: A }, 'deleted');
    expect(found).toMatchObject({ state: 'deleted', row: { Name: 'Labs' } });
    expect(asked()).toEqual([`GET /departments/${A}`, 'GET /departments?deleted=2']);
    expect(await find.record('accountability', { id: A }, 'deleted')).toEqual({ state: 'unseen' });
  });
});

describe('records of a name', () => {
  it('are those of the owner that is named; without one they cannot be shown', async () => {
    const rows = [
      { ID: A, Name: 'Keep' },
      { ID: B, Name: 'Sell' },
    ];
    const { find } = await service({ [`/individuals/${OWNER}/accountabilities`]: rows });
    expect(await find.byName('accountability', 'Name', 'Keep')).toBeUndefined();
    const within = (AncestorID: string) => find.byName('accountability', 'Name', 'KEEP', { within: { AncestorID } });
    expect(await within(OWNER)).toMatchObject([{ ID: A }]);
    expect(await within(A)).toEqual([]);
  });
});

describe('records beside which a new one would stand', () => {
  it('have its members; those that the address of their list says need not stand in them', async () => {
    const rows = [
      { ID: A, Name: 'Keep' },
      { ID: B, Name: 'Sell' },
    ];
    const { find } = await service({ [`/individuals/${OWNER}/accountabilities?deleted=2`]: rows });
    expect(await find.byMembers('accountability', { AncestorID: OWNER, Name: 'keep' })).toMatchObject([{ ID: A }]);
  });

  it('cannot be shown where no list answers, or one of those that may hold them does not', async () => {
    const { find } = await service({ [`/departments/${OWNER}/security`]: [{ ID: B }] });
    expect(await find.byMembers('comment', { Body: 'Hello' })).toBeUndefined();
    expect(await find.byMembers('comment', { AncestorID: OWNER })).toBeUndefined();
    expect(await find.byMembers('permission', { RowID: OWNER })).toBeUndefined();
    expect(await find.byMembers('permission', { RowID: OWNER, ChildType: null })).toMatchObject([{ ID: B }]);
  });
});

describe('a list', () => {
  const colors = { '/colors': [{ ID: 1, Name: 'Red' }] };

  it('is read once, however often names are looked for in it', async () => {
    const { find, asked } = await service(colors);
    for (const name of ['Red', 'Green']) await find.byName('color', 'Name', name);
    expect(await find.record('color', { id: '1' }, 'listed')).toMatchObject({ state: 'live' });
    expect(asked()).toEqual(['GET /colors']);
  });

  it('that was read shows its records without a request, and only these', async () => {
    const { find, asked } = await service(colors);
    expect(await find.record('color', { id: '1' }, 'cached')).toEqual({ state: 'unseen' });
    expect(asked()).toEqual([]);
    await find.byName('color', 'Name', 'Red');
    expect(await find.record('color', { id: '1' }, 'cached')).toMatchObject({ state: 'live', row: { Name: 'Red' } });
    expect(await find.record('color', { id: '2' }, 'cached')).toEqual({ state: 'absent' });
    expect(asked()).toEqual(['GET /colors']);
  });

  it('is read anew after a change, and when time has passed', async () => {
    const { find, session, asked } = await service({ ...colors, '/colors/1': says(200, '{}') });
    const look = () => find.byName('color', 'Name', 'Red');
    await look();
    await session.call(contract.color.operations.delete, { params: { id: '1' } });
    await look();
    find.forget();
    await look();
    expect(asked()).toEqual(['GET /colors', 'DELETE /colors/1', 'GET /colors', 'GET /colors']);
  });

  it('of one owner may be very many', async () => {
    const rows = Array.from({ length: MANY }, (_, ID) => ({ ID }));
    const { find } = await service({ '/users': [{ ID: OWNER }], [`/individuals/${OWNER}/basicroles`]: rows });
    expect((await rowsOf(find.all('basicRole', 0))).length).toBe(MANY);
  });

  it('of what no list shows as deleted still has all the others', async () => {
    const { find } = await service({ '/corevalues': [{ ID: A }] });
    expect(await rowsOf(find.all('coreValue', 2))).toMatchObject([{ ID: A }]);
  });
});
