// No right within one site makes or removes a global administrator (D14): over HTTP, against the oracle.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { openServer } from '../../src/server/index.ts';
import { newEngine } from '../support/engine.ts';
import { type Action, allowed, type Caller, LOGIN_MEMBERS, mayChange, type World } from '../support/oracle.ts';
import { ALLOW, give } from '../support/rights.ts';
import { type Asker, siteOn, TODAY } from '../support/site.ts';
import { type Answered, askAt } from './served.ts';

const CALLERS = [
  ...(['that individual', 'another global administrator', 'a site administrator'] as const),
  ...(['somebody with every right', 'somebody without rights'] as const),
  ...(['a site token as that individual', 'a site token as another global administrator'] as const),
  ...(['a site token as a site administrator', 'a site token as somebody with every right'] as const),
] as const;
type CallerName = (typeof CALLERS)[number];

const EVERYTHING = { Read: ALLOW, Create: ALLOW, Update: ALLOW, Delete: ALLOW, Delegate: ALLOW } as const;
/** What each member is changed to. */
const CHANGES: Readonly<Record<string, unknown>> = {
  Password: 'another-password',
  UserName: 'another',
  Email: 'another@example.org',
  IsAdmin: true,
  PrimaryTitle: 'Another',
  UserDefined1: 'another',
};

interface Known {
  readonly row: Row;
  readonly user: string;
  readonly password: string;
  readonly bySiteToken: boolean;
}

let ada: Asker;
let site = '';
let url = '';
let siteToken = '';
const callers = new Map<CallerName, Known>();
beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  const made = await siteOn(engine);
  ada = made.ada;
  site = made.id;
  const served = await openServer({ backend: engine.backend, clock: () => new Date(TODAY), log: () => undefined });
  url = served.url;
  siteToken = await tokenOf({ Kind: 'site' });
  const [other, admin, trusted, plain] = [
    await globalAdministrator(),
    await ada.make('individual', { IsAdmin: true }),
    await ada.make('individual'),
    await ada.make('individual'),
  ];
  await give(ada, trusted, site, EVERYTHING);
  const own = async (row: Row): Promise<Known> => byToken(row, 'User', await userToken(row));
  const bySite = (row: Row): Known => byToken(row, 'Site', siteToken);
  callers.set('another global administrator', await own(other));
  callers.set('a site administrator', await own(admin));
  callers.set('somebody with every right', await own(trusted));
  callers.set('somebody without rights', await own(plain));
  callers.set('a site token as another global administrator', bySite(other));
  callers.set('a site token as a site administrator', bySite(admin));
  callers.set('a site token as somebody with every right', bySite(trusted));
  return async () => {
    await served.close();
    await engine.end();
  };
});

const tokenOf = async (body: Row): Promise<string> =>
  String((await ada.call('token', 'create', 'plain', { body })).Token);
const userToken = ({ ID }: Row): Promise<string> => tokenOf({ Kind: 'user', IndividualID: ID ?? null });
const byToken = (row: Row, kind: 'Site' | 'User', token: string): Known => ({
  ...{ row, user: String(row.UserName), password: `{${kind}Token}${token}`, bySiteToken: kind === 'Site' },
});

async function globalAdministrator(): Promise<Row> {
  const { ID } = await ada.make('individual');
  return ada.call('individual', 'grantGlobal', 'plain', { body: { Individual: ID } });
}

/** Who calls about that record. */
async function callerFor(name: CallerName, target: Row): Promise<Known> {
  if (name === 'that individual') return byToken(target, 'User', await userToken(target));
  if (name === 'a site token as that individual') return byToken(target, 'Site', siteToken);
  return callers.get(name) as Known;
}

/** The caller for the oracle. */
const callerOf = (name: CallerName, { row, bySiteToken }: Known): Caller => ({
  id: String(row.ID),
  principals: [String(row.UserID)],
  administrator: row.IsAdmin === true || (row.IsGlobalAdmin === true && !bySiteToken),
  global: row.IsGlobalAdmin === true,
  bySiteToken,
  ...(name.endsWith('every right') ? { principals: ['everything'] } : {}),
});

const says = { create: 1, read: 1, update: 1, delete: 1, delegate: 1 };
const worldOf = (target: Row): World => ({
  things: [
    { id: site, kind: 'site', under: [] },
    { id: String(target.ID), kind: 'individual', under: [site], global: target.IsGlobalAdmin === true },
  ],
  rules: [{ on: site, whom: 'everything', child: null, says }],
  bosses: {},
});

interface Cell {
  readonly who: Caller;
  readonly may: (action: Action) => boolean;
  readonly mayGive: (member: string) => boolean;
  ask(method: string, path?: string, body?: Row): Promise<Answered>;
  readonly target: Row;
}

/** One record of its own for each question, so that what was allowed changes no other answer. */
async function cellOf(name: CallerName, isGlobal: boolean): Promise<Cell> {
  const target = isGlobal ? await globalAdministrator() : await ada.make('individual');
  const known = await callerFor(name, target);
  const who = callerOf(name, known);
  const world = worldOf(target);
  const [, thing] = world.things;
  if (!thing) throw new Error('nothing is asked about');
  const { user, password } = known;
  return {
    target,
    who,
    may: (action) => allowed(world, who, action, thing),
    mayGive: (member) => allowed(world, who, 'update', thing) && mayChange(who, member, thing),
    ask: (method, path = '', body) =>
      askAt(url, method, `/v4/individuals/${String(target.ID)}${path}`, {
        ...{ user, password },
        ...(body ? { type: 'application/json', body: JSON.stringify(body) } : {}),
      }),
  };
}

const passed = ({ status }: Answered): boolean => status === 200;
const REFUSALS = ['forbidden', 'admin_only', 'global_admin_only'];

/** It went as the oracle says; what was refused says so, and the record is as it was. */
async function expectAsFree({ target }: Cell, answer: Answered, isFree: boolean): Promise<void> {
  expect(passed(answer)).toBe(isFree);
  if (isFree) return;
  expect(answer.status).toBe(403);
  expect(REFUSALS).toContain(answer.json().code);
  const { UserName, Email, IsAdmin, PrimaryTitle } = target;
  expect(await ada.get('individual', target.ID)).toMatchObject({ UserName, Email, IsAdmin, PrimaryTitle });
}

describe.each([
  ['a global administrator', true],
  ['an ordinary individual', false],
] as const)('of %s', (_what, isGlobal) => {
  describe.each(CALLERS)('%s', (name) => {
    it('reads the record, and sends it back unchanged', async () => {
      const cell = await cellOf(name, isGlobal);
      const answer = await cell.ask('GET');
      expect(passed(answer)).toBe(cell.may('read'));
      const read = answer.json() as Row;
      expect([read.CanUpdate, read.CanDelete]).toEqual([cell.may('update'), cell.may('delete')]);
      expect(passed(await cell.ask('PUT', '', read))).toBe(cell.may('update'));
    });

    it.each(Object.keys(CHANGES))('changes: %s', async (member) => {
      const cell = await cellOf(name, isGlobal);
      const value = member === 'UserName' ? `another-${String(cell.target.ID)}` : CHANGES[member];
      const isOwnTitle = member === 'PrimaryTitle' && cell.who.id === cell.target.ID && !cell.who.administrator;
      const body = { ...cell.target, [member]: value } as Row;
      await expectAsFree(cell, await cell.ask('PUT', '', body), cell.mayGive(member) && !isOwnTitle);
    });

    it('deletes and undeletes it', async () => {
      const cell = await cellOf(name, isGlobal);
      const isSelf = cell.who.id === cell.target.ID;
      await expectAsFree(cell, await cell.ask('DELETE'), cell.may('delete'));
      if (isSelf) return;
      await ada.delete('individual', cell.target.ID);
      const answer = await cell.ask('PUT', '/undelete');
      expect(passed(answer)).toBe(cell.may('delete'));
      if (passed(answer)) expect(await ada.get('individual', cell.target.ID)).toMatchObject({ Deleted: false });
      else expect(REFUSALS).toContain(answer.json().code);
    });
  });
});

it.each(LOGIN_MEMBERS)('a refusal says who may, whatever rights are given: %s', async (member) => {
  for (const name of [
    'a site administrator',
    'somebody with every right',
    'a site token as that individual',
  ] as const) {
    const cell = await cellOf(name, true);
    const answer = await cell.ask('PUT', '', { ...cell.target, [member]: member === 'IsAdmin' ? true : `x${name}` });
    expect(answer.json()).toMatchObject({ status: 403, code: 'global_admin_only' });
  }
});

it('a refused password is worked out by nobody, and the old one lets in', async () => {
  const target = await globalAdministrator();
  await ada.change('individual', target.ID, { Password: 'the old password' });
  const cell = await cellOf('a site administrator', true);
  const { user, password } = callers.get('a site administrator') as Known;
  const body = JSON.stringify({ ...target, Password: 'the new password' });
  const sent = { user, password, type: 'application/json', body };
  const answer = await askAt(url, 'PUT', `/v4/individuals/${String(target.ID)}`, sent);
  expect(answer.json()).toMatchObject({ code: 'global_admin_only', status: 403 });
  expect(cell.mayGive('Password')).toBe(false);
  const enter = (its: string) => askAt(url, 'GET', '/v4/me', { user: String(target.UserName), password: its });
  expect([(await enter('the new password')).status, (await enter('the old password')).status]).toEqual([401, 200]);
});
