// A cell names a record that a remote service does not show: what the service said, and what to do next, is told.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeServer, fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async () => undefined);
const IDS = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
let server: FakeServer;
/** What the list of departments is answered. */
let departments = 200;

beforeEach(async () => {
  server = await fakeServer();
  server.does((heard, response) => {
    if (heard.url.includes('/departments')) return says(departments, '')(heard, response);
    const people = IDS.map((ID) => ({ ID, UserName: ID, Deleted: false, DeletedByRef: false }));
    const person = people.find(({ ID }) => heard.url.includes(ID));
    return json(heard.url.endsWith('/me') ? ME : (person ?? people))(heard, response);
  });
  await pm(`profiles add far --url ${server.url} --user ann`).says('Added');
  writeFileSync(join(pm.home, 'rows.csv'), `ID,PrimaryOrganization\n${IDS[0]},Sales\n${IDS[1]},Labs\n`);
});
afterEach(() => server.close());

const importing = () =>
  pm('import individuals rows.csv --mode update -p far --yes', { env: { PM_PASSWORD: 'secret', PM_RETRIES: '0' } });

it('a refusal is a fault of the row, with its own way on', async () => {
  departments = 405;
  await importing().fails(
    7,
    'line 2, column PrimaryOrganization cannot be used',
    'answered 405',
    'Is that the address of the service? pm profiles show far',
  );
});

it.each([503, 429, 401])('what every row would meet is told once, and is no fault of a row: %i', async (status) => {
  departments = status;
  const { err } = await importing().fails(status === 401 ? 4 : 8, `answered ${status}`);
  expect(err).not.toContain('line 2');
  expect(err).toContain('hint: ');
});
