// Deleting a large part of what is there needs its number, on every profile and by every way.
import { describe, expect, it } from 'vitest';
import type { Pm } from '../support/pm.ts';
import { usingServedCompany } from './served-company.ts';

/** Of 120 departments 12 are a tenth, 13 are more. */
const TOTAL = 120;
const nameOf = (at: number): string => `Shop ${String(at).padStart(3, '0')}`;
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => nameOf(at));

async function shops(pm: Pm): Promise<void> {
  const there = (await pm('departments list -o json').rows()).length;
  const rows = names(TOTAL - there).map((name, at) => `${name},${at + 1},Local`);
  await pm('import departments - --form csv --yes', { stdin: ['Name,Rank,Parent', ...rows].join('\n') }).says('Undo:');
  const goals = names(12).map((name) => `${name},ann,Sell`);
  const stdin = ['Name,Individual,Description', ...goals].join('\n');
  await pm('import accountabilities - --form csv --yes', { stdin }).says('Undo:');
}

const { pm, remote, file } = usingServedCompany(shops);
const left = async (): Promise<number> => (await pm('departments list -o json').rows()).length;

const ASKED = '13 of 120 departments would be deleted';

describe('deleting more than ten records and more than a tenth of their kind needs the number', () => {
  it('for records that are named, and the hint works as it is printed', async () => {
    const line = ['departments', 'delete', ...names(13)];
    const { err } = await pm.refuses([...line, '--yes'], 12, ASKED, '--confirm local:13');
    await pm([...line, ...(/--confirm local:\d+/.exec(err)?.[0].split(' ') ?? [])]).prints();
    expect(await left()).toBe(107);
  });

  it('and a dry run says so', async () => {
    await pm(['departments', 'delete', ...names(13), '-n']).says(`  It will need --confirm local:13: ${ASKED}`);
    expect((await pm(['departments', 'delete', ...names(12), '-n'])).err).not.toContain('--confirm');
  });

  it('for records that a filter chooses', async () => {
    await pm.refuses(['departments', 'delete', '--where', "Name <= 'Shop 012' AND Name ~ '^Shop'", '--yes'], 12, ASKED);
  });

  it('for an import that deletes, a plan that is applied, and a command for each row', async () => {
    file('old.csv', 'Name', ...names(13));
    await pm.refuses('import departments old.csv --key Name --mode delete --yes', 12, ASKED);
    await pm.refuses(['each', 'old.csv', '--yes', '--', 'departments', 'delete', '{Name}'], 12, ASKED);
    await pm('plan departments old.csv --key Name --mode delete --out old.plan').says('13');
    await pm.refuses('apply old.plan --yes', 12, ASKED, '--confirm local:13');
    await pm('apply old.plan --confirm local:13');
    expect(await left()).toBe(107);
  });

  it('on a service, too; also where its records are listed owner by owner and are not counted', async () => {
    await remote(['departments', 'delete', ...names(13), '--yes']).fails(12, ASKED, '--confirm prod:13');
    const goals = ['accountabilities', 'delete', '--individual', 'ann', ...names(12)];
    await remote([...goals, '--yes']).fails(12, '12 accountabilities would be deleted, and pm cannot count how many');
    await remote([...goals, '--confirm', 'prod:12']).prints();
  });
});

describe('no number is needed', () => {
  it('for a tenth', async () => {
    await pm(['departments', 'delete', ...names(12), '--yes']).prints();
    expect(await left()).toBe(108);
  });

  it('for ten records, whatever their share', async () => {
    await pm(['accountabilities', 'delete', '--individual', 'ann', ...names(10), '--yes']).prints();
  });

  it('for an undo, which takes back what its job made', async () => {
    const [job] = await pm(`jobs list -o json --where "Title ~ 'departments'"`).rows();
    await pm(`undo ${job?.Job} --yes`).says('delete');
    expect(await left()).toBeLessThan(20);
  });
});
