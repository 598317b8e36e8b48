// The rules of individuals: names, passwords, what only administrators change, and who reports to whom (D14).
import { expect, it } from 'vitest';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { each, newSite } from '../support/site.ts';

cheapDerivations();

it('derives three names, with prefix and suffix where there are any', async () => {
  const { ada } = await newSite();
  const plain = await ada.make('individual', { FirstName: 'Ines', LastName: 'Moreau' });
  expect(plain).toMatchObject({
    FullName: 'Ines Moreau',
    FormalName: 'Ines Moreau',
    FullOrderedName: 'Moreau, Ines',
  });
  const formal = await ada.change('individual', plain.ID, { Prefix: 'Dr.', LastName: 'Adler', Suffix: 'PhD' });
  expect(formal).toMatchObject({
    FullName: 'Ines Adler',
    FormalName: 'Dr. Ines Adler, PhD',
    FullOrderedName: 'Adler, Ines',
  });
});

it('demands UserEmail of a new individual, and answers Email there', async () => {
  const { ada } = await newSite();
  const Email = 'ines@example.org';
  const body = await ada.body('individual', { Email, UserEmail: Email });
  await refuses(ada.create('individual', { ...body, UserEmail: undefined })).with('invalid', /UserEmail is required/);
  const made = await ada.create('individual', body);
  expect(made).toMatchObject({ Email, UserEmail: Email });
  const changed = await ada.change('individual', made.ID, { Email: 'new@example.org' });
  expect(changed).toMatchObject({ UserEmail: 'new@example.org' });
});

it('refuses a UserEmail that differs from Email, since one of them would be lost', async () => {
  const { ada } = await newSite();
  const UserEmail = 'other@example.org';
  await refuses(ada.make('individual', { UserEmail })).with(
    'invalid',
    /UserEmail is "other@example.org", but Email is/,
  );
  await refuses(ada.change('individual', ada.id, { UserEmail })).with('invalid', /UserEmail is "other@example.org"/);
});

it('makes an ID of its own where a new one has the ID that stands for none', async () => {
  const { ada } = await newSite();
  const ID = '00000000-0000-0000-0000-000000000000';
  const made = [await ada.make('individual', { ID }), await ada.make('individual', { ID })];
  expect(new Set(made.map((row) => row.ID)).add(ID).size).toBe(3);
});

it('never answers a password, and keeps it as a hash', async () => {
  const { ada, engine, id } = await newSite();
  const ines = await ada.make('individual', { Password: 'plain as day' });
  expect(ines).not.toHaveProperty('Password');
  expect(await ada.get('individual', ines.ID)).not.toHaveProperty('Password');
  expect(each(await ada.list('individual'), 'Password')).toEqual([undefined, undefined]);
  expect(await engine.store.passwordHash(id, String(ines.ID))).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
});

it('counts a new password as a change, and tells history of it without the password', async () => {
  const { ada, at, engine, id } = await newSite();
  const ines = await ada.make('individual', { Password: 'the first one' });
  const first = await engine.store.passwordHash(id, String(ines.ID));
  at('2026-05-20T00:00:00Z');
  const after = await ada.change('individual', ines.ID, { Password: 'the second one' });
  expect(after).toEqual({ ...ines, Updated: '2026-05-20T00:00:00.000+00:00' });
  expect(await engine.store.passwordHash(id, String(ines.ID))).not.toBe(first);
  const [, line] = await ada.history('individual', ines.ID);
  expect(line).toMatchObject({ what: 'update', caller: ada.id });
  expect(Object.keys(line?.before ?? {})).toEqual(['Password', 'Updated', 'UpdatedBy']);
  expect(line?.before?.Password).toBeNull();
});

it('does not send surveys', async () => {
  const { ada } = await newSite();
  expect(await ada.make('individual')).toMatchObject({ SendEvalSurvey: false });
});

it('gives everybody a UserID that is not their ID', async () => {
  const { ada } = await newSite();
  const people = await Promise.all([ada.get('individual', ada.id), ada.make('individual'), ada.make('individual')]);
  const all = people.flatMap(({ ID, UserID }) => [ID, UserID]);
  expect(new Set(all).size).toBe(6);
});

it('allows one who reports to oneself, at the top', async () => {
  const { ada } = await newSite();
  const own = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect(await ada.make('individual', { ID: own, PrimaryReportsTo: own })).toMatchObject({ PrimaryReportsTo: own });
  const ines = await ada.make('individual');
  expect(await ada.change('individual', ines.ID, { PrimaryReportsTo: ines.ID })).toMatchObject({
    PrimaryReportsTo: ines.ID,
  });
});

it('refuses any other loop, and prints the chain', async () => {
  const { ada } = await newSite();
  const named = (FirstName: string, PrimaryReportsTo: unknown) =>
    ada.make('individual', { FirstName, LastName: 'Lee', PrimaryReportsTo });
  const ann = await named('Ann', ada.id);
  const bob = await named('Bob', ann.ID);
  const cleo = await named('Cleo', bob.ID);
  await refuses(ada.change('individual', ann.ID, { PrimaryReportsTo: cleo.ID })).with(
    'invalid',
    'PrimaryReportsTo makes a loop: Ann Lee → Cleo Lee → Bob Lee → Ann Lee',
  );
  await refuses(ada.change('individual', ann.ID, { PrimaryReportsTo: bob.ID })).with(
    'invalid',
    'PrimaryReportsTo makes a loop: Ann Lee → Bob Lee → Ann Lee',
  );
  expect(await ada.get('individual', ann.ID)).toEqual(ann);
});

it.each([{ UserName: 'chief' }, { IsAdmin: true }, { PrimaryTitle: 'Chief' }, { PrimaryReportsTo: 'self' }])(
  'does not let anybody but an administrator change of themselves: %j',
  async (members) => {
    const { ada, as } = await newSite();
    const row = await ada.make('individual');
    const ines = await as(row.UserName);
    const meant = 'PrimaryReportsTo' in members ? { PrimaryReportsTo: row.ID } : members;
    await refuses(ines.change('individual', row.ID, meant)).with('admin_only', `${Object.keys(meant)}`);
    expect(await ada.change('individual', row.ID, meant)).toMatchObject(meant);
  },
);

it.each([{ UserName: 'chief' }, { IsAdmin: true }, { Password: 'taken over by me' }])(
  'does not let anybody but an administrator change of others: %j',
  async (members) => {
    const { ada, as } = await newSite();
    const other = await ada.make('individual');
    const row = await ada.make('individual');
    await give(ada, row, other.ID, { Update: ALLOW });
    await refuses((await as(row.UserName)).change('individual', other.ID, members)).with('admin_only');
    expect(await ada.get('individual', other.ID)).toEqual(other);
  },
);

it('lets everybody send their record back unchanged, and set their own password', async () => {
  const { ada, as, engine, id } = await newSite();
  const row = await ada.make('individual', { IsAdmin: false });
  const ines = await as(row.UserName);
  expect(await ines.change('individual', row.ID, { UserDefined1: 'Blue', Password: 'my own password' })).toMatchObject({
    UserDefined1: 'Blue',
    PrimaryTitle: row.PrimaryTitle,
  });
  expect(await engine.store.passwordHash(id, String(row.ID))).toMatch(/^\$scrypt\$/);
});

it('never lets IsGlobalAdmin be written', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual', { IsGlobalAdmin: true });
  expect(ines.IsGlobalAdmin).toBe(false);
  expect(await ada.change('individual', ines.ID, { IsGlobalAdmin: true })).toMatchObject({ IsGlobalAdmin: false });
});

it('makes a global administrator locally, once', async () => {
  const { ada } = await newSite();
  const { ID } = await ada.make('individual');
  const grant = () => ada.call('individual', 'grantGlobal', 'plain', { body: { Individual: ID } });
  expect(await grant()).toMatchObject({ ID, IsGlobalAdmin: true });
  expect(await grant()).toMatchObject({ ID, IsGlobalAdmin: true });
  expect(await ada.history('individual', ID)).toHaveLength(2);
});

it('sets a password locally, for those who are there', async () => {
  const { ada, engine, id } = await newSite();
  const { ID } = await ada.make('individual');
  const set = (Individual: unknown) =>
    ada.call('individual', 'setPassword', 'plain', { body: { Individual, Password: 'from the owner' } });
  expect(await set(ID)).toMatchObject({ ID });
  expect(await engine.store.passwordHash(id, String(ID))).toMatch(/^\$scrypt\$/);
  await ada.delete('individual', ID);
  await refuses(set(ID)).with('deleted');
});

it('neither demotes nor deletes the last administrator of a site', async () => {
  const { ada } = await newSite();
  await refuses(ada.change('individual', ada.id, { IsAdmin: false })).with('last_admin', /last administrator/);
  await refuses(ada.delete('individual', ada.id)).with('last_admin', /last administrator/);
  const ines = await ada.make('individual', { IsAdmin: true });
  await ada.call('individual', 'grantGlobal', 'plain', { body: { Individual: ines.ID ?? null } });
  await ada.delete('individual', ines.ID);
  await refuses(ada.delete('individual', ada.id)).with('last_admin');
  await ada.undelete('individual', ines.ID);
  expect(await ada.delete('individual', ada.id)).toMatchObject({ Deleted: true });
});

it('reads me', async () => {
  const { ada, as } = await newSite();
  const row = await ada.make('individual');
  const ines = await as(row.UserName);
  const rights = { CanDelete: false, CanDelegate: false };
  expect(await ines.call('individual', 'get', 'mine')).toEqual({ ...row, ...rights });
});
