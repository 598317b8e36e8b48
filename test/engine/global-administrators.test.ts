// Where the database is, too, the login of a global administrator is for global administrators (D14).
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, each, newSite, type TestSite } from '../support/site.ts';

cheapDerivations();

interface Place extends TestSite {
  /** A global administrator besides ada. */
  readonly gwen: Asker;
  /** An administrator of the site. */
  readonly sam: Asker;
}

async function place(): Promise<Place> {
  const site = await newSite();
  const { ada, as } = site;
  const { ID } = await ada.make('individual', { UserName: 'gwen', IsAdmin: true });
  await grantGlobal(ada, ID);
  await ada.make('individual', { UserName: 'sam', IsAdmin: true });
  return { ...site, gwen: await as('gwen'), sam: await as('sam') };
}

const grantGlobal = (asker: Asker, Individual: Row[string] | undefined): Promise<Row> =>
  asker.call('individual', 'grantGlobal', 'plain', { body: { Individual } });
const setPassword = (asker: Asker, Individual: string): Promise<Row> =>
  asker.call('individual', 'setPassword', 'plain', { body: { Individual, Password: 'mine, not yours' } });
const makeToken = (asker: Asker, IndividualID: string): Promise<Row> =>
  asker.call('token', 'create', 'plain', { body: { Kind: 'user', IndividualID } });
const revoke = (asker: Asker, { ID }: Row): Promise<Row> =>
  asker.call('token', 'revoke', 'plain', { body: { ID: ID ?? null } });

describe('a password that is set where the database is', () => {
  it('is of a global administrator only by a global one', async () => {
    const { ada, gwen, sam } = await place();
    await refuses(setPassword(sam, gwen.id)).with('global_admin_only', 'setting the password', '--as');
    for (const asker of [gwen, ada]) expect(await setPassword(asker, gwen.id)).toMatchObject({ UserName: 'gwen' });
  });
});

describe('a token of a global administrator', () => {
  it('is made, seen and revoked by global ones alone', async () => {
    const { ada, gwen, sam } = await place();
    await refuses(makeToken(sam, gwen.id)).with('global_admin_only', 'making a token');
    const [own, hers] = [await makeToken(sam, sam.id), await makeToken(gwen, gwen.id)];
    expect(each(await sam.answers('token', 'list'), 'ID')).toEqual([own.ID]);
    expect(new Set(each(await ada.answers('token', 'list'), 'ID'))).toEqual(new Set([own.ID, hers.ID]));
    await refuses(revoke(sam, hers)).with('not_found');
    expect(await revoke(ada, hers)).toMatchObject({ IndividualID: gwen.id });
  });
});

describe('the record of a global administrator', () => {
  it('takes a new primary membership from an administrator of its site, and nothing else with it', async () => {
    const { ada, gwen, sam } = await place();
    const department = await ada.make('organization');
    const { Email, UserName, IsAdmin } = await ada.get('individual', gwen.id);
    await sam.make('organizationMember', {
      ...{
        IndividualID: gwen.id,
        OrganizationID: department.ID,
        Primary: true,
        Title: 'Another',
        ReportsToID: gwen.id,
      },
    });
    expect(await ada.get('individual', gwen.id)).toMatchObject({
      ...{ PrimaryOrganizationID: department.ID, Email, UserName, IsAdmin },
    });
  });

  it('is not changed by a new record with its ID', async () => {
    const { engine, gwen, sam, id } = await place();
    await setPassword(gwen, gwen.id);
    const hash = await engine.store.passwordHash(id, gwen.id);
    const body = { ...(await sam.body('individual')), ID: gwen.id, Password: 'another password' };
    await refuses(sam.create('individual', body)).with('conflict');
    expect(await engine.store.passwordHash(id, gwen.id)).toBe(hash);
  });
});

describe('what is told of rights on a global administrator', () => {
  const ask = async (asker: Asker, who: string, action: 'update' | 'delete' | 'read', id: string) =>
    asker.session.local?.rights({ who, action, resource: 'individual', id });

  it('is what happens', async () => {
    const { ada, gwen, sam } = await place();
    const bob = await ada.make('individual');
    expect(await ask(ada, sam.id, 'delete', gwen.id)).toMatchObject({ allowed: false, by: 'global', except: [] });
    expect(await ask(ada, sam.id, 'update', gwen.id)).toMatchObject({
      ...{ allowed: true, by: 'administrator', except: ['UserName', 'IsAdmin', 'Email', 'Password'] },
    });
    for (const [who, id] of [
      [gwen.id, gwen.id],
      [ada.id, gwen.id],
      [sam.id, String(bob.ID)],
    ] as const)
      for (const action of ['read', 'update', 'delete'] as const)
        expect(await ask(ada, who, action, id)).toMatchObject({ allowed: true, except: [] });
    expect(await sam.get('individual', gwen.id)).toMatchObject({ CanUpdate: true, CanDelete: false });
    expect((await sam.list('individual')).find(({ ID }) => ID === gwen.id)).toMatchObject({ CanDelete: false });
  });
});

describe('the last global administrator', () => {
  it('stays, who alone could bring another one back', async () => {
    const { ada, gwen } = await place();
    await ada.delete('individual', gwen.id);
    await refuses(ada.delete('individual', ada.id)).with('last_admin', 'last global', 'sites grant-global');
    await ada.undelete('individual', gwen.id);
    expect(await ada.delete('individual', ada.id)).toMatchObject({ Deleted: true });
  });

  it('may be gone all the same, and whoever has the file makes another one', async () => {
    const { engine, id, ada, gwen, sam, as } = await place();
    await ada.delete('individual', gwen.id);
    await engine.store.transaction((writer) => writer.update('individual', id, ada.id, { Deleted: true }));
    await refuses(sam.undelete('individual', ada.id)).with('global_admin_only');
    await grantGlobal(sam, sam.id);
    const again = await as('sam');
    expect(await again.undelete('individual', ada.id)).toMatchObject({ Deleted: false, IsGlobalAdmin: true });
  });
});
