// Tokens that stand in for a password: made, listed, revoked, and sessions that run out (D21).
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, each, newSite, type TestSite } from '../support/site.ts';

cheapDerivations();

const PASSWORD = 'plain as day';
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Place extends TestSite {
  readonly ines: Row;
  login(login: string, password: string): Promise<Row>;
  /** Lets ines in with her session token, after every use before is written. */
  enter(token: Row[string] | undefined): Promise<Session>;
}

async function place(): Promise<Place> {
  const site = await newSite();
  const { backend, store } = site.engine;
  return {
    ...site,
    ines: await site.ada.make('individual', { UserName: 'ines', Password: PASSWORD }),
    login: (login, password) => backend.login({ login, password }),
    enter: async (token) => {
      const session = await backend.open({ login: 'ines', password: `{SessionToken}${String(token)}` });
      await store.transaction(async () => undefined);
      return session;
    },
  };
}

const makeToken = (asker: Asker, body: Row): Promise<Row> => asker.call('token', 'create', 'plain', { body });
const tokensOf = (asker: Asker): Promise<readonly Row[]> => asker.answers('token', 'list');
const revoke = (asker: Asker, ID: Row[string] | undefined): Promise<Row> =>
  asker.call('token', 'revoke', 'plain', { body: { ID } });

describe('logging in', () => {
  it('answers the site, a token and the user name, in this order', async () => {
    const { login, id } = await place();
    const answer = await login('INES', PASSWORD);
    expect(Object.keys(answer)).toEqual(Object.keys(contract.session.operations.login.answers ?? {}));
    expect(answer).toEqual({ Site: id, Token: expect.stringMatching(GUID), UserName: 'ines' });
  });

  it('gives a token that lets this individual in, and a new one each time', async () => {
    const { login, enter, ines, engine } = await place();
    const [one, two] = [await login('ines', PASSWORD), await login('ines', PASSWORD)];
    expect(one.Token).not.toBe(two.Token);
    for (const { Token } of [one, two]) expect((await enter(Token)).me.id).toBe(ines.ID);
    const asAda = engine.backend.open({ login: 'ada', password: `{SessionToken}${String(one.Token)}` });
    await refuses(asAda).with('unauthorized');
  });

  it('takes a password alone: no token begets a token, and nobody logs in as another', async () => {
    const { ada, login, ines } = await place();
    await ada.change('individual', ada.id, { Password: PASSWORD });
    const { Token } = await login('ines', PASSWORD);
    const made = await makeToken(ada, { Kind: 'user', IndividualID: ines.ID ?? null });
    await refuses(login('ines', `{SessionToken}${String(Token)}`)).with('unauthorized');
    await refuses(login('ines', `{UserToken}${String(made.Token)}`)).with('unauthorized');
    await refuses(login('ada\\ines', PASSWORD)).with('unauthorized');
    await refuses(login('ines', 'wrong')).with('unauthorized');
  });
});

describe('a session', () => {
  it('ends twelve hours after it was last used', async () => {
    const { login, enter, at } = await place();
    const { Token } = await login('ines', PASSWORD);
    at('2026-05-13T20:59:59.999Z');
    await enter(Token);
    at('2026-05-14T08:59:59.998Z');
    await enter(Token);
    at('2026-05-14T20:59:59.998Z');
    await refuses(enter(Token)).with('unauthorized');
  });

  it('ends after thirty days, however often it is used', async () => {
    const { login, enter, at } = await place();
    const { Token } = await login('ines', PASSWORD);
    const begin = Date.parse('2026-05-13T09:00:00Z');
    const days = (count: number): string => new Date(begin + count * 86_400_000).toISOString();
    for (let half = 1; half < 60; half++) {
      at(new Date(Date.parse(days(half / 2)) - half * 1000).toISOString());
      await enter(Token);
    }
    at(new Date(Date.parse(days(30)) - 60_000).toISOString());
    await enter(Token);
    at(days(30));
    await refuses(enter(Token)).with('unauthorized');
  });

  it('ends with a new password, and a user token does not', async () => {
    const { ada, login, enter, engine, ines } = await place();
    const made = await makeToken(ada, { Kind: 'user', IndividualID: ines.ID ?? null });
    const byUser = () => engine.backend.open({ login: 'ines', password: `{UserToken}${String(made.Token)}` });
    const first = await login('ines', PASSWORD);
    await ada.change('individual', ines.ID, { Password: 'another password' });
    await refuses(enter(first.Token)).with('unauthorized');
    expect((await byUser()).me.id).toBe(ines.ID);
    const second = await login('ines', 'another password');
    const body = { Individual: ines.ID, Password: PASSWORD };
    await ada.session.call(contract.individual.operations.setPassword, { body });
    await refuses(enter(second.Token)).with('unauthorized');
    expect((await byUser()).me.id).toBe(ines.ID);
  });

  it('is swept away, once over, by the next login', async () => {
    const { ada, login, at, engine, id } = await place();
    await login('ines', PASSWORD);
    at('2026-05-15');
    expect(await tokensOf(ada)).toEqual([]);
    expect(await engine.store.tokens(id)).toHaveLength(1);
    await login('ines', PASSWORD);
    expect(each(await engine.store.tokens(id), 'Created')).toEqual(['2026-05-15T00:00:00.000+00:00']);
  });
});

describe('the use of a token', () => {
  it('is noted once a minute at most', async () => {
    const { ada, login, enter, at } = await place();
    const { Token } = await login('ines', PASSWORD);
    const used = async () => (await tokensOf(ada))[0]?.LastUsed;
    expect(await used()).toBeNull();
    for (const [moment, noted] of [
      ['09:10:00', '09:10:00'],
      ['09:10:59', '09:10:00'],
      ['09:11:00', '09:11:00'],
    ]) {
      at(`2026-05-13T${moment}Z`);
      await enter(Token);
      expect(await used()).toBe(`2026-05-13T${noted}.000+00:00`);
    }
  });
});

describe('a new token', () => {
  it('is answered once, and listed without itself', async () => {
    const { ada, ines } = await place();
    const { Token, ...rest } = await makeToken(ada, { Kind: 'user', IndividualID: ines.ID ?? null });
    expect(Token).toMatch(GUID);
    expect(rest).toEqual({
      ID: expect.stringMatching(/^[0-9a-f]{12}$/),
      Kind: 'user',
      IndividualID: ines.ID,
      Created: '2026-05-13T09:00:00.000+00:00',
      LastUsed: null,
      Expires: null,
    });
    expect(String(Token).replaceAll('-', '')).not.toContain(rest.ID);
    expect(await tokensOf(ada)).toEqual([rest]);
  });

  it('is the caller’s own where nobody is named, and nobody’s where it is the site’s', async () => {
    const { ada } = await place();
    expect((await makeToken(ada, { Kind: 'user' })).IndividualID).toBe(ada.id);
    expect((await makeToken(ada, { Kind: 'site' })).IndividualID).toBeNull();
  });

  it('is one of two kinds, for an individual of this site that is not deleted', async () => {
    const { ada, ines } = await place();
    for (const Kind of ['session', 'User', '']) await refuses(makeToken(ada, { Kind })).with('invalid', 'Kind');
    await refuses(makeToken(ada, { Kind: 'site', IndividualID: ada.id })).with('invalid', 'IndividualID');
    await refuses(makeToken(ada, { Kind: 'user', IndividualID: ada.session.me.site })).with('not_found');
    await ada.delete('individual', ines.ID);
    await refuses(makeToken(ada, { Kind: 'user', IndividualID: ines.ID ?? null })).with('deleted');
  });

  it('of the site or of somebody else is made by administrators alone', async () => {
    const { ada, as } = await place();
    const ines = await as('ines');
    await refuses(makeToken(ines, { Kind: 'site' })).with('admin_only');
    await refuses(makeToken(ines, { Kind: 'user', IndividualID: ada.id })).with('admin_only');
    expect((await makeToken(ines, { Kind: 'user', IndividualID: ines.id })).IndividualID).toBe(ines.id);
  });
});

describe('the list of tokens', () => {
  it('shows administrators those of the site, and others their own', async () => {
    const { ada, as, at } = await place();
    const ines = await as('ines');
    const first = await makeToken(ada, { Kind: 'site' });
    at('2026-05-14');
    const second = await makeToken(ines, { Kind: 'user' });
    expect(each(await tokensOf(ada), 'ID')).toEqual([second.ID, first.ID]);
    expect(each(await tokensOf(ines), 'ID')).toEqual([second.ID]);
  });

  it('shows nothing of another site', async () => {
    const { ada, as } = await place();
    await makeToken(ada, { Kind: 'site' });
    await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
    expect(await tokensOf(await as('wanda'))).toEqual([]);
  });
});

describe('a revoked token', () => {
  it('lets nobody in', async () => {
    const { ada, login, enter } = await place();
    const { Token } = await login('ines', PASSWORD);
    const [session] = await tokensOf(ada);
    expect(await revoke(ada, session?.ID)).toEqual(session);
    await refuses(enter(Token)).with('unauthorized');
    expect(await tokensOf(ada)).toEqual([]);
  });

  it('is one’s own, or the site’s for administrators', async () => {
    const { ada, as } = await place();
    const ines = await as('ines');
    const [theirs, own] = [await makeToken(ada, { Kind: 'user' }), await makeToken(ines, { Kind: 'user' })];
    await refuses(revoke(ines, theirs.ID)).with('not_found', String(theirs.ID), 'pm tokens list');
    expect((await revoke(ines, own.ID)).ID).toBe(own.ID);
    await refuses(revoke(ines, own.ID)).with('not_found');
    expect(each(await tokensOf(ada), 'ID')).toEqual([theirs.ID]);
  });
});

it('keeps no token and no password in the database, nor in its wal', async () => {
  const { ada, login, engine } = await place();
  const tokens = [await login('ines', PASSWORD), await makeToken(ada, { Kind: 'user' })].map(({ Token }) => `${Token}`);
  const bytes = [engine.file, `${engine.file}-wal`].filter(existsSync).map((file) => readFileSync(file));
  const whole = Buffer.concat(bytes);
  expect(whole.includes('ines')).toBe(true);
  for (const secret of [PASSWORD, ...tokens, ...tokens.map((token) => token.replaceAll('-', ''))])
    expect(whole.includes(secret)).toBe(false);
});

it('tells in history who made and revoked a token, and not which it was', async () => {
  const { ada } = await place();
  const { Token, ...row } = await makeToken(ada, { Kind: 'site' });
  await revoke(ada, row.ID);
  const lines = await ada.history('token', row.ID);
  expect(lines).toMatchObject([
    { what: 'create', caller: ada.id },
    { what: 'delete', caller: ada.id, before: row },
  ]);
  expect(JSON.stringify(lines)).not.toContain(Token);
});
