// A record of an exported site comes back with its author and its times, by nobody but an administrator where the database is.
import { beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { newSite, type TestSite } from '../support/site.ts';

const { restore, unrestore } = contract.site.operations;
const ID = 'a0000000-0000-4000-8000-000000000001';
const LONG_AGO = '2001-02-03T04:05:06.000+00:00';

let site: TestSite;
let ines: Row;
let body: Row;
beforeEach(async () => {
  site = await newSite();
  ines = await site.ada.make('individual', { UserName: 'ines' });
  const stamps = { Created: LONG_AGO, CreatedBy: ines.ID, Updated: LONG_AGO, UpdatedBy: ines.ID };
  body = commentOf({ ID, AncestorID: site.ada.id, Body: 'From of old', Deleted: false, ...stamps });
});

const commentOf = (image: object): Row => ({ Type: 'comment', Record: JSON.stringify(image) });

describe('a restored record', () => {
  it('has its ID, its author and its times, and counts among the others', async () => {
    expect(await site.ada.session.call(restore, { body })).toMatchObject({ ID, Created: LONG_AGO, CreatedBy: ines.ID });
    expect(await site.ada.get('individual', site.ada.id)).toMatchObject({
      LastComment: 'From of old',
      LastCommentDate: LONG_AGO,
      LastCommentByID: ines.ID,
    });
  });

  it('comes back deleted where it was deleted', async () => {
    const image = { ...JSON.parse(String(body.Record)), Deleted: true };
    await site.ada.session.call(restore, { body: commentOf(image) });
    const found = await site.ada.session.find.record('comment', { id: ID });
    expect(found).toMatchObject({ state: 'deleted', row: { Updated: LONG_AGO } });
  });

  it('is taken out again by the reverse, unless it has changed since', async () => {
    await site.ada.session.call(restore, { body });
    await site.ada.change('comment', ID, { Body: 'Said otherwise' });
    const reversed = () => site.ada.session.call(unrestore, { body });
    await expect(reversed()).rejects.toMatchObject({ code: 'drifted' });
    await site.ada.change('comment', ID, { Body: 'From of old' });
    await reversed();
    expect((await site.ada.session.find.record('comment', { id: ID })).state).toBe('absent');
  });

  it('stays while other records name it', async () => {
    const image = { ID, Rank: 1, Name: 'North', ParentID: site.organization };
    const north = { Type: 'organization', Record: JSON.stringify(image) };
    await site.ada.session.call(restore, { body: north });
    await site.ada.make('project', { AncestorID: ID });
    await expect(site.ada.session.call(unrestore, { body: north })).rejects.toMatchObject({ code: 'drifted' });
  });

  it('must be one that could be made', async () => {
    const empty = commentOf({ ID, AncestorID: site.ada.id, Body: ' ' });
    await expect(site.ada.session.call(restore, { body: empty })).rejects.toThrow('Body is required');
    const none = { Type: 'nothing', Record: '{}' };
    await expect(site.ada.session.call(restore, { body: none })).rejects.toThrow('Type is no resource');
  });

  it('makes no global administrator', async () => {
    const [image] = (await site.ada.session.find.byMembers('individual', { ID: site.ada.id })) ?? [];
    const Record = JSON.stringify({ ...image, ID, UserName: 'ada2', UserID: ID, IsGlobalAdmin: true });
    const made = await site.ada.session.call(restore, { body: { Type: 'individual', Record } });
    expect(made).toMatchObject({ UserName: 'ada2', IsAdmin: true, IsGlobalAdmin: false });
  });
});

describe('the record of a global administrator', () => {
  it('is replaced by global administrators alone, since what takes its place gets its password', async () => {
    await site.ada.make('individual', { UserName: 'sam', IsAdmin: true });
    const sam = await site.as('sam');
    const [image] = (await sam.session.find.byMembers('individual', { ID: site.ada.id })) ?? [];
    const Instead = JSON.stringify(image);
    for (const Record of [JSON.stringify({ ...image, ID, UserID: ID }), JSON.stringify({ ...image, UserName: 'x' })])
      await expect(sam.session.call(restore, { body: { Type: 'individual', Record, Instead } })).rejects.toMatchObject({
        code: 'global_admin_only',
      });
  });
});

describe('authors and times', () => {
  it('are restored by administrators alone', async () => {
    const { session } = await site.as('ines');
    for (const operation of [restore, unrestore])
      await expect(session.call(operation, { body })).rejects.toMatchObject({ code: 'admin_only' });
  });

  it('are restored by nobody over the interface', async () => {
    const { Token } = await site.ada.session.call(contract.token.operations.create, { body: { Kind: 'user' } });
    const remote = await site.engine.backend.open({ login: 'ada', password: `{UserToken}${String(Token)}` });
    for (const operation of [restore, unrestore])
      await expect(async () => remote.call(operation, { body })).rejects.toThrow('is done only where the database is');
  });

  it('in the body of an ordinary request are left out', async () => {
    const { Body, Created, CreatedBy } = await (await site.as('ines')).make('comment', {
      AncestorID: ines.ID,
      ...{ Created: LONG_AGO, CreatedBy: site.ada.id, Updated: LONG_AGO, UpdatedBy: site.ada.id },
    });
    expect({ Body, CreatedBy }).toEqual({ Body: 'Well done', CreatedBy: ines.ID });
    expect(Created).not.toBe(LONG_AGO);
  });
});
