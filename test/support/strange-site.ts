// The habits of services, and a site on such a service of other people's making: a department with six people, and a profile `s` of the administrator `ann`.
import { onTestFinished } from 'vitest';
import { fakeServer, ME } from './fake-server.ts';
import type { Member, usingPm } from './pm.ts';
import type { Habits } from './strange-habits.ts';
import { type StrangeService, strangeService } from './strange-service.ts';

const DEPARTMENT = 'd0000000-0000-4000-8000-00000000000d';
export const PEOPLE = 6;

/** Each habit alone, and most of them at once. */
export const HABITS: Readonly<Record<string, Partial<Habits>>> = {
  'is ordinary': {},
  'gives IDs of its own': { givesIDs: true },
  'replaces what is there': { replaces: true },
  'has members that nobody else knows': { knowsMore: true },
  'heeds the order of members, and replaces': { heedsOrder: true, replaces: true },
  'wraps its lists': { wraps: true },
  'leaves out what is null': { omitsNulls: true },
  'spells GUIDs in capitals': { shouts: true },
  'fails at each third read': { stumbles: true },
  'has all of these habits': {
    ...{ givesIDs: true, replaces: true, knowsMore: true, heedsOrder: true, toggles: true, wraps: true },
    ...{ shouts: true, stumbles: true, states: [5, 3, 7], omitsNulls: true },
  },
};

export const individual = (n: number): Member => ({
  ...{ ID: `a0000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`, SiteID: ME.SiteID, UserName: `user${n}` },
  ...{ FirstName: `First ${n}`, LastName: `Last ${n}`, Email: `u${n}@example.com`, UserEmail: `u${n}@example.com` },
  ...{
    PrimaryOrganizationID: DEPARTMENT,
    PrimaryTitle: 'Member',
    PrimaryReportsTo: ME.ID,
    HireDate: '2020-01-01T00:00:00+00:00',
  },
  ...{ Deleted: false, DeletedByRef: false },
});

/** The people are user10 to user15. */
export async function strangeSite(
  pm: ReturnType<typeof usingPm>,
  habits: Partial<Habits> = {},
): Promise<StrangeService> {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const service = strangeService(server, habits);
  const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  service.put('departments', { ID: DEPARTMENT, ParentID: null, Rank: 1, Name: 'Operations', Focus: 'work', ...marks });
  for (let n = 10; n < 10 + PEOPLE; n++) service.put('individuals', individual(n));
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann', '--overwrite']).says();
  return service;
}
