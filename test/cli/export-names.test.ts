// pm export --names: references as names, which an import reads again, here and on another site.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pmIn, usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(company);
const lines = (text: string): readonly string[] => text.trimEnd().split('\n');

describe('an export with names', () => {
  it('names managers by user name and departments by path, and has no IDs', async () => {
    const out = await pm('export individuals --names').prints('Local/Sales/EMEA', 'PrimaryReportsTo');
    expect(out).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    const [head = '', ...rows] = lines(out).map((line) => line.split(','));
    const bob = rows.find((row) => row.includes('bob')) ?? [];
    expect(bob[head.indexOf('PrimaryReportsTo')]).toBe('ann');
    expect(bob[head.indexOf('PrimaryOrganizationID')]).toBe('Local/Sales/EMEA');
  });

  it('without it keeps the IDs', async () => {
    expect(lines(await pm('export individuals').prints())[1]).toMatch(/^[0-9a-f]{8}-/);
  });

  it('keeps an ID that no name can stand for', async () => {
    await pm('departments create --name EMEA --rank 3 --parent Sales').prints();
    const out = await pm('export individuals --names --form json').prints();
    const rows = JSON.parse(out) as readonly Record<string, unknown>[];
    expect(rows.find(({ UserName }) => UserName === 'bob')?.PrimaryOrganizationID).toMatch(/^[0-9a-f]{8}-/);
  });

  it('changes nothing where it is imported again', async () => {
    for (const resource of ['departments', 'individuals', 'accountabilities']) {
      const stdin = await pm(`export ${resource} --names`).prints();
      await pm(`import ${resource} - --yes`, { stdin }).says('Nothing to change.');
    }
  });

  it('is understood on another site', async () => {
    const other = pmIn(() => home);
    const home = mkdtempSync(join(tmpdir(), 'pm-names-'));
    for (const resource of ['departments', 'individuals', 'accountabilities']) {
      const stdin = await pm(`export ${resource} --names`).prints();
      await other(`import ${resource} - --yes`, { stdin }).prints();
    }
    const people = async (one: typeof other): Promise<readonly string[]> =>
      lines(await one('individuals tree').prints());
    expect(await people(other)).toEqual(await people(pm));
    expect(await other('departments tree').prints()).toBe(await pm('departments tree').prints());
  });

  it('reads a path with slashes in its names', async () => {
    await pm(['departments', 'create', '--name', 'R&D / Labs', '--rank', '4', '--parent', 'Local']).prints();
    await pm(individual('eve', 'Eve Young', 'Labs', 'ann')).prints();
    await pm(['individuals', 'update', 'eve', '--primary-organization', 'R&D / Labs']).prints();
    const stdin = await pm('export individuals --names').prints('R&D \\/ Labs');
    await pm('import individuals - --yes', { stdin }).says('Nothing to change.');
  });
});
