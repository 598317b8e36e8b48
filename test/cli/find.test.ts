// pm find: records by a piece of a name or text, the best first.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one(individual('jorg', 'Jörg Strauß', 'Labs', 'ann')).prints();
  await one(individual('bosse', 'Carla Annis', 'Labs', 'ann')).prints();
  await one(individual('li', 'Wei Li', 'Labs', 'ann')).prints();
  await one(['individuals', 'update', 'bob', '--last-name', "O'Connell"]).prints();
  await one([
    ...'comments create --department Sales --body'.split(' '),
    'The quarter was hard; the people of the north did well, and Ann Smith carried them through all of it.',
  ]).prints();
});

const found = async (line: string) =>
  (await pm(`find ${line} -o json`).rows()).map(({ Resource, Name, Field }) => [Resource, Name, Field]);

describe('what is found', () => {
  it('is a person by a piece of the name, without accents', async () => {
    expect(await found('strauss')).toEqual([['individuals', 'Jörg Strauß', 'FullName']]);
    expect(await found('OCONNELL')).toEqual([['individuals', "Bob O'Connell", 'FullName']]);
  });

  it('is a person whose ö is written oe, where nothing is written so', async () => {
    expect(await found('joerg s')).toEqual([['individuals', 'Jörg Strauß', 'FullName']]);
    expect(await found('"Strauss, Joerg"')).toEqual([['individuals', 'Jörg Strauß', 'FullName']]);
    await pm(individual('moe', 'Joergen Due', 'Labs', 'ann')).prints();
    expect(await found('joerg')).toEqual([['individuals', 'Joergen Due', 'FullName']]);
    expect(await found('joe')).toEqual([['individuals', 'Joergen Due', 'FullName']]);
  });

  it('is a person by a piece of the e-mail', async () => {
    expect(await found('jorg@')).toEqual([['individuals', 'Jörg Strauß', 'Email']]);
  });

  it('is a person of a name of two letters', async () => {
    expect((await found('li'))[0]).toEqual(['individuals', 'Wei Li', 'UserName']);
  });

  it('is any record by any text, with whose it is and the piece around the place', async () => {
    expect(await pm('find north -o json').rows()).toEqual([
      {
        Resource: 'comments',
        Name: null,
        Of: 'Sales',
        Field: 'Body',
        Text: '…people of the north did well, and Ann Smith carried them thr…',
        Deleted: false,
        ID: expect.any(String),
      },
    ]);
    expect(await found('promises')).toEqual([['accountabilities', 'Keep', 'Description']]);
  });

  it('is several words as one text', async () => {
    expect(await found('keep promises')).toEqual([['accountabilities', 'Keep', 'Description']]);
    expect(await found('promises keep')).toEqual([]);
  });

  it('is no color, and no title of a primary membership a second time', async () => {
    await pm('projects create --department Sales --name Paint --phase Planning --project-color facade').prints();
    expect(await found('facade')).toEqual([]);
    expect((await found('member --resource individuals --resource department-members')).map(([what]) => what)).toEqual(
      Array.from({ length: 5 }, () => 'individuals'),
    );
  });
});

describe('the order', () => {
  it('is names before texts; the whole text, its beginning, a word of it, its inside', async () => {
    await pm('departments create --name Hannover --rank 9 --parent Local').prints();
    expect(await found('ann --resource individuals --resource departments --resource comments')).toEqual([
      ['individuals', 'Ann Smith', 'UserName'],
      ['individuals', 'Carla Annis', 'FullName'],
      ['departments', 'Hannover', 'Name'],
      ['comments', null, 'Body'],
    ]);
  });

  it('is live records before deleted ones', async () => {
    await pm('accountabilities delete Keep --individual ann --yes').prints();
    expect(await found('keep --resource accountabilities')).toHaveLength(1);
    const rows = await pm('find keep --resource accountabilities --deleted 2 -o json').rows();
    expect(rows.map(({ Of, Deleted }) => [Of, Deleted])).toEqual([
      ["Bob O'Connell", false],
      ['Ann Smith', true],
    ]);
    expect(await pm('find keep --deleted 1 -o json').rows()).toHaveLength(1);
  });
});

describe('the output', () => {
  it('marks the place on a terminal, where colors are on', async () => {
    const setting = { columns: 100, env: { TERM: 'xterm' } };
    await pm('find strauss', setting).prints('Jörg \u001b[1mStrauß\u001b[22m');
    await pm('find connell', setting).prints("Bob O'\u001b[1mConnell\u001b[22m");
    const plain = await pm('find strauss', { ...setting, env: { NO_COLOR: '1' } }).prints('Jörg Strauß');
    expect(plain).not.toContain('\u001b');
  });

  it('is a table that fits the terminal', async () => {
    expect(await pm('find strauss', { columns: 80, env: { NO_COLOR: '1' } }).prints()).toBe(
      [
        'Resource     Name         Field     Text',
        '───────────  ───────────  ────────  ───────────',
        'individuals  Jörg Strauß  FullName  Jörg Strauß',
        '',
      ].join('\n'),
    );
  });

  it('says whose a record is, and which ones are deleted where these are looked for', async () => {
    const setting = { columns: 80, env: { NO_COLOR: '1' } };
    expect((await pm('find north', setting).prints()).split('\n')[0]).toMatch(/^Resource +Field +Text +Of$/);
    await pm('find strauss --deleted 2', setting).prints(/^Resource .* Deleted$/m);
  });

  it('shows the place also where there is little room', async () => {
    await pm('find north', { columns: 45, env: { NO_COLOR: '1' } }).prints(/Body +….*north/);
  });

  it('takes all formats and choices of a list', async () => {
    await pm('find strauss -o csv').prints('individuals,Jörg Strauß,FullName,Jörg Strauß,,');
    await pm('find strauss -o xml').prints('<ArrayOfFound', '<Name>Jörg Strauß</Name>');
    const id = await pm('find strauss -o id').id();
    await pm(['individuals', 'get', id]).prints('Jörg');
    await pm('find ann --limit 1').says('Only the first one is shown; there are more.');
    expect(await pm(['find', 'ann', '--where', "Resource = 'comments'", '-o', 'json']).rows()).toHaveLength(1);
  });

  it('is an empty list and a note where nothing is found', async () => {
    const { out, err } = await pm('find zzz -o json').says('Nothing has "zzz" in it.');
    expect([out, err]).toEqual(['[]\n', 'Nothing has "zzz" in it.\n']);
  });
});

describe('a name that nothing live has', () => {
  it('is looked for among the deleted, with the line that shows them', async () => {
    await pm('individuals delete bob --yes').prints();
    const { err } = await pm('find bob@example.org').says('Nothing has "bob@example.org" in it.');
    const [, line = ''] = /1 deleted record has it: pm (.*)/.exec(err) ?? [];
    await pm(line).prints("Bob O'Connell");
    const elsewhere = await pm('find bob@example.org --resource departments').says('Nothing has');
    expect(elsewhere.err).not.toContain('deleted');
  });

  it('is answered with a name that is like it, as a line to type', async () => {
    const { err } = await pm(['find', 'jorg strauhs']).says('Nothing has "jorg strauhs" in it.');
    const [, name = ''] = /Did you mean: pm find '(.*)'\?/.exec(err) ?? [];
    await pm(['find', name]).prints('Jörg Strauß');
    const elsewhere = await pm(['find', 'jorg strauhs', '--resource', 'tasks']).says('Nothing has');
    expect(elsewhere.err).not.toContain('Did you mean');
  });

  it('is written as sheets, directories and mails write it', async () => {
    for (const text of ['Strauß, Jörg', 'strauss, jorg', 'CN=Jörg Strauß,OU=x', 'Dr. Jörg Strauß'])
      expect((await pm(['find', text, '-o', 'json']).rows()).map(({ Name }) => Name)).toContain('Jörg Strauß');
  });
});

describe('the rights of the caller', () => {
  it('decide what is looked into', async () => {
    await pm(['comments', 'create', '--individual', 'ann', '--body', 'A quiet word']).prints();
    expect(await pm('find quiet -o json').rows()).toHaveLength(1);
    expect(await pm('find quiet --as ann -o json').rows()).toHaveLength(1);
    expect(await pm('find quiet --as bob -o json').rows()).toEqual([]);
  });
});

describe('what cannot be looked for', () => {
  it('is nothing at all', () => pm.refuses(['find', "'"], 2, 'cannot be looked for'));
  it('is a text of records without texts', () =>
    pm.refuses('find x --resource permissions', 2, 'permissions have no texts to look into', 'individuals'));
  it('is a resource that does not exist', () =>
    pm.refuses('find x --resource indviduals', 2, 'there is no resource "indviduals"', 'Did you mean'));
});
