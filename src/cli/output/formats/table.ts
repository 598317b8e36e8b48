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
import type { Formatter, OutputOptions, Records, Shape } from '../result.ts';
import type { Sink } from '../sink.ts';
import { type CellStyle, cellOf, isNamed, styleOf } from './cells.ts';
import { drawnTable, type Lines } from './drawn-table.ts';

/** The widths are fitted to so many rows; later ones are cut to them, so that a long list is not kept in memory. */
const FITTED = 200;
const NUMBERS: readonly string[] = ['integer', 'byte', 'decimal'];
const SHRINKS: readonly (string | undefined)[] = ['text', 'bytes', undefined];
/** The fewest cells of a text that has to give way, of one that goes on in the next line, and of a title. */
const LEAST = 12;
const LEAST_WHOLE = 24;
const LEAST_TITLE = 6;
/** The most cells of a title beside its value. */
const MOST_LABEL = 16;
/** In narrower lines, and where one that must not be cut has no room, each record is a block: nothing of it is left out. */
const NARROW = 60;
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
  readonly titleOf: (name: string) => string;
  readonly inBlocks: boolean;
  /** Columns in which nothing stands in the first rows. */
  readonly blank: ReadonlySet<string>;
}

interface Signs {
  readonly rule: string;
  readonly ellipsis: string;
}

async function list(records: Records, options: OutputOptions, brush: Paint, sink: Sink): Promise<number> {
  let layout: Layout | undefined;
  let count = 0;
  const cut = new Set<string>();
  for await (const chunk of chunks(records.rows, FITTED)) {
    const first = layout === undefined;
    const here = layout ?? (await layOut(records, chunk, options));
    layout = here;
    count += chunk.length;
    const lines = await linesOf(records, here.names, chunk, here.style);
    if (here.inBlocks) {
      const blocks = await Promise.all(lines.map((line) => blockOf(here, line, options.width, brush)));
      await sink.add(`${first ? '' : '\n'}${blocks.join('\n')}`);
      continue;
    }
    for (const name of tooWide(records, here, lines)) cut.add(name);
    const head = first && options.header !== false ? titles(here, brush) : [];
    const shown = lines.map((line) => fittedIn(records, here, line, brush));
    const drawn = await drawnTable(shown, { ...here, head, rule: here.signs.rule });
    await sink.add(drawn.map((line, at) => `${head.length > 0 && at === 1 ? brush.dim(line) : line}\n`).join(''));
  }
  if (layout && options.header !== false) {
    const known = count > FITTED ? { ...layout, blank: new Set<string>() } : layout;
    const line = footer(records, known, cut, { brush, width: options.width });
    await sink.add(layout.inBlocks && line !== '' ? `\n${line}` : line);
  }
  return count;
}

/** One field a line; texts of several lines go on below their beginning. The ID stands beside a name that leaves room for it. */
async function card(records: Records, options: OutputOptions, brush: Paint, sink: Sink): Promise<number> {
  const { rows, columns } = records;
  const names = columns.map(sanitise);
  const label = Math.max(...names.map(widthOf));
  for await (const row of rows) {
    const cells = columns.map(async (name) => {
      const { text, id = '' } = await cellOf(records, row, name, styleOf(options, 'no', true));
      const both = `${sanitiseLines(text)}  ${sanitise(id)}`;
      return id !== '' && label + GAP + widthOf(both) <= options.width ? both : sanitiseLines(text);
    });
    await sink.add(await linesBeside(names, await Promise.all(cells), brush));
    return 1;
  }
  return 0;
}

/** A line for each name; a text of several goes on below its beginning. */
async function linesBeside(names: readonly string[], texts: readonly string[], brush: Paint): Promise<string> {
  const label = Math.max(...names.map(widthOf));
  const lines = texts.flatMap((text, at) =>
    text.split('\n').map((line, i) => [i === 0 ? brush.bold(names[at] ?? '') : '', line]),
  );
  return (await drawnTable(lines, { widths: [label] })).map((line) => `${line}\n`).join('');
}

/** A record of a list in lines of so many cells, without what is blank. */
function blockOf(
  { names, signs, titleOf }: Layout,
  cells: readonly string[],
  width: number,
  brush: Paint,
): Promise<string> {
  const labels = names.map((name) => cutTo(titleOf(name), MOST_LABEL, signs.ellipsis));
  const room = width - Math.max(...labels.map(widthOf)) - GAP;
  const said = [...names.keys()].filter((at) => cells[at] !== '');
  const texts = said.map((at) => wrapTo(cells[at] ?? '', room).join('\n'));
  return linesBeside(
    said.map((at) => labels[at] ?? ''),
    texts,
    brush,
  );
}

const linesOf = (records: Records, names: readonly string[], rows: readonly Row[], style: CellStyle): Promise<Lines> =>
  Promise.all(
    rows.map((row) => Promise.all(names.map(async (name) => sanitise((await cellOf(records, row, name, style)).text)))),
  );

/** How long ago stands beside the times where nothing is cut for it; where there is little room, they are short. */
async function layOut(records: Records, sample: readonly Row[], options: OutputOptions): Promise<Layout> {
  const { columns, shape } = records;
  const textsOf = async (style: CellStyle): Promise<Lines> => [
    columns.map(titleIn(shape)),
    ...(await linesOf(records, columns, sample, style)),
  ];
  const plain = styleOf(options, '', false);
  const isTimed = options.clock && columns.some((name) => isMoment(shape.fields[name]));
  for (const style of isTimed ? [styleOf(options, '', true), plain] : []) {
    const lines = await textsOf(style);
    if (totalOf(widthsOf(lines)) <= options.width) return fitted(records, lines, options, style);
  }
  const style = isTimed ? { ...plain, toMinute: true } : plain;
  return fitted(records, await textsOf(style), options, style);
}

function fitted(records: Records, [titles = [], ...rest]: Lines, options: OutputOptions, style: CellStyle): Layout {
  const signs: Signs = options.ascii ? { rule: '-', ellipsis: '...' } : { rule: '─', ellipsis: ELLIPSIS };
  const isWide = totalOf(widthsOf([titles, ...rest])) > options.width;
  // Titles give way before the cells below them.
  const short = isWide ? titles.map((title) => cutTo(title, LEAST, signs.ellipsis)) : titles;
  const columns = columnsOf(records, [short, ...rest]);
  const isAsked = records.chosen || options.ids === true;
  const kept = widthsIn(columns, isAsked, options.width);
  const hasRoom = options.header !== false && options.width >= MOST_LABEL + GAP + LEAST;
  const left = columns.filter(({ name, isBlank }) => name !== 'ID' && !isBlank && !kept.has(name));
  const inBlocks = hasRoom && left.some(({ stays }) => options.width < NARROW || stays !== undefined);
  const isShown = ({ name, isBlank }: TableColumn): boolean => !isBlank && (isAsked || name !== 'ID');
  const names = inBlocks ? columns.filter(isShown).map(({ name }) => name) : [...kept.keys()];
  const blank = new Set(columns.filter(({ isBlank }) => isBlank).map(({ name }) => name));
  const kindOf = (name: string): string => records.shape.fields[name]?.kind ?? '';
  const isNumber = (name: string): boolean => NUMBERS.includes(kindOf(name)) && !isNamed(records, name);
  const aligns = names.map((name): Align => (isNumber(name) ? 'right' : 'left'));
  const titleOf = titleIn(records.shape);
  return { names, widths: [...kept.values()], aligns, style, signs, titleOf, inBlocks, blank };
}

const titleIn =
  ({ titles }: Shape) =>
  (name: string): string =>
    sanitise(titles?.[name] ?? name);

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

interface TableColumn extends Column {
  readonly isBlank: boolean;
}

const isSaid = ({ isBlank }: TableColumn): boolean => !isBlank;

/** The ID gives way first, to words that people read; then columns in which nothing stands. */
function widthsIn(columns: readonly TableColumn[], isAsked: boolean, room: number): ReadonlyMap<string, number> {
  const isWide = totalOf(columns.map(({ width }) => width)) > room;
  const others = columns.filter(({ name }) => name !== 'ID');
  if (!isWide || isAsked || others.length === 0) return fitColumns(columns, room);
  const fits = totalOf(others.map(({ width }) => width)) <= room;
  return fitColumns(fits || !others.some(isSaid) ? others : others.filter(isSaid), room);
}

function columnsOf(records: Records, lines: Lines): readonly TableColumn[] {
  const { fields, whole = [] } = records.shape;
  const widths = widthsOf(lines);
  const ofCells = widthsOf(lines.length > 1 ? lines.slice(1) : lines);
  return records.columns.map((name, at): TableColumn => {
    const [width = 0, content = 0] = [widths[at], ofCells[at]];
    const shrinks = SHRINKS.includes(fields[name]?.kind) || isNamed(records, name);
    const isBlank = content === 0;
    const least = Math.min(width, Math.max(LEAST_TITLE, shrinks ? Math.min(content, LEAST) : content));
    if (!whole.includes(name)) return { name, width, least, isBlank };
    const stays = shrinks ? longestWord(lines.map((line) => line[at] ?? '')) : width;
    const shortest = shrinks ? Math.min(stays, LEAST) : width;
    return { name, width, least: Math.min(width, Math.max(LEAST_WHOLE, stays)), stays, shortest, isBlank };
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

const titles = ({ names, widths, signs, titleOf }: Layout, brush: Paint): readonly string[] =>
  names.map((name, i) => brush.bold(cutTo(titleOf(name), widths[i] ?? 0, signs.ellipsis)));

/** One line about the columns that the table does not show, and how to see them. IDs stay out of the way: --ids shows them. */
function footer(
  { shape, columns, chosen }: Records,
  { names, signs, blank }: Layout,
  cut: ReadonlySet<string>,
  { brush, width }: { readonly brush: Paint; readonly width: number },
): string {
  const isMissed = (name: string): boolean => chosen || name !== 'ID';
  const left = columns.filter((name) => isMissed(name) && !names.includes(name) && !blank.has(name));
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
