// History: one line for each write, with who wrote it, when, and the values before.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { newSite, TODAY } from '../support/site.ts';

cheapDerivations();

/** How many lines the whole file has. */
function linesOf(file: string): number {
  const database = openDatabase(file, { readonly: true });
  try {
    return Number(database.prepare('SELECT count(*) FROM line').pluck().get());
  } finally {
    database.close();
  }
}

it('tells of a record what was done, by whom, when, and what it was before', async () => {
  const { ada, as, at } = await newSite();
  const row = await ada.make('individual');
  await give(ada, row, ada.id, { Update: ALLOW, Delete: ALLOW });
  const ines = await as(row.UserName);
  const made = await ada.make('accountability', { Rank: 1, Name: 'Coaching' });
  at('2026-05-14T00:00:00Z');
  await ines.change('accountability', made.ID, { Rank: 2, Name: 'Training' });
  at('2026-05-15T00:00:00Z');
  await ada.delete('accountability', made.ID);
  at('2026-05-16T00:00:00Z');
  await ines.undelete('accountability', made.ID);
  const moment = (day: number) => `2026-05-${day}T00:00:00.000+00:00`;
  const lines = await ada.history('accountability', made.ID);
  expect(lines).toMatchObject([
    { what: 'create', caller: ada.id, at: TODAY.replace('Z', '+00:00'), before: undefined },
    { what: 'update', caller: ines.id, at: moment(14) },
    { what: 'delete', caller: ada.id, at: moment(15) },
    { what: 'undelete', caller: ines.id, at: moment(16) },
  ]);
  expect(lines[1]?.before).toMatchObject({ Rank: 1, Name: 'Coaching', UpdatedBy: ada.id });
  expect(lines[2]?.before).toMatchObject({ Deleted: false, UpdatedBy: ines.id });
  expect(lines[3]?.before).toMatchObject({ Deleted: true, UpdatedBy: ada.id });
});

it('gets exactly one line for each record that is written', async () => {
  const { ada, engine, organization } = await newSite();
  const sales = await ada.make('organization');
  const added = async (write: () => Promise<unknown>) => {
    const before = linesOf(engine.file);
    await write();
    return linesOf(engine.file) - before;
  };
  expect(await added(() => ada.make('accountability'))).toBe(1);
  expect(await added(() => ada.make('comment', { AncestorID: sales.ID }))).toBe(1);
  expect(await added(() => ada.change('organization', sales.ID, { Rank: 99 }))).toBe(1);
  expect(await added(() => ada.delete('organization', sales.ID))).toBe(1);
  expect(await added(() => ada.undelete('organization', sales.ID))).toBe(1);
  // An individual comes with its primary membership, which is a record of its own.
  const ines = await ada.make('individual', { PrimaryOrganizationID: sales.ID });
  expect(await added(() => ada.make('individual'))).toBe(2);
  expect(await added(() => ada.change('individual', ines.ID, { LastName: 'Adler' }))).toBe(1);
  expect(await added(() => ada.change('individual', ines.ID, { PrimaryOrganizationID: organization }))).toBe(2);
});

it('gets none for what changes nothing, and none for what is refused', async () => {
  const { ada, engine } = await newSite();
  const made = await ada.make('accountability');
  const before = linesOf(engine.file);
  await ada.change('accountability', made.ID, {});
  await ada.undelete('accountability', made.ID);
  await refuses(ada.change('accountability', made.ID, { Name: '' })).with('invalid');
  await refuses(ada.make('individual', { PrimaryReportsTo: made.ID, Password: 'in vain, and long' })).with('invalid');
  await refuses(ada.delete('individual', ada.id)).with('last_admin');
  expect(linesOf(engine.file)).toBe(before);
});
