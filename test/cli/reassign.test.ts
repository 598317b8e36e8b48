// --reassign-to: reports, tasks and places in teams go to somebody else in the job of the deletion, and come back with it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  for (const [user, name] of Object.entries({ cid: 'Cid Moss', dan: 'Dan Ash' }))
    await one(individual(user, name, 'Sales', 'ann')).prints();
  await one(individual('eve', 'Eve Low', 'Labs', 'me')).prints();
  await one('department-members create --individual eve --department EMEA --title Guest --reports-to ann').prints();
  await one('department-members create --individual bob --department Labs --title Guest --reports-to ann').prints();
  await one('projects create --department EMEA --name Paint --phase Planning').prints();
  await one('tasks create --project Paint --name Sand --responsible ann,eve').prints();
  await one('tasks create --project Paint --name Wax --responsible ann,bob').prints();
  const role = (await one('team-members roles -o json').rows())[0]?.ID;
  const hours = `--role-id ${role} --hours-projected 40 --hours-actual 10`;
  await one(`team-members create --project Paint --individual ann ${hours}`).prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

const idOf = (user: string) => pm(`individuals get ${user} -o id -p local`).id();
const managers = async () =>
  (await pm('individuals list -o json -p local').rows())
    .map(({ UserName, PrimaryReportsTo }) => `${UserName} ${PrimaryReportsTo}`)
    .filter((line) => !/^(admin|ann) /.test(line))
    .sort();
const responsible = async (task: string) => (await pm(`tasks get ${task} -o json -p local`).row()).Responsible;
const team = async () =>
  (await pm('team-members list --project Paint -o json -p local').rows()).map(
    ({ IndividualFullName, HoursActual }) => `${IndividualFullName} ${HoursActual}`,
  );

it('is named by the dry run of a deletion that leaves people without a manager', async () => {
  const line = 'individuals delete ann -n -p local';
  await pm(line).says('will stand at the top', '--reassign-to <ref>');
  expect((await pm(`${line} --reassign-to eve`)).err).not.toContain('--reassign-to <ref>');
  expect((await pm('individuals delete eve -n -p local')).err).not.toContain('--reassign-to <ref>');
});

describe('plan --reassign-to', () => {
  it('writes down the same changes for all who leave, which apply makes as one job', async () => {
    const [before, eve] = [pm.dump(), await idOf('eve')];
    writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nann\nbob\n');
    const line = 'plan individuals leavers.csv --mode delete --reassign-to eve --out leavers.plan';
    const made = await pm(line).says('2 deletes');
    const [, run = ''] =
      /Run: pm (apply leavers\.plan --on-error rollback --expect [0-9a-f]{64})\n/.exec(made.err) ?? [];
    expect(pm.dump()).toEqual(before);
    const { err } = await pm('plan show leavers.plan').says(
      'Hidden along: ',
      `To run this and nothing else: pm ${run}\n`,
    );
    expect(err).not.toContain('will stand at the top');
    await pm(`${run} --yes`).prints();
    expect((await managers()).filter((one) => /^(cid|dan) /.test(one))).toEqual([`cid ${eve}`, `dan ${eve}`]);
    expect([await responsible('Sand'), await responsible('Wax')]).toEqual([[eve], [eve]]);
    await pm('individuals get ann').fails(6, 'is deleted');
    await pm('undo --yes').says('2 undeletes');
    expect(pm.dump().individual).toHaveLength(before.individual?.length ?? 0);
  });

  it('is for the deletion of individuals alone, and not of one of them to another', async () => {
    writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nann\neve\n');
    const line = (how: string) => `plan individuals leavers.csv ${how} --out leavers.plan`;
    await pm.refuses(line('--reassign-to eve'), 2, 'is for the deletion of individuals', '--mode delete');
    await pm.refuses(line('--mode delete --reassign-to eve'), 2, '--reassign-to names Eve Low, who is to be deleted');
    await pm.refuses(line('--mode delete --reassign-to bob'), 7, 'so the reports would make a loop');
    expect(existsSync(join(pm.home, 'leavers.plan'))).toBe(false);
  });
});

describe('individuals delete --reassign-to', () => {
  it('gives reports, tasks and places in teams to the other one, and undo takes all of it back', async () => {
    const [before, ann, bob, eve] = [pm.dump(), await idOf('ann'), await idOf('bob'), await idOf('eve')];
    const stood = { managers: await managers(), team: await team() };
    const { out } = await pm('individuals delete ann --reassign-to eve --yes -o json').says(
      '1 create, 7 updates, 1 delete',
      'Undo: ',
    );
    expect(JSON.parse(out)).toMatchObject({ UserName: 'ann', Deleted: true });
    expect(await managers()).toEqual([`bob ${eve}`, `cid ${eve}`, `dan ${eve}`, stood.managers.at(-1)]);
    const guests = [
      ...(await pm('department-members list --department Labs -o json').rows()),
      ...(await pm('department-members list --department EMEA -o json').rows()),
    ];
    expect(guests.filter(({ Title }) => Title === 'Guest').map(({ ReportsToID }) => ReportsToID)).toEqual([eve, null]);
    expect([await responsible('Sand'), await responsible('Wax')]).toEqual([[eve], [eve, bob]]);
    expect(await team()).toEqual(['Eve Low 0']);
    await pm('jobs list --limit 1 -o json').prints('individuals delete Ann Smith');
    await pm('undo --yes').says('1 undelete');
    expect([await responsible('Sand'), await responsible('Wax')]).toEqual([
      [ann, eve],
      [ann, bob],
    ]);
    expect({ managers: await managers(), team: await team() }).toEqual(stood);
    expect(pm.dump().individual).toHaveLength(before.individual?.length ?? 0);
  });

  it('gives what is left of somebody who is deleted already', async () => {
    const eve = await idOf('eve');
    await pm('individuals delete ann --yes').prints();
    await pm('individuals delete ann --reassign-to eve --yes').says('Deleted already: ann');
    expect(await responsible('Wax')).toContain(eve);
    expect(await managers()).toContain(`bob ${eve}`);
  });

  it('is rehearsed whole, and what goes along is told after it', async () => {
    const before = pm.dump();
    const { err, out } = await pm('individuals delete ann --reassign-to eve -n').says('1 create', 'Hidden along');
    expect(out).toContain('PrimaryReportsTo');
    expect(err).not.toMatch(/stand at the top|go(es)? on naming/);
    expect(pm.dump()).toEqual(before);
  });

  it('of several goes over all of them at once', async () => {
    const [cid, eve] = [await idOf('cid'), await idOf('eve')];
    await pm('individuals delete ann bob dan --reassign-to eve --yes').prints('ann', 'bob', 'dan');
    expect(await managers()).toEqual([`cid ${eve}`, expect.stringMatching(/^eve /)]);
    expect(await responsible('Wax')).toEqual([eve]);
    expect(cid).not.toBe(eve);
  });

  it.each([
    ['ann', 2, ['--reassign-to names Ann Smith, who is to be deleted']],
    ['bob', 7, ['Bob Stone is below Ann Smith, so the reports would make a loop', 'individuals update bob']],
    ['nobody', 6, ['there is no individual "nobody"']],
  ] as const)('refuses %s', async (to, exit, wanted) => {
    await pm.refuses(`individuals delete ann --reassign-to ${to} --yes`, exit, ...wanted);
  });

  it('refuses somebody who is deleted', async () => {
    const eve = await idOf('eve');
    await pm('individuals delete eve --yes').prints();
    await pm.refuses(`individuals delete ann --reassign-to ${eve} --yes`, 6, 'is deleted');
  });

  it('makes nothing where a part of it is refused', async () => {
    await pm('individuals update ann --is-admin true').prints();
    await pm('individuals update admin --is-admin false').prints();
    const [stood, stoodTeam] = [await managers(), await team()];
    await pm('individuals delete ann --reassign-to eve --yes').fails(7, 'last administrator');
    expect([await managers(), await team()]).toEqual([stood, stoodTeam]);
  });

  it('is no flag for each row of a file', async () => {
    const words = 'each - -- individuals delete {UserName} --reassign-to eve';
    await pm(words, { stdin: 'UserName\nann\n' }).fails(2, 'all individuals that leave at once');
  });
});

describe('on a remote service', () => {
  servedAsProd(pm);

  it('gives what the lists show, names what they do not, and is taken back', async () => {
    const [eve, bob, stood] = [await idOf('eve'), await idOf('bob'), await managers()];
    const env = { PM_PASSWORD: PASSWORD };
    await pm('-p prod individuals delete ann --reassign-to eve --yes', { env }).says(
      'The service does not show all: department members, team members. What it does not show is not reassigned.',
    );
    expect(await responsible('Wax')).toEqual([eve, bob]);
    expect(await managers()).toEqual([`bob ${eve}`, `cid ${eve}`, `dan ${eve}`, stood.at(-1)]);
    await pm('-p prod undo --yes', { env }).says('1 undelete');
    expect(await managers()).toEqual(stood);
  });
});
