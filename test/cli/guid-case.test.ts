// A service that writes GUIDs in capitals here and not there: they are the same.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const ROWS = [
  { ID: A.toUpperCase(), Name: 'Sales', ParentID: ME.SiteID.toUpperCase(), RowType: 4, Rank: 1 },
  { ID: B, Name: 'EMEA', ParentID: A, RowType: 5, Rank: 1 },
];
const pm = usingPm();
const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: 'Correct-horse-1' } });
let fake: FakeServer;

beforeEach(async () => {
  fake = await fakeServer();
  onTestFinished(() => fake.close());
  await pm(`profiles add prod --url ${fake.url} --user ann`).says('Added');
  fake.does((heard, response) => {
    const [, path = ''] = /\/v4\/([^?]*)/.exec(heard.url) ?? [];
    const one = ROWS.find(({ ID }) => path.toLowerCase() === `departments/${ID.toLowerCase()}`);
    const answer = path === 'me' ? json(ME) : path === 'departments' ? json(ROWS) : one ? json(one) : says(404, '{}');
    answer(heard, response);
  });
});

it('a tree hangs together', async () => {
  expect(await remote('departments tree').prints()).toContain('└── EMEA');
});

it('a path is followed to its top', async () => {
  expect(await remote('departments get Sales/EMEA -o json').row()).toMatchObject({ ID: B });
});

it('rows that would stand below each other are refused', async () => {
  writeFileSync(join(pm.home, 'loop.csv'), `ID,ParentID\n${A},${B}\n${B},${A}\n`);
  await remote('import departments loop.csv --key ID --yes').fails(7, 'stands below itself');
  expect(fake.requests.every(({ method }) => method === 'GET')).toBe(true);
});
