// pm doctor --probe tries a service that other people have written, says its habits in words, and keeps them in the profile.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import type { Habits } from '../support/strange-habits.ts';
import { strangeSite } from '../support/strange-site.ts';

const pm = usingPm();
const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

async function habitsOf(habits: Partial<Habits>) {
  const service = await strangeSite(pm, { replaces: true, ...habits });
  const rows = await run(['doctor', '--probe', '--yes', '-o', 'json']).rows();
  expect(service.all('corevalues')).toEqual([]);
  expect(service.all('accountabilities').filter(({ Name }) => Name === 'pm doctor')).toMatchObject([{ Deleted: true }]);
  return rows
    .filter(({ Found }) => String(Found).startsWith('the service '))
    .map(({ Check, Found }) => [Check, String(Found).replace('; pm adapts to it', '')]);
}

it.each<[string, Partial<Habits>, string, string]>([
  ['gives IDs of its own', { givesIDs: true }, 'IDs', 'gives IDs of its own'],
  ['keeps what an update leaves out', { replaces: false }, 'PUT', 'keeps what an update leaves out'],
  ['knows more members', { knowsMore: true }, 'members', 'has members of its own (BadgeNumber, Callsign)'],
  ['heeds the order', { heedsOrder: true }, 'XML', 'reads the members of XML in one order alone'],
  ['wraps its lists', { wraps: true }, 'lists', 'wraps its lists'],
  ['spells GUIDs in capitals', { shouts: true }, 'GUIDs', 'spells GUIDs in capitals'],
  ['toggles', { toggles: true }, 'undelete', 'deletes what is undeleted and was not deleted'],
  ['trims texts', { trims: true }, 'texts', 'trims texts'],
])('one that %s is told so, and nothing else', async (_, habits, check, said) => {
  expect(await habitsOf(habits)).toEqual([[check, `the service ${said}`]]);
});

it('an ordinary one has no habits', async () => {
  expect(await habitsOf({})).toEqual([]);
  await run(['doctor', '-o', 'json']).prints('has no habits of its own');
});

it('a second trial uses the accountability of the first', async () => {
  for (const toggles of [false, true]) {
    const service = await strangeSite(pm, { toggles });
    for (let time = 0; time < 2; time++) await run(['doctor', '--probe', '--yes', '-o', 'json']).rows();
    expect(service.all('accountabilities').filter(({ Name }) => Name === 'pm doctor')).toHaveLength(1);
  }
});

it('what it learned is kept in the profile, and is used', async () => {
  const service = await strangeSite(pm, { knowsMore: true, refusesMore: true, states: [5, 3, 7] });
  service.put('permissions', {
    ...{ ID: 9, RowID: service.all('individuals')[0]?.SiteID, PrincipalID: service.all('individuals')[0]?.ID },
    ...{ ChildType: null, CreateState: 3, CreateText: 'Allow', ReadState: 7, ReadText: 'Deny' },
    ...{ UpdateState: 5, UpdateText: 'Not Set', DeleteState: 5, DeleteText: 'Not Set' },
  });
  await run(['individuals', 'update', 'user10', '--suffix', 'MA']).fails(7, '--drop-unknown');
  await run(['doctor', '--probe', '--yes', '-o', 'json']).prints(
    'has members of its own (BadgeNumber, Callsign) and refuses them in requests',
    'counts the states of rights as Allow 3, Deny 7, Not Set 5',
  );
  await run(['profiles', 'show', 's', '-o', 'json']).prints('"DropUnknown": true', 'Deny=7');
  await run(['individuals', 'update', 'user10', '--suffix', 'MA']).says('Undo');
  await run(['doctor', '-o', 'json']).prints('counts the states of rights');
});

it('a dry run tries nothing, and says so', async () => {
  const service = await strangeSite(pm, {});
  await run(['doctor', '--probe', '-n', '-o', 'json']).prints('not tried: this is a dry run');
  expect(service.received()).toEqual({});
});

it('without a trial it says that there was none', async () => {
  await strangeSite(pm, {});
  await run(['doctor', '-o', 'json']).prints('nobody has tried yet how the service writes', 'pm doctor --probe -p s');
});
