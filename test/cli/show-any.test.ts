// pm show: the record that a pasted text means, whatever kind it is.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await company(run);
  await run('comments create --individual ann --body Thanks').prints();
  await run('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

const idOf = async (line: string): Promise<string> => (await pm(`${line} -o id`).prints()).trim();

describe('pm show', () => {
  it('finds a person by user name, e-mail and name, and a department by name and path', async () => {
    for (const text of ['ann', 'ann@example.org', 'Ann Smith', ' ann '])
      expect(await pm(['show', text]).prints()).toMatch(/^Ann Smith\nUserName +ann\n/);
    await pm('show Sales/EMEA').prints(/^EMEA\n/);
  });

  it('finds any record by its ID, alone or in an address', async () => {
    const ann = await idOf('individuals get ann');
    const comment = await idOf('comments list --individual ann');
    await pm(['show', ann]).prints(/^Ann Smith\n/);
    const dashless = ann.replaceAll('-', '').toUpperCase();
    for (const text of [dashless, `https://pm.example.com/#/Individual/${dashless}`])
      await pm(['show', text]).prints(/^Ann Smith\n/);
    await pm(['show', `https://pm.example.com/v4/individuals/${ann.toUpperCase()}/comments?tz=60`]).prints(
      /^Ann Smith\n/,
    );
    expect(await pm(['show', comment, '-o', 'json']).row()).toMatchObject({ ID: comment, Body: 'Thanks' });
    const { UserID } = await pm('individuals get ann -o json').row();
    await pm(['show', String(UserID)]).prints(/^Ann Smith\n/);
  });

  it('shows a deleted one, and how it comes back', async () => {
    await pm('individuals delete bob --yes').prints();
    const bob = await idOf('individuals list --deleted 1');
    for (const text of ['bob', bob]) {
      const { out, err } = await pm(['show', text]).says('It is deleted.');
      expect(out).toMatch(/^Bob Stone\n/);
      expect(err).toContain(`pm individuals undelete ${bob}`);
    }
  });

  it('names what several are', async () => {
    await pm('departments create --name ann --rank 9 --parent Local').prints();
    const { err } = await pm('show ann').fails(7, 'several records are called "ann"', 'Type one of these.');
    const [line = ''] = /pm show departments \S+/.exec(err) ?? [];
    await pm(line.slice(3)).prints(/^ann\n/);
  });

  it('says how to look further where nothing is meant', async () => {
    await pm.refuses('show zzqq', 6, 'no record that you may read is meant by "zzqq"', 'pm find zzqq');
    await pm.refuses(['show', 'Ann Smiht'], 6, 'Did you mean Ann Smith?');
    await pm.refuses('show smiht', 6, 'Did you mean Ann Smith?');
    await pm.refuses(['history', 'Ann Smiht'], 2, "pm history individuals 'Ann Smiht'");
    await pm.refuses('show 0f8fad5b-d9cb-469f-a165-00000000ffff', 6, 'pm whoami');
  });

  it('is the same on a service', async () => {
    await serve(pm);
    const ann = await idOf('individuals get ann');
    const prod = (text: string) => pm(['-p', 'prod', 'show', text], { env: { PM_PASSWORD: PASSWORD } });
    for (const text of ['ann', 'Ann Smith', ann]) await prod(text).prints(/^Ann Smith\n/);
    await prod('0f8fad5b-d9cb-469f-a165-00000000ffff').fails(6, 'is meant by');
  });
});

describe('a reference to a deleted record', () => {
  it('is marked', async () => {
    await pm('individuals delete ann --yes').prints();
    await pm('individuals get bob -o table').prints(/PrimaryReportsTo +Ann Smith \(deleted\)/);
  });
});
