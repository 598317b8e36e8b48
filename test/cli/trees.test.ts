// pm departments tree and pm individuals tree: drawings for people, records for programs.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

describe('the tree of departments', () => {
  it('draws them below their parents, in their order', async () => {
    expect(await pm('departments tree').prints()).toBe(
      ['Local', '├── Sales', '│   └── EMEA', '└── Labs', ''].join('\n'),
    );
  });

  it('goes by its other name too', () => pm('organizations tree').prints('└── Labs'));

  it('goes as deep as they do', async () => {
    const names = Array.from({ length: 30 }, (_, depth) => `Level${depth}`);
    let parent = 'Labs';
    for (const name of names) {
      await pm(`departments create --name ${name} --rank 1 --parent ${parent}`).prints();
      parent = name;
    }
    const out = await pm('departments tree').prints();
    expect(out).toContain(`${' '.repeat(4 * 30)}└── Level29`);
  });

  it('leaves deleted ones out, or marks them', async () => {
    await pm('departments delete Sales --yes').prints();
    expect(await pm('departments tree').prints()).toBe('Local\n└── Labs\n');
    expect(await pm('departments tree --deleted 2').prints()).toBe(
      ['Local', '├── Sales (deleted)', '│   └── EMEA (hidden)', '└── Labs', ''].join('\n'),
    );
    expect(await pm('departments tree --deleted 1').prints()).toBe('Sales (deleted)\n└── EMEA (hidden)\n');
  });

  it('gives programs the records', async () => {
    const rows = await pm('departments tree -o json').rows();
    expect(rows.map((row) => row.Name)).toEqual(['Local', 'Sales', 'EMEA', 'Labs']);
  });

  it('is drawn from one of them on', async () => {
    expect(await pm('departments tree Sales').prints()).toBe('Sales\n└── EMEA\n');
    expect(await pm('departments tree Local/Sales/EMEA').prints()).toBe('EMEA\n');
    expect((await pm('departments tree Sales -o json').rows()).map((row) => row.Name)).toEqual(['Sales', 'EMEA']);
    await pm.refuses('departments tree Nowhere', 6, 'there is no department "Nowhere"');
  });

  it('is drawn whole', () =>
    pm.refuses('departments tree --where "Rank = 1"', 2, 'a tree is drawn whole', 'pm departments list'));
});

describe('the tree of individuals', () => {
  it('draws who reports to whom', async () => {
    expect(await pm('individuals tree').prints()).toBe(
      [
        'admin Administrator (admin) – Administrator, Local',
        '└── Ann Smith (ann) – Member, Sales',
        '    └── Bob Stone (bob) – Member, EMEA',
        '',
      ].join('\n'),
    );
  });

  it('draws those below one', async () => {
    expect(await pm('individuals tree ann').prints()).toBe(
      'Ann Smith (ann) – Member, Sales\n└── Bob Stone (bob) – Member, EMEA\n',
    );
    expect(await pm('individuals tree bob').prints()).toBe('Bob Stone (bob) – Member, EMEA\n');
  });

  it('puts those at the top whose superior is gone', async () => {
    await pm('individuals delete ann --yes').prints();
    expect((await pm('individuals tree').prints()).split('\n')).toContain('Bob Stone (bob) – Member, EMEA');
  });
});
