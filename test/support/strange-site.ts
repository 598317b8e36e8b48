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
  'shows deleted records in its lists': { showsDeleted: true },
  'has no address for one record': { hasNoSingles: true },
  'has all of these habits': {
    ...{ givesIDs: true, replaces: true, knowsMore: true, heedsOrder: true, toggles: true, wraps: true },
    ...{ shouts: true, stumbles: true, states: [5, 3, 7], omitsNulls: true },
  },
};

/** Habits of what is answered: too little, too late, in pages, or something else than was done. */
export const ANSWERING: Readonly<Record<string, Partial<Habits>>> = {
  'answers null for what is not there': { absent: 'null' },
  'answers {} for what is not there, and gives IDs of its own': { absent: '{}', givesIDs: true },
  'answers [] for what is not there, and loses answers': { absent: '[]', losesAnswers: 2 },
  'answers 204 for what is not there, and loses requests': { absent: '204', losesRequests: 2 },
  'says the new ID in Location alone': { creates: 'Location', givesIDs: true },
  'says nothing of a new record': { creates: 'nothing' },
  'says nothing of a new record, and gives IDs of its own': { creates: 'nothing', givesIDs: true },
  'says the ID of a new record alone': { creates: 'ID', givesIDs: true },
  'says OK of a new record and of an update': { creates: 'status', updates: 'status' },
  'answers an update with nothing': { updates: 'nothing', replaces: true },
  'answers an update with the ID alone': { updates: 'ID' },
  'answers an update with the old record': { updates: 'the old record' },
  'answers 503 to what it has done': { denies: 503, deniesEach: 4 },
  'answers 429 to what it has done, and gives IDs of its own': { denies: 429, deniesEach: 4, givesIDs: true },
  'answers 302 to what it has done': { denies: 302, deniesEach: 4 },
  'answers 408 to what it has done, and gives IDs of its own': { denies: 408, deniesEach: 4, givesIDs: true },
  'names the next page of a list by Link': { pages: 'Link', givesIDs: true },
  'names the next page of a list by nextLink': { pages: 'nextLink' },
  'writes GUIDs in braces': { guids: 'braces' },
  'writes GUIDs as digits alone, and gives them itself': { guids: 'digits', givesIDs: true },
  'has no /v4 in its addresses': { hasNoVersion: true },
  'wants to know the version of what is deleted': { wantsVersions: true },
  'shows new records some reads later': { lags: 3 },
  'shows new records some reads later, and gives IDs of its own': { lags: 3, givesIDs: true },
};

/** Habits of how answers are sent and spelled. */
export const MANNERS: Readonly<Record<string, Partial<Habits>>> = {
  'closes the connection after each answer': { manner: 'closes the connection' },
  'sends seven bytes at a time': { manner: 'sends seven bytes at a time', givesIDs: true },
  'begins its answers with a byte order mark': { manner: 'begins with a byte order mark' },
  'answers 202 to what it has done': { manner: 'answers 202', givesIDs: true },
  'packs its answers without being asked': { manner: 'packs' },
  'writes numbers as texts': { manner: 'writes numbers as texts' },
  'writes 1 for true': { manner: 'writes 1 for true' },
  'writes first_name for FirstName': { manner: 'writes first_name' },
  'writes empty texts for null': { manner: 'writes empty texts for null' },
  'adds links to its records': { manner: 'adds links', replaces: true },
  'turns the order of members round': { manner: 'turns the order of members round' },
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
