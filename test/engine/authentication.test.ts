// Who may log in, and as whom: the five pairs of user and password (D21).
import { describe, expect, it } from 'vitest';
import type { PasswordGuard, Session } from '../../src/contract/call.ts';
import { contract, resources } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { computedFields } from '../../src/engine/index.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { collect } from '../../src/text/batches.ts';
import { cheapDerivations, countDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, newSite, type TestSite } from '../support/site.ts';

cheapDerivations();
const scrypts = countDerivations();

const PASSWORD = 'plain as day';
const NOBODYS_TOKEN = '0f8fad5b-d9cb-469f-a165-70867728950e';
const MESSAGE = 'no user has this user name and password or token';

interface Place extends TestSite {
  readonly ines: Row;
  enter(login: string, password: string): Promise<Session>;
  refused(login: string, password: string): Promise<void>;
  /** Makes a token as this individual does where the database is. */
  token(asker: Asker, kind: string, individual?: Row): Promise<string>;
}

/** A site with an individual, ines, whose password is known. */
async function place(): Promise<Place> {
  const site = await newSite();
  const ines = await site.ada.make('individual', { UserName: 'ines', Password: PASSWORD });
  const enter = (login: string, password: string) => site.engine.backend.open({ login, password });
  return {
    ...site,
    ines,
    enter,
    refused: async (login, password) => {
      const error = await refuses(enter(login, password)).with('unauthorized');
      expect(error.message).toBe(MESSAGE);
    },
    token: async (asker, Kind, individual) => {
      const body = individual ? { Kind, IndividualID: individual.ID } : { Kind };
      return String((await asker.call('token', 'create', 'plain', { body })).Token);
    },
  };
}

describe('a user name and its password', () => {
  it('are let in, as that individual in their own site', async () => {
    const { enter, id, ines } = await place();
    const { me, local } = await enter('ines', PASSWORD);
    expect(me).toEqual({ id: ines.ID, userName: 'ines', site: id });
    expect(local).toBeUndefined();
  });

  it('reach nothing that is only done where the database is', async () => {
    const { ada, enter } = await place();
    await ada.change('individual', ada.id, { Password: PASSWORD });
    const session = await enter('ada', PASSWORD);
    const body = { Individual: ada.id, Password: 'mine, not yours' };
    await refuses(session.call(contract.individual.operations.setPassword, { body })).with('forbidden');
    const listed = collect(session.list(contract.token.operations.list));
    await refuses(listed).with('forbidden', 'token list works only on the machine that holds the database');
  });

  it.each([
    ['another password', 'ines', 'plain as night'],
    ['the password in another case', 'ines', 'Plain as day'],
    ['no password', 'ines', ''],
    ['an unknown name', 'nobody', PASSWORD],
    ['no name', '', PASSWORD],
    ['somebody who never had a password', 'ada', ''],
    ['a token that is no GUID', 'ines', '{UserToken}plain as day'],
  ])('are refused: %s', async (_what, login, password) => {
    await (await place()).refused(login, password);
  });

  it('may be one that begins like a token', async () => {
    const { ada, enter } = await place();
    await ada.make('individual', { UserName: 'olga', Password: '{UserToken}mine' });
    expect((await enter('olga', '{UserToken}mine')).me.userName).toBe('olga');
  });

  it('are refused once the individual is deleted, and let in again after the undelete', async () => {
    const { ada, enter, refused, ines } = await place();
    await enter('ines', PASSWORD);
    await ada.delete('individual', ines.ID);
    await refused('ines', PASSWORD);
    await ada.undelete('individual', ines.ID);
    expect((await enter('ines', PASSWORD)).me.id).toBe(ines.ID);
  });
});

describe.each([
  ['UserToken', 'user'],
  ['SiteToken', 'site'],
] as const)('a user name and a {%s}', (prefix, kind) => {
  it('are let in', async () => {
    const { ada, enter, token, ines } = await place();
    const made = await token(ada, kind, kind === 'user' ? ines : undefined);
    expect((await enter('ines', `{${prefix}}${made}`)).me.id).toBe(ines.ID);
    expect((await enter('ines', `{${prefix}}${made.toUpperCase()}`)).me.id).toBe(ines.ID);
  });

  it('are refused where there is no such token, or one of another kind', async () => {
    const { ada, refused, token, ines } = await place();
    const made = await token(ada, kind, kind === 'user' ? ines : undefined);
    await refused('ines', `{${prefix}}${NOBODYS_TOKEN}`);
    await refused('nobody', `{${prefix}}${made}`);
    await refused('ines', made);
    for (const other of ['SiteToken', 'UserToken', 'SessionToken'].filter((one) => one !== prefix))
      await refused('ines', `{${other}}${made}`);
  });

  it('are refused while the individual is deleted: the token rests', async () => {
    const { ada, enter, refused, token, ines } = await place();
    const made = await token(ada, kind, kind === 'user' ? ines : undefined);
    await ada.delete('individual', ines.ID);
    await refused('ines', `{${prefix}}${made}`);
    await ada.undelete('individual', ines.ID);
    expect((await enter('ines', `{${prefix}}${made}`)).me.id).toBe(ines.ID);
  });
});

it('lets a user token in as its own individual alone', async () => {
  const { ada, refused, token, ines } = await place();
  await refused('ada', `{UserToken}${await token(ada, 'user', ines)}`);
});

it('lets a site token in as anybody of its site, with no right beyond it', async () => {
  const { ada, enter, refused, token } = await place();
  await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  const made = await token(ada, 'site');
  await refused('wanda', `{SiteToken}${made}`);
  const names = async (session: Session) => {
    const found: unknown[] = [];
    for await (const { Name } of session.list(siteList)) found.push(Name);
    return found;
  };
  const siteList = contract.site.operations.list;
  expect(await names(ada.session)).toEqual(['Test', 'Wharf']);
  expect(await names(await enter('ada', `{SiteToken}${made}`))).toEqual(['Test']);
});

describe('an administrator who acts as a user', () => {
  const BOSS = 'strong as tea';

  it('is let in with their own password, as that user with that user’s rights', async () => {
    const { ada, enter, ines, id } = await place();
    await ada.make('individual', { UserName: 'bob', IsAdmin: true, Password: BOSS });
    const acting = await enter('bob\\ines', BOSS);
    expect(acting.me).toEqual({ id: ines.ID, userName: 'ines', site: id });
    const body = await ada.body('individual');
    await refuses(acting.call(contract.individual.operations.create, { body })).with('admin_only');
  });

  it('may be one of every site, in each of them', async () => {
    const { ada, enter } = await place();
    await ada.change('individual', ada.id, { Password: BOSS });
    await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
    expect((await enter('ada\\wanda', BOSS)).me.userName).toBe('wanda');
  });

  it.each([
    ['with the password of the user', 'bob\\ines', PASSWORD],
    ['as nobody', 'bob\\nobody', BOSS],
    ['as nobody at all', 'bob\\', BOSS],
    ['who is unknown', 'nobody\\ines', BOSS],
    ['who is nobody at all', '\\ines', BOSS],
    ['who is none', 'ines\\bob', PASSWORD],
    ['who is none, not even as themselves', 'ines\\ines', PASSWORD],
    ['of another site', 'bob\\wanda', BOSS],
    ['of this site, as one of every site', 'bob\\ada', BOSS],
  ])('is refused %s', async (_what, login, password) => {
    const { ada, refused } = await place();
    await ada.make('individual', { UserName: 'bob', IsAdmin: true, Password: BOSS });
    await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
    await refused(login, password);
  });

  it('is refused with a token in place of the password', async () => {
    const { ada, refused, token } = await place();
    await refused('ada\\ines', `{UserToken}${await token(ada, 'user')}`);
  });

  it('is refused from the moment they are none any more, remembered or not', async () => {
    const { ada, enter, refused } = await place();
    const bob = await ada.make('individual', { UserName: 'bob', IsAdmin: true, Password: BOSS });
    await enter('bob\\ines', BOSS);
    await ada.change('individual', bob.ID, { IsAdmin: false });
    await refused('bob\\ines', BOSS);
  });
});

describe('a good password', () => {
  it('is worked out once a minute', async () => {
    const { enter, at } = await place();
    scrypts.count = 0;
    await enter('ines', PASSWORD);
    await enter('ines', PASSWORD);
    at('2026-05-13T09:00:59.999Z');
    await enter('ines', PASSWORD);
    expect(scrypts.count).toBe(1);
    at('2026-05-13T09:01:00Z');
    await enter('ines', PASSWORD);
    expect(scrypts.count).toBe(2);
  });

  it('is worked out once for all who wait for their turn to be checked', async () => {
    const { engine } = await place();
    let last: Promise<unknown> = Promise.resolve();
    const oneByOne: PasswordGuard = (check) => {
      const turn = last.then(check);
      last = turn;
      return turn;
    };
    scrypts.count = 0;
    const login = { login: 'ines', password: PASSWORD };
    await Promise.all(Array.from({ length: 3 }, () => engine.backend.open(login, oneByOne)));
    expect(scrypts.count).toBe(1);
  });

  it('is not remembered longer by a clock that is set back', async () => {
    const { enter, at } = await place();
    await enter('ines', PASSWORD);
    scrypts.count = 0;
    at('2026-05-13T08:00:00Z');
    await enter('ines', PASSWORD);
    expect(scrypts.count).toBe(1);
  });

  it.each([
    [
      'that comes with the record',
      (ada: Asker, ines: Row) => ada.change('individual', ines.ID, { Password: 'a newer password' }),
    ],
    [
      'that is set where the database is',
      (ada: Asker, { ID }: Row) =>
        ada.call('individual', 'setPassword', 'plain', { body: { Individual: ID, Password: 'a newer password' } }),
    ],
  ])('ends at once with another one %s', async (_what, change) => {
    const { ada, enter, refused, ines } = await place();
    await enter('ines', PASSWORD);
    await change(ada, ines);
    await refused('ines', PASSWORD);
    expect((await enter('ines', 'a newer password')).me.id).toBe(ines.ID);
  });

  it('is remembered only together with its name', async () => {
    const { ada, enter, refused } = await place();
    await ada.make('individual', { UserName: 'olga', Password: 'another password' });
    await enter('ines', PASSWORD);
    await refused('olga', PASSWORD);
  });
});

describe('a refusal', () => {
  it.each([
    ['a wrong password', 'ines', 'wrong'],
    ['an unknown name', 'nobody', 'wrong'],
    ['somebody without a password', 'ada', 'wrong'],
    ['a deleted individual', 'gone', PASSWORD],
    ['an unknown administrator', 'nobody\\ines', 'wrong'],
    ['an administrator who is none', 'ines\\ada', PASSWORD],
    ['an administrator as nobody', 'ada\\nobody', 'wrong'],
  ])('costs one derivation: %s', async (_what, login, password) => {
    const { ada, refused } = await place();
    const gone = await ada.make('individual', { UserName: 'gone', Password: PASSWORD });
    await ada.delete('individual', gone.ID);
    scrypts.count = 0;
    await refused(login, password);
    expect(scrypts.count).toBe(1);
  });

  it('is not remembered', async () => {
    const { refused } = await place();
    scrypts.count = 0;
    for (const password of ['wrong', 'wrong']) await refused('ines', password);
    expect(scrypts.count).toBe(2);
  });

  it('waits its turn behind two others', async () => {
    const { refused } = await place();
    await Promise.all(Array.from({ length: 6 }, (_, i) => refused(`nobody ${i}`, 'wrong')));
    expect(scrypts.most).toBe(2);
  });
});

describe('somebody who was let in a moment ago', () => {
  it('is let in without another derivation while nothing changes, and after changes that are not theirs', async () => {
    const { ada, enter } = await place();
    await enter('ines', PASSWORD);
    await enter('ines', PASSWORD);
    await ada.make('individual');
    await enter('ines', PASSWORD);
    expect(scrypts.count).toBe(2);
  });

  it('is refused at once when another program changes the password', async () => {
    const { ada, engine, enter, refused, ines, id } = await place();
    await enter('ines', PASSWORD);
    const other = await openSqlite({ file: engine.file, resources, computed: computedFields });
    const hash = await other.passwordHash(id, ada.id);
    await other.transaction((writer) => writer.setPasswordHash(id, String(ines.ID), hash));
    await other.close();
    await refused('ines', PASSWORD);
  });

  it('has the rights that they have now', async () => {
    const { ada, enter, ines, id } = await place();
    const { create } = contract.color.operations;
    const body = { SiteID: id, Rank: 9, Name: 'Plum', Code: '8e4585' };
    const paint = async () => (await enter('ines', PASSWORD)).call(create, { body });
    await expect(paint()).rejects.toMatchObject({ code: 'admin_only' });
    await ada.change('individual', ines.ID, { IsAdmin: true });
    expect(await paint()).toMatchObject({ Name: 'Plum' });
  });
});

describe('a site that may not be used over the interface', () => {
  it('lets nobody in from outside, and still answers where the database is', async () => {
    const { ada, as, engine, enter, id, token, ines } = await place();
    const made = await token(ada, 'user', ines);
    await ada.change('site', id, { FeatureApi: false });
    await refuses(enter('ines', PASSWORD)).with('feature_off', 'switched off', '--feature-api true');
    await refuses(enter('ines', `{UserToken}${made}`)).with('feature_off');
    await refuses(engine.backend.login({ login: 'ines', password: PASSWORD })).with('feature_off');
    expect((await as('ines')).id).toBe(ines.ID);
    await ada.change('site', id, { FeatureApi: true });
    expect((await enter('ines', PASSWORD)).me.id).toBe(ines.ID);
  });

  it('answers no global administrator of another site either', async () => {
    const { ada, engine, enter } = await place();
    await ada.change('individual', ada.id, { Password: PASSWORD });
    const other = await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
    const session = await enter('ada', PASSWORD);
    const params = { siteid: String(other.ID) };
    const first = async () => {
      for await (const color of session.list(contract.color.operations.list, { by: 'site', params })) return color;
      return undefined;
    };
    expect(await first()).toMatchObject({ SiteID: other.ID });
    await engine.store.transaction((writer) =>
      writer.update('site', String(other.ID), String(other.ID), { FeatureApi: false }),
    );
    await refuses(first()).with('feature_off', 'switched off');
  });

  it('tells so only those who are known', async () => {
    const { ada, id, refused } = await place();
    await ada.change('site', id, { FeatureApi: false });
    await refused('ines', 'wrong');
  });
});
