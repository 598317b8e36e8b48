// Several calls as one change, kept whole or not at all; and changes that are only rehearsed.
import { expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { askerOf, each, newSite, type TestSite } from '../support/site.ts';

cheapDerivations();

/** Runs work as one change. */
async function together<T>({ ada, engine }: TestSite, work: (inside: ReturnType<typeof askerOf>) => Promise<T>) {
  const local = ada.session.local;
  if (!local) throw new Error('the engine has local doors');
  return local.transaction((session: Session) => work(askerOf(session, engine)));
}

it('takes everything back when a call fails', async () => {
  const site = await newSite();
  const made = await site.ada.make('accountability', { Name: 'Before' });
  const change = together(site, async (inside) => {
    await inside.change('accountability', made.ID, { Name: 'After' });
    await inside.make('individual', { UserName: 'ines', Password: 'in vain, and long' });
    await inside.make('color');
    await inside.make('individual', { UserName: 'INES' });
  });
  await refuses(change).with('conflict', 'UserName INES');
  expect(await site.ada.get('accountability', made.ID)).toEqual(made);
  expect(await site.ada.list('individual')).toHaveLength(1);
  expect(await site.ada.history('accountability', made.ID)).toHaveLength(1);
  expect(await site.ada.make('color')).toMatchObject({ ID: 5 });
});

it('takes everything back even where the work goes on after a failed write', async () => {
  const site = await newSite();
  const change = together(site, async (inside) => {
    await inside.make('accountability');
    await inside.make('accountability', { Rank: 'high' }).catch(() => undefined);
    return inside.make('accountability');
  });
  await refuses(change).with('invalid', /Rank/);
  expect(await site.ada.list('accountability', 'mine')).toEqual([]);
});

it('goes on after a read that found nothing', async () => {
  const site = await newSite();
  const nothing = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await together(site, async (inside) => {
    await refuses(inside.get('accountability', nothing)).with('not_found');
    await inside.make('accountability');
  });
  expect(await site.ada.list('accountability', 'mine')).toHaveLength(1);
});

it('is one change also where changes are nested', async () => {
  const site = await newSite();
  const change = together(site, async (inside) => {
    await inside.session.local?.transaction((deeper) => askerOf(deeper, site.engine).make('accountability'));
    await inside.make('comment', { Body: null });
  });
  await refuses(change).with('invalid', /Body/);
  expect(await site.ada.list('accountability', 'mine')).toEqual([]);
});

it('takes a piece back that is not to be kept, and leaves the rest', async () => {
  const site = await newSite();
  await together(site, async (inside) => {
    await inside.make('accountability', { Name: 'Kept' });
    const piece = async (deeper: Session) => askerOf(deeper, site.engine).make('accountability', { Name: 'Not kept' });
    await inside.session.local?.savepoint(piece, () => false);
  });
  expect(each(await site.ada.list('accountability', 'mine'), 'Name')).toEqual(['Kept']);
});
