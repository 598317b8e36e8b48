// Tables for people: a header, a rule, the records; and a single record as a list of its fields.
import { isMoment } from '../../../contract/field.ts';
import type { Row } from '../../../contract/resource.ts';
import { chunks } from '../../../text/batches.ts';
import {
  type Align,
  type Column,
  cutTo,
  ELLIPSIS,
  fitColumns,
  GAP,
  widthOf,
  widthsOf,
  wrapTo,
} from '../../../text/columns.ts';
import { sanitise, sanitiseLines } from '../../../text/escape.ts';
import { spanOf } from '../../../text/folded.ts';
import { type Paint, paint } from '../color.ts';
import { readable } from '../fields.ts';
import type { Formatter, OutputOptions, Records } from '../result.ts';
import type { Sink } from '../sink.ts';
import { type CellStyle, cardStyle, cellOf, isNamed, listStyle } from './cells.ts';
import { drawnTable, type Lines } from './drawn-table.ts';

/** The widths are fitted to so many rows; later ones are cut to them, so that a long list is not kept in memory. */
const FITTED = 200;
const NUMBERS: readonly string[] = ['integer', 'byte', 'decimal'];
const SHRINKS: readonly (string | undefined)[] = ['text', 'bytes', undefined];
/** The fewest cells of a text that has to give way, and of one that goes on in the next line. */
const LEAST = 12;
const LEAST_WHOLE = 24;
const MOST_WORD = 40;

/** A list that is empty prints nothing: the caller says so in words. */
export const table: Formatter = async (records, options, sink) => {
  const brush = paint(options.color);
  return records.one ? card(records, options, brush, sink) : list(records, options, brush, sink);
};

interface Layout {
  readonly names: readonly string[];
  readonly widths: readonly number[];
  readonly aligns: readonly Align[];
  readonly style: CellStyle;
  readonly signs: Signs;
}

interface Signs {
  readonly rule: string;
  readonly ellipsis: string;
}

const signsOf = ({ ascii }: OutputOptions): Signs =>
  ascii ? { rule: '-', ellipsis: '...' } : { rule: '─', ellipsis: ELLIPSIS };

async function list(records: Records, options: OutputOptions, brush: Paint, sink: Sink): Promise<number> {
  let layout: Layout | undefined;
  let count = 0;
  const cut = new Set<string>();
  for await (const chunk of chunks(records.rows, FITTED)) {
    const first = layout === undefined;
    const here = layout ?? (await layOut(records, chunk, options));
    layout = here;
    const lines = await linesOf(records, here.names, chunk, here.style);
    for (const name of tooWide(records, here, lines)) cut.add(name);
    const head = first && options.header !== false ? titles(here, brush) : [];
    const shown = lines.map((line) => fittedIn(records, here, line, brush));
    const drawn = await drawnTable(shown, { ...here, head, rule: here.signs.rule });
    await sink.add(drawn.map((line, at) => `${head.length > 0 && at === 1 ? brush.dim(line) : line}\n`).join(''));
    count += chunk.length;
  }
  if (layout && options.header !== false) await sink.add(footer(records, layout, cut, { brush, width: options.width }));
  return count;
}

/** One field a line; texts of several lines go on below their beginning. The ID stands beside a name that leaves room for it. */
async function card(records: Records, options: OutputOptions, brush: Paint, sink: Sink): Promise<number> {
  const { rows, columns } = records;
  const names = columns.map(sanitise);
  const label = Math.max(...names.map(widthOf));
  for await (const row of rows) {
    const cells = columns.map(async (name, at) => {
      const { text, id = '' } = await cellOf(records, row, name, cardStyle(options));
      const both = `${sanitiseLines(text)}  ${sanitise(id)}`;
      const value = id !== '' && label + GAP + widthOf(both) <= options.width ? both : sanitiseLines(text);
      return value.split('\n').map((line, i) => [i === 0 ? brush.bold(names[at] ?? '') : '', line]);
    });
    const drawn = await drawnTable((await Promise.all(cells)).flat(), { widths: [label] });
    await sink.add(drawn.map((line) => `${line}\n`).join(''));
    return 1;
  }
  return 0;
}

/** The cells of the rows, safe for a terminal. */
const linesOf = (records: Records, names: readonly string[], rows: readonly Row[], style: CellStyle): Promise<Lines> =>
  Promise.all(
    rows.map((row) => Promise.all(names.map(async (name) => sanitise((await cellOf(records, row, name, style)).text)))),
  );

/** How long ago stands beside the times where nothing is cut for it; where there is little room, they are short. */
async function layOut(records: Records, sample: readonly Row[], options: OutputOptions): Promise<Layout> {
  const { columns, shape } = records;
  const textsOf = async (style: CellStyle): Promise<Lines> => [
    columns.map(sanitise),
    ...(await linesOf(records, columns, sample, style)),
  ];
  const [plain, withAgo] = [listStyle(options, false), listStyle(options, true)];
  if (options.clock && columns.some((name) => isMoment(shape.fields[name]))) {
    const lines = await textsOf(withAgo);
    if (totalOf(widthsOf(lines)) <= options.width) return fitted(records, lines, options, withAgo);
    const whole = await textsOf(plain);
    if (totalOf(widthsOf(whole)) <= options.width) return fitted(records, whole, options, plain);
    const short = { ...plain, toMinute: true };
    return fitted(records, await textsOf(short), options, short);
  }
  return fitted(records, await textsOf(plain), options, plain);
}

function fitted(records: Records, [titles = [], ...rest]: Lines, options: OutputOptions, style: CellStyle): Layout {
  const signs = signsOf(options);
  const isWide = totalOf(widthsOf([titles, ...rest])) > options.width;
  // Titles give way before the cells below them.
  const lines = [isWide ? titles.map((title) => cutTo(title, LEAST, signs.ellipsis)) : titles, ...rest];
  const isAsked = records.chosen || options.ids === true;
  const kept = widthsIn(columnsOf(records, lines), isAsked, options.width);
  const names = [...kept.keys()];
  const kindOf = (name: string): string => records.shape.fields[name]?.kind ?? '';
  const isNumber = (name: string): boolean => NUMBERS.includes(kindOf(name)) && !isNamed(records, name);
  const aligns = names.map((name): Align => (isNumber(name) ? 'right' : 'left'));
  return { names, widths: [...kept.values()], aligns, style, signs };
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/** An ID gives way to words that people read: beside a name, or where it would stand alone. */
function widthsIn(columns: readonly Column[], isAsked: boolean, room: number): ReadonlyMap<string, number> {
  const others = columns.filter(({ name }) => name !== 'ID');
  const isWide = totalOf(columns.map(({ width }) => width)) > room;
  if (isWide && !isAsked && others.some(({ stays }) => stays !== undefined)) return fitColumns(others, room);
  const widths = fitColumns(columns, room);
  return widths.size === 1 && widths.has('ID') && others.length > 0 ? fitColumns(others, room) : widths;
}

function columnsOf(records: Records, lines: Lines): readonly Column[] {
  const { fields, whole = [] } = records.shape;
  const widths = widthsOf(lines);
  return records.columns.map((name, at): Column => {
    const width = widths[at] ?? 0;
    const shrinks = SHRINKS.includes(fields[name]?.kind) || isNamed(records, name);
    if (!whole.includes(name)) return { name, width, least: shrinks ? Math.min(width, LEAST) : width };
    const stays = longestWord(lines.map((line) => line[at] ?? ''));
    return { name, width, least: Math.min(width, Math.max(LEAST_WHOLE, stays)), stays };
  });
}

/** Words are not broken while there is room: user names and e-mails are copied. */
const longestWord = (cells: readonly string[]): number =>
  Math.min(Math.max(...cells.flatMap((cell) => cell.split(' ')).map(widthOf)), MOST_WORD);

/** The cells of a line in their widths. A text that must not be cut goes on below; a searched text is seen, and bold. */
function fittedIn(records: Records, { names, widths, signs }: Layout, line: readonly string[], brush: Paint): string[] {
  const { whole = [], marked } = records.shape;
  return line.map((cell, i) => {
    const [name = '', width = 0] = [names[i], widths[i]];
    const spanIn = (text: string): Span => (marked?.columns.includes(name) && spanOf(text, marked.text)) || [0, 0];
    const parts = (whole.includes(name) ? wrapTo(cell, width) : [cell]).map((part) => {
      const shown = cutAround(part, width, spanIn(part), signs);
      const [start, end] = spanIn(shown);
      return shown.slice(0, start) + brush.bold(shown.slice(start, end)) + shown.slice(end);
    });
    return parts.join('\n');
  });
}

type Span = readonly [start: number, end: number];

/** The text in so many cells; where its beginning leaves no room for the place, as many words before it as its end leaves. */
function cutAround(text: string, cells: number, [start, end]: Span, { ellipsis }: Signs): string {
  if (widthOf(text) <= cells || widthOf(text.slice(0, end)) < cells) return cutTo(text, cells, ellipsis);
  let from = start;
  for (let at = wordBefore(text, from); at >= 0 && widthOf(text.slice(at)) < cells; at = wordBefore(text, at))
    from = at;
  return cutTo(`${ellipsis}${cutTo(text.slice(from), cells - ellipsis.length, ellipsis)}`, cells, '');
}

/** Where the word before this place begins; -1 without one. */
const wordBefore = (text: string, at: number): number => (at < 2 ? -1 : text.lastIndexOf(' ', at - 2) + 1);

const tooWide = ({ shape: { whole = [] } }: Records, { names, widths }: Layout, lines: Lines): string[] =>
  names.filter((name, i) => !whole.includes(name) && lines.some((line) => widthOf(line[i] ?? '') > (widths[i] ?? 0)));

const titles = ({ names, widths, signs }: Layout, brush: Paint): readonly string[] =>
  names.map((name, i) => brush.bold(cutTo(sanitise(name), widths[i] ?? 0, signs.ellipsis)));

/** One line about the columns that the table does not show, and how to see them. IDs stay out of the way: --ids shows them. */
function footer(
  { shape, columns, chosen }: Records,
  { names, signs }: Layout,
  cut: ReadonlySet<string>,
  { brush, width }: { readonly brush: Paint; readonly width: number },
): string {
  const isMissed = (name: string): boolean => chosen || name !== 'ID';
  const left = columns.filter((name) => isMissed(name) && !names.includes(name));
  const hidden = readable(shape.fields).filter((name) => isMissed(name) && !columns.includes(name));
  const more = chosen ? 0 : hidden.length;
  const sentence = (listed: (names: readonly string[]) => string): string =>
    [
      ...(cut.size > 0 ? [`${listed([...cut])} cut`] : []),
      ...(left.length > 0 ? [`${listed(left)} left out`] : []),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'field' : 'fields'}`] : []),
    ].join('; ');
  if (sentence(String) === '') return '';
  const ways = [
    `${sentence((some) => some.map(sanitise).join(', '))}: ${shape.more ?? 'use -o json or --fields'}`,
    `${sentence((some) => String(some.length))}: ${shape.more ?? '-o json, --fields'}`,
    shape.more ?? '-o json or --fields shows the rest',
  ];
  return `${brush.dim(ways.find((way) => widthOf(way) <= width) ?? cutTo(ways.at(-1) ?? '', width, signs.ellipsis))}\n`;
}
