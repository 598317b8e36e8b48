// Deleting and undeleting: what is asked before, what goes with a record, and what comes back.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const named = async (line: string): Promise<readonly unknown[]> =>
  (await pm(`${line} -o json`).rows()).map((row) => row.Name);

describe('a deletion', () => {
  it('needs --yes where nobody can be asked', async () => {
    await pm.refuses('departments delete Labs', 12, 'deleting 1 record needs a confirmation', '--yes');
    await pm('departments delete Labs --yes').prints('Labs');
    expect(await named('departments list')).not.toContain('Labs');
  });

  it('can be confirmed with the profile and the number of records', async () => {
    await pm.refuses('departments delete Labs --confirm local:2', 12, '--confirm is "local:2"', 'local:1');
    await pm('departments delete Labs --confirm local:1').prints('Labs');
  });

  it('needs a confirmation where the IDs come from stdin', async () => {
    await pm('individuals delete -', { stdin: 'ann bob' }).fails(12, 'deleting 2 records');
    await pm('individuals delete - --yes -o json', { stdin: 'ann bob' }).prints('"Deleted": true');
  });

  it('keeps the user name: who wants it is told that its holder may be deleted', async () => {
    await pm('individuals delete bob --yes').prints();
    await pm.refuses('individuals update ann --user-name bob', 7, 'is taken', 'if that is deleted, undelete it first');
  });

  it('for good needs more than --yes', async () => {
    await pm.refuses(
      'colors delete 1 --yes',
      12,
      'for good',
      'Deleted colors come back by an undo; a remote service gives them new IDs',
      '--confirm local:1',
    );
    await pm('colors delete 1 --confirm local:1').prints('Below');
    await pm.refuses('colors get 1', 6, 'color 1');
  });

  it('shows with -n what it would mark, and marks nothing', async () => {
    const before = pm.dump();
    const rows = await pm('individuals delete bob -n -o json').rows();
    expect(rows).toEqual([expect.objectContaining({ Operation: 'delete', Field: 'Deleted', After: 'true' })]);
    expect(pm.dump()).toEqual(before);
  });
});

describe('a deleted record', () => {
  it('is not found, and the error prints the command that brings it back', async () => {
    const id = await pm('accountabilities get Sell -o id').id();
    await pm(`accountabilities delete ${id} --yes`).prints();
    const { err } = await pm.refuses(`accountabilities get ${id}`, 6, 'is deleted');
    const command = /pm (accountabilities undelete \S+)/.exec(err)?.[1] ?? '';
    expect((await pm(`${command} -o json`).row()).Deleted).toBe(false);
    await pm(`accountabilities get ${id}`).prints('Sell');
  });

  it('is a line of its list where people read, as is one that comes back, and whole for programs', async () => {
    for (const change of ['delete', 'undelete'])
      await pm(`individuals ${change} bob --yes -o table`).prints(/^UserName +FullName .*\n.*\nbob +Bob Stone /);
    expect(await pm('individuals delete bob --yes -o json').row()).toMatchObject({ UserName: 'bob', Deleted: true });
  });

  it('hides what belongs to it, and brings back exactly what was not deleted by itself', async () => {
    await pm('accountabilities delete Sell --yes').prints();
    await pm('individuals delete ann --yes').prints();
    const hidden = await pm('accountabilities list --individual ann --deleted 1 -o json').rows();
    expect(hidden.map((row) => [row.Name, row.Deleted, row.DeletedByRef])).toEqual([
      ['Sell', true, true],
      ['Keep', false, true],
    ]);
    await pm('individuals undelete ann').prints('ann');
    expect(await named('accountabilities list --individual ann')).toEqual(['Keep']);
    expect(await named('accountabilities list --individual ann --deleted only')).toEqual(['Sell']);
  });
});

it('shows in a dry run that a record would be gone for good', async () => {
  const rows = await pm('colors delete 1 -n -o json').rows();
  expect(rows).toEqual([
    { Operation: 'delete', Name: 'Below', Field: 'ID', Before: '1', After: null, Resource: 'colors', ID: '1' },
  ]);
});
