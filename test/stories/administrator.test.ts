// The day of an administrator: a company comes in from tables, people leave and come back, others' changes go back.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { type Member, pmIn } from '../support/pm.ts';
import { usingStory } from '../support/story.ts';
import { interrupted, PM } from '../support/terminal.ts';
import {
  asCsv,
  asUnicodeText,
  type Cells,
  cellsOf,
  departmentRows,
  HEADER,
  mailOf,
  NAMESAKE,
  shuffled,
  workers,
} from './tramways.ts';

const story = usingStory({ user: 'olga', columns: 100 });
const people = workers();
const [director, colleague] = people;

/** The table of all people, with their managers as `managerOf` writes them. */
const hrTable = (managerOf: (manager: string) => string = (manager) => manager): Buffer =>
  asUnicodeText([HEADER, ...shuffled(people).map((one) => cellsOf({ ...one, manager: managerOf(one.manager) }))]);
const mended = (manager: string): string =>
  manager === '' ? 'itself' : manager === NAMESAKE.name ? NAMESAKE.user : manager;

const sheet = (rows: readonly Cells[]): string => rows.map((cells, at) => textRow(at + 1, cells)).join('');

function workbook(department: string): Buffer {
  const person = ['ada.berg', 'Ada', 'Berg', 'ada@tramways.example', 'Engineer', department, director?.user ?? ''];
  const departments = [
    ['Name', 'Part of', 'Order'],
    ['Harbour Line', 'Planning', '9'],
  ];
  return workbookOf({
    Cover: sheet([['The Harbour Line'], ['2026']]),
    Departments: sheet(departments),
    Staff: sheet([HEADER.slice(0, -1), person]),
  });
}

/** None of them has anybody below. */
const leavers = people.filter((_, at) => at > 30 && at % 6 === 0).slice(0, 40);
const addresses: readonly Cells[] = leavers.map((one, at) => [`${mailOf(one)}${['', ' ', '\u00a0'][at % 3]}`]);

describe('an administrator', () => {
  it('loads 292 people out of a table of HR', async () => {
    story.writes('people.txt', hrTable());
    story.writes('departments.csv', asCsv(departmentRows()));
    await story.fails(7, 'pm import people.txt');
    await story.follows('pm departments list');
    await story.fails(7, 'pm import departments.csv --yes');
    await story.follows('pm import departments.csv --ignore-unknown --yes', '--ignore-unknown');
    await story.fails(7, 'pm import people.txt');
    await story.follows(
      "pm import people.txt --date-format 'Hired on=dd/mm/yyyy'",
      "--date-format 'Hired on=dd/mm/yyyy'",
      7,
    );
    story.writes('people.txt', hrTable(mended));
    await story.fails(12, 'pm import people.txt --date-format dd/mm/yyyy');
    await story.follows('pm import people.txt --date-format dd/mm/yyyy --yes', '--yes');
    await story.runs(`pm individuals list --where "PrimaryReportsTo = '${colleague?.user}'"`);
  });

  it('runs it again, and nothing changes', async () => {
    await story.runs('pm import people.txt --date-format dd/mm/yyyy --yes');
    await story.runs('pm import people.txt --date-format dd/mm/yyyy -n --exit-code');
  });

  it('takes a new line in from a workbook of two sheets', async () => {
    story.writes('harbour.xlsx', workbook('Harbor Line'));
    await story.fails(2, 'pm apply harbour.xlsx -n');
    await story.follows('pm apply harbour.xlsx --ignore-unknown -n', '--ignore-unknown', 7);
    story.writes('harbour.xlsx', workbook('Harbour Line'));
    await story.runs('pm apply harbour.xlsx --ignore-unknown -n');
    await story.runs('pm apply harbour.xlsx --ignore-unknown --yes');
  });

  it('reads a folder that somebody has written by hand', async () => {
    story.writes('goals/duties.csv', 'Person,Responsibility,Details,Order\nada.berg,Survey,Know the ground,1\n');
    story.writes('goals/phone list.csv', 'Who,Number\nada,112\n');
    await story.fails(2, 'pm import goals --yes');
    await story.follows('pm apply goals --yes', 'pm apply goals', 2);
    await story.follows('pm apply goals --yes --ignore-unknown', '--ignore-unknown');
  });

  it('lets forty people go, with blanks around their addresses', async () => {
    story.writes(
      'leavers.csv',
      asCsv([['E-mail'], ...addresses, ['nobody@tramways.example'], ...addresses.slice(0, 1)]),
    );
    await story.fails(7, 'pm import individuals leavers.csv --mode delete');
    await story.follows('pm import individuals leavers.csv --mode delete --key Email', '--key', 7);
    story.writes('leavers.csv', asCsv([['E-mail'], ...addresses, ...addresses.slice(0, 1)]));
    await story.fails(12, 'pm import individuals leavers.csv --mode delete --key Email');
    await story.follows('pm import individuals leavers.csv --mode delete --key Email --confirm local:40', '--confirm');
    await story.runs('pm import individuals leavers.csv --mode delete --key Email --confirm local:40');
  });

  it('brings six of them back', async () => {
    const six = leavers.slice(0, 6);
    await story.fails(6, `pm individuals get ${six[0]?.user}`);
    await story.follows(`pm individuals undelete ${six[0]?.user} -o id`, 'pm individuals undelete');
    story.writes('back.csv', asCsv([['E-mail'], ...six.map((one) => [mailOf(one)])]));
    await story.fails(7, 'pm import individuals back.csv --key Email --yes');
    await story.runs('pm import individuals back.csv --key Email --mode undelete --yes');
  });

  it('moves a department', async () => {
    await story.fails(2, 'pm departments move Signals Operations');
    await story.follows('pm departments update Signals --parent Operation', 'pm departments update', 6);
    await story.fails(7, 'pm departments update Infrastructure --parent Signals -n');
    await story.runs('pm departments update Signals --parent Operations');
    await story.runs('pm departments tree Operations');
  });

  it('gives a group a right', async () => {
    await story.fails(2, 'pm groups create Planners');
    await story.follows('pm security-groups create --name Planners', 'pm security-groups create', 2);
    await story.follows('pm security-groups create --group Planners -o id', '--group');
    await story.fails(6, 'pm security-groups add-member Planners ada');
    await story.follows('pm security-groups add-member Planners ada.berg -o none', 'ada.berg');
    await story.fails(2, 'pm permissions set Planners allow write department Timetables');
    await story.follows('pm permissions set Planners allow update department Timetable', 'update', 6);
    await story.follows('pm permissions set Planners allow update department Timetables -o none', 'Timetables');
    await story.runs('pm can ada.berg update department Timetables --why');
  });

  it('takes back what a colleague did yesterday', async () => {
    story.at('2026-03-30T15:00:00Z');
    await story.runs(`pm individuals update ${colleague?.user} --is-admin true -o none`);
    for (const unit of ['Track', 'Bogies'])
      await story.runs(`pm departments update ${unit} --focus "Night work" -o none --as ${colleague?.user}`);
    await story.runs('pm departments update Bogies --focus "Quiet work" -o none');
    story.at('2026-03-31T09:00:00Z');
    await story.fails(2, `pm undo --by ${colleague?.user}`);
    await story.fails(2, `pm undo --by ${colleague?.user} --since monday`);
    await story.follows(`pm undo --by ${colleague?.user} --since -1d -n`, '-7d', 3);
    await story.fails(6, 'pm undo --by jose.mueller --since -1d');
    await story.follows(`pm undo --by ${colleague?.user} --since -1d --yes`, `${colleague?.user}`, 3);
  });

  it('applies the plan that was looked at, once', async () => {
    story.writes('titles.csv', 'User name,Job title\nada.berg,Chief engineer\n');
    await story.fails(2, 'pm plan individuals titles.csv');
    await story.follows('pm plan individuals titles.csv --out titles.plan', '--out titles.plan');
    await story.follows('pm plan show titles.plan');
    await story.fails(2, 'pm apply titles.plan --expect 1234');
    await story.follows('pm plan show titles.plan');
    await story.follows('pm apply titles.plan', 'pm apply titles.plan', 12);
    await story.follows('pm apply titles.plan --yes -o none', '--yes');
    await story.fails(7, 'pm apply titles.plan --yes');
  });

  it('goes on with a job that was interrupted', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => [director?.user ?? '', `Duty ${at}`, 'Do it', String(at)]);
    story.writes('duties.csv', asCsv([['Person', 'Responsibility', 'Details', 'Order'], ...rows]));
    const args = ['import', 'duties.csv', '--mode', 'create', '--yes'];
    const newest = async (): Promise<Member | undefined> =>
      (await pmIn(() => story.home)('jobs list -o json', { env: { USER: 'olga' } }).rows())[0];
    const isRunning = async (): Promise<void> => {
      while ((await newest())?.State !== 'running') await pause(20);
    };
    const { out, err, exit } = await interrupted([PM, ...args], story, isRunning);
    story.tells(`pm ${args.join(' ')}`, `${err}${out}`, exit);
    // How far it came is chance.
    story.varies(/(?<=\tstopped\t).*|\d[\d ]*(?= rows are done| wait| of 5 ?000 rows| creates\b)/g);
    // Where the interruption came before the first commit, there is nothing to take back.
    story.varies(/To (take it back: pm undo|forget it: pm jobs prune)(?= [0-9a-f]{8}$)/gm);
    const job = String((await newest())?.ID).slice(0, 8);
    await story.fails(7, 'pm import duties.csv --yes');
    await story.follows(`pm jobs resume ${job}`);
    await story.runs(`pm jobs show ${job} --fields Title,State,Total,Done`);
  });
});

story.isPinned('administrator');
