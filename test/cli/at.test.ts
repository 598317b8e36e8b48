// --at: one record, a list or a tree as it was at a moment, or just before a job; it only reads, and leaves nothing behind.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { copied, standing } from '../support/past.ts';
import { type Pm, pmIn } from '../support/pm.ts';
import { individual } from './company.ts';

const on = (day: string) => ({ now: () => new Date(`${day}T09:00:00Z`) });
const FIRST = on('2026-03-01');
const SECOND = on('2026-03-10');
const THIRD = on('2026-03-20');
const TODAY = on('2026-03-31');

let home = '';
let pm: Pm;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'pm-at-'));
  pm = pmIn(() => home);
  await pm('departments create --name Sales --rank 1 --parent Local', FIRST).prints();
  await pm('departments create --name Service --rank 2 --parent Local', FIRST).prints();
  await pm(individual('ann', 'Ann Alder', 'Sales', 'admin'), FIRST).prints();
  await pm(individual('bob', 'Bob Birch', 'Sales', 'ann'), FIRST).prints();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const newestJob = async (): Promise<string> =>
  String((await pm('jobs list --limit 1 -o json', TODAY).rows())[0]?.Job).slice(0, 8);

describe('what --at shows', () => {
  it('is a person before a change, and after it', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    const titleAt = async (when: string) =>
      (await pm(`individuals get ann -o json --at ${when}`, TODAY).row()).PrimaryTitle;
    expect(await titleAt('2026-03-05')).toBe('Member');
    expect(await titleAt('2026-03-15')).toBe('Boss');
    expect(await titleAt('-25d')).toBe('Member');
    expect(await titleAt('yesterday')).toBe('Boss');
    expect(await titleAt('2026-03-10T08:59:59Z')).toBe('Member');
    expect(await titleAt('2026-03-10T09:00:00Z')).toBe('Boss');
  });

  it('is announced with the moment, and with the job that came next', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    const id = await newestJob();
    await pm('individuals get ann --at -25d', TODAY).says(
      `As of 2026-03-06 09:00:00 +00:00, 25 d ago, before job ${id}.`,
    );
    await pm('individuals get ann --at -1d', TODAY).says('As of 2026-03-30 09:00:00 +00:00, 1 d ago.\n');
    expect((await pm('individuals get ann --at -1d -q', TODAY).says()).err).toBe('');
  });

  it('is the site just before a job', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    const first = await newestJob();
    await pm('individuals update ann --primary-title Head', SECOND).prints();
    const second = await newestJob();
    await pm(`individuals get ann --at ${first}`, TODAY).prints('Member');
    await pm(`individuals get ann --at ${second}`, TODAY).prints('Boss');
  });

  it('is live where it was deleted later, and not there where it was made later', async () => {
    await pm('individuals delete bob --yes', SECOND).prints();
    await pm(individual('cem', 'Cem Can', 'Sales', 'ann'), THIRD).prints();
    await pm('individuals get bob', TODAY).fails(6);
    expect(await pm('individuals get bob -o json --at 2026-03-05', TODAY).row()).toMatchObject({ Deleted: false });
    const namesAt = async (when: string) =>
      (await pm(`individuals list -o json --at ${when}`, TODAY).rows()).map(({ UserName }) => UserName);
    expect(await namesAt('2026-03-05')).toEqual(['admin', 'ann', 'bob']);
    expect(await namesAt('2026-03-15')).toEqual(['admin', 'ann']);
    expect(await namesAt('2026-03-25')).toEqual(['admin', 'ann', 'cem']);
  });

  it('is the tree with a department at its old place', async () => {
    await pm('departments update Service --parent Sales', SECOND).prints();
    expect(await pm('departments tree', TODAY).prints()).toContain('    └── Service');
    expect(await pm('departments tree --at 2026-03-05', TODAY).prints()).toMatch(/^└── Service/m);
  });

  it('is an export that has the bytes of an export that was taken then', async () => {
    await pm('export --dir then', SECOND).says();
    await pm('individuals update ann --primary-title Boss', THIRD).prints();
    await pm('departments delete Service --yes', THIRD).prints();
    await pm('export --dir now', TODAY).says();
    await pm('export --dir past --at 2026-03-10', TODAY).says('As of');
    const files = (readdirSync(join(home, 'then'), { recursive: true }) as string[]).filter((name) =>
      name.endsWith('.yaml'),
    );
    const bytes = (folder: string) => files.map((name) => [name, readFileSync(join(home, folder, name), 'utf8')]);
    expect(bytes('past')).toEqual(bytes('then'));
    expect(existsSync(join(home, 'now', 'departments', 'local', 'service.yaml'))).toBe(false);
  });

  it('is what find, show, history, can and filters by time see', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    await pm('find Boss --at 2026-03-05', TODAY).says('Nothing has "Boss" in it.');
    await pm('find Boss --at 2026-03-15', TODAY).prints('Ann Alder');
    await pm('individuals show ann --at 2026-03-05', TODAY).prints('Member');
    expect(await pm('history individuals ann -o json --at 2026-03-05', TODAY).prints()).not.toContain('Boss');
    await pm('can ann update individual bob --at 2026-03-05', TODAY).fails(5, 'As of');
    const changed = 'individuals list --where "Updated > -2d" -o json --at';
    expect(await pm(`${changed} 2026-03-11`, TODAY).rows()).toMatchObject([{ UserName: 'ann' }]);
    expect(await pm(`${changed} 2026-03-30`, TODAY).rows()).toEqual([]);
  });

  it('follows the order of the changes where the clock was set back', async () => {
    await pm('individuals update ann --primary-title Later', on('2026-03-25')).prints();
    await pm('individuals update ann --primary-title Corrected', SECOND).prints();
    expect(await pm('individuals get ann -o json --at 2026-03-12', TODAY).row()).toMatchObject({
      PrimaryTitle: 'Corrected',
    });
  });
});

describe('--at refuses', () => {
  it('a record that was deleted then, without bringing back what is live now', async () => {
    await pm('individuals delete bob --yes', SECOND).prints();
    await pm('individuals undelete bob', THIRD).prints();
    const { err } = await pm('individuals get bob --at 2026-03-15', TODAY).fails(6, '--deleted include shows it');
    expect(err).not.toContain('undelete');
    await pm('individuals get bob --at 2026-03-15 --deleted include', TODAY).prints('Bob Birch');
  });

  it('a record that was made later, and says when', async () => {
    await pm(individual('cleo', 'Cleo Cole', 'Sales', 'ann'), SECOND).prints();
    const id = await pm('individuals get cleo -o id', TODAY).id();
    for (const line of [
      'show cleo',
      `show ${id}`,
      `individuals get ${id}`,
      'individuals tree cleo',
      'can cleo read site x',
    ])
      await pm(`${line} --at 2026-03-05`, TODAY).fails(6, 'was not there yet: it was made at 2026-03-10T09:00:00.000');
    const { err } = await pm('individuals get cleo --at 2026-03-05', TODAY).fails(6);
    const [, hinted = ''] = /To see it as it was made: (--at \S+)/.exec(err) ?? [];
    await pm(`individuals get cleo ${hinted}`, TODAY).prints('Cleo Cole');
    await pm('individuals update bob --user-name bert', SECOND).prints();
    await pm('individuals get bert --at 2026-03-05', TODAY).fails(6, 'there is no individual "bert"');
  });

  it('a moment before the history of the site, and one that was forgotten, and says what is known', async () => {
    await pm.refuses('individuals get ann --at 2020-01-01', 6, 'begins at 2026-03-01T09:00:00.000Z');
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    await pm('individuals update ann --primary-title Head', THIRD).prints();
    await pm('history prune --older-than 15d', TODAY).says();
    const { err } = await pm('individuals get ann --at 2026-03-12', TODAY).fails(
      6,
      'begins at 2026-03-20T09:00:00.000Z',
    );
    const [, hinted = ''] = /As far back as it goes: (--at \S+)/.exec(err) ?? [];
    await pm(`individuals get ann ${hinted}`, TODAY).prints('Head');
  });

  it('a job whose changes were forgotten', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    const forgotten = await newestJob();
    await pm('individuals update ann --primary-title Head', THIRD).prints();
    await pm('history prune --older-than 15d', TODAY).says();
    await pm(`individuals get ann --at ${forgotten}`, TODAY).fails(
      6,
      `the history of this site has no change of the job ${forgotten}`,
    );
  });

  it('changes of an older pm, whose lines do not say all', async () => {
    await pm('individuals update ann --primary-title Boss', SECOND).prints();
    await pm('individuals update ann --primary-title Head', THIRD).prints();
    const database = openDatabase(join(home, 'local.db'));
    database.prepare('UPDATE line SET Crc = NULL WHERE At < ?').run(Date.parse('2026-03-15'));
    database.close();
    await pm('individuals get ann --at 2026-03-09', TODAY).fails(6, 'begins at 2026-03-10T09:00:00.000Z');
    await pm('individuals get ann --at 2026-03-12', TODAY).prints('Boss');
  });

  it('what is no moment, and one that is still to come', async () => {
    await pm('individuals get ann --at lately', TODAY).fails(2, '--at is "lately"', 'pm jobs list');
    await pm('individuals get ann --at 2026-03', TODAY).fails(2, 'Write a date as 2026-03-01');
    await pm('individuals get ann --at abcdef', TODAY).fails(6, 'there is no job abcdef');
    await pm('individuals get ann --at 2026-04-01', TODAY).fails(2, 'which is in the future');
    await pm('individuals get ann --at 2026-02-30', TODAY).fails(2, '--at is "2026-02-30", which is not a moment');
    await pm(['log', '--since', '2026-03-28 (saturday)']).fails(2, 'which is not a moment');
  });

  it('a time without an offset is one of the clock by which times are shown', async () => {
    const seenAt = async (when: string, ...zone: readonly string[]): Promise<string> =>
      (await pm(['individuals', 'list', '--at', when, ...zone, '-o', 'count'], TODAY).says()).err;
    const berlin = await seenAt('2026-03-20 14:00', '--tz', 'Europe/Berlin');
    expect(berlin).toContain('14:00:00 +01:00');
    expect(await seenAt('2026-03-20T14:00+01:00', '--tz', 'Europe/Berlin')).toBe(berlin);
    expect(await seenAt('2026-03-20T13:00Z', '--tz', 'Europe/Berlin')).toBe(berlin);
  });

  it('-1mo is a month, and -1min a minute; -1m may be both, and is refused, as in a filter', async () => {
    const all = await pm('log -o count', TODAY).prints();
    expect(await pm('log --since -1mo -o count', TODAY).prints()).toBe(all);
    for (const short of ['-1h', '-1min'])
      expect(await pm(`log --since ${short} -o count`, TODAY).prints()).not.toBe(all);
    const lines = [
      ['log', '--since', '-1m'],
      ['individuals', 'list', '--at=-1m'],
      ['log', '--where', 'At > -1m'],
    ];
    for (const line of lines) await pm(line, TODAY).fails(2, 'may be minutes or months', 'Write -1min or -1mo.');
  });

  it.each([
    'individuals update ann --primary-title X --at -7d',
    'individuals delete ann --yes --at -7d',
    'undo --yes --at -7d',
    'jobs list --at -7d',
    'sites list --at -7d',
  ])('a command that writes, or reads what is no record of the site: %s', async (line) => {
    await pm.refuses(line, 2, "unknown option '--at'");
  });

  it('somebody who does not administrate the site: what was open then may be closed now', async () => {
    await pm('individuals list --as ann --at -7d', TODAY).fails(
      5,
      'looking into the past is for administrators of the site',
    );
    await pm('individuals list --as nobody --at -7d', TODAY).fails(6, 'nobody');
  });

  it('a service, which shows no past', async () => {
    await pm('profiles add far --url https://far.example.com').prints();
    await pm('individuals list -p far --at -7d').fails(2, '--at does not work on far', 'pm log');
  });
});

describe('a copy of the past', () => {
  it('is in no folder', async () => {
    const folder = join(home, 'temporary');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder);
    vi.stubEnv('SQLITE_TMPDIR', folder);
    await pm('individuals list --at -7d', TODAY).prints('ann');
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(home).filter((name) => !['local.db', 'cache', 'temporary'].includes(name))).toEqual([]);
  });

  it('holds no passwords, no tokens, and nothing of other sites', async () => {
    await pm('passwd ann --new-password-stdin', { ...SECOND, stdin: 'Correct-horse-1' }).says('is set');
    await pm('tokens create', SECOND).prints();
    await pm('sites create Second --admin second', SECOND).prints();
    const file = join(home, 'local.db');
    const { SiteID } = await pm('individuals get ann -o json', TODAY).row();
    const copy = await copied(file, String(SiteID), standing(file, String(SiteID)).line);
    const count = (table: string) => copy.one(`SELECT count(*) FROM ${table}`)?.[0];
    expect(['secret', 'token', 'site', 'job_plan'].map(count)).toEqual([0, 0, 1, 0]);
    copy.close();
  });

  it('is not written to', async () => {
    const asked = 'can ann update individual bob --if "allow update on individual bob to ann" --at -7d';
    await pm(asked, TODAY).fails(2, 'a past site can only be read');
  });
});
