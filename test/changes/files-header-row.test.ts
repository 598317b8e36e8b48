// Files whose columns are named further down, below a title.
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { linesOf, open } from '../support/input-files.ts';
import { take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

const TITLE = 'People, as of March\n"printed, by HR"\n';

describe('a file that begins with a title', () => {
  it('is refused with the flag that says where the names stand', async () => {
    const { ada } = await newSite();
    const { said, faults } = await take(ada, 'individual', `People\nUserName\nada\n`);
    expect(said).toEqual(['line 1, column People: is not a field of individuals']);
    expect(faults[0]?.hint).toContain('If the header is further down: --header-row <n>.');
    const book = workbookOf({ People: textRow(2, ['People']) + textRow(3, ['UserName']) + textRow(4, ['ada']) });
    expect((await open('a.xlsx', book)).columns).toEqual(['People']);
  });
});

describe('the header row', () => {
  it('is the line that is named; what is above it is no row', async () => {
    const input = await open('a.csv', `${TITLE}Name;Rank\nOne;1\nTwo;2\n`, { headerRow: 3 });
    expect(input.columns).toEqual(['Name', 'Rank']);
    expect(await linesOf(input)).toEqual([
      [4, 'One', '1'],
      [5, 'Two', '2'],
    ]);
  });

  it('of a sheet is counted as Excel counts', async () => {
    const rows = [['People'], ['Name', 'Rank'], ['One', '1']].map((cells, at) => textRow(at + 1, cells)).join('');
    const book = workbookOf({ People: rows, Old: textRow(1, ['x']), Blank: '' });
    const input = await open('a.xlsx', book, { headerRow: 2 });
    expect(await linesOf(input)).toEqual([[3, 'One', '1']]);
    expect(input.others).toEqual(['Old']);
  });

  it('is for tables, and must be there', async () => {
    await expect(open('a.json', '[]', { headerRow: 2 })).rejects.toMatchObject({ code: 'usage' });
    await expect(open('a.csv', 'Name\nOne\n', { headerRow: 9 })).rejects.toMatchObject({ code: 'invalid' });
  });
});
