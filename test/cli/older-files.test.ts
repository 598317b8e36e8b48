// What an older pm left goes on: its databases, its stopped jobs, its plans and its exports.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { openServer, type Served } from '../../src/server/index.ts';
import { fixture, restore } from '../support/database-text.ts';
import { DATABASES, folder, query } from '../support/older-files.ts';
import { NOW, type Pm, pmIn } from '../support/pm.ts';

/** A folder of pm's with this database. */
function pmOn(name: string): Pm {
  const home = folder();
  restore(name, join(home, 'local.db'));
  return pmIn(() => home);
}

/** The live individuals of the first site. */
const PEOPLE = `SELECT 1 FROM "individual"
  WHERE "Deleted" = 0 AND "SiteID" = (SELECT "SiteID" FROM "individual" ORDER BY rowid LIMIT 1)`;

/** The members of these records by their names. */
async function byName(pm: Pm, line: string, name: string, member: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await pm(`${line} -o json`).rows();
  return Object.fromEntries(rows.map((row) => [row[name], row[member]]));
}

describe.each(DATABASES)('the database %s', (name) => {
  it('is listed, changed, and the changes are taken back', async () => {
    const pm = pmOn(name);
    const people = query(join(pm.home, 'local.db'), PEOPLE);
    expect(await pm('individuals list -o json').rows()).toHaveLength(people.length);
    const id = await pm('departments create --name Ｎeu --rank 3 -o id').id();
    await pm('departments update neu --rank 4').prints();
    await pm('undo --yes').prints();
    expect(await pm(`departments get ${id} -o json`).row()).toMatchObject({ Rank: 3, Name: 'Ｎeu' });
    await pm('departments delete NEU --yes').prints();
    await pm('undo --yes').prints();
    expect(await pm('departments get neu -o json').row()).toMatchObject({ ID: id });
  });
});

describe('the database of version 3', () => {
  let pm: Pm;
  beforeEach(() => {
    pm = pmOn('version-3/local.sql');
  });
  const ranks = () => byName(pm, 'core-values list', 'Name', 'Description');

  it('has a stopped job that goes on, and can be taken back', async () => {
    await pm('jobs resume d2e36f9c --yes');
    expect(await ranks()).toMatchObject({
      'hier Ä2': 'Später',
      'hier Ä3': 'Zwischen',
      'hier Ä4': 'Später',
      'hier Ä5': 'Später',
    });
    await pm('undo d2e36f9c --yes').prints();
    expect(await ranks()).toMatchObject({ 'hier Ä1': 'Anfang', 'hier Ä3': 'Zwischen', 'hier Ä5': 'Anfang' });
  });

  it('has a stopped undo that goes on', async () => {
    await pm('jobs resume 67ec8ad5 --yes');
    const groups = Object.keys(await byName(pm, 'security-groups list', 'Group', 'ID'));
    expect(groups.filter((group) => group.startsWith('hier'))).toEqual(['hier Ö3 neu']);
  });

  it('takes the plan that was made on it', async () => {
    await pm(['apply', fixture('version-3/kept.plan'), '--yes']).prints();
    expect(await ranks()).toMatchObject({ Größe: 'Neu', Œuvre: 'Ganz, neu' });
  });

  it('takes what was exported from it, and finds nothing to change', async () => {
    const dir = fixture('version-3/exported');
    await pm(['import', '--dir', dir, '-n']).says('nothing (dry run', '  60 unchanged');
  });
});

describe('the journal of version 1', () => {
  let pm: Pm;
  let served: Served;
  beforeEach(async () => {
    pm = pmOn('version-3/local.sql');
    restore('version-3/journal.sql', join(pm.home, 'journal.db'));
    const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
    served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
    await pm(`profiles add prod --url ${served.url} --user admin`).says('Added');
    return async () => {
      await served.close();
      await serving.close();
    };
  });
  const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: 'not-a-secret-1' } });

  it('has a stopped job that goes on', async () => {
    await remote('jobs resume d1c1b8d0 --yes');
    const values = await byName(pm, 'core-values list', 'Name', 'Description');
    expect(values).toMatchObject({ 'dort Ä3': 'Zwischen', 'dort Ä4': 'Später', 'dort Ä5': 'Später' });
  });

  it('has a stopped undo that goes on', async () => {
    await remote('jobs resume 3f9dd21e --yes');
    const groups = Object.keys(await byName(pm, 'security-groups list', 'Group', 'ID'));
    expect(groups.filter((group) => group.startsWith('dort'))).toEqual(['dort Ö3 neu']);
  });
});

describe('the doctor', () => {
  it('tells of older versions without touching them, and then of the copies', async () => {
    const pm = pmOn('version-3/local.sql');
    restore('version-3/journal.sql', join(pm.home, 'journal.db'));
    const of = (Check: string) => expect.objectContaining({ Check });
    const before = await pm('doctor -o json').rows();
    const text = JSON.stringify(before);
    expect(text).toContain('its tables have version 3, this pm makes');
    expect(text).toContain('its tables have version 1, this pm makes');
    expect(before).not.toContainEqual(of('copy'));
    await pm('individuals list').prints();
    const after = await pm('doctor -o json').rows();
    expect(after).toContainEqual(of('copy'));
    expect(JSON.stringify(after)).toContain('local.db.version-3 is ');
  });

  it('tells of files that a process left behind', async () => {
    const pm = pmOn('version-3/local.sql');
    const draft = join(pm.home, 'local.db.999999999.0a1b2c3d.new');
    const alive = join(pm.home, `local.db.${process.pid}.0a1b2c3d.new`);
    for (const file of [draft, `${draft}-journal`, alive]) writeFileSync(file, '');
    const found = await pm('doctor -o json').rows();
    const drafts = found.filter(({ Check }) => Check === 'draft').map(({ Advice }) => Advice);
    expect(drafts.sort()).toEqual([`rm '${draft}'`, `rm '${draft}-journal'`]);
  });
});
