// A title of white space is none: an individual and its primary membership are held to the same rule.
import { expect, it } from 'vitest';
import { newSite } from '../support/site.ts';

it('is refused on an individual and on its membership alike', async () => {
  const { ada } = await newSite();
  const { ID = null } = await ada.make('individual');
  await expect(ada.change('individual', ID, { PrimaryTitle: '  ' })).rejects.toThrow('PrimaryTitle must not be null');
  const [primary] = (await ada.session.find.byMembers('organizationMember', { IndividualID: ID })) ?? [];
  await expect(ada.change('organizationMember', primary?.ID, { Title: '  ' })).rejects.toThrow('Title');
  await ada.change('organizationMember', primary?.ID, { Title: 'Head of all' });
  expect(await ada.get('individual', ID)).toMatchObject({ PrimaryTitle: 'Head of all' });
});

it('that an older program let in makes no membership the primary one', async () => {
  const { ada, engine, id: site } = await newSite();
  const { ID } = await ada.make('organizationMember', { Title: 'Guest', ReportsToID: ada.id });
  await engine.store.transaction((writer) => writer.update('organizationMember', site, String(ID), { Title: '  ' }));
  await expect(ada.change('organizationMember', ID, { Primary: true })).rejects.toThrow(
    'Title is required for the primary membership',
  );
  await ada.change('organizationMember', ID, { Leader: true });
});
