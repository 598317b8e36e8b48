// pm as people start it: many processes at once, readers that leave, and a terminal that answers questions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inDialog } from '../support/dialog.ts';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { onTerminal, PM, spawned, spawnPm, spawnUnread } from '../support/terminal.ts';

let root = '';
let home = '';
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'pm-processes-'));
  home = join(root, 'home');
  expect(
    (await spawnPm(['departments', 'create', '--name', 'Sales', '--rank', '1', '--parent', 'Local'], home)).exit,
  ).toBe(0);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pm = pmIn(() => home);
const MANY = inLong(8, 20);

const names = async (at: string): Promise<readonly string[]> =>
  (await pmIn(() => at)('departments list -o tsv --fields Name').prints()).trimEnd().split('\n').slice(1);

describe('many processes', () => {
  it('that all begin in an empty folder each make their record', async () => {
    const fresh = join(root, 'fresh');
    const wanted = Array.from({ length: MANY }, (_, at) => `Dept ${at}`);
    const all = await Promise.all(
      wanted.map((name, at) =>
        spawnPm(
          ['departments', 'create', '--name', name, '--rank', String(at), '--parent', 'Local', '-o', 'id'],
          fresh,
        ),
      ),
    );
    expect(all.map(({ exit, err }) => [exit, /error/.exec(err)?.[0]])).toEqual(wanted.map(() => [0, undefined]));
    expect(new Set(all.map(({ out }) => out)).size).toBe(MANY);
    expect((await names(fresh)).filter((name) => name.startsWith('Dept'))).toEqual(wanted);
    expect(all.filter(({ err }) => err.includes('Made '))).toHaveLength(1);
  });
});

describe('a pipe', () => {
  it('carries IDs from one command to the next', async () => {
    const { out } = await spawned(
      'sh',
      ['-c', `node ${PM} departments list -o id | node ${PM} departments get - -o json`],
      home,
    );
    expect(JSON.parse(out)).toHaveLength(2);
  });

  it.each(
    inLong(
      ['individuals list -o json', '--help'],
      ['individuals list -o json', 'individuals list -o id', 'individuals tree', 'help decisions', '--help'],
    ),
  )('whose reader has gone ends the command quietly: %s', async (line) => {
    expect(await spawnUnread(line.split(' '), home)).toMatchObject({ exit: 141, err: '' });
  });
});

describe('a closed stderr', () => {
  it('ends with 141, and the change is made', async () => {
    const create = ['departments', 'create', '--name', 'Unheard', '--rank', '5', '--parent', 'Local', '-o', 'id'];
    expect(await spawnUnread(create, home, 'stderr')).toMatchObject({ exit: 141, out: expect.stringContaining('-') });
    expect(await names(home)).toContain('Unheard');
  });
});

describe('the built program', () => {
  it('finds its help topics beside it', async () => {
    expect(await spawnPm(['help', 'exit-codes'], home)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^EXIT-CODES: /),
    });
  });
});

describe('on a terminal', { tags: 'terminal' }, () => {
  const create = ['departments', 'create', '--name', 'Asked'];

  it('what is missing is asked for, and asked again where it is wrong', async () => {
    const told = await onTerminal(create, home, [
      ['❯ none: a new organization', '\r'],
      ['Rank', 'one\r'],
      ['whole number', '\u007f\u007f\u007f7\r'],
    ]);
    expect(told).toMatchObject({ exit: 0, out: expect.stringContaining('1 create') });
    expect(await names(home)).toContain('Asked');
  });

  it('a deletion shows what it means and is not done without a yes', async () => {
    const no = await inDialog(['departments', 'delete', 'Sales'], home, [['Delete?', '\r']]);
    expect(no).toMatchObject({ exit: 12, out: expect.stringMatching(/delete department Sales \([0-9a-f-]{36}\)/) });
    expect(await names(home)).toContain('Sales');
    const yes = await inDialog(['departments', 'delete', 'Sales'], home, [['Delete?', 'y\r']]);
    expect(yes.exit).toBe(0);
    expect(await names(home)).not.toContain('Sales');
  });

  it('a deletion for good asks for the profile and the number', async () => {
    const told = await inDialog(['colors', 'delete', '1', '--yes'], home, [['Type local:1', 'local:1\r']]);
    expect(told.exit).toBe(0);
  });

  it('Ctrl-C at a question changes nothing and ends with 130', async () => {
    const told = await onTerminal(['colors', 'delete', '2'], home, [['Type local:1', '\u0003']]);
    expect(told.exit).toBe(130);
    await pm('colors get 2').prints();
  });

  it('a table has 80 columns where the terminal does not tell its width', async () => {
    const { out } = await onTerminal(['departments', 'list', '--color', 'never'], home, []);
    expect(out).toMatch(/^DisplayRank {2}Name/m);
  });

  it('nothing is asked with --no-input', async () => {
    const told = await inDialog(['colors', 'create', '--name', 'Asked', '--no-input'], home, []);
    expect(told).toMatchObject({ exit: 2, out: expect.stringContaining('needs --rank <n>') });
  });

  it('a password is typed twice and never shown', async () => {
    const told = await onTerminal(['passwd'], home, [
      ['New password', 'canary-long-1\r'],
      ['Once more', 'canary-long-1\r'],
    ]);
    expect(told).toMatchObject({ exit: 0, out: expect.stringContaining('The password of admin is set.') });
    expect(told.out).not.toContain('canary');
  });
});
