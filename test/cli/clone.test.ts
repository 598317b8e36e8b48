// pm clone: the records of one site in another one, as one job; between profiles, database files and folders.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Backend, Session } from '../../src/contract/call.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { filesIn, siteFolder } from '../support/site-folder.ts';
import { PM } from '../support/terminal.ts';
import { company, individual } from './company.ts';

const PM_PASSWORD = 'Correct-horse-1';
/** The site that is cloned. */
const pm = usingPm(company);
/** The site that becomes like it. */
const trial = usingPm(async (one) => {
  await one('passwd --new-password-stdin', { stdin: PM_PASSWORD }).says('is set');
});
const remote = (line: string) => trial(line, { env: { PM_PASSWORD } });

/** A file with the site as it is now. */
function kept(): string {
  const file = join(pm.home, `${crypto.randomUUID()}.db`);
  const database = openDatabase(join(pm.home, 'local.db'));
  database.prepare('VACUUM INTO ?').run(file);
  database.close();
  return file;
}

/** The user name of the one whom Bob reports to in the trial. */
async function boss(): Promise<unknown> {
  const { PrimaryReportsTo } = await trial('individuals get bob -o json -p local').row();
  return (await trial(`individuals get ${String(PrimaryReportsTo)} -o json -p local`).row()).UserName;
}

describe('another site of the embedded engine', () => {
  it('is made like it as one job, says how many of which kind, and is undone', async () => {
    const before = await trial('export individuals departments accountabilities --form ndjson --dir before').says();
    const told = await trial(`clone ${kept()} local --yes`).says('departments: 3 creates', 'individuals: 2 creates');
    expect(told.err).toContain('accountabilities: 3 creates');
    expect(told.err).toContain('▲ local as admin – 8 creates');
    expect(before.exit).toBe(0);
    await pm(`diff ${join(trial.home, 'local.db')}`).says('they do not differ');
    expect(await boss()).toBe('ann');
    await trial('undo --yes').prints('ended');
    await trial('export individuals departments accountabilities --form ndjson --dir after').says();
    expect(filesIn(join(trial.home, 'after'))).toEqual(filesIn(join(trial.home, 'before')));
  });

  it('is left alone the second time, and keeps what it alone has', async () => {
    const from = kept();
    await trial('departments create --name Docks --parent Local').prints();
    await trial(`clone ${from} local --yes`).says('1 only in local');
    const before = trial.dump();
    await trial(`clone ${from} local`).says('Nothing to copy.', '1 only in local');
    await trial(`clone ${from} local -n --exit-code`).says('▲ local as admin – nothing (dry run');
    expect(trial.dump()).toEqual(before);
    await trial('departments get Docks -o json').prints('Docks');
  });

  it('is changed where it differs, and has what was deleted there again', async () => {
    await trial(`clone ${kept()} local --yes`).prints();
    await pm('individuals update bob --primary-title Boss').prints();
    await trial('individuals delete ann --reassign-to admin --yes').says();
    await trial(`clone ${kept()} local --yes`).says('individuals: 1 undelete');
    await trial(`diff ${kept()}`).says('they do not differ');
    await trial('individuals get bob -o json').prints('"PrimaryTitle": "Boss"');
  });

  it('is asked about, rehearsed, and planned for another day', async () => {
    const from = kept();
    await trial.refuses(`clone ${from} local`, 12, '8 changes need a confirmation', '--yes');
    const before = trial.dump();
    expect((await trial(`clone ${from} local -n --exit-code`)).exit).toBe(11);
    await trial(`clone ${from} local -n --out x.plan`).says('x.plan: 8 changes', 'Run: pm apply x.plan');
    expect(trial.dump()).toEqual(before);
    await trial('apply x.plan --yes').says('Undo: ');
    await trial(`clone ${from} local`).says('Nothing to copy.');
  });

  it('gets some resources alone', async () => {
    await trial(`clone ${kept()} local --resource departments --yes`).says('▲ local as admin – 3 creates');
    expect(await trial('individuals list -o json').rows()).toHaveLength(1);
  });

  it('has new people without a password, which is said with the command that sets one', async () => {
    const { err } = await trial(`clone ${kept()} local --yes`).says('2 new individuals without a password');
    const [, line = ''] = /To set one: pm (.*)/.exec(err) ?? [];
    siteFolder(trial.home, { 'password.txt': ['Another-horse-2'] });
    expect(line).toContain('individuals update ann');
    await trial(line).prints();
  });

  it('has new security groups without their members, which is said', async () => {
    await pm('security-groups create --group Auditors').prints();
    await pm('permissions set Auditors allow read department Sales --yes').prints();
    await trial(`clone ${kept()} local --yes`).says('1 new security group without members', 'permissions: 1 create');
    await trial('permissions list --department Sales -o json').prints('"PrincipalName": "Auditors"');
  });

  it('becomes as it was itself', async () => {
    await pm('individuals update bob --primary-title Boss').prints();
    const [{ ID: job } = {}] = await pm('jobs list --limit 1 -o json').rows();
    await pm(`clone local@${String(job).slice(0, 8)} local --yes`).says('1 update');
    await pm('individuals get bob -o json').prints('"PrimaryTitle": "Member"');
  });
});

describe('user names that people have handed on', () => {
  const handedOn = async (...pairs: readonly (readonly [from: string, to: string])[]) => {
    for (const [from, to] of pairs) await trial(`individuals update ${from} --user-name ${to}`).prints();
  };
  const names = async () =>
    (await trial('individuals list --sort FirstName -o json -p local').rows()).map(({ UserName }) => UserName);

  it('go back in a ring, and down a line, and are undone', async () => {
    for (const [user, name] of [
      ['cid', 'Cid Lee'],
      ['dan', 'Dan Poe'],
    ] as const)
      await pm(individual(user, name, 'Labs', 'ann')).prints();
    await trial(`clone ${kept()} local --yes`).prints();
    const then = kept();
    await handedOn(['ann', 'other'], ['bob', 'ann'], ['other', 'bob'], ['cid', 'cid2'], ['dan', 'cid']);
    const swapped = await names();
    await trial(`clone ${then} local -n`).says('5 updates');
    await trial(`clone ${then} local --yes`).says('individuals: 5 updates');
    expect(await names()).toEqual(['admin', 'ann', 'bob', 'cid', 'dan']);
    await trial('undo --yes').prints('ended');
    expect(await names()).toEqual(swapped);
    await trial(`diff ${then} --out back.plan`).says('back.plan: 5 changes');
    await trial('apply back.plan --yes').says('Undo: ');
    await trial(`diff ${then}`).says('they do not differ');
  });

  it('go back on a service', async () => {
    await trial(`clone ${kept()} local --yes`).prints();
    const then = kept();
    await handedOn(['ann', 'other'], ['bob', 'ann'], ['other', 'bob']);
    await serve(trial);
    await remote(`clone ${then} prod --yes`).says('individuals: 3 updates');
    await remote(`clone ${then} prod`).says('Nothing to copy.');
  });
});

describe('a name that several records there have', () => {
  it('is named and left out, and the exit code says so', async () => {
    for (const one of [pm, trial, trial]) await one('departments create --name Twin --parent Local').prints();
    const from = kept();
    await trial(`clone ${from} local --yes`).fails(
      3,
      'Left out: departments Twin (Local): several records have this name',
    );
    await trial(`clone ${from} local`).fails(3, 'Nothing to copy.', 'Left out: departments Twin');
    expect((await trial('departments list -o json').rows()).filter(({ Name }) => Name === 'Twin')).toHaveLength(2);
  });
});

describe.each<[string, (backend: Backend) => Backend]>([
  ['that keeps IDs', (backend) => backend],
  ['that gives its own', ignoringIDs],
])('a service %s', (_name, over) => {
  it('is made like it, once, and taken back', async () => {
    await serve(trial, { over });
    const from = kept();
    await remote(`clone ${from} prod --yes`).says('▲ prod (', '8 creates', 'Undo: pm undo ', '-p prod');
    await remote(`clone ${from} prod`).says('Nothing to copy.');
    expect(await boss()).toBe('ann');
    await remote('undo -p prod --yes').prints('ended');
    expect(await trial('individuals list -o json -p local').rows()).toHaveLength(1);
  });

  it('goes on where it was killed', async () => {
    let creates = 0;
    let kill = (): void => undefined;
    const counting = (session: Session): Session => ({
      ...session,
      call: (operation, input) => {
        if (operation.verb === 'create' && ++creates === 5) kill();
        return session.call(operation, input);
      },
    });
    const behind = (backend: Backend): Backend => ({
      ...over(backend),
      open: async (who) => counting(await over(backend).open(who)),
    });
    await serve(trial, { over: behind });
    const from = kept();
    const env = { PATH: process.env.PATH, USER: 'admin', PM_HOME: trial.home, PM_PASSWORD };
    const child = spawn(process.execPath, [PM, 'clone', from, 'prod', '--yes', '--concurrency', '1'], { env });
    kill = () => child.kill('SIGKILL');
    await once(child, 'close');
    const [job] = await trial('jobs list -p prod -o json').rows();
    expect(job).toMatchObject({ Title: expect.stringMatching(/^clone .* to prod$/), Total: 8 });
    await remote(`jobs resume ${String(job?.ID)} -p prod`).prints('ended');
    await remote(`clone ${from} prod`).says('Nothing to copy.');
    await remote(`undo ${String(job?.ID)} -p prod --yes`).prints('ended');
    expect(await trial('individuals list -o json -p local').rows()).toHaveLength(1);
  });
});

describe('a service', () => {
  it('is cloned from, too', async () => {
    await trial(`clone ${kept()} local --yes`).prints();
    await trial('individuals update bob --primary-title Boss').prints();
    await serve(trial);
    const prod = (await trial('profiles list -o json').rows()).find(({ Name }) => Name === 'prod');
    await pm(`profiles add prod --url ${String(prod?.URL)} --user admin`).says();
    await pm('clone prod local --yes', { env: { PM_PASSWORD } }).says('1 update');
    await pm('individuals get bob -o json').prints('"PrimaryTitle": "Boss"');
  });

  it('is cloned from as far as the caller sees it, which is said', async () => {
    await serve(trial);
    await trial(
      'individuals create --user-name ann --first-name Ann --last-name Smith --email ann@example.org --primary-organization Local --primary-title Clerk --primary-reports-to me -p local',
    ).prints();
    await trial('passwd ann --new-password-stdin -p local', { stdin: PM_PASSWORD }).says('is set');
    const prod = (await trial('profiles list -o json').rows()).find(({ Name }) => Name === 'prod');
    await pm(`profiles add prod --url ${String(prod?.URL)} --user ann`).says();
    await pm('clone prod local -n', { env: { PM_PASSWORD } }).fails(
      3,
      'prod is read as ann, and what that user may not see',
      'Left out: permissions: not everything may be read',
    );
  });

  it('refuses at its row what the caller may not do', async () => {
    await trial(`clone ${kept()} local --yes`).prints();
    await pm('individuals update bob --last-name Other').prints();
    await pm('departments update Labs --focus Glass').prints();
    await pm(individual('eve', 'Eve North', 'Labs', 'ann')).prints();
    await serve(trial);
    const { err } = await remote(`clone ${kept()} prod --as bob --yes`).fails(3, 'not everything may be read');
    expect(err).toContain('departments: 1 update');
    await trial('individuals get bob -o json -p local').prints('"LastName": "Other"');
    await trial('departments get Labs -o json -p local').prints('"Focus": null');
    await trial('individuals get eve -p local').fails(6);
  });
});

describe('a folder', () => {
  it('gets the site as files, and gives it to a profile', async () => {
    await pm('clone local site/').says('site/: ', ' files new');
    await pm('export --dir exported').says();
    expect(filesIn(join(pm.home, 'site'))).toEqual(filesIn(join(pm.home, 'exported')));
    await pm('clone local site/').says('0 files new, 0 changed');
    await trial(`clone ${join(pm.home, 'site')} local --yes`).says('Undo: ');
    await trial(`clone ${join(pm.home, 'site')} local --yes`).says('Nothing to change.');
    await trial(`diff ${join(pm.home, 'site')}`).says('they do not differ');
  });

  it('with other files is refused, and so is a file that would be replaced', async () => {
    siteFolder(join(pm.home, 'mine'), { 'letter.txt': ['Dear Ann'] });
    await pm.refuses('clone local mine/', 2, 'mine/ holds other files');
    await pm('clone local site/').says();
    await pm('individuals update bob --primary-title Boss').prints();
    await pm.refuses('clone local site/', 2, 'would be replaced or deleted', '--overwrite');
  });

  it('is no profile of its name: a path is written with a slash', async () => {
    siteFolder(join(trial.home, 'local'), { 'departments.csv': ['Name,Parent,Rank', 'Docks,Local,1'] });
    const before = trial.dump();
    await trial('clone local local').fails(2, 'local and local are the same site');
    await trial('diff local').says('local → local: they do not differ');
    expect(trial.dump()).toEqual(before);
    await trial('diff ./local').says('1 to add');
    await trial('clone ./local local --yes').says('1 create');
  });
});

describe('the command line', () => {
  it('names two sites, of which the second can be changed', async () => {
    await pm.refuses('clone local local', 2, 'local and local are the same site');
    await pm.refuses(`clone ${join(pm.home, 'local.db')} local`, 2, 'and local are the same site');
    await pm.refuses('clone local trial.db', 2, 'only a profile can be changed, and trial.db is not one', 'pm backup');
    await pm.refuses('clone local local@-7d', 2, 'only a profile can be changed, and local@-7d is not one');
    await pm.refuses(
      'clone local postgres://pm@db.example.org/pm',
      2,
      'only a profile can be changed',
      'pm profiles add',
    );
    await pm.refuses('clone local prud', 2, 'there is no profile "prud"');
    await pm.refuses('clone prud local', 2, 'there is no profile "prud"');
    await pm.refuses('clone nothing.db local', 2, 'there is no database file nothing.db');
    await pm.refuses('clone ./one ./two', 2, 'there is no database file ./one');
    await pm.refuses('clone local ./site --resource individuals', 2, './site is a folder', 'pm export');
    await pm.refuses('clone local ./site -n --out x.plan', 2, '--out is for two sites, and ./site is a folder');
    await pm.refuses('clone local ./site -n --exit-code', 2, '--exit-code is for two sites');
    await pm.refuses(`clone ${kept()} local --resource tokens`, 2, 'tokens');
  });
});
