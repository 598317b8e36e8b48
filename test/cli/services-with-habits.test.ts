// One story of commands on services of other people's making: whatever habit one has, people read the same, and the same is made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import type { Habits } from '../support/strange-habits.ts';
import { strangeService } from '../support/strange-service.ts';

// What a service asks to wait for is not waited for.
vi.mock(import('../../src/client/index.ts'), async (original) => {
  const { openClient, ...others } = await original();
  return { ...others, openClient: (options) => openClient({ ...options, pause: async () => undefined }) };
});

const pm = usingPm();
const LABS = 'd0000000-0000-4000-8000-00000000000e';
const NEW = ['One', 'Two', 'Three', 'Four', 'Five'];

const HABITS: readonly (readonly [string, Partial<Habits>])[] = [
  ['keeps IDs', {}],
  ['gives IDs of its own', { givesIDs: true }],
  ['fails at each third read', { stumbles: true }],
  ['shouts, wraps and heeds the order', { shouts: true, wraps: true, heedsOrder: true }],
  ['loses an answer', { losesAnswers: 1 }],
];

it.each(HABITS.flatMap(([name, habits]) => ['json', 'xml'].map((wire) => [name, wire, habits] as const)))(
  'a service that %s, in %s: what is listed, made, changed and taken back reads as on any other',
  async (_name, wire, habits) => {
    const server = await fakeServer();
    onTestFinished(() => server.close());
    const service = strangeService(server, habits);
    const labs = { ID: LABS, ParentID: null, Rank: 1, Name: 'Labs' };
    service.put('departments', { ...labs, SiteID: ME.SiteID, Deleted: false, DeletedByRef: false });
    await pm(`profiles add s --url ${server.url} --user ann`).says();
    writeFileSync(
      join(pm.home, 'rows.csv'),
      ['Name,Rank', ...NEW.map((name, at) => `${name},${at + 1}`), ''].join('\n'),
    );
    const on = (line: string) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_WIRE: wire } });
    const names = async () => (await on('departments list --sort Name -o json').rows()).map(({ Name }) => Name);

    expect(await names()).toEqual(['Labs']);
    await on('departments create --name Sales --rank 2').says('1 create', 'Undo: pm undo');
    await on('departments update Labs --rank 7').says('1 update', 'Undo: pm undo');
    await on('import departments rows.csv --mode create --yes').says('5 rows', '5 creates', 'Undo: pm undo');
    expect(await names()).toEqual(['Five', 'Four', 'Labs', 'One', 'Sales', 'Three', 'Two']);
    await on('departments get Labs -o json').prints('"Rank": 7');
    await on('undo --yes').says('Undo of', 'departments import rows.csv', '5 deletes');
    expect(await names()).toEqual(['Labs', 'Sales']);
    await on('departments get Nowhere').fails(6, 'there is no department "Nowhere"', 'pm departments list');
    expect(service.received()).toEqual({ 'POST departments': 6, 'PUT departments': 1, 'DELETE departments': 5 });
  },
);
