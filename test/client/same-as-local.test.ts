// One database, asked directly and through a server: the same words come out, whichever way.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { openServer } from '../../src/server/index.ts';
import { company } from '../cli/company.ts';
import { isLong } from '../support/long.ts';
import { type CommandResult, NOW, type Pm, usingPm } from '../support/pm.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (pm) => {
  await company(pm);
  await pm('accountabilities delete Keep --individual bob --yes').prints();
  await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

beforeEach(() => serveAs(pm, 's'));

/** Serves the database of this test, and adds a profile of that name that is logged in. */
async function serveAs({ home }: Pm, name: string): Promise<void> {
  const serving = await openServing({ home, owner: 'admin', clock: () => NOW });
  const served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
  onTestFinished(async () => {
    await served.close();
    await serving.close();
  });
  await pm(`profiles add ${name} --url ${served.url} --user admin`).says(name);
  await pm(`login -p ${name} --password-stdin`, { stdin: PASSWORD }).says('Logged in');
}

const READS = [
  'individuals list -o json',
  'individuals list -o xml',
  'individuals list -o csv --sort -LastName --limit 2',
  'individuals get ann -o json',
  'individuals get ann@example.org -o yaml',
  'individuals tree',
  'departments list -o json',
  'departments list --deleted 2 -o tsv',
  'departments get Sales/EMEA -o json',
  'departments tree',
  'accountabilities list --individual ann -o json',
  'accountabilities list --individual bob --deleted 1 -o json',
  'accountabilities list --mine -o json',
  'colors list -o json',
  'periods list -o ndjson',
  'sites list -o json',
  'individuals get ann bob -o json',
  'individuals list --deleted 2 -o json',
  'department-members list --department Sales -o json',
  'accountabilities get Keep --individual ann -o json',
  'comments list --individual ann -o json',
  'core-values list -o json',
  'site-settings get -o json',
];

/** What is asked over XML in the suite: one list or record of each kind that is read in its own way. */
const OVER_XML =
  /^(?:individuals (?:list -o xml|get ann -o)|departments tree|accountabilities|periods|sites|site-settings|core)/;
const readsOver = (wire: string) => READS.filter((line) => isLong || wire === 'json' || OVER_XML.test(line));

const REFUSALS = [
  'individuals get nobody',
  'individuals get 0f8fad5b-d9cb-469f-a165-70867728950e',
  'accountabilities create --individual ann --rank 1 --name "" --description x',
  'accountabilities list --individual nobody',
  'colors update 999 --name x',
];

describe.each(['json', 'xml'])('with --wire %s', (wire) => {
  const remote = (line: string): Promise<CommandResult> => pm(`${line} -p s --wire ${wire}`);

  it('every read prints the same', async () => {
    for (const line of readsOver(wire)) {
      const there = await remote(line);
      expect.soft({ line, ...there }).toEqual({ line, ...(await pm(`${line} -p local`)), exit: 0 });
      expect.soft(there.out, line).not.toBe('');
    }
  });

  it('every refusal ends with the same code, and nothing on stdout', async () => {
    for (const line of REFUSALS) {
      const [there, here] = [await remote(line), await pm(`${line} -p local`)];
      expect.soft({ line, exit: there.exit, out: there.out }).toEqual({ line, exit: here.exit, out: here.out });
      expect.soft(there.exit, line).not.toBe(0);
    }
  });

  it('what is made, changed and deleted there is so here', async () => {
    const add = `accountabilities create --individual ann --rank 3 --name New --description "A <b> & \\"c\\"" -o id`;
    const id = (await remote(add)).out.trim();
    await remote(`accountabilities update ${id} --rank 7`);
    const here = await pm(`accountabilities get ${id} -o json -p local`).row();
    expect(here).toMatchObject({ ID: id, Name: 'New', Rank: 7 });
    expect((await remote(`accountabilities get ${id} -o json`)).out).toBe(
      await pm(`accountabilities get ${id} -o json -p local`).prints(),
    );
    expect((await remote(`accountabilities delete ${id} --yes`)).exit).toBe(0);
    await pm(`accountabilities get ${id} -p local`).fails(6, 'undelete');
    expect((await remote(`accountabilities undelete ${id}`)).exit).toBe(0);
    expect(await pm(`accountabilities get ${id} -o json -p local`).row()).toMatchObject({ Deleted: false });
  });
});

describe('two commands at once', () => {
  it.each([
    ['departments', 'departments', 'Labs', '--focus Mine', '--rank 9', { Focus: 'Mine' }, { Rank: 9 }],
    ['colors', 'colors', '1', '--name Mine', '--rank 9', { Name: 'Mine' }, { Rank: 9 }],
  ])('change two members of one record of %s: each is there, or was refused aloud', async (...row) => {
    const [, command, ref, one, other, mine, yours] = row;
    const outcomes = await Promise.all([
      pm(`${command} update ${ref} ${one} -p s`),
      pm(`${command} update ${ref} ${other} -p s --wire xml`),
    ]);
    const expected = Object.assign({}, ...[mine, yours].filter((_, at) => outcomes[at]?.exit === 0));
    expect(outcomes.some(({ exit }) => exit === 0)).toBe(true);
    const rows = await pm(`${command} list -o json -p local`).rows();
    expect(rows).toContainEqual(expect.objectContaining(expected));
    for (const { exit, err } of outcomes)
      if (exit !== 0) expect({ exit, err }).toMatchObject({ exit: 7, err: expect.stringContaining('as it was read') });
  });
});
