// What goes along with a deletion or a move: told by a rehearsal and before the question, here and of a remote service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inDialog } from '../support/dialog.ts';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  for (const [user, name] of Object.entries({ cid: 'Cid Moss', dan: 'Dan Ash', eve: 'Eve Low' }))
    await one(individual(user, name, 'Sales', 'ann')).prints();
  await one('department-members update --individual ann --department Sales --leader true').prints();
  await one('permissions set ann allow read department Labs').prints();
  await one('projects create --department EMEA --name Paint --phase Planning').prints();
  await one('tasks create --project Paint --name Sand --responsible ann').prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

const LEADING = [
  '  4 individuals report to Ann Smith and will stand at the top: ',
  '  Sales loses its leader Ann Smith\n',
  '  Sand goes on naming Ann Smith as responsible\n',
  '  Hidden along: 1 department member, 2 accountabilities\n',
  '  1 permission ends\n',
];

describe('a deletion that is not asked about', () => {
  it('says what goes along, as the question would', async () => {
    await pm('individuals delete ann --yes').says(...LEADING);
  });

  it('says it of an undelete neither, nor where only data is wanted', async () => {
    expect((await pm('individuals delete ann --yes -q')).err).toBe('');
    expect((await pm('individuals undelete ann --yes')).err).not.toContain('along');
  });
});

describe('a rehearsal of a deletion', () => {
  it('says who loses a manager, what is led, and what is hidden', async () => {
    await pm('individuals delete ann -n').says(...LEADING);
  });

  it('names a few, and says of one that it is one', async () => {
    await pm('individuals delete ann cid dan eve -n').says(
      '  Bob Stone reports to those deleted and will stand at the top\n',
    );
    await pm('individuals delete ann cid dan -n').says('  Bob Stone and Eve Low report to those deleted');
  });

  it('counts many together, each record once, and none that is deleted itself', async () => {
    const { err } = await pm('individuals delete ann bob -n').says(
      '  3 individuals report to those deleted'.replace('3 individuals', 'Cid Moss, Dan Ash and Eve Low'),
      'Hidden along: 2 department members, 3 accountabilities\n',
    );
    expect(err).not.toContain('Bob Stone');
  });

  it('of a department says who stays, and what goes', async () => {
    await pm('departments delete Sales -n').says(
      '  5 individuals keep a primary department that is deleted or hidden: ',
      '  Hidden along: 1 department, 5 department members, 1 project, 1 task\n',
    );
  });

  it('taken back, as an undelete is, says what comes back', async () => {
    const [back, ended] = ['  Comes back along: 1 department member, 2 accountabilities, 1 permission\n', 'Hidden'];
    await pm('individuals delete ann --yes').prints();
    const { err } = await pm('individuals undelete ann -n').says(back);
    expect(err).not.toContain(ended);
    const [row] = await pm('individuals undelete ann -n -o json').rows();
    expect(row?.Consequences).toContainEqual({ Effect: 'back', Resource: 'accountabilities', Count: 2 });
    await pm('undo -n').says(back);
    await pm('individuals undelete ann --yes').prints();
    expect((await pm('individuals undelete ann -n')).err).not.toContain('Comes back');
  });

  it('says nothing where nothing goes along, or the record is deleted already', async () => {
    await pm('departments delete Labs --yes').prints();
    await pm('individuals delete ann --yes').prints();
    const { err } = await pm('departments delete Labs -n');
    expect(err).not.toContain('Hidden');
  });

  it('holds the counts for programs', async () => {
    const [row] = await pm('individuals delete ann -n -o json').rows();
    expect(row?.Consequences).toEqual([
      { Effect: 'top', Resource: 'individuals', Count: 4 },
      { Effect: 'named', Resource: 'tasks', Field: 'Responsible', Count: 1 },
      { Effect: 'hidden', Resource: 'department-members', Count: 1 },
      { Effect: 'hidden', Resource: 'accountabilities', Count: 2 },
      { Effect: 'hidden', Resource: 'permissions', Count: 1 },
      { Effect: 'leads', Resource: 'departments', Count: 1 },
    ]);
  });

  it('is the same of a file, of each row and of a plan', async () => {
    writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nann\n');
    await pm('import individuals leavers.csv --mode delete -n').says(...LEADING);
    await pm('each leavers.csv -n -- individuals delete {UserName}').says(...LEADING);
    await pm('plan individuals leavers.csv --mode delete --out leavers.plan').says('1 delete');
    await pm('apply leavers.plan -n').says(...LEADING);
  });
});

describe('a look at a plan', () => {
  const planned = async (rows: string, how: string): Promise<void> => {
    writeFileSync(join(pm.home, 'rows.csv'), rows);
    await pm(`plan individuals rows.csv ${how} --out rows.plan`).says('rows.plan: ');
  };

  it('says what goes along as things are now, and changes nothing', async () => {
    await planned('UserName\nann\n', '--mode delete');
    const before = pm.dump();
    await pm('plan show rows.plan').says(...LEADING);
    expect(pm.dump()).toEqual(before);
    await pm('individuals delete bob cid dan --yes').prints();
    await pm('plan show rows.plan').says('  Eve Low reports to Ann Smith and will stand at the top\n');
  });

  it('holds the counts for programs', async () => {
    await planned('UserName,PrimaryReportsTo\nann,ann\n', '');
    const Consequences = [{ Effect: 'moves', Resource: 'individuals', Field: 'PrimaryReportsTo', Count: 4 }];
    expect(await pm('plan show rows.plan -o json').row()).toMatchObject({ Changes: [{ Consequences }] });
  });

  it('says nothing of a plan that has run, or for another site', async () => {
    await planned('UserName\nann\n', '--mode delete');
    await pm('apply rows.plan --yes').prints();
    const { err } = await pm('plan show rows.plan').says('1 change');
    expect(err).not.toContain('Hidden along');
    const elsewhere = await pm('plan show rows.plan', { env: { PM_HOME: join(pm.home, 'other') }, cwd: pm.home });
    expect(elsewhere.exit).toBe(0);
    expect(elsewhere.err).not.toContain('Hidden along');
  });
});

describe('a rehearsal of a move', () => {
  it('says which departments, projects and people move along', async () => {
    await pm('departments update Sales --parent Labs -n').says(
      '  1 department, 1 project and 5 individuals move along with Sales\n',
    );
  });

  it('says who reports to an individual that gets another manager', async () => {
    await pm('individuals update ann --primary-reports-to ann -n').says('report to Ann Smith and move along');
    const { err } = await pm('individuals update ann --primary-title Chief -n');
    expect(err).not.toContain('move along');
  });
});

describe('the question before it', () => {
  it('says what goes along', async () => {
    const { out, exit } = await inDialog(['individuals', 'delete', 'ann'], pm.home, [['Delete?', 'n\r']]);
    expect(exit).toBe(12);
    for (const line of LEADING) expect(out).toContain(line.trim());
    await pm('individuals get ann').prints('ann');
  });

  it('says it of the rows of a file, too', async () => {
    writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nann\nbob\n');
    const words = ['import', 'individuals', join(pm.home, 'leavers.csv'), '--mode', 'delete'];
    const { out } = await inDialog(words, pm.home, [['Delete?', 'y\r']]);
    expect(out).toContain('Hidden along: 2 department members, 3 accountabilities');
    await pm('individuals get ann').fails(6, 'is deleted');
  });

  it('counts it of more than 500 rows', async () => {
    const people = Array.from({ length: 501 }, (_, at) => `user${at},Fay,${at},user${at}@example.org,Sales,Member,ann`);
    const columns = 'UserName,FirstName,LastName,Email,PrimaryOrganizationID,PrimaryTitle,PrimaryReportsTo';
    writeFileSync(join(pm.home, 'people.csv'), [columns, ...people].join('\n'));
    await pm('import individuals people.csv --yes').prints();
    await pm('individuals update bob --primary-reports-to user7').prints();
    const before = pm.dump();
    const words = ['import', 'individuals', join(pm.home, 'people.csv'), '--mode', 'delete'];
    const { out, exit } = await inDialog(words, pm.home, [['Type local:501 to go on', 'y\r']]);
    expect(exit).toBe(12);
    expect(out).toContain('501 changes: 501 of 507 individuals would be deleted. Type local:501 to go on');
    expect(out).toContain('Bob Stone reports to those deleted and will stand at the top');
    expect(out).toContain('Hidden along: 501 department members');
    expect(pm.dump()).toEqual(before);
  });
});

describe('on a remote service', () => {
  servedAsProd(pm);
  const remote = (line: string) => pm(`-p prod ${line}`, { env: { PM_PASSWORD: PASSWORD } });

  it('it is told by what the lists show, and what they do not show is named', async () => {
    await remote('individuals delete ann -n').says(
      LEADING[0] as string,
      'Hidden along: 1 department member, 2 accountabilities\n',
      '  The service does not show all: permissions, team members, tasks, department members\n',
    );
    await remote('departments update Sales --parent Labs -n').says('1 project and 5 individuals move along with Sales');
  });

  it('of many deletions it is read of the first ones', async () => {
    const users = Array.from({ length: 11 }, (_, at) => `user${at}`);
    for (const user of users) await pm(`${individual(user, `Fay ${user}`, 'Sales', 'me')} -p local`).prints();
    await remote(`individuals delete ${users.join(' ')} -n`).says(
      '  At least: what changes along with 1 more is not counted\n',
    );
  });
});
