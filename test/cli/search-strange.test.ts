// pm find and the pages of pm show on services of other people's making, which have few of the lists.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { HABITS, strangeSite } from '../support/strange-site.ts';

const pm = usingPm();
const CHOSEN = ['is ordinary', 'heeds the order of members, and replaces', 'has all of these habits'];

describe.each(['json', 'xml'])('over %s, a service that', (wire) => {
  const env = { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_WIRE: wire, NO_COLOR: '1' };
  const on = (line: string) => pm(line, { env });

  it.each(CHOSEN)('%s is looked into, and shown', async (habit) => {
    const service = await strangeSite(pm, { ...HABITS[habit], stumbles: false });
    const found = await on('find USER12 -o json').rows();
    expect(found.map(({ Resource, Name, Field }) => [Resource, Name, Field])).toEqual([
      ['individuals', 'First 12 Last 12', 'UserName'],
    ]);
    const page = await on('individuals show user12').prints(
      /^First 12 Last 12\nUserName +user12\n/,
      /^Above, the nearest first$/m,
    );
    expect(page).toMatch(/^PrimaryOrganizationID +Operations$/m);
    const { Record, Managers } = await on('individuals show user12 -o json').row();
    expect([Record, Managers]).toEqual([
      expect.objectContaining({ Email: 'u12@example.com' }),
      [expect.objectContaining({ UserName: 'ann' })],
    ]);
    expect(service.received()).toEqual({});
  });
});
