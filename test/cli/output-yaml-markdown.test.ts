// YAML says the same to every reader; markdown cells cannot end early.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { item, NAUGHTY, printed } from './output-printed.ts';

const VERSIONS = ['1.1', '1.2'] as const;

describe('yaml', () => {
  test.each(VERSIONS)('naughty texts come back as they were from a reader of YAML %s', async (version) => {
    const rows = NAUGHTY.map((Name) => item({ Name }));
    const { out } = await printed(rows, { format: 'yaml' });
    expect(parse(out, { version })).toEqual(rows);
  });

  test('any text comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (Name, Description) => {
        const row = item({ Name, Description });
        expect(parse((await printed(row, { format: 'yaml' })).out)).toEqual(row);
      }),
    );
  });

  test('one record reads well', async () => {
    const { out } = await printed(item({ Updated: '2026-03-31T09:00:00+00:00' }), {
      format: 'yaml',
      fields: ['Name', 'Rank', 'Updated'],
    });
    expect(out).toBe('Name: One\nRank: 1\nUpdated: "2026-03-31T09:00:00+00:00"\n');
  });

  test('an empty list is a list', async () => {
    expect((await printed([], { format: 'yaml' })).out).toBe('[]\n');
  });

  test('nothing that a reader cannot see stands in it unescaped', async () => {
    const { out } = await printed(
      NAUGHTY.map((Name) => item({ Name })),
      { format: 'yaml' },
    );
    expect(out).not.toMatch(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/);
  });
});

describe('md', () => {
  test('a list shows the columns of the table, one record all its fields', async () => {
    expect((await printed([item()], { format: 'md' })).out.split('\n')[0]).toBe(
      '| ID | Rank | Name | Description | IsOpen | Updated |',
    );
    expect((await printed(item(), { format: 'md' })).out).toContain('| RowType |  |\n');
  });

  test('pipes, line ends and markup cannot leave their cell', async () => {
    const { out } = await printed([item({ Name: 'a|b\\|c\r\nd<script>' })], { format: 'md', fields: ['Name'] });
    expect(out).toBe('| Name |\n| --- |\n| a\\|b\\\\\\|c<br>d\\<script\\> |\n');
  });

  test('what would be bold, code, a link or a character by its number is shown as it is', async () => {
    const { out } = await printed([item({ Name: '*a* __b__ ~c~ `d` [e](f) &#42;' })], {
      format: 'md',
      fields: ['Name'],
    });
    expect(out.split('\n')[2]).toBe('| \\*a\\* \\_\\_b\\_\\_ \\~c\\~ \\`d\\` \\[e\\](f) \\&\\#42; |');
  });

  test('every record is one line whatever it holds', async () => {
    const { out } = await printed(
      NAUGHTY.map((Name) => item({ Name })),
      { format: 'md', fields: ['Name'] },
    );
    expect(out.split('\n')).toHaveLength(NAUGHTY.length + 3);
  });
});
