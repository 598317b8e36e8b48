// What a table shows of a list, at any width: names whole, and no IDs beside them.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one(individual('margarethe.von.hohenstein', 'Margarethe Hohenstein-Wallenberg', 'Labs', 'ann')).prints();
  await one(
    'individuals update margarethe.von.hohenstein --primary-title "Head of the development laboratory"',
  ).prints();
});
const at = (columns: number) => ({ columns, env: { PM_COLOR: 'never' } });

describe('a list of people', () => {
  it('has the department at 120 columns, and nothing is cut', async () => {
    expect(await pm('individuals list', at(120)).prints()).toMatchInlineSnapshot(`
      "UserName                   FullName                          PrimaryTitle                        PrimaryOrganizationName
      ─────────────────────────  ────────────────────────────────  ──────────────────────────────────  ───────────────────────
      admin                      admin Administrator               Administrator                       Local
      margarethe.von.hohenstein  Margarethe Hohenstein-Wallenberg  Head of the development laboratory  Labs
      ann                        Ann Smith                         Member                              Sales
      bob                        Bob Stone                         Member                              EMEA
      35 more fields: use -o json or --fields
      "
    `);
  });

  it('cuts titles at 80 columns, and no name', async () => {
    expect(await pm('individuals list', at(80)).prints()).toMatchInlineSnapshot(`
      "UserName                   FullName                  PrimaryTitle   PrimaryOrga…
      ─────────────────────────  ────────────────────────  ─────────────  ────────────
      admin                      admin Administrator       Administrator  Local
      margarethe.von.hohenstein  Margarethe                Head of the …  Labs
                                 Hohenstein-Wallenberg
      ann                        Ann Smith                 Member         Sales
      bob                        Bob Stone                 Member         EMEA
      PrimaryTitle cut; 35 more fields: use -o json or --fields
      "
    `);
  });

  it('still shows every name at 40 columns', async () => {
    expect(await pm('individuals list', at(40)).prints()).toMatchInlineSnapshot(`
      "UserName          admin
      FullName          admin Administrator
      PrimaryTitle      Administrator
      PrimaryOrganiza…  Local

      UserName          margarethe.von.
                        hohenstein
      FullName          Margarethe
                        Hohenstein-Wallenberg
      PrimaryTitle      Head of the
                        development laboratory
      PrimaryOrganiza…  Labs

      UserName          ann
      FullName          Ann Smith
      PrimaryTitle      Member
      PrimaryOrganiza…  Sales

      UserName          bob
      FullName          Bob Stone
      PrimaryTitle      Member
      PrimaryOrganiza…  EMEA

      35 more fields: use -o json or --fields
      "
    `);
  });

  it.each([40, 60, 80, 100, 120])('is no wider than %i columns, the last line included', async (width) => {
    const lines = (await pm('individuals list', at(width)).prints()).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  it('shows IDs where they are asked for, behind the names', async () => {
    const out = await pm('individuals list --ids', at(120)).prints();
    expect(out.split('\n')[0]).toMatch(/^UserName .* ID$/);
    expect(
      await pm('individuals list --ids').prints(/^UserName\tFullName\tPrimaryTitle\tPrimaryOrganizationName\tID\n/),
    );
  });

  it('has no ID in a pipe either; -o id prints them', async () => {
    await pm('individuals list').prints(/^UserName\tFullName\tPrimaryTitle\tPrimaryOrganizationName\n/);
    expect((await pm('individuals list -o id').prints()).split('\n')).toHaveLength(5);
  });
});

describe('a list of what has no name', () => {
  it('keeps the ID', async () => {
    await pm('comments create --individual ann --body "Well done, and thank you for all of it"').prints();
    await pm('comments list --individual ann', at(120)).prints(/^ID +Created/);
    await pm('comments list --individual ann').prints(/^ID\tCreated/);
  });

  it('shows at 40 columns what it says', async () => {
    await pm('comments create --individual ann --body "Well done"').prints();
    const out = await pm('comments list --individual ann --fields ID,Body', at(40)).prints();
    expect(out).toMatch(/^ID {4}[\w-]{24}\n {6}\w{12}\nBody {2}Well done\n$/);
  });
});

describe('one record', () => {
  it('tells false from empty', async () => {
    const out = await pm('individuals get ann', at(100)).prints();
    expect(out).toMatch(/\nIsAdmin +no\n/);
    expect(out).toMatch(/\nSuffix\n/);
  });
});

describe('an update', () => {
  it('shows what has changed, on a terminal', async () => {
    const out = await pm('individuals update bob --primary-title Boss --primary-organization Labs', at(80)).prints();
    expect(out).toMatchInlineSnapshot(`
      "Field                  Before  After
      ─────────────────────  ──────  ─────
      PrimaryOrganizationID  EMEA    Labs
      PrimaryTitle           Member  Boss
      "
    `);
  });

  it('of several shows whose', async () => {
    const out = await pm('individuals update bob ann --primary-title Boss', at(80)).prints();
    expect(out.split('\n').slice(2)).toEqual([
      'Bob Stone  PrimaryTitle  Member  Boss',
      'Ann Smith  PrimaryTitle  Member  Boss',
      '',
    ]);
  });

  it('shows the fields that are asked for', async () => {
    const out = await pm('individuals update bob --primary-title Boss --fields UserName,PrimaryTitle', at(80)).prints();
    expect(out).toBe('UserName      bob\nPrimaryTitle  Boss\n');
  });

  it('gives programs the whole record', async () => {
    expect(await pm('individuals update bob --primary-title Boss -o json').row()).toMatchObject({ UserName: 'bob' });
  });
});

describe('what is not cut', () => {
  it('goes on below: advice of the doctor', async () => {
    const out = await pm('doctor', at(60)).prints();
    expect(out).not.toMatch(/Advice cut/);
  });

  it('goes on below: the meaning of fields', async () => {
    const out = await pm('explain individuals', at(80)).prints('Meaning');
    expect(out).not.toContain('Meaning cut');
    expect(out).not.toContain('Field cut');
  });
});

describe('what support looks for', () => {
  const changed = () =>
    pm('individuals update bob --primary-title "Head of the development laboratory" --suffix Dr').prints();

  it('stays at 80 columns: who changed what, from what to what', async () => {
    await changed();
    const lines = await pm('history individuals bob', at(80)).prints(/^At +Who +What +Field +Before +After$/m);
    expect(lines.split('\n').slice(2, 5)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d +admin +update +Suffix +Dr$/),
      expect.stringMatching(/ update +PrimaryTitle +Member +Head of the$/),
      expect.stringMatching(/^ +development$/),
    ]);
    expect(lines).not.toContain('…');
    await pm('show bob', at(80)).prints(/^At +Who +What +Field +Before +After$/m);
  });

  it('has every user name of 13 letters whole at 80 columns', async () => {
    await pm(individual('klara.svoboda', 'Klara Svoboda', 'Labs', 'ann')).prints();
    await pm('individuals update klara.svoboda --suffix Dr --as klara.svoboda').prints();
    await pm('history individuals klara.svoboda', at(80)).prints(
      / klara\.svoboda +update +Suffix +Dr$/m,
      / klara\.svoboda@\n/,
    );
  });

  it.each([40, 60])('is a block where the columns have no room, with nothing left out: %i', async (width) => {
    await changed();
    const lines = await pm('history individuals bob', at(width)).prints();
    expect(lines).toMatch(/^Who +admin\nWhat +update\nField +PrimaryTitle\nBefore +Member\nAfter +Head of the/m);
    expect(lines).not.toContain('left out');
  });

  it('is of a job its state, and how much of it was undone', async () => {
    await changed();
    await pm('undo --yes').prints();
    const lines = await pm('jobs list', at(80)).prints(/^Job +Title +State +Created +Failed +Undone$/m);
    expect(lines).toMatch(/^\w{8} +individuals update Bob Stone +ended +[\d: -]+ 0 +1$/m);
    await pm('jobs list', at(40)).prints(/^Undone +1$/m);
  });

  it('is of a difference both values, under the names of the sites or moments', async () => {
    const now = () => new Date('2026-05-03T12:00:00Z');
    await pm('individuals update bob --suffix Dr', { now }).prints();
    await pm('individuals update bob --suffix Prof', { now: () => new Date('2026-05-03T13:00:00Z') }).prints();
    const later = { ...at(80), now: () => new Date('2026-05-03T13:30:00Z') };
    await pm(individual('eve', 'Eve Hill', 'Labs', 'ann'), later).prints();
    const lines = await pm('diff local@-1h', later).prints(/ Field +local@-1h +local$/m);
    expect(lines).toMatch(/^change +individuals +Bob Stone +Suffix +Dr +Prof$/m);
    expect(lines).toMatch(/^only in local +individuals +Eve Hill$/m);
    await pm('diff local@-1h -o md', later).prints('| Field | local@-1h | local |', '| Suffix | Dr | Prof |');
    expect(await pm('diff local@-1h -o json', later).rows()).toContainEqual(
      expect.objectContaining({ Field: 'Suffix', There: 'Prof', Wanted: 'Dr' }),
    );
  });
});
