// Every refusal is one clear error with the exit code of the table, and leaves the database as it was.
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(company);
const NOTHING = '0f8fad5b-d9cb-469f-a165-70867728950e';
const item = 'accountabilities create --individual ann --rank 1 --description x';

describe('a word that pm does not know', () => {
  it.each([
    ['command', 'indivduals list', 'there is no command "indivduals"', 'Did you mean: pm individuals?'],
    [
      'command, but a word of JavaScript',
      'constructor',
      'there is no command "constructor"',
      'pm --help lists the commands.',
    ],
    ['verb', 'individuals lst', "unknown command 'lst'", 'Did you mean: pm individuals list?'],
    ['flag', 'individuals update ann --frst-name X', "unknown option '--frst-name'", 'Did you mean --first-name?'],
    ['flag in front of the command', '--wher x individuals list', "unknown option '--wher'", 'Did you mean --where?'],
    [
      'flag, with nothing near it',
      'individuals update ann --qqqqq',
      "option '--qqqqq'",
      'pm individuals update --help',
    ],
    ['field of --set', 'individuals update ann --set FirstNam=X', 'no field FirstNam', 'Did you mean FirstName?'],
    ['field of --clear', 'individuals update ann --clear Shoe', 'no field Shoe', 'pm explain individuals'],
    ['field of --sort', 'individuals list --sort LastNam', '--sort', 'Did you mean LastName?'],
    ['field of --where', 'individuals list --where "LastNam = 1"', 'filter: there is no field', 'LastName'],
    ['owner in --where', 'projects list --where "Department = 1"', 'there is no field', 'Did you mean AncestorID?'],
    ['profile', '-p prod individuals list', 'there is no profile "prod"', '-p local'],
    ['word behind all arguments', 'individuals list extra', 'pm individuals list'],
  ])(
    'as a %s is refused with what was meant: %s',
    async (_what, line, ...told) => void (await pm.refuses(line, 2, ...told)),
  );

  it('is missed where a verb is missing', () =>
    pm.refuses('individuals', 2, 'pm individuals needs a verb: list, create', 'pm individuals --help'));

  it('by which a sheet empties a field is never stored as a text', async () => {
    await pm.refuses('individuals update ann --suffix <null>', 7, '--suffix is <null>', '--clear Suffix');
    await pm.refuses('individuals update ann --set Suffix=<null>', 7, 'Suffix is <null>', '--clear Suffix');
  });

  it('as a field of --fields is refused before anything is changed', async () => {
    await pm.refuses('individuals update ann --last-name X --fields LastNam', 2, '--fields', 'Did you mean LastName?');
    await pm.refuses('individuals delete ann --yes --fields Nope', 2, '--fields');
    await pm.refuses('sites create New --admin new --fields Nope', 2, '--fields');
  });

  it('as an expression is refused before anything is changed', () =>
    pm.refuses(['individuals', 'update', 'ann', '--last-name', 'X', '--jmespath', '['], 2, '--jmespath "["'));

  it('as a choice is refused with all choices and the nearest one', async () => {
    await pm.refuses('individuals list -o jsn', 2, '--output is "jsn"; it can be table, json', 'Did you mean json?');
    await pm.refuses('individuals list --deleted 3', 2, '--deleted is "3"; it can be 0, 1, 2, exclude, only, include');
    await pm.refuses('individuals list --color red', 2, '--color is "red"; it can be auto, always, never');
  });

  it('as a name is refused with the nearest one', () =>
    pm.refuses('individuals get an', 6, 'there is no individual "an"\nhint: Did you mean ann?'));

  it('as a piece of a name is refused with the names that have it, whatever its accents', async () => {
    await pm.refuses('individuals get stone', 6, '"stone"\nhint: Did you mean Bob Stone?');
    await pm.refuses('individuals get smi', 6, '"smi"\nhint: Did you mean Ann Smith?');
    await pm.refuses(
      'individuals get example',
      6,
      '  ann@example.org\n  bob@example.org\nhint: Did you mean one of these?',
    );
    await pm.refuses('departments get säl', 6, 'Did you mean Sales?');
  });
});

describe('a value that is malformed', () => {
  it.each([
    ['individuals get 0f8fad5b-d9cb-469f-a165', 'looks like a GUID', 'name:<name>'],
    ['individuals get id:nonsense', 'looks like a GUID', '8-4-4-4-12'],
    ['individuals update ann --hire-date 2026-02-30', '--hire-date is "2026-02-30"', 'not a real date'],
    ['departments update Sales --rank one', '--rank is "one"', 'not a whole number'],
    ['departments update Sales --rank 3000000000', '--rank is 3000000000', 'outside'],
    ['departments update Sales --picture ?', '--picture is "?"', 'base64'],
    ['dialogs list --ancestor-type boat', '--ancestor-type is "boat"', '56 (department)'],
    ['permissions list --child-type boat', '--child-type is "boat"', 'department'],
    ['permissions create --principal ann --read-state maybe', '--read-state is "maybe"', '1 (Allow)'],
  ])('is refused: %s', async (line, ...told) => {
    await pm.refuses(line, 7, ...told);
  });

  it('of a switch is refused, and a name behind it is not swallowed', () =>
    pm.refuses('individuals update --is-admin ann', 2, '--is-admin is "ann", not true or false', 'ann --is-admin'));

  it('of --limit is refused', async () => {
    await pm.refuses('individuals list --limit 0', 2, '--limit is "0"');
    await pm.refuses('individuals list --limit ten', 2, '--limit is "ten"');
  });

  it('comes with all others of the same command', () =>
    pm.refuses('departments update Sales --rank one --picture ?', 7, '--rank is "one"', '--picture is "?"'));
});

describe('a text that is too long', () => {
  it('is refused with the field, the limit and the length', () =>
    pm.refuses(`${item} --name ${'x'.repeat(256)}`, 7, 'Name is 256 characters long; the limit is 255'));

  it('is taken at the limit', () => pm(`${item} --name ${'x'.repeat(255)}`).prints('x'.repeat(255)));
});

describe('what is required', () => {
  it('is listed with its flags where it is missing', () =>
    pm.refuses('accountabilities create', 2, 'needs --individual <ref>, --name <text>', '--help'));

  it('is refused where it is empty', async () => {
    await pm.refuses(`${item} --name " "`, 7, 'Name is required');
    await pm.refuses('individuals update ann --clear LastName', 7, '"Ann Smith"', 'LastName is required');
  });

  it('is asked of commands that need an ID', async () => {
    await pm.refuses('individuals update --last-name X', 2, 'pm individuals update needs to know which', '--help');
    await pm.refuses('individuals delete --yes', 2, 'pm individuals delete needs to know which');
    await pm.refuses('department-members get', 2, 'an ID, or --individual <ref> --department <ref>');
  });

  it('is asked of lists that need an owner', () =>
    pm.refuses('accountabilities list', 2, 'needs to know whose: --individual <ref>, or --mine'));

  it('is something to change', () => pm.refuses('individuals update ann', 2, 'nothing to change'));
});

describe('a reference', () => {
  it('to nothing is refused', async () => {
    await pm.refuses(
      `accountabilities create --individual ${NOTHING} --rank 1 --name a --description b`,
      7,
      'AncestorID',
    );
    await pm.refuses('accountabilities create --individual carl --rank 1 --name a --description b', 6, '"carl"');
  });

  it('to a deleted record is refused', async () => {
    const id = await pm('individuals get bob -o id').id();
    await pm('individuals delete bob --yes').prints();
    await pm.refuses(`accountabilities create --individual ${id} --rank 1 --name a --description b`, 7, 'AncestorID');
    await pm.refuses('accountabilities create --individual bob --rank 1 --name a --description b', 6, 'is deleted');
  });

  it('to a record of another type is refused', async () => {
    const id = await pm('departments get Sales -o id').id();
    await pm.refuses(`accountabilities create --individual ${id} --rank 1 --name a --description b`, 7, 'AncestorID');
    await pm.refuses('departments get me', 2, '"me" is an individual, not a department');
  });
});

describe('a conflict', () => {
  it.each([
    ['of user names, in any case', individual('ANN', 'Ann Other', 'Sales', 'me'), 'UserName', 'ANN'],
    ['with the last administrator', 'individuals delete me --yes', 'last administrator', '--is-admin true'],
    ['with an owner that never changes', 'accountabilities update Sell --set AncestorID=bob', 'AncestorID'],
    ['of a loop of reports', 'individuals update ann --primary-reports-to bob', 'PrimaryReportsTo', 'Bob Stone'],
    ['of two of one name', 'accountabilities delete Keep --yes', '"Keep" fits 2', 'of Bob Stone', '--individual'],
  ])('%s is refused', async (_what, line, ...told) => void (await pm.refuses(line, 7, ...told)));
});

describe('a record that is not there', () => {
  it.each(['get', 'delete --yes', 'undelete', 'update --rank 1'])('cannot be named to %s', async (verb) => {
    const [name, ...flags] = verb.split(' ');
    await pm.refuses(`accountabilities ${name} ${NOTHING} ${flags.join(' ')}`, 6, NOTHING, 'hint: pm accountabilities');
    await pm.refuses(`accountabilities ${name} Nothing ${flags.join(' ')}`, 6, '"Nothing"', 'pm accountabilities list');
  });
});

describe('a file that is named', () => {
  it.each([
    ['individuals update ann --from nobody.json', '--from nobody.json cannot be read: there is no such file'],
    ['individuals update ann --from .', 'it is a folder'],
    ['departments update Sales --picture @no.png', '--picture no.png cannot be read'],
  ])('and cannot be read is refused: %s', async (line, told) => void (await pm.refuses(line, 2, told)));

  it('and holds no object is refused', async () => {
    writeFileSync(join(pm.home, 'list.json'), '[1, 2]');
    writeFileSync(join(pm.home, 'broken.json'), '{"Name": ');
    await pm.refuses('departments update Sales --from list.json', 2, 'holds no object', '-o yaml');
    await pm.refuses('departments update Sales --from broken.json', 2, 'is neither JSON nor YAML');
  });

  it('and holds an unknown member is refused with the nearest one', async () => {
    writeFileSync(join(pm.home, 'ann.json'), '{"LastNam": "X"}');
    await pm.refuses('individuals update ann --from ann.json', 7, 'LastNam is not a member', 'Did you mean LastName?');
  });
});

describe('the database file', () => {
  const file = (): string => join(pm.home, 'local.db');
  const refused = async (...told: readonly (string | RegExp)[]): Promise<void> => {
    const before = readFileSync(file());
    await pm('individuals list').fails(10, 'local.db', /hint: /, ...told);
    await pm('departments update Sales --rank 9').fails(10);
    expect(readFileSync(file()).equals(before)).toBe(true);
  };

  it('is refused where it is no database', async () => {
    writeFileSync(file(), 'this is a letter to my aunt. '.repeat(500));
    await refused();
  });

  it('is refused where it is the database of another program', async () => {
    const other = join(mkdtempSync(join(tmpdir(), 'pm-other-')), 'other.db');
    const database = openDatabase(other);
    database.exec('create table letter (text)');
    database.close();
    copyFileSync(other, file());
    await refused();
  });

  it('is refused where a newer pm wrote it', async () => {
    const database = openDatabase(file());
    database.pragma('user_version = 9999');
    database.close();
    await refused(/newer/);
  });
});
