// The past of a site is exact: a copy from which lines are taken back is the copy that was taken then, table by table. Only
// passwords, tokens and last numbers have no past.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { inLong } from '../support/long.ts';
import { differences, type Standing, standing, stood } from '../support/past.ts';
import { type Pm, pmIn, usingPm } from '../support/pm.ts';
import { changeRandomly } from '../support/random-site.ts';
import { newSite } from '../support/site.ts';

const SEEDS = Array.from({ length: inLong(2, 20) }, (_, at) => at + 1);
const ROUNDS = inLong(5, 10);
const ACTIONS = inLong(60, 200);

describe('a site', () => {
  it.each(SEEDS)('is as it was at any time of a random history of two sites, of seed %i', async (seed) => {
    const first = await newSite();
    const made = await first.ada.call('site', 'create', 'plain', { body: { Name: 'Second', Admin: 'second' } });
    const second = { ...first, id: String(made.ID), ada: await first.as('ada', String(made.ID)) };
    const taken: (Standing & { readonly site: string })[] = [];
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const site of [first, second]) {
        accepted += await changeRandomly(site, seed * 1_000 + round, ACTIONS);
        taken.push({ site: site.id, ...standing(first.engine.file, site.id) });
      }
    }
    expect(accepted).toBeGreaterThan(ROUNDS * ACTIONS * 0.3);
    for (const { site, ...then } of taken)
      expect(differences(then, await stood(first.engine.file, site, then.line))).toEqual([]);
  });
});

describe('a site that commands have changed', () => {
  const pm = usingPm();

  /** Runs commands, and compares the past behind each of them with how the site stood then. */
  async function expectPast(on: Pm, home: string, commands: readonly string[]): Promise<void> {
    const file = join(home, 'local.db');
    const database = openDatabase(file, { readonly: true });
    const site = String(database.prepare("SELECT ID FROM site WHERE Name = 'Local'").pluck().get());
    database.close();
    const taken: (Standing & { readonly command: string })[] = [];
    for (const command of commands) {
      const [newest] = await on('jobs list --limit 1 --site Local -o json').rows();
      await on(command.replace('newest', String(newest?.Job)), { stdin: '' }).says();
      taken.push({ command, ...standing(file, site) });
    }
    for (const { command, ...then } of taken)
      expect(differences(then, await stood(file, site, then.line)), command).toEqual([]);
  }

  it('is as it was behind each of them: imports, undos, redos, moves, members, archives, final deletions', async () => {
    await pm('seed --sample small').says();
    const rows = (names: readonly string[], text: string): string =>
      `Name,Rank,Description,Individual\n${names.map((name, at) => `${name},${at},${text},luis.ferreira\n`).join('')}`;
    const many = Array.from({ length: 700 }, (_, at) => `Thing ${at}`);
    writeFileSync(join(pm.home, 'many.csv'), rows(many, 'x'));
    writeFileSync(join(pm.home, 'few.csv'), rows(['Thing 3', 'Thing 4', 'New'], 'y'));
    await expectPast(pm, pm.home, [
      `import accountabilities ${join(pm.home, 'many.csv')} --yes --confirm local:700`,
      `import accountabilities ${join(pm.home, 'few.csv')} --key Name,AncestorID --yes`,
      'undo --yes',
      'undo --yes --confirm local:700',
      'undo newest --yes --confirm local:700',
      'individuals update klara.svoboda --primary-organization Quality --yes',
      'undo --yes',
      'departments update Quality --parent Engineering --rank 7 --yes',
      'departments delete Engineering --yes',
      'individuals delete klara.svoboda --yes',
      'departments undelete Engineering --yes',
      'undo --by admin --since -1h --yes --confirm local:702',
      'colors delete Exceeds --yes --confirm local:1',
      'undo --yes',
      'security-groups create --group Night',
      'security-groups add-member Night luis.ferreira',
      'security-groups add-member Night ewa.zielinska',
      'security-groups delete-member Night luis.ferreira --yes',
      'archives take --individual luis.ferreira --name Now',
      'sites create Second --admin second',
      'departments create --name Elsewhere --rank 1 --site Second',
      'site-settings update --threshold1 61',
    ]);
  });

  it('is as it was before it was made as files say, behind that, and behind its undo', async () => {
    await pm('seed --sample small').says();
    await pm('security-groups create --group Night').says();
    await pm('security-groups add-member Night luis.ferreira').says();
    const files = join(pm.home, 'files');
    await pm(`export --dir ${files}`).says();
    const home = join(pm.home, 'other');
    const other = pmIn(() => home);
    await other('departments list').says();
    await expectPast(other, home, [
      'departments create --name Own --rank 1',
      'undo --yes',
      `apply ${files} --yes`,
      'undo --yes',
    ]);
  });
});
