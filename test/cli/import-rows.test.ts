// pm import: what the rows of a file become, what is said of it, and what is left behind.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

function file(name: string, ...lines: readonly string[]): string {
  writeFileSync(join(pm.home, name), lines.map((line) => `${line}\n`).join(''));
  return name;
}

const titles = async (): Promise<unknown> =>
  Object.fromEntries(
    (await pm('individuals list -o json').rows()).map(({ UserName, PrimaryTitle }) => [UserName, PrimaryTitle]),
  );

describe('a file of rows', () => {
  it('makes and changes records as one job, and says what it did', async () => {
    file('q4.csv', 'UserName;PrimaryTitle;Suffix', 'ann;Chief;', 'bob;Member;');
    const told = await pm('import individuals q4.csv --yes -o json').says(
      "q4.csv: utf-8, ';', LF, 2 rows",
      '▲ local as admin – 1 update',
      '1 unchanged',
      'Undo: pm undo ',
    );
    expect(JSON.parse(told.out)).toMatchObject({ State: 'ended', Done: 1, Failed: 0, Unchanged: 1, FailedFile: null });
    expect(await titles()).toMatchObject({ ann: 'Chief', bob: 'Member' });
  });

  it.each(['   ', '\u00a0', '\u200b', '\ufeff '])(
    'leaves a text as it is where a cell shows nothing: %j',
    async (cell) => {
      await pm('individuals update admin --user-defined1 00020').prints();
      writeFileSync(join(pm.home, 'rows.csv'), `UserName,UserDefined1\nadmin,"${cell}"\n`);
      const value = async () => (await pm('individuals get admin -o json').row()).UserDefined1;
      await pm('import individuals rows.csv --yes').says('1 unchanged');
      expect(await value()).toBe('00020');
      await pm('import individuals rows.csv --blank clear --yes').says('1 update');
      expect(await value()).toBeNull();
    },
  );

  it('makes no second department whose name has two blanks where that of the first has one', async () => {
    await pm('departments create --parent Local --name "Sales & Service" --rank 7').prints();
    file('d.csv', 'Name,Parent,Rank', 'Sales &  Service,Local,8', 'Yard  Two,Local,9');
    const there = 'column Name has other blanks than "Sales & Service", which is there';
    await pm.refuses('import departments d.csv --yes', 7, `line 2, ${there}`, 'Write it so.');
    file('d.csv', 'Name,Parent,Rank', 'Sales\u00a0& Service,Local,8');
    await pm('import departments d.csv --yes').says('1 update');
  });

  it('says of a new row among ones with an ID by what they can be found', async () => {
    const id = await pm('individuals get ann -o id').id();
    file(
      'p.csv',
      'ID,UserName,FirstName,LastName,Email,Title,Department,Manager',
      `${id},ann,,,,,,`,
      ',eve,Eve,Lee,e@x.org,Clerk,Sales,ann',
    );
    await pm.refuses(
      'import individuals p.csv --yes',
      7,
      'line 3 has no ID',
      '--key UserName finds those that are there',
    );
    await pm('import individuals p.csv --key UserName --yes').says('1 create');
  });

  it('counts the cells around which it has trimmed blanks, in text and as a number', async () => {
    file('q4.csv', 'UserName;PrimaryTitle', 'ann ;Chief\u00a0', '\u200bbob;Member');
    await pm('import individuals q4.csv -n').says('1 unchanged, 3 cells trimmed (UserName, PrimaryTitle)');
    await pm('plan individuals q4.csv --out q4.plan').says('3 cells trimmed');
    const { out } = await pm('import individuals q4.csv --yes -o json').says('3 cells trimmed');
    expect(JSON.parse(out)).toMatchObject({ Done: 1, Unchanged: 1, Trimmed: 3 });
    await pm('import individuals q4.csv --yes').prints(/^((?!Trimmed).)*$/s);
    expect(await titles()).toMatchObject({ ann: 'Chief', bob: 'Member' });
  });

  it('shows with -n each member that would change, and changes nothing', async () => {
    file('q4.csv', 'UserName,PrimaryTitle', 'ann,Chief');
    const before = pm.dump();
    expect(await pm('import individuals q4.csv -n -o json').rows()).toEqual([
      expect.objectContaining({
        Operation: 'update',
        Line: 2,
        Field: 'PrimaryTitle',
        Before: 'Member',
        After: 'Chief',
      }),
    ]);
    expect(pm.dump()).toEqual(before);
  });

  it('shows of the rehearsal and of the job what --fields names', async () => {
    file('q4.csv', 'UserName,PrimaryTitle', 'ann,Chief');
    expect(await pm('import individuals q4.csv -n -o json --fields Line,Name,After').rows()).toEqual([
      { Line: 2, Name: 'ann', After: 'Chief' },
    ]);
    await pm('import individuals q4.csv --yes --fields Line').fails(2, 'there is no field "Line" here');
    expect(await pm('import individuals q4.csv --yes -o json --fields Done,Failed').row()).toEqual({
      Done: 1,
      Failed: 0,
    });
    expect(await pm('undo --yes -o json --fields Done').row()).toEqual({ Done: 1 });
  });

  it('is rehearsed with -n by the rules themselves', async () => {
    file('q4.csv', 'UserName,IsAdmin', 'admin,false');
    const before = pm.dump();
    await pm('import individuals q4.csv -n').fails(7, 'line 2');
    expect(pm.dump()).toEqual(before);
  });

  it('needs an agreement, and leaves nothing behind without one', async () => {
    file('q4.csv', 'UserName,PrimaryTitle', 'ann,Chief');
    await pm.refuses('import individuals q4.csv', 12, '1 change needs a confirmation', '--yes');
    await pm('import individuals q4.csv --confirm local:1').prints('ended');
  });

  it('tells every fault with its line, and sends nothing', async () => {
    file('q4.csv', 'UserName,PrimaryReportsTo,HireDate', 'ann,nobody,', 'bob,,03/04/2026');
    await pm.refuses(
      'import individuals q4.csv --yes',
      7,
      'line 2, column PrimaryReportsTo',
      'line 3, column HireDate',
      '2026-04-03',
    );
  });

  const NEW = 'UserName,FirstName,LastName,Email,PrimaryOrganization,PrimaryTitle,PrimaryReportsTo';
  const row = (name: string, chief: string): string => `${name},${name},Nowak,${name}@x.org,Sales,Clerk,${chief}`;

  it('may name rows that come later, in any order', async () => {
    file('new.csv', NEW, row('eva', 'dan'), row('dan', 'cid@x.org'), row('fay', 'eva'), row('cid', 'Ann Smith'));
    await pm('import individuals new.csv --yes').says('4 creates');
    const ids = new Map((await pm('individuals list -o json').rows()).map((one) => [one.ID, one.UserName]));
    const chiefs = (await pm('individuals list -o json').rows()).map((one) => [
      one.UserName,
      ids.get(one.PrimaryReportsTo),
    ]);
    expect(Object.fromEntries(chiefs)).toMatchObject({ cid: 'ann', dan: 'cid', eva: 'dan', fay: 'eva' });
  });

  it('shows the first twenty faults, and with --errors json all', async () => {
    file('q4.csv', 'UserName,Manager', ...Array.from({ length: 30 }, (_, at) => `user${at},boss ${at}`));
    const { err } = await pm.refuses(
      'import individuals q4.csv --mode update --yes',
      7,
      'the first 20 of 31 causes, 60 faults',
    );
    expect(err.match(/^ {2}line /gm)).toHaveLength(19);
    expect(err).toContain('a row names no existing individual: UserName "user0" (30 such rows: 2, 3, 4 …)');
    const told = await pm('import individuals q4.csv --mode update --yes --errors json').fails(7);
    const faults = (JSON.parse(told.err.trim().split('\n').at(-1) ?? '') as { faults: readonly unknown[] }).faults;
    expect(faults.length).toBeGreaterThanOrEqual(30);
  });

  it('comes from stdin too', async () => {
    await pm('import individuals - --form csv --yes', { stdin: 'UserName,PrimaryTitle\nann,Chief\n' }).prints('ended');
    expect(await titles()).toMatchObject({ ann: 'Chief' });
  });

  it('that changes nothing is no job', async () => {
    file('q4.csv', 'UserName,PrimaryTitle', 'ann,Member');
    await pm('import individuals q4.csv').says('Nothing to change.');
    expect((await pm('jobs list -o json').rows()).filter(({ Kind }) => Kind === 'import')).toEqual([]);
  });
});

describe('a row that fails', () => {
  const rows = ['UserName,IsAdmin,PrimaryTitle', 'admin,false,Boss', 'bob,,Chief'];

  it('stops no other, and is left behind in a file that can be imported again', async () => {
    file('q4.csv', ...rows);
    const told = await pm('import individuals q4.csv --yes -o json').fails(3, 'line 2');
    const { FailedFile, Done, Failed } = JSON.parse(told.out) as Record<string, unknown>;
    expect({ Done, Failed }).toEqual({ Done: 1, Failed: 1 });
    const left = readFileSync(String(FailedFile), 'utf8');
    expect(left).toMatch(/^UserName,IsAdmin,PrimaryTitle,_line,_error,_hint\nadmin,false,Boss,2,/);
    writeFileSync(join(pm.home, 'again.csv'), left.replace('admin,false', 'admin,true'));
    await pm('import individuals again.csv --yes').says('1 update');
    expect(await titles()).toMatchObject({ admin: 'Boss', bob: 'Chief' });
  });

  it('stays in that file where its input is gone, and cannot be written anew', async () => {
    file('q4.csv', ...rows);
    const told = await pm('import individuals q4.csv --yes -o json').fails(3, 'line 2');
    const { Job, FailedFile } = JSON.parse(told.out) as Record<string, unknown>;
    file('q4.csv', 'UserName');
    await pm.refuses(`jobs report ${String(Job)}`, 7, 'is gone or was changed');
    expect(readFileSync(String(FailedFile), 'utf8')).toContain('admin,false,Boss,2,');
  });

  it('is in that file no more once it is done', async () => {
    file('q4.csv', ...rows);
    const told = await pm('import individuals q4.csv --yes -o json').fails(3, 'line 2');
    const { Job, FailedFile } = JSON.parse(told.out) as Record<string, unknown>;
    expect(existsSync(String(FailedFile))).toBe(true);
    const { backend } = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
    const { local } = await backend.open({ user: 'admin' });
    await local?.jobs.mark(String(Job), [{ from: 1, to: 2, state: 'done' }]);
    await backend.close();
    await pm(`jobs report ${String(Job)}`).says('All rows were done');
    expect(existsSync(String(FailedFile))).toBe(false);
  });

  it('takes all others back with --on-error rollback', async () => {
    file('q4.csv', ...rows);
    await pm('import individuals q4.csv --on-error rollback --yes').fails(7);
    expect(await titles()).toMatchObject({ bob: 'Member' });
  });

  it('stops the job with --on-error stop, which can be gone on with', async () => {
    file('q4.csv', ...rows);
    await pm('import individuals q4.csv --on-error stop --yes').fails(7, 'pm jobs resume ');
    const [job] = await pm('jobs list -o json').rows();
    await pm(`jobs resume ${String(job?.Job)}`).fails(3);
    expect(await titles()).toMatchObject({ bob: 'Chief' });
  });
});

it('writes no password into journal, report or summary', async () => {
  file('q4.csv', 'UserName,Password,IsAdmin', 'admin,Correct-horse-1,false', 'bob,Correct-horse-2,');
  const told = await pm('import individuals q4.csv --yes -o json').fails(3);
  const failed = readFileSync(String((JSON.parse(told.out) as Record<string, unknown>).FailedFile), 'utf8');
  const all = [told.out, told.err, failed, JSON.stringify(pm.dump())].join('\n');
  expect(all).not.toContain('Correct-horse');
  expect(failed).toContain('admin,,false,2,');
});

it('leaves a way back that can be written to a file', async () => {
  file('q4.csv', 'UserName,PrimaryTitle', 'ann,Chief');
  await pm('import individuals q4.csv --yes').prints();
  await pm('undo -n --out back.plan').says('pm apply back.plan');
  expect(existsSync(join(pm.home, 'back.plan'))).toBe(true);
  await pm('apply back.plan --yes').prints('ended');
  expect(await titles()).toMatchObject({ ann: 'Member' });
});
