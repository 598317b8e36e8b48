// pm undo --by: what somebody changed goes back by the history, through whatever it came, without any job of it.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Member, NOW, type RunningCommand, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await company(run);
  await run('individuals update ann --is-admin true').prints();
  await run('department-members create --individual bob --department Labs --title Adviser').prints();
  await run('core-values create --name Care --rank 1').prints();
  await run('colors create --name Odd --rank 9 --code 112233').prints();
  await run('passwd ann --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

/** The records that the tests change, without who changed them and when. */
async function state() {
  const lists = [
    'individuals list',
    'departments list',
    'accountabilities list --individual ann',
    'accountabilities list --individual bob',
    'department-members list --individual bob',
    'core-values list',
    'colors list --fields Rank,Name,Code',
  ];
  const found: Member[] = [];
  for (const list of lists)
    for (const row of await pm(`${list} -p local -o json`).rows()) found.push({ ...row, Updated: '', UpdatedBy: '' });
  return found;
}

const local = (line: string): RunningCommand => pm(`${line} -p local`);
const asAnn = (line: string): RunningCommand => pm(`${line} -p local --as ann --yes`);
const undo = (more = ''): RunningCommand => local(`undo --by ann --since -1h ${more}`);
const newestJob = async () => String((await local('jobs list -o json').rows())[0]?.Job);

describe('changes through pm serve', () => {
  servedAsProd(pm, { user: 'ann' });

  const remotely = (line: string): RunningCommand => pm(`${line} -p prod --yes`, { env: { PM_PASSWORD: PASSWORD } });

  /** Changes of every kind, with one of somebody else between. */
  async function change(): Promise<void> {
    await remotely('departments update Sales --focus First').prints();
    await local('departments update Sales --emotional-goal Theirs').prints();
    await remotely('departments update Sales --focus Second --name Selling').prints();
    await remotely('departments create --name New --rank 5 --parent Selling').prints();
    await remotely('accountabilities create --individual ann --rank 3 --name Made --description x').prints();
    await remotely('accountabilities update Sell --individual ann --name Sold').prints();
    await remotely('accountabilities delete Sold --individual ann').prints();
    await remotely('accountabilities delete Keep --individual bob').prints();
    await remotely('accountabilities undelete Keep --individual bob').prints();
    await remotely('individuals update bob --primary-organization Labs --primary-title Head').prints();
    await remotely('core-values delete Care --confirm prod:1').prints();
    await remotely(
      'individuals create --user-name eve --first-name Eve --last-name Hill --email eve@example.org --primary-organization Labs --primary-title Member --primary-reports-to ann',
    ).prints();
  }

  it('go back, but for what others changed, and are done again by an undo of the undo', async () => {
    const before = await state();
    await change();
    const after = await state();
    const planned = await undo('-n -o json').rows();
    expect(planned.map(({ Operation, Resource }) => `${Operation} ${Resource}`)).toContain('undelete accountabilities');
    expect(await state()).toEqual(after);
    await undo().fails(12, 'need a confirmation');
    await undo('--yes').says('Undo of what ann did since 2026-03-31 11:00:00 +00:00');
    expect((await local('departments get Sales -o json').row()).EmotionalGoal).toBe('Theirs');
    await local('departments update Sales --clear EmotionalGoal').prints();
    expect(await state()).toEqual(before);
    await local('departments update Sales --emotional-goal Theirs').prints();
    await local(`undo ${await newestUndo()} --yes`).prints();
    expect(await state()).toEqual(after);
  });

  it('are taken back where the file is, since no service shows its history', async () => {
    await remotely('undo --by ann --since -1h').fails(2, 'undo --by is done by the embedded engine alone', '-p local');
  });
});

const newestUndo = async () => {
  const jobs = await local('jobs list -o json').rows();
  return String(jobs.find(({ Kind }) => Kind === 'undo')?.Job);
};

describe('somebody else’s change', () => {
  it('of the same field, later, is a conflict: listed, and left alone', async () => {
    await asAnn('departments update Sales --focus Hers').prints();
    await asAnn('departments update Labs --focus Hers').prints();
    await local('departments update Sales --focus Theirs').prints();
    await undo('--yes').fails(3, 'has changed since');
    expect((await local('departments get Sales -o json').row()).Focus).toBe('Theirs');
    expect((await local('departments get Labs -o json').row()).Focus).toBeNull();
    await undo('--yes --on-drift overwrite').prints();
    expect((await local('departments get Sales -o json').row()).Focus).toBeNull();
  });

  it('of the same field, between, is what it goes back to', async () => {
    await asAnn('departments update Sales --focus First').prints();
    await local('departments update Sales --focus Theirs').prints();
    await asAnn('departments update Sales --focus Last').prints();
    await undo('--yes').prints();
    expect((await local('departments get Sales -o json').row()).Focus).toBe('Theirs');
  });

  it('of a record that was made keeps it', async () => {
    await asAnn('departments create --name New --rank 5 --parent Sales').prints();
    await local('departments update New --focus Theirs').prints();
    await undo('--yes').fails(3, 'has changed since');
    expect(await local('departments get New -o json').row()).toMatchObject({ Focus: 'Theirs', Deleted: false });
  });
});

describe('jobs and the history', () => {
  it('what a job’s undo has taken back is as wanted', async () => {
    const before = await state();
    await asAnn('departments update Sales --focus Hers').prints();
    await asAnn('core-values delete Care --confirm local:1').prints();
    await asAnn('colors delete Odd --confirm local:1').prints();
    for (const job of [
      await newestJob(),
      ...(await local('jobs list -o json').rows()).slice(1, 3).map(({ Job }) => Job),
    ])
      await local(`undo ${job} --yes`).prints();
    expect(await state()).toEqual(before);
    await undo('--yes').says('All of it is already as it was before');
    expect(await state()).toEqual(before);
  });

  it('what it has taken back is as wanted to the undo of a job', async () => {
    const before = await state();
    await asAnn('departments update Sales --focus Hers').prints();
    const job = await newestJob();
    await undo('--yes').prints();
    await local(`undo ${job} --yes`).prints();
    expect(await state()).toEqual(before);
  });

  it('the undo is a job, which pm undo takes back', async () => {
    await asAnn('departments update Sales --focus Hers').prints();
    await undo('--yes').prints();
    const [newest] = await local('jobs list -o json').rows();
    expect(newest).toMatchObject({ Kind: 'undo', Title: 'undo of what ann did since 2026-03-31 11:00:00 +00:00' });
    await local('undo --yes').prints();
    expect((await local('departments get Sales -o json').row()).Focus).toBe('Hers');
    await undo('--yes').prints();
    expect((await local('departments get Sales -o json').row()).Focus).toBeNull();
  });
});

describe('the changes are chosen', () => {
  const at = (hour: number) => ({ now: () => new Date(NOW.getTime() + hour * 3_600_000) });
  const later = (line: string): RunningCommand => pm(`${line} -p local`, at(5));

  beforeEach(async () => {
    await pm('departments update Sales --focus Early --as ann', at(1)).prints();
    await pm('departments update Labs --focus Later --as ann', at(3)).prints();
    await pm('accountabilities update Sell --individual ann --rank 7 --as ann', at(4)).prints();
  });

  const fields = async () => {
    const focus = async (name: string) => (await local(`departments get ${name} -o json`).row()).Focus;
    const { Rank } = await local('accountabilities get Sell --individual ann -o json').row();
    return [await focus('Sales'), await focus('Labs'), Rank];
  };

  it.each([
    ['--since -3h', ['Early', null, 1]],
    ['--since 2026-03-31T13:00Z --until -3h', [null, 'Later', 7]],
    ['--since -1d --resource accountabilities', ['Early', 'Later', 1]],
    ['--since -1d --where "Fields = \'Focus\'"', [null, null, 7]],
  ])('with %s', async (flags, wanted) => {
    await later(`undo --by ann ${flags} --yes`).prints();
    expect(await fields()).toEqual(wanted);
  });

  it('by me are one’s own', async () => {
    await later('undo --by me --since -4h --as ann --yes').prints();
    expect(await fields()).toEqual([null, null, 1]);
  });

  it('and there may be none', async () => {
    await pm.refuses('undo --by bob --since -1h', 7, 'there is nothing to take back of what bob did', 'pm log');
    await pm.refuses('undo --by nobody --since -1h', 6, 'nobody');
    await pm.refuses('undo --by ann', 2, '--by needs --since');
    await pm.refuses('undo --by ann --since soon', 2, '--since is "soon"');
    await pm.refuses('undo 3f2a --by ann --since -1h', 2, 'both choose');
    await pm.refuses('undo --since -1h', 2, 'only for an undo with --by');
  });
});

describe('the making of a site', () => {
  const later = { now: () => new Date(NOW.getTime() + 60_000) };
  const mine = 'undo --by me --since 2026-03-31T12:00:00Z';

  it.each(['', ' --site North'])('is no change that its maker takes back%s', async (site) => {
    const names = async () => (await pm(`departments list -o json${site}`).rows()).map(({ Name }) => Name);
    await pm('sites create North --admin nora').prints('North');
    const before = await names();
    await pm.refuses(`${mine} --yes --resource colors${site}`, 7, 'there is nothing to take back');
    await pm(`departments create --name A --rank 3${site}`, later).prints('A');
    const planned = await pm(`${mine} -n -o json${site}`, later).rows();
    expect(planned.map(({ Name }) => Name)).toEqual(['A']);
    await pm(`${mine} --yes${site}`, later).prints();
    expect(await names()).toEqual(before);
  });
});

describe('what stood in each other’s way', () => {
  const names = async () =>
    (await local('individuals list -o json').rows()).map(({ ID, UserName }) => `${ID} ${UserName}`);
  const places = async () =>
    (await local('departments list -o json').rows()).map(({ Name, DisplayRank, ParentID }) => [
      Name,
      DisplayRank,
      ParentID,
    ]);

  it('goes back where three people have exchanged their user names', async () => {
    await pm(
      'individuals create --user-name eve --first-name Eve --last-name Hill --email eve@example.org --primary-organization Labs --primary-title Member --primary-reports-to ann',
    ).prints();
    const before = await names();
    await asAnn('individuals update bob --user-name tmp').prints();
    await asAnn('individuals update eve --user-name bob').prints();
    await asAnn('individuals update tmp --user-name eve').prints();
    const after = await names();
    expect(after).not.toEqual(before);
    await undo('--yes').says('3 updates');
    expect(await names()).toEqual(before);
    await local('undo --yes').says('3 updates');
    expect(await names()).toEqual(after);
  });

  it('goes back where a tree was turned round, and where departments exchanged their names', async () => {
    await pm('departments create --name Upper --rank 5 --parent Sales').prints();
    await pm('departments create --name Lower --rank 6 --parent Upper').prints();
    const before = await places();
    await asAnn('departments update Lower --parent Labs').prints();
    await asAnn('departments update Upper --parent Lower').prints();
    await asAnn('departments update Lower --parent Sales --rank 1').prints();
    await asAnn('departments update Upper --name Other').prints();
    await asAnn('departments update Lower --name Upper').prints();
    await asAnn('departments update Other --name Lower').prints();
    expect(await places()).not.toEqual(before);
    await undo('--yes').says('updates');
    expect(await places()).toEqual(before);
  });
});

describe('what is to stay as it is', () => {
  it('stands in the way of nothing else in its record, and is counted', async () => {
    await pm('security-groups create --group Crew --description First').prints();
    await pm('metrics create --department Sales --name Orders --rank 1 --description x').prints();
    const [metric] = await local('metrics list --department Sales -o json').rows();
    await local(`metric-values create --metric ${metric?.ID} --date 2026-01-31 --value 3`).prints();
    await asAnn('security-groups update Crew --description Second').prints();
    await asAnn('security-groups add-member Crew bob').prints();
    await asAnn(`archives take --metric ${metric?.ID} --name Spring`).prints();
    // The archive and its value.
    await undo('--yes').says('1 update', '2 changes cannot be undone');
    expect((await local('security-groups get Crew -o json').row()).Description).toBe('First');
    expect(await local('security-groups members Crew -o json').rows()).toEqual([]);
    await pm.refuses('undo --by ann --since -1h --yes -p local', 7, 'nothing of what ann did');
  });
});
