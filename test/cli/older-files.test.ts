// What a pm of the oldest version left goes on: its records, its stopped jobs, its plans and its exports. What was made before is
// refused with the way out.
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DATABASE, newestOf } from '../../src/engine/store/schema/versions.ts';
import { fixture, restore } from '../support/database-text.ts';
import { usingNextPm } from '../support/next-version.ts';
import { folder, query } from '../support/older-files.ts';
import { type Member, type Pm, pmIn, words } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { spawned } from '../support/terminal.ts';

/** A folder of pm's with a database of the oldest version. */
function older(): Pm {
  const home = folder();
  restore('local', join(home, 'local.db'));
  return pmIn(() => home);
}

let pm: Pm;
beforeEach(() => {
  pm = older();
});

/** The members of these records by their names. */
async function byName(line: string, name: string, member: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await pm(`${line} -o json`).rows();
  return Object.fromEntries(rows.map((row) => [row[name], row[member]]));
}

const descriptions = () => byName('core-values list', 'Name', 'Description');
const groups = async () => Object.keys(await byName('security-groups list', 'Group', 'ID'));

describe('a database', () => {
  it('is listed, changed, and the changes are taken back', async () => {
    expect(await pm('individuals list -o json').rows()).toHaveLength(3);
    const id = await pm('departments create --name Ｎeu --rank 3 -o id').id();
    await pm('departments update neu --rank 4').prints();
    await pm('undo --yes').prints();
    expect(await pm(`departments get ${id} -o json`).row()).toMatchObject({ Rank: 3, Name: 'Ｎeu' });
    await pm('departments delete NEU --yes').prints();
    await pm('undo --yes').prints();
    expect(await pm('departments get neu -o json').row()).toMatchObject({ ID: id });
  });

  it('has a stopped job that goes on, and can be undone', async () => {
    await pm(`jobs resume ${await stopped('apply')} --yes`);
    expect(await descriptions()).toMatchObject({
      'hier Ä2': 'Später',
      'hier Ä3': 'Zwischen',
      'hier Ä4': 'Später',
      'hier Ä5': 'Später',
    });
    await pm(`undo ${await jobOf('apply')} --yes`).prints();
    expect(await descriptions()).toMatchObject({ 'hier Ä1': 'Anfang', 'hier Ä3': 'Zwischen', 'hier Ä5': 'Anfang' });
  });

  it('has a stopped undo that goes on', async () => {
    await pm(`jobs resume ${await stopped('undo')} --yes`);
    expect((await groups()).filter((group) => group.startsWith('hier'))).toEqual(['hier Ö3 neu']);
  });

  it('has a job that was done again, and can be undone once more', async () => {
    await pm('departments get Weg').prints('Weg');
    await pm('undo --yes').prints();
    await pm('departments get Weg').fails(6);
  });

  it('takes the plan that was made on it', async () => {
    await pm(['apply', fixture('kept.plan'), '--yes']).prints();
    expect(await descriptions()).toMatchObject({ 'Plan Ä1': 'Neu', 'Plan Ä5': 'Neu' });
  });

  it('takes what was exported from it, and finds nothing to change', async () => {
    await pm(['apply', fixture('exported'), '-n']).says('nothing (dry run', '28 unchanged');
  });
});

/** The job of that kind which was stopped, and the newest one that has begun. */
const stopped = (kind: string, line = ''): Promise<string> => jobOf(kind, line, ({ State }) => State === 'stopped');

async function jobOf(kind: string, line = '', is: (job: Member) => boolean = () => true): Promise<string> {
  const jobs = await remote(`jobs list -o json${line}`).rows();
  return String(jobs.find((job) => job.Kind === kind && is(job))?.ID);
}

const remote = (line: string) => pm(line, { env: { PM_PASSWORD: 'not-a-secret-1' } });

describe('a journal', () => {
  beforeEach(async () => {
    restore('journal', join(pm.home, 'journal.db'));
    await serve(pm);
  });

  it('has a stopped job that goes on', async () => {
    await remote(`jobs resume ${await stopped('apply', ' -p prod')} --yes -p prod`);
    expect(await descriptions()).toMatchObject({ 'dort Ä3': 'Zwischen', 'dort Ä4': 'Später', 'dort Ä5': 'Später' });
  });

  it('has a stopped undo that goes on', async () => {
    await remote(`jobs resume ${await stopped('undo', ' -p prod')} --yes -p prod`);
    expect((await groups()).filter((group) => group.startsWith('dort'))).toEqual(['dort Ö3 neu']);
  });
});

const oldest = DATABASE.versions[0].number;
const newest = newestOf(DATABASE).number;

describe('the first command on an older database', () => {
  it('says what became of it, also where it only reads, and where it lies as it was', async () => {
    const file = join(pm.home, 'local.db');
    await pm('whoami').says(
      `Brought the tables of ${file} from version ${oldest} to ${newest}: an older pm cannot read it. As it was: ${file}.version-${oldest}\n`,
    );
    expect(query(`${file}.version-${oldest}`, 'PRAGMA user_version')).toEqual([{ user_version: oldest }]);
    expect((await pm('whoami')).err).toBe('');
  });

  it('says nothing of it with --quiet', async () => {
    expect(await pm('whoami --quiet')).toMatchObject({ err: '', exit: 0 });
  });
});

describe('a newer pm', () => {
  const program = usingNextPm();
  const newer = (line: string) => spawned(process.execPath, [program(), ...words(line)], pm.home);

  it('brings a database there by its first command, and has its new fields; this one is refused', async () => {
    const doctor = await newer('doctor -o json');
    expect(doctor.out).toContain(`its tables have version ${oldest}, this pm makes ${newest + 1}`);
    expect(doctor.out).not.toContain(`version-${oldest}`);
    expect(await newer('individuals update admin --phone 0123')).toMatchObject({ exit: 0 });
    const [, ...others] = JSON.parse((await newer('individuals list -o json')).out) as Member[];
    const [, ...before] = await older()('individuals list -o json').rows();
    expect(others).toEqual(before.map((row) => ({ ...row, Phone: null, AssistantID: null })));
    expect(JSON.parse((await newer('individuals get admin -o json')).out)).toMatchObject({ Phone: '0123' });
    expect((await newer('doctor -o json')).out).toContain(`local.db.version-${oldest} is `);
    await pm('individuals list').fails(
      10,
      `made by a newer pm (its tables have version ${newest + 1}, this pm knows ${newest})`,
    );
  });

  it('leaves a copy, which this one names, with the command that goes back to it', async () => {
    await pm('departments create --name Old --rank 1').prints();
    await newer('departments create --name New --rank 2');
    const { err } = await pm('departments list').fails(
      10,
      'Or go back to the copy of ',
      `local.db.version-${newest + 1} alone`,
    );
    execSync(/mv .* && cp '[^']+' '[^']+'/.exec(err)?.[0] ?? 'false');
    expect(await pm('departments list').prints('Old')).not.toContain('New');
    expect((await newer(`diff ${join(pm.home, `local.db.version-${newest + 1}`)} local`)).out).toContain('New');
  });
});

describe('a database or journal of before', () => {
  const make = (name: string, version: number): string => {
    const file = join(pm.home, name);
    query(file, `PRAGMA user_version = ${version}`);
    return file;
  };

  it('is refused with the way out, which works', async () => {
    const file = make('local.db', oldest - 1);
    const before = readFileSync(file);
    const why = `its tables have version ${oldest - 1}, this pm reads ${oldest} and newer`;
    const { err } = await pm('individuals list').fails(10, file, 'a pm that was never released', why);
    expect(readFileSync(file).equals(before)).toBe(true);
    execSync(/mv '[^']+' '[^']+'/.exec(err)?.[0] ?? 'false');
    await pm('individuals list').prints('admin');
  });

  it('is told by the doctor', async () => {
    restore('journal', join(pm.home, 'journal.db'));
    const file = make('journal.db', 2);
    const { out } = await pm('doctor -o json').fails(11);
    const { State, Found, Advice } = (JSON.parse(out) as Member[]).find(({ Check }) => Check === 'journal') ?? {};
    expect({ State, Found }).toMatchObject({
      State: 'fault',
      Found: expect.stringContaining('its tables have version 2, this pm reads 3 and newer'),
    });
    expect(Advice).toContain(`mv '${file}' '${file}.old'`);
  });
});

it('the doctor tells of files that a process left behind', async () => {
  const draft = join(pm.home, 'local.db.999999999.0a1b2c3d.new');
  const alive = join(pm.home, `local.db.${process.pid}.0a1b2c3d.new`);
  for (const file of [draft, `${draft}-journal`, alive]) writeFileSync(file, '');
  const found = await pm('doctor -o json').rows();
  const drafts = found.filter(({ Check }) => Check === 'draft').map(({ Advice }) => Advice);
  expect(drafts.sort()).toEqual([`rm '${draft}'`, `rm '${draft}-journal'`]);
});
