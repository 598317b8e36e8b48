// Files that are none: each fault is told with its line, on the engine and on a service, and nothing is sent or changed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pmIn } from '../support/pm.ts';
import { usingGround } from './ground.ts';
import { usingService } from './service.ts';

const ground = usingGround();
const service = usingService();
const MISSING = '11111111-1111-4111-8111-111111111111';

const person = (name: string, boss: string): string => [name, 'A', 'B', `${name}@x`, 'T', 'Local', boss].join();
const PEOPLE = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';

type Bad = readonly [what: string, name: string, bytes: string | Buffer, exit: number, ...wanted: readonly string[]];

/** The flags of an import that is not the ordinary one. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'latin.csv': ['--encoding', 'utf-8'],
  'guid.csv': ['--key', 'ID'],
};

const FILES: readonly Bad[] = [
  ['empty', 'empty.csv', '', 7, 'the file is empty'],
  ['a header alone', 'header.csv', 'UserName,Prefix\n', 7, 'no row below it'],
  ['cut in a quote', 'cut.csv', 'UserName,Prefix\nadmin,"b\n', 7, 'line 2', 'may be cut off'],
  ['JSON that is cut', 'cut.json', '[{"UserName":"admin"},{"UserName":', 7, 'cut off'],
  ['YAML that is none', 'bad.yaml', '{"a":', 7, 'not well-formed YAML'],
  ['an Excel file that is broken', 'bad.xlsx', 'PK\u0003\u0004broken', 7, 'a broken Excel file'],
  ['of another encoding', 'latin.csv', Buffer.from('UserName,Prefix\nadmin,caf\xe9\n', 'latin1'), 7, 'line 2', 'utf-8'],
  ['of half an encoding', 'half.csv', Buffer.from([0xff, 0xfe, 0x00]), 7, 'utf-16le', '--encoding'],
  ['two headers of one name', 'twice.csv', 'UserName,Prefix,Prefix\nadmin,b,c\n', 7, 'line 1, column Prefix', 'twice'],
  ['ragged rows', 'ragged.csv', 'UserName,Prefix\nadmin\nadmin,a,b\n', 7, 'line 2', 'line 3 has 3 cells'],
  ['one key twice', 'keys.csv', 'UserName,Prefix\nadmin,x\nadmin,y\n', 7, 'line 3', 'as line 2'],
  [
    'a date that is two',
    'date.csv',
    'UserName,HireDate\nadmin,03/04/2025\n',
    7,
    'line 2, column HireDate',
    '--date-format',
  ],
  ['a GUID that is none', 'guid.csv', 'ID,Prefix\nzzzz-zz,x\n', 7, 'line 2, column ID', 'not a GUID'],
  ['a reference to nothing', 'ref.csv', `UserName,PrimaryReportsTo\nadmin,${MISSING}\n`, 7, 'line 2', MISSING],
  ['a column of no field', 'column.csv', 'UserName,Shoes\nadmin,9\n', 7, 'Shoes'],
  [
    'people in a ring',
    'loop.csv',
    [PEOPLE, person('a', 'b'), person('b', 'c'), person('c', 'a'), ''].join('\n'),
    7,
    'a (line 2) → b (line 3) → c (line 4) → a (line 2)',
  ],
  ['a cell of 100 MB', 'huge.csv', Buffer.alloc(100_000_000, 'x'), 7, 'huge.csv', 'MiB'],
];

const CASES = FILES.map(([what, name, , exit, ...wanted]) => ({ what, name, exit, wanted }));

describe('a file with', () => {
  let home = '';
  beforeAll(() => {
    for (const [, name, bytes] of FILES) writeFileSync(join(ground.root, name), bytes);
  });
  beforeEach(() => {
    home = ground.home();
  });

  const words = (name: string): readonly string[] => [
    ...['import', 'individuals', join(ground.root, name), '--yes'],
    ...(FLAGS[name] ?? ['--key', 'UserName']),
  ];

  it.each(CASES)('$what changes nothing on the engine', async ({ name, exit, wanted }) => {
    await pmIn(() => home).refuses(words(name), exit, ...wanted);
  });

  it.each(CASES)('$what is not sent to a service', async ({ name, exit, wanted }) => {
    const visitor = await service.visitor();
    const before = service.line.writes();
    const { out } = await visitor.pm([...words(name), '-p', 'prod']).fails(exit, ...wanted);
    expect(out).toBe('');
    expect(service.line.writes()).toBe(before);
    expect(await visitor.rows()).toEqual([]);
  });

  it('that is not there, or is a folder, is told', async () => {
    await pmIn(() => home).refuses(words('nowhere.csv'), 2, 'there is no such file');
    await pmIn(() => home).refuses(words('.'), 2, 'it is a folder');
  });

  it('good rows waits for a yes, and for the right one', async () => {
    const file = ground.colors(3);
    const pm = pmIn(() => home);
    await pm.refuses(['import', 'colors', file, '--mode', 'create'], 12, '3 changes need a confirmation', '--yes');
    const wrong = ['import', 'colors', file, '--mode', 'create', '--confirm', 'local:4'];
    await pm.refuses(wrong, 12, 'this change is local:3');
  });

  it('all faults of a file at once, each with its line', async () => {
    const rows = ['zz,x', `${MISSING},y`, 'zz2,z'];
    const path = join(ground.root, 'many.csv');
    writeFileSync(path, ['PrimaryReportsTo,Prefix,UserName', ...rows.map((row) => `${row},admin`), ''].join('\n'));
    const told = [
      'line 2, column PrimaryReportsTo',
      'line 3, column PrimaryReportsTo',
      'line 4, column PrimaryReportsTo',
    ];
    await pmIn(() => home).refuses(
      ['import', 'individuals', path, '--key', 'UserName', '--yes'],
      7,
      ...told,
      'as line 2',
    );
  });
});
