// A dashboard in a terminal: its bars, their marks, and how it fits.
import { describe, expect, it } from 'vitest';
import { drawing } from '../../src/cli/dashboards/draw.ts';
import { picture } from '../../src/cli/dashboards/picture.ts';
import { type Depth, depthOf } from '../../src/cli/output/color.ts';
import type { Row } from '../../src/contract/resource.ts';
import { widthOf } from '../../src/text/columns.ts';
import { COLORS, empty, full } from './dashboards-rows.ts';

const drawn = (row: Row, columns: number, depth: Depth = 'none'): readonly string[] =>
  drawing(picture(row, COLORS), { columns, depth });
const lineOf = (row: Row, label: string): string => drawn(row, 80).find((line) => line.startsWith(`  ${label} `)) ?? '';
const plain = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '');

describe('the drawing', () => {
  it.each([
    ['in two columns', full(), 160, 'none'],
    ['in color, without the amounts', full(), 60, '16'],
    ['of an individual, without the levels', full({ RowType: 39 }), 40, 'none'],
  ] as const)('%s is the pinned one', async (_how, row, columns, depth) => {
    await expect(`${drawn(row, columns, depth).join('\n')}\n`).toMatchFileSnapshot(
      `../snapshots/dashboards/${columns}-${depth}.txt`,
    );
  });

  it('has one line for an area without any data', () => {
    const lines = drawn(empty({ RowType: 39 }), 60).filter((line) => /^\S.* {2}no data$/.test(line));
    expect(lines.map((line) => line.replace('  no data', '')).join(', ')).toBe(
      'Commitments, Metrics, 80/20 metrics, Assessments, Dialogs, Follow-ups, Personal goals, Individual',
    );
  });

  it('is never wider than the terminal, and the same with color and without', () => {
    for (let columns = 40; columns <= 200; columns += 7) {
      const lines = drawn(full({ Name: 'A long name of 部門 '.repeat(20) }), columns);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(drawn(full(), columns, 'true').map(plain)).toEqual(drawn(full(), columns));
    }
  });

  it('keeps to 40 columns at least and 200 at most', () => {
    expect(drawn(full(), 10)).toEqual(drawn(full(), 40));
    expect(drawn(full(), 5000)).toEqual(drawn(full(), 200));
  });

  it('stands in two columns where nothing has to give way for it', () => {
    const titles = (columns: number): number => drawn(full(), columns).filter((line) => /^\S/.test(line)).length;
    expect(titles(160)).toBeLessThan(titles(100));
  });

  it('cannot be led astray by a name', () => {
    const [first] = drawn(full({ Name: 'Sales\x1b[2J\n\u202eevil' }), 80);
    expect(first).toBe('Sales\\x1b[2J\\n\\u202eevil');
  });

  it('says so where the site shows nothing', () => {
    const hidden = Object.keys(empty()).filter((name) => name.startsWith('Show'));
    const row = full(Object.fromEntries(hidden.map((name) => [name, false])));
    expect(drawn(row, 60).at(-1)).toBe('The site shows no area of this dashboard.');
  });
});

describe('a bar', () => {
  it('marks the thresholds, heavily where they are reached', () => {
    const marks = (percent: number): string =>
      lineOf(full({ Metrics8020Percent: percent }), 'Meeting').replace(/[^│┃]/g, '');
    expect([59.9, 60, 80, 100].map(marks)).toEqual(['│││', '┃││', '┃┃│', '┃┃┃']);
  });

  it('is full at 100 %, and shows the least that is more than nothing', () => {
    expect(lineOf(full(), 'Organizations')).not.toContain('░');
    expect(lineOf(full({ Metrics8020Percent: 0.1 }), 'Meeting')).toContain('▏');
    expect(lineOf(full({ Metrics8020Percent: 0 }), 'Meeting')).toMatch(/^ {2}Meeting +░+│/);
  });

  it('goes no further than 100 %', () => {
    expect(widthOf(lineOf(full({ Metrics8020Percent: 250 }), 'Meeting'))).toBeLessThanOrEqual(80);
  });

  it('is dotted without data', () => expect(lineOf(full(), 'Leader')).toMatch(/^ {2}Leader +·+ +no data$/));
});

describe('the colors', () => {
  it('are as many as the terminal says', () => {
    expect(depthOf(false, { COLORTERM: 'truecolor' })).toBe('none');
    expect(depthOf(true, { COLORTERM: 'truecolor' })).toBe('true');
    expect(depthOf(true, { TERM: 'xterm-256color' })).toBe('16');
  });

  it.each([
    ['Individuals', '31', '38;2;192;57;43'],
    ['Departments', '33', '38;2;230;161;23'],
    ['Meeting', '32', '38;2;46;158;79'],
    ['Organizations', '36', '38;2;36;113;163'],
  ])('are the site’s, or where the terminal has few, those of the levels: %s', (label, ...codes) => {
    for (const [at, depth] of (['16', 'true'] as const).entries()) {
      const line = drawn(full(), 80, depth).find((one) => plain(one).startsWith(`  ${label} `));
      expect(new Set(line?.match(/(?<=\x1b\[)3[1-8](?:;\d+)*/g))).toEqual(new Set([codes[at]]));
    }
  });
});
