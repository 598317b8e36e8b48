// A right stands on an object that is named: the whole site is said, and never meant by silence (D38).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const STATES =
  '--read-state allow --create-state not-set --update-state deny --delete-state deny --delegate-state deny';
const HEAD = 'RowID,PrincipalID,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState';
const HINT = 'Name what it belongs to; site is the whole site.';

const site = async () => String((await pm('whoami -o json').row()).SiteID);
const rights = () => pm('permissions list -o json');

function file(...lines: readonly string[]): string {
  const path = join(pm.home, 'rights.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

describe('pm permissions create', () => {
  it('wants the object, or --on-site', async () => {
    await pm.refuses(`permissions create --principal ann ${STATES}`, 2, '--department <ref> or', '--on-site');
    const made = await pm(`permissions create --on-site --principal ann ${STATES} -o json`).row();
    expect(made.RowID).toBe(await site());
    const other = await pm(`permissions create --department Sales --principal ann ${STATES} -o json`).row();
    expect(other.RowName).toBe('Sales');
  });
});

describe('a row of a file', () => {
  it.each([
    ['a blank object', HEAD, ',ann,,0,1,0,0,0', []],
    ['an empty object', HEAD, '<null>,ann,,0,1,0,0,0', ['column RowID is empty']],
    ['no column for it', HEAD.replace('RowID,', ''), 'ann,,0,1,0,0,0', ['--mode', 'create']],
  ])('with %s is a fault', async (_, head, row) => {
    for (const mode of ['upsert', 'create'])
      expect((await pm(['import', 'permissions', file(head, row), '--mode', mode, '--yes'])).exit).not.toBe(0);
    expect(await pm('permissions list --department Sales -o json').rows()).toEqual([]);
  });

  it('says what is to be written', async () => {
    await pm.refuses(['import', 'permissions', file(HEAD, ',ann,,0,1,0,0,0'), '--mode', 'create', '--yes'], 7, HINT);
  });

  it('with the word site is of the whole site, and an export is read back', async () => {
    await pm(['import', 'permissions', file(HEAD, 'site,ann,,0,1,0,0,0'), '--yes']).says('1 create');
    const before = await rights().rows();
    expect(before).toContainEqual(expect.objectContaining({ RowID: await site(), PrincipalName: 'Ann Smith' }));
    await pm('export permissions --names --out out.csv').says('permissions');
    expect(readFileSync(join(pm.home, 'out.csv'), 'utf8')).toContain(',site,');
    await pm('import permissions out.csv --yes').says('unchanged');
    expect(await rights().rows()).toEqual(before);
  });
});
