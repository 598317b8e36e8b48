// pm <resource> undelete without a name: what can be brought back is offered on a terminal, and else listed by a command.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { inDialog } from '../support/dialog.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run('accountabilities delete Sell --individual ann --yes').says();
  await run('accountabilities delete Keep --individual bob --yes').says();
});

const deleted = async (): Promise<readonly unknown[]> =>
  (await pm('accountabilities list --deleted 1 -o json').rows()).map(({ Name }) => Name);

describe('undelete without a name', () => {
  it('names the command that lists what can be brought back, which works as it is written', async () => {
    const list = 'pm accountabilities list --deleted 1';
    await pm.refuses('accountabilities undelete', 2, `hint: ${list} lists those that can be brought back`);
    expect(await deleted()).toEqual(['Keep', 'Sell']);
  });

  it.each(resources.filter(({ operations: { undelete } }) => undelete))(
    'names one that works for $command',
    async ({ command }) => {
      const { exit, err } = await pm(`${command} undelete`);
      const [, hint] = /hint: pm (.*?) lists those/.exec(err) ?? [];
      expect(exit).toBe(2);
      expect((await pm(hint ?? '')).exit).toBe(0);
    },
  );

  it('names the history where no list shows deleted ones, with the IDs that bring them back', async () => {
    const id = await pm('comments create --individual ann --body Well -o id').id();
    await pm(`comments delete ${id} --yes`).says();
    const { err } = await pm('comments undelete');
    const [, log = ''] = /hint: pm (.*?) lists those/.exec(err) ?? [];
    expect(await pm(`${log} -o csv`).prints()).toContain(id);
    await pm(`comments undelete ${id}`).says('Undo');
  });

  it('offers them on a terminal, found by what is typed', async () => {
    const steps = [
      ['Which accountability', 'keep'],
      ['Keep', '\r'],
    ] as const;
    const { exit, out } = await inDialog(['accountabilities', 'undelete'], pm.home, steps);
    expect(out).toContain('Keep');
    expect(exit).toBe(0);
    expect(await deleted()).toEqual(['Sell']);
  });

  it('offers those of the owner that is named', async () => {
    const steps = [['Sell', '\r']] as const;
    const { out } = await inDialog(['accountabilities', 'undelete', '--individual', 'ann'], pm.home, steps);
    expect(out).not.toContain('Keep');
    expect(await deleted()).toEqual(['Keep']);
  });

  it('says on a terminal that there is none', async () => {
    const { exit, out } = await inDialog(['metrics', 'undelete'], pm.home, []);
    expect(out).toContain('there is no deleted metric to bring back');
    expect(exit).toBe(6);
  });
});
