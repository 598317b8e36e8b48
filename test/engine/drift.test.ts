// A change that names the ETag it was made on: it is made while the record is still so, and else refused (D10).
import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/contract/call.ts';
import { contract, type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Row } from '../../src/contract/resource.ts';
import { etagOf } from '../../src/contract/same-values.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, newSite } from '../support/site.ts';

cheapDerivations();

const etag = (resource: ResourceName, row: Row): string => etagOf(resourceNamed(resource), row);

/** An operation on an accountability, while it has this ETag. */
const on = (asker: Asker, verb: 'update' | 'delete' | 'undelete', { ID }: Row, more: Input): Promise<Row> => {
  const { operations } = contract.accountability;
  const { params: [param = ''] = [] } = { params: /\{(\w+)\}/.exec(operations[verb].routes.plain)?.slice(1) ?? [] };
  return asker.session.call(operations[verb] as Operation, { by: 'plain', params: { [param]: String(ID) }, ...more });
};

describe('of two changes made on the same record', () => {
  it('the first is made, and the second is told', async () => {
    const { ada } = await newSite();
    const read = await ada.make('accountability', { Name: 'Coaching' });
    const match = [etag('accountability', read)];
    const first = await on(ada, 'update', read, { body: { ...read, Name: 'Mentoring' }, match });
    const second = on(ada, 'update', read, { body: { ...read, Rank: 9 }, match });
    await refuses(second).with('drifted', 'Mentoring', String(read.ID), 'nothing was changed', 'Read it again');
    expect(await ada.get('accountability', read.ID)).toEqual(first);
    expect(await ada.history('accountability', read.ID)).toHaveLength(2);
  });

  it('both are made where each is made on what the one before answered', async () => {
    const { ada } = await newSite();
    const read = await ada.make('accountability');
    const one = await on(ada, 'update', read, { body: { ...read, Rank: 8 }, match: [etag('accountability', read)] });
    const two = await on(ada, 'update', one, { body: { ...one, Name: 'Two' }, match: [etag('accountability', one)] });
    expect(two).toMatchObject({ Rank: 8, Name: 'Two' });
  });
});

it('deletes and undeletes what is as it was read, and nothing else', async () => {
  const { ada } = await newSite();
  const read = await ada.make('accountability');
  const match = [etag('accountability', read)];
  const changed = await ada.change('accountability', read.ID, { Name: 'Other' });
  await refuses(on(ada, 'delete', read, { match })).with('drifted');
  expect(await ada.get('accountability', read.ID)).toEqual(changed);
  const gone = await on(ada, 'delete', read, { match: [etag('accountability', changed)] });
  await refuses(on(ada, 'undelete', read, { match: [etag('accountability', changed)] })).with('drifted');
  await refuses(ada.get('accountability', read.ID)).with('deleted');
  expect(await on(ada, 'undelete', read, { match: [etag('accountability', gone)] })).toMatchObject({ Deleted: false });
});

it('finds no match with what is not there yet', async () => {
  const { ada } = await newSite();
  const [role, dialog] = [await ada.make('basicRole'), await ada.make('dialog')];
  const { update } = contract.basicRoleDialog.operations;
  const [by = '', route = ''] = Object.entries(update.routes)[0] ?? [];
  const [roleParam = '', dialogParam = ''] = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const params = { [roleParam]: String(role.ID), [dialogParam]: String(dialog.ID) };
  const body = { Description: 'Fine' };
  await refuses(ada.session.call(update, { by, params, body, match: ['"x"'] })).with('drifted', 'basic role dialog');
  const entry = await ada.session.call(update, { by, params, body });
  const match = [etag('basicRoleDialog', entry)];
  const again = await ada.session.call(update, { by, params, body: { Description: 'Better' }, match });
  expect(again.Description).toBe('Better');
});

describe('an ETag', () => {
  it('is strong: a text in quotes, of characters that a header may hold', async () => {
    const { ada } = await newSite();
    expect(etag('individual', await ada.get('individual', ada.id))).toMatch(/^"[\w-]{43}"$/);
  });

  it('is the same for a record that is read in another zone', async () => {
    const { ada } = await newSite();
    const dialog = await ada.make('dialog');
    const shifted = await ada.get('dialog', dialog.ID, { tz: '+05:30' });
    expect(shifted.Created).not.toBe(dialog.Created);
    expect(etag('dialog', shifted)).toBe(etag('dialog', dialog));
  });

  it('takes a date for the same however it is spelled, and for another by its offset and its last digit', async () => {
    const { ada } = await newSite();
    const dialog = await ada.make('dialog');
    const at = (DialogDate: string): string => etag('dialog', { ...dialog, DialogDate });
    expect(at('2026-05-20T14:30:00+05:30')).not.toBe(at('2026-05-20T09:00:00+00:00'));
    expect(at('2026-05-20T09:00:00.25Z')).toBe(at('2026-05-20T09:00:00.250+00:00'));
    expect(at('2026-05-20T09:00:00.2500002Z')).not.toBe(at('2026-05-20T09:00:00.2500001Z'));
    expect(at('2026-05-20T09:00:01Z')).not.toBe(at('2026-05-20T09:00:00Z'));
  });

  it('does not change with what is computed, nor with who changed the record when', async () => {
    const { ada, at } = await newSite();
    const read = await ada.make('individual');
    at('2026-05-14');
    await ada.make('comment', { AncestorID: read.ID });
    await ada.change('individual', read.ID, { Password: 'plain as day' });
    const now = await ada.get('individual', read.ID);
    expect(now.LastComment).not.toBe(read.LastComment);
    expect(now.Updated).not.toBe(read.Updated);
    expect(etag('individual', now)).toBe(etag('individual', read));
  });

  it('changes with what people can change, and with the marks of deletion', async () => {
    const { ada } = await newSite();
    const boss = await ada.make('individual');
    const read = await ada.make('accountability', { AncestorID: boss.ID });
    const tags = new Set([etag('accountability', read)]);
    tags.add(etag('accountability', await ada.change('accountability', read.ID, { Name: 'Other' })));
    tags.add(etag('accountability', await ada.delete('accountability', read.ID)));
    await ada.delete('individual', boss.ID);
    tags.add(
      etag('accountability', (await ada.session.find.record('accountability', { id: String(read.ID) })).row ?? {}),
    );
    expect(tags.size).toBe(4);
  });

  it('changes with members that the contract does not know, where they are kept', async () => {
    const { ada, id } = await newSite();
    const one = await ada.change('site', id, { Motto: 'Row on' });
    const two = await ada.change('site', id, { Motto: 'Row off' });
    expect(etag('site', two)).not.toBe(etag('site', one));
    expect(etag('site', await ada.change('site', id, { Motto: 'Row on' }))).toBe(etag('site', one));
  });
});
