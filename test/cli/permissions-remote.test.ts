// pm permissions set on a remote service: the numbers are read off its rows, and what it answers is held against the words (D18).
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, type Handler, ME } from '../support/fake-server.ts';
import { type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one: Pm) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: PASSWORD } });

describe('the engine behind pm serve', () => {
  servedAsProd(pm);

  it('without any row yet does not tell its numbers: exit 2 says how to look, and nothing is written', async () => {
    const before = pm.dump();
    const { err } = await remote('permissions set bob allow read department Sales').fails(
      2,
      'Allow',
      'which number this service has',
    );
    expect(pm.dump()).toEqual(before);
    const look = /pm (permissions list .*?) shows/.exec(err)?.[1] ?? '';
    await pm(look, { env: { PM_PASSWORD: PASSWORD } }).prints('[]');
  });

  it('is written as it is here, once rows show its numbers', async () => {
    await pm('permissions set ann allow create,read department Sales -p local').prints();
    await remote('permissions set bob allow update department Sales').prints('Bob Stone', 'Allow');
    await remote('permissions set bob allow delete department Sales').prints();
    const rows = await pm('permissions list --department Sales -o json -p local').rows();
    expect(rows.find((row) => row.PrincipalName === 'Bob Stone')).toMatchObject({
      ReadText: 'Not Set',
      UpdateText: 'Allow',
      DeleteText: 'Allow',
    });
  });

  it('tells its numbers by rows on the site too', async () => {
    await pm('permissions set ann allow read site Local -p local').prints();
    await remote('permissions set Leaders allow update department Sales --child-type project -o json').prints(
      '"ChildType": 15',
    );
  });

  it('has nothing to unset where there is no row, and need not know a number for it', async () => {
    await remote('permissions set bob unset read department Sales').says('Nothing is set there.');
  });

  it('rehearses', async () => {
    await pm('permissions set ann allow read department Sales -p local').prints();
    const before = pm.dump();
    await remote('permissions set bob allow read department Sales -n').prints('ReadState');
    expect(pm.dump()).toEqual(before);
  });

  it('refuses whom the caller may not give rights to, as the service does', async () => {
    await pm('passwd bob --new-password-stdin -p local', { stdin: PASSWORD }).says('is set');
    await pm(`profiles add prod --user bob`).says('Changed');
    await remote('permissions set bob allow read department Sales').fails(5, 'delegate');
  });

  it('reads no further than the caller may delegate', async () => {
    await pm('passwd bob --new-password-stdin -p local', { stdin: PASSWORD }).says('is set');
    await pm('permissions set bob allow delegate department Sales -p local').prints();
    await pm(`profiles add prod --user bob`).says('Changed');
    await remote('permissions set ann allow read department Sales').prints('Ann Smith');
    await remote('permissions set ann deny read department Sales').fails(2, 'Deny', 'which number this service has');
  });
});

const SALES = '33333333-3333-4333-8333-333333333333';
const USER = '44444444-4444-4444-8444-444444444444';
const ROW = '55555555-5555-4555-8555-555555555555';
const ACTIONS = ['Create', 'Read', 'Update', 'Delete', 'Delegate'];
type Body = Record<string, unknown>;

describe('a service with numbers of its own: 0 Not Set, 1 Deny, 2 Allow', () => {
  const WORDS = ['Not Set', 'Deny', 'Allow'];
  let fake: FakeServer;
  let rows: Body[] = [];
  beforeEach(async () => {
    fake = await fakeServer();
    rows = [];
    await pm(`profiles add prod --url ${fake.url} --user ann`).says('Added');
  });
  afterEach(() => fake.close());

  const spoken = (row: Body): Body => ({
    ...row,
    ...Object.fromEntries(ACTIONS.map((action) => [`${action}Text`, WORDS[Number(row[`${action}State`])]])),
  });
  const rowOf = (state: number, more: Body = {}): Body => ({
    ID: ROW,
    RowID: SALES,
    PrincipalID: USER,
    ChildType: null,
    ...Object.fromEntries(ACTIONS.map((action) => [`${action}State`, 0])),
    ReadState: state,
    ...more,
  });
  /** Keeps rows as a service does; `takes` is what it makes of a body. */
  const serves =
    (takes: (sent: Body, before: Body | undefined) => Body): Handler =>
    ({ method, url, body }, response) => {
      const at = rows.findIndex(({ ID }) => url.endsWith(`/security/${String(ID)}`));
      const before = rows[at];
      if (url.includes('/me')) return tell(response, ME);
      if (method === 'DELETE') {
        rows = rows.filter((row) => row !== before);
        return tell(response, before ?? {});
      }
      if (method === 'GET') return tell(response, url.includes(SALES) ? rows.map(spoken) : []);
      const made = { ...takes(JSON.parse(body), before), ID: before?.ID ?? `${ROW.slice(0, -1)}6` };
      rows = before ? rows.with(at, made) : [...rows, made];
      return tell(response, spoken(made));
    };
  const tell = (response: ServerResponse, value: unknown): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const asSent = (sent: Body): Body => sent;
  const set = (words: string, more = '') => remote(`permissions set ${USER} ${words} department ${SALES}${more}`);

  it('is sent the number that stands for the word there', async () => {
    rows = [rowOf(2, { DeleteState: 1 })];
    fake.does(serves(asSent));
    await set('allow update').prints('Allow');
    expect(rows[0]).toMatchObject({ ReadState: 2, UpdateState: 2, DeleteState: 1 });
    await set('deny read').prints('Deny');
    expect(rows[0]).toMatchObject({ ReadState: 1, UpdateState: 2 });
    await set('unset read,delete').prints('Not Set');
    expect(rows[0]).toMatchObject({ ReadState: 0, UpdateState: 2, DeleteState: 0 });
  });

  it('is sent nothing while it is not known which number that is', async () => {
    rows = [rowOf(2)];
    fake.does(serves(asSent));
    await set('deny read').fails(2, 'Deny', 'which number this service has', 'pm permissions list');
    expect(fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that ignores the state is found out, and the row is as it was', async () => {
    rows = [rowOf(2, { DeleteState: 1 })];
    const before = structuredClone(rows);
    fake.does(serves((sent, was) => ({ ...sent, ...was })));
    await set('deny read').fails(7, '"Allow"', 'Deny', 'as it was before');
    expect(rows).toMatchObject(before);
  });

  it('that makes something else of it is found out, and the row is put back', async () => {
    rows = [rowOf(2, { DeleteState: 1 })];
    let turn = 0;
    fake.does(serves((sent) => (turn++ === 0 ? { ...sent, ReadState: 0 } : sent)));
    await set('deny read').fails(7, '"Not Set"', 'Deny', 'as it was before');
    expect(rows).toMatchObject([rowOf(2, { DeleteState: 1 })]);
  });

  it('that makes something else of a new row has it taken away again', async () => {
    rows = [rowOf(2, { PrincipalID: ME.ID, DeleteState: 1 })];
    fake.does(serves((sent) => ({ ...sent, ReadState: 0 })));
    await set('allow read').fails(7, '"Not Set"', 'Allow');
    expect(rows).toEqual([rowOf(2, { PrincipalID: ME.ID, DeleteState: 1 })]);
  });

  it('that cannot be put back says how the row stands', async () => {
    rows = [rowOf(2, { DeleteState: 1 })];
    let turn = 0;
    fake.does((heard, response) => {
      if (heard.method === 'PUT' && turn++ > 0)
        response.writeHead(403, { 'content-type': 'application/json' }).end('{}');
      else serves((sent) => ({ ...sent, ReadState: 0 }))(heard, response);
    });
    await set('deny read').fails(7, '"Not Set"', 'could not be put back', ROW);
  });

  it('refuses a child type outside the list before anything is asked', async () => {
    fake.does(serves(asSent));
    await set('allow read', ' --child-type 99').fails(2, 'is not a child type', 'organization, metric, dialog');
    expect(fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
