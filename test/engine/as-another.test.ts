// The calls of somebody else on the engine: inside a transaction they are part of it.
import { expect, test } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { refuses } from '../support/refuses.ts';
import { newSite, type TestSite } from '../support/site.ts';

const { create } = contract.individual.operations;

/** Makes Ann in a transaction, who then answers for something, and calls whatever else is to be done in it. */
async function annIn({ ada }: TestSite, then: (ann: Session) => Promise<void> = async () => {}): Promise<void> {
  const body = await ada.body('individual', { UserName: 'ann' });
  const keep = await ada.body('accountability', { Name: 'Keep' });
  await ada.session.local?.transaction(async (inside) => {
    const { ID } = await inside.call(create, { body });
    const ann = await inside.local?.as('ann');
    if (!ann) throw new Error('a transaction has its own doors');
    await ann.call(contract.accountability.operations.create, { body: { ...keep, AncestorID: ID } });
    await then(ann);
  });
}

const names = async ({ ada }: TestSite) => (await ada.list('individual')).map(({ UserName }) => UserName);

test('somebody who was made in it calls by their own rights and name', async () => {
  const site = await newSite();
  let called = '';
  await annIn(site, async ({ me, find }) => {
    called = me.userName;
    const all = [];
    for await (const row of find.all('accountability', 0)) all.push(row);
    expect(all).toMatchObject([{ Name: 'Keep', CreatedBy: me.id }]);
  });
  expect([called, await names(site)]).toEqual(['ann', ['ada', 'ann']]);
});

test('where it fails, nothing of theirs is kept', async () => {
  const site = await newSite();
  const failing = annIn(site, () => Promise.reject(new Error('no more')));
  await expect(failing).rejects.toThrow('no more');
  expect(await names(site)).toEqual(['ada']);
});

test('nobody calls by a user name that nobody has', async () => {
  const { local } = (await newSite()).ada.session;
  await refuses(Promise.resolve(local?.as('nobody'))).with('not_found', 'no individual has the user name nobody');
});
