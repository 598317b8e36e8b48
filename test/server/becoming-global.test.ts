// No way leads from an administrator of one site to one of every site: the attempts, and what they leave as it was (D14).
import { beforeAll, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { openServer } from '../../src/server/index.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { type Asker, siteOn, TODAY } from '../support/site.ts';
import { type Answered, askAt } from './served.ts';

cheapDerivations();
const PASSWORD = 'Correct-horse-1';

interface Known {
  readonly engine: TestEngine;
  readonly url: string;
  /** Global administrators: of the site, deleted there, and of another site. */
  readonly ada: Asker;
  readonly gone: Row;
  readonly wanda: Row;
  /** An administrator of the site. */
  readonly sam: Row;
  readonly token: string;
  readonly siteToken: string;
  /** The other site. */
  readonly wharf: string;
}
let at: Known;

beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  const { ada, as } = await siteOn(engine);
  const grant = (asker: Asker, ID: Row[string] | undefined): Promise<Row> =>
    asker.call('individual', 'grantGlobal', 'plain', { body: { Individual: ID } });
  const tokenOf = async (body: Row): Promise<string> =>
    String((await ada.call('token', 'create', 'plain', { body })).Token);
  await ada.change('individual', ada.id, { Password: PASSWORD });
  const wharf = await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  const inWharf = await as('wanda');
  const wanda = await grant(inWharf, inWharf.id);
  const { ID: goneID } = await grant(ada, (await ada.make('individual', { UserName: 'gone' })).ID);
  const gone = await ada.delete('individual', goneID);
  const sam = await ada.make('individual', { UserName: 'sam', IsAdmin: true, Password: PASSWORD });
  const served = await openServer({ backend: engine.backend, clock: () => new Date(TODAY), log: () => undefined });
  at = {
    ...{ engine, url: served.url, ada, gone, wanda, sam, wharf: String(wharf.ID) },
    token: await tokenOf({ Kind: 'user', IndividualID: sam.ID ?? null }),
    siteToken: await tokenOf({ Kind: 'site' }),
  };
  return async () => {
    await served.close();
    await engine.end();
  };
});

const send = (method: string, path: string, body?: Row, user = 'sam', password = `{UserToken}${at.token}`) =>
  askAt(at.url, method, `/v4${path}`, {
    ...{ user, password },
    ...(body ? { type: 'application/json', body: JSON.stringify(body) } : {}),
  });
const bySiteToken = (method: string, path: string, body: Row | undefined, user: string) =>
  send(method, path, body, user, `{SiteToken}${at.siteToken}`);

/** The global administrators, with their password hashes, and the other site as it is. */
async function protectedState(): Promise<unknown> {
  const { store } = at.engine;
  const find = (resource: string, equals: Row) => store.find({ resource, site: undefined, deleted: 2, equals });
  const globals = await find('individual', { IsGlobalAdmin: true });
  const hashes = await Promise.all(globals.map(({ SiteID, ID }) => store.passwordHash(String(SiteID), String(ID))));
  const ofWharf = await Promise.all(
    ['individual', 'organization', 'permission', 'securityGroup', 'organizationMember'].map((one) =>
      find(one, { SiteID: at.wharf }),
    ),
  );
  return { globals, hashes, ofWharf };
}

const newPerson = async (members: Row): Promise<Row> => ({ ...((await at.ada.body('individual')) as Row), ...members });
const giveRights = async (RowID: Row[string], PrincipalID: Row[string] | undefined): Promise<Answered> => {
  const all = { CreateState: 1, ReadState: 1, UpdateState: 1, DeleteState: 1, DelegateState: 1 };
  const body = (await at.ada.body('permission')) as Row;
  return send('POST', '/security', { ...body, ...all, RowID, PrincipalID: PrincipalID ?? null });
};

/** Every attempt with the status of its answer: 200 where it is done, and gives nothing. */
const ATTEMPTS: readonly (readonly [what: string, status: number, attempt: () => Promise<Answered>])[] = [
  ['takes their password', 403, async () => send('PUT', `/individuals/${at.ada.id}`, await own('ada', 'Password'))],
  ['takes their user name', 403, async () => send('PUT', `/individuals/${at.ada.id}`, await own('ada', 'UserName'))],
  ['takes their e-mail', 403, async () => send('PUT', `/individuals/${at.ada.id}`, await own('ada', 'Email'))],
  ['deletes them', 403, () => send('DELETE', `/individuals/${at.ada.id}`)],
  ['undeletes one', 403, () => send('PUT', `/individuals/${String(at.gone.ID)}/undelete`)],
  [
    'changes a deleted one',
    404,
    () => send('PUT', `/individuals/${String(at.gone.ID)}`, { ...at.gone, Password: 'x' }),
  ],
  ['makes a record with their ID', 409, async () => send('POST', '/individuals', await newPerson({ ID: at.ada.id }))],
  [
    'with the ID of a deleted one',
    409,
    async () => send('POST', '/individuals', await newPerson({ ID: at.gone.ID ?? null })),
  ],
  ['with their user name', 409, async () => send('POST', '/individuals', await newPerson({ UserName: 'ADA' }))],
  [
    'with its full-width letters',
    409,
    async () => send('POST', '/individuals', await newPerson({ UserName: 'ａｄａ' })),
  ],
  ['with that of a deleted one', 409, async () => send('POST', '/individuals', await newPerson({ UserName: 'gone' }))],
  ['with that of one elsewhere', 409, async () => send('POST', '/individuals', await newPerson({ UserName: 'wanda' }))],
  [
    'makes a global administrator',
    200,
    async () => send('POST', '/individuals', await newPerson({ IsGlobalAdmin: true })),
  ],
  ['says to be one', 200, () => send('PUT', `/individuals/${String(at.sam.ID)}`, { ...at.sam, IsGlobalAdmin: true })],
  [
    'says to be elsewhere',
    200,
    () => send('PUT', `/individuals/${String(at.sam.ID)}`, { ...at.sam, SiteID: at.wharf }),
  ],
  [
    'takes their UserID',
    200,
    () => send('PUT', `/individuals/${String(at.sam.ID)}`, { ...at.sam, UserID: at.wanda.UserID ?? null }),
  ],
  ['is called like them', 409, () => send('PUT', `/individuals/${String(at.sam.ID)}`, { ...at.sam, UserName: 'Ada' })],
  ['acts as them', 401, () => send('GET', '/sites', undefined, 'sam\\ada', PASSWORD)],
  ['acts as one elsewhere', 401, () => send('GET', '/sites', undefined, 'sam\\wanda', PASSWORD)],
  ['makes a session as them', 401, () => send('POST', '/login', { UserName: 'sam\\ada', Password: PASSWORD })],
  [
    'makes a session out of a token',
    401,
    () => send('POST', '/login', { UserName: 'ada', Password: `{SiteToken}${at.siteToken}` }),
  ],
  ['uses a token as them', 401, () => send('GET', '/sites', undefined, 'ada', `{UserToken}${at.token}`)],
  ['uses the site’s token elsewhere', 401, () => bySiteToken('GET', '/sites', undefined, 'wanda')],
  [
    'sets their password by it',
    403,
    async () => bySiteToken('PUT', `/individuals/${at.ada.id}`, await own('ada', 'Password'), 'ada'),
  ],
  ['makes a site by it', 405, () => bySiteToken('POST', '/sites', { Name: 'Third', Admin: 'sam3' }, 'ada')],
  ['makes a site', 405, () => send('POST', '/sites', { Name: 'Third', Admin: 'sam3' })],
  ['changes another site', 404, () => send('PUT', `/sites/${at.wharf}`, { ID: at.wharf, Name: 'Mine' })],
  ['reads its individuals', 404, () => send('GET', `/sites/${at.wharf}/individuals`)],
  ['undeletes one of it', 404, () => send('PUT', `/individuals/${String(at.wanda.ID)}/undelete`)],
  ['gives rights on it', 400, () => giveRights(at.wharf, at.sam.UserID)],
  ['gives rights to one of it', 400, () => giveRights(at.sam.SiteID ?? null, at.wanda.UserID)],
  ['gives rights on them', 200, () => giveRights(at.ada.id, at.sam.UserID)],
  ['joins a department of it', 400, async () => send('POST', '/organizationmembers', await membership(at.sam.ID))],
  ['asks for a token', 404, () => send('POST', '/tokens', { Kind: 'user', IndividualID: at.ada.id })],
  ['asks for the grant', 404, () => send('POST', `/individuals/${String(at.sam.ID)}/grantglobal`, {})],
];

/** The record with a member changed. */
async function own(name: string, member: string): Promise<Row> {
  const row = await at.ada.get('individual', at.ada.id);
  return { ...row, [member]: `another-${name}@example.org` };
}

async function membership(IndividualID: Row[string] | undefined): Promise<Row> {
  const [department] = await at.engine.store.find({ resource: 'organization', site: at.wharf, deleted: 0 });
  return {
    IndividualID: IndividualID ?? null,
    OrganizationID: department?.ID ?? null,
    Title: 'Guest',
    ReportsToID: null,
  };
}

it.each(ATTEMPTS)('an administrator of the site who %s gets %i', async (_what, status, attempt) => {
  const before = await protectedState();
  const answer = await attempt();
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  expect(await protectedState()).toEqual(before);
});

it('who has tried all of it sees one site, and the global administrators log in as before', async () => {
  const sites = (await send('GET', '/sites')).json() as unknown as readonly Row[];
  expect(sites.map(({ Name }) => Name)).toEqual(['Test']);
  const me = (await send('GET', '/me')).json();
  expect(me).toMatchObject({ IsGlobalAdmin: false, SiteID: at.sam.SiteID, UserID: at.sam.UserID });
  const all = (await send('GET', '/sites', undefined, 'ada', PASSWORD)).json() as unknown as readonly Row[];
  expect(all).toHaveLength(2);
});
