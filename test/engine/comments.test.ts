// Comments: whose they are, and the newest one on what it is about (D17).
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { seeded } from '../support/seeded.ts';
import { type Asker, newSite } from '../support/site.ts';

it.each([
  ['organization', 56],
  ['individual', 39],
  ['project', 15],
  ['dialog', 9],
  ['task', 21],
  ['metric', 7],
] as const)('hangs on a record of the kind %s and shows its row type', async (resource, AncestorType) => {
  const { ada } = await newSite();
  const { ID } = await ada.make(resource);
  const comment = await ada.make('comment', { AncestorID: ID });
  expect(comment).toMatchObject({
    AncestorID: ID,
    AncestorType,
    CreatedBy: ada.id,
    CreatedByName: 'ada Administrator',
  });
  expect(await ada.list('comment', { [resource === 'organization' ? 'department' : resource]: ID })).toEqual([comment]);
});

it('shows the row type of an organization', async () => {
  const { ada, organization } = await newSite();
  expect(await ada.make('comment', { AncestorID: organization })).toMatchObject({ AncestorType: 4 });
});

it('is changed, deleted and undeleted by its author or an administrator alone', async () => {
  const { ada, as } = await newSite();
  const author = await as((await ada.make('individual')).UserName);
  const other = await as((await ada.make('individual')).UserName);
  const { ID } = await author.make('comment');
  await give(ada, await ada.get('individual', other.id), author.id, { Read: ALLOW, Update: ALLOW, Delete: ALLOW });
  await refuses(other.change('comment', ID, { Body: 'No' })).with('forbidden', `${ID} was made by somebody else`);
  await refuses(other.delete('comment', ID)).with('forbidden', 'Only its author or an administrator');
  expect(await author.change('comment', ID, { Body: 'Better' })).toMatchObject({
    Body: 'Better',
    CreatedBy: author.id,
  });
  expect(await ada.change('comment', ID, { Body: 'Best' })).toMatchObject({ Body: 'Best', CreatedBy: author.id });
  await author.delete('comment', ID);
  await refuses(other.undelete('comment', ID)).with('forbidden');
  expect(await author.undelete('comment', ID)).toMatchObject({ Deleted: false });
});

it.each(['organization', 'individual', 'dialog'] as const)('shows the newest comment on its %s', async (resource) => {
  const { ada, as, at } = await newSite();
  const about = await ada.make(resource);
  const row = await ada.make('individual', { FirstName: 'Ines', LastName: 'Moreau' });
  await give(ada, row, ada.id, { Read: ALLOW });
  const ines = await as(row.UserName);
  const shown = async (last: object) => expect(await ada.get(resource, about.ID)).toEqual({ ...about, ...last });
  const none = { LastComment: null, LastCommentDate: null, LastCommentByID: null, LastCommentBy: null };
  const first = {
    LastComment: 'First',
    LastCommentDate: '2026-05-14T00:00:00.000+00:00',
    LastCommentByID: ada.id,
    LastCommentBy: 'ada Administrator',
  };
  const second = {
    LastComment: 'Second',
    LastCommentDate: '2026-05-15T00:00:00.000+00:00',
    LastCommentByID: ines.id,
    LastCommentBy: 'Ines Moreau',
  };
  await shown(none);
  at('2026-05-14');
  const one = await ada.make('comment', { AncestorID: about.ID, Body: 'First' });
  await shown(first);
  at('2026-05-15');
  const two = await ines.make('comment', { AncestorID: about.ID, Body: 'Second' });
  await shown(second);
  at('2026-05-16');
  await ada.change('comment', one.ID, { Body: 'First, better' });
  await shown(second);
  await ines.change('comment', two.ID, { Body: 'Second, better' });
  await shown({ ...second, LastComment: 'Second, better' });
  await ada.delete('comment', two.ID);
  await shown({ ...first, LastComment: 'First, better' });
  await ada.delete('comment', one.ID);
  await shown(none);
  await ada.undelete('comment', two.ID);
  await shown({ ...second, LastComment: 'Second, better' });
});

it('shows the newest comment again after what it is about was deleted and undeleted', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  await ada.make('comment', { AncestorID: ines.ID, Body: 'Still here' });
  await ada.delete('individual', ines.ID);
  expect(await ada.undelete('individual', ines.ID)).toMatchObject({ LastComment: 'Still here' });
});

it('is no change of what it is about', async () => {
  const { ada, at } = await newSite();
  const ines = await ada.make('individual');
  at('2026-06-01');
  await ada.make('comment', { AncestorID: ines.ID });
  expect(await ada.get('individual', ines.ID)).toMatchObject({ Updated: ines.Updated, UpdatedBy: ines.UpdatedBy });
  expect(await ada.history('individual', ines.ID)).toHaveLength(1);
});

it('shows the first of its list, whatever is done at the same moments', async () => {
  const { ada, at } = await newSite();
  const { ID: about = null } = await ada.make('individual');
  const random = seeded(7);
  const ids: Value[] = [];
  for (let n = 0; n < 60; n++) {
    at(`2026-05-${14 + Math.floor(random() * 3)}`);
    const id = ids[Math.floor(random() * ids.length * 1.5)];
    if (id === undefined) ids.push((await ada.make('comment', { AncestorID: about, Body: `${n}` })).ID ?? null);
    else await (n % 2 === 0 ? ada.delete('comment', id) : ada.undelete('comment', id));
    await showsFirst(ada, about);
  }
});

it('shows the first of its list where many are made and deleted together', async () => {
  const { ada } = await newSite();
  const { ID: about = null } = await ada.make('individual');
  const { create, delete: remove } = contract.comment.operations;
  const old = await Promise.all([1, 2, 3].map((n) => ada.make('comment', { AncestorID: about, Body: `old ${n}` })));
  const made = Array.from({ length: 20 }, () => crypto.randomUUID());
  const none = new Map();
  const reads = {
    ...{ changed: none, takenOut: none, named: new Map([['individual', new Set([String(about)])]]) },
    ...{ made: new Map([['comment', new Set(made)]]), deleted: idsOf('comment', old) },
  };
  await ada.session.local?.transaction((inside) =>
    inside.local.batch(reads, async ({ call }) => {
      for (const ID of made) await call(create, { body: { ID, AncestorID: about, Body: ID } });
      for (const id of [...made.slice(5), ...old.map(({ ID }) => String(ID))]) await call(remove, { params: { id } });
    }),
  );
  await showsFirst(ada, about);
  expect(await ada.list('comment', { individual: about })).toHaveLength(5);
});

const idsOf = (resource: string, rows: readonly Row[]) =>
  new Map([[resource, new Set(rows.map(({ ID }) => String(ID)))]]);

async function showsFirst(ada: Asker, about: Value): Promise<void> {
  const [first] = await ada.list('comment', { individual: about });
  const last = { LastComment: first?.Body ?? null, LastCommentDate: first?.Created ?? null };
  expect(await ada.get('individual', about)).toMatchObject(last);
}
