// Tables for people: a header, a rule, the records; and a single record as a list of its fields.
import type { Field } from '../../../contract/field.ts';
import type { Row, Value } from '../../../contract/resource.ts';
import type { Zone } from '../../../contract/zone.ts';
import { chunks } from '../../../text/batches.ts';
import { type Align, cutTo, fitColumns, GAP, inColumns, padTo, widthOf } from '../../../text/columns.ts';
import { sanitise, sanitiseLines } from '../../../text/escape.ts';
import { spanOf } from '../../../text/folded.ts';
import { type Paint, paint } from '../color.ts';
import { readable } from '../fields.ts';
import type { Formatter, OutputOptions, Records } from '../result.ts';
import type { Sink } from '../sink.ts';

/** The widths are fitted to so many rows; later ones are cut to them, so that a long list is not kept in memory. */
const FITTED = 200;
const NUMBERS: readonly string[] = ['integer', 'byte', 'decimal'];
const SHRINKS: readonly (string | undefined)[] = ['text', 'bytes', undefined];

/** A list that is empty prints nothing: the caller says so in words. */
export const table: Formatter = async (records, options, sink) => {
  const brush = paint(options.color);
  return records.one ? card(records, options, brush, sink) : list(records, options, brush, sink);
};

interface Layout {
  readonly names: readonly string[];
  readonly widths: readonly number[];
  readonly aligns: readonly Align[];
}

async function list(records: Records, options: OutputOptions, brush: Paint, sink: Sink): Promise<number> {
  let layout: Layout | undefined;
  let count = 0;
  const cut = new Set<string>();
  for await (const chunk of chunks(records.rows, FITTED)) {
    const first = layout === undefined;
    const here = layout ?? layOut(records, chunk, options);
    layout = here;
    const lines = chunk.map((row) => here.names.map((name) => cell(records, name, row, options)));
    for (const name of tooWide(here, lines)) cut.add(name);
    const shown = lines.map((line) => marked(records, here, line, brush));
    await sink.add(draw(here, first && options.header !== false ? [...head(here, brush), ...shown] : shown));
    count += chunk.length;
  }
  if (layout && options.header !== false) await sink.add(footer(records, layout, cut, brush));
  return count;
}

/** One field a line; texts of several lines go on below their beginning. */
async function card(
  { rows, columns, shape }: Records,
  options: OutputOptions,
  brush: Paint,
  sink: Sink,
): Promise<number> {
  for await (const row of rows) {
    const shown = columns.map(sanitise);
    const label = Math.max(...shown.map(widthOf)) + GAP;
    for (const [i, name] of columns.entries()) {
      const text = sanitiseLines(cellText(shape.fields[name], row[name], options.zone));
      const key = shown[i] ?? '';
      const line = padTo(brush.bold(key), label) + text.replaceAll('\n', `\n${' '.repeat(label)}`);
      await sink.add(`${line.trimEnd()}\n`);
    }
    return 1;
  }
  return 0;
}

/** The cells of a line, with what was looked for in bold. A cell is cut before it gets colors, and keeps that place. */
function marked({ shape }: Records, { names, widths }: Layout, line: readonly string[], brush: Paint): string[] {
  const { columns = [], text = '' } = shape.marked ?? {};
  return line.map((cell, i) => {
    const place = columns.includes(names[i] ?? '') ? spanOf(cell, text) : undefined;
    if (!place) return cell;
    const shown = cutAround(cell, widths[i] ?? 0, place);
    const [start, end] = spanOf(shown, text) ?? [0, 0];
    return shown.slice(0, start) + brush.bold(shown.slice(start, end)) + shown.slice(end);
  });
}

/** The text in so many cells; where its beginning leaves no room for the place, it begins there. */
function cutAround(text: string, cells: number, [start, end]: readonly [number, number]): string {
  const isSeen = widthOf(text) <= cells || widthOf(text.slice(0, end)) < cells;
  return isSeen ? cutTo(text, cells) : `…${cutTo(text.slice(start), cells - 1)}`;
}

const cell = ({ shape }: Records, name: string, row: Row, { zone }: OutputOptions): string =>
  sanitise(cellText(shape.fields[name], row[name], zone));

function layOut(records: Records, sample: readonly Row[], options: OutputOptions): Layout {
  const { fields } = records.shape;
  const columns = records.columns.map((name) => ({
    name,
    width: sample.reduce(
      (most, row) => Math.max(most, widthOf(cell(records, name, row, options))),
      widthOf(sanitise(name)),
    ),
    rigid: !SHRINKS.includes(fields[name]?.kind),
  }));
  const widths = fitColumns(columns, options.width);
  const names = [...widths.keys()];
  const aligns = names.map((name): Align => (NUMBERS.includes(fields[name]?.kind ?? '') ? 'right' : 'left'));
  return { names, widths: [...widths.values()], aligns };
}

const tooWide = ({ names, widths }: Layout, lines: readonly string[][]): string[] =>
  names.filter((_, i) => lines.some((line) => widthOf(line[i] ?? '') > (widths[i] ?? 0)));

const head = ({ names, widths }: Layout, brush: Paint): string[][] => [
  names.map((name, i) => brush.bold(cutTo(sanitise(name), widths[i] ?? 0))),
  widths.map((width) => brush.dim('─'.repeat(width))),
];

const draw = ({ widths, aligns }: Layout, lines: readonly string[][]): string =>
  lines.map((line) => `${inColumns(line, widths, aligns)}\n`).join('');

/** Says what the table does not show, and how to see it. */
function footer(
  { shape, columns, chosen }: Records,
  { names }: Layout,
  cut: ReadonlySet<string>,
  brush: Paint,
): string {
  const left = columns.filter((name) => !names.includes(name));
  const more = chosen ? 0 : readable(shape.fields).filter((name) => !columns.includes(name)).length;
  const parts = [
    ...(cut.size > 0 ? [`${[...cut].map(sanitise).join(', ')} cut`] : []),
    ...(left.length > 0 ? [`${left.map(sanitise).join(', ')} left out`] : []),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
  return parts.length === 0 ? '' : `${brush.dim(`${parts.join('; ')}: use -o json or --fields`)}\n`;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;

/** The value as text, not yet made safe for a terminal. Null and false are blank. */
function cellText(field: Field | undefined, value: Value | undefined, zone?: Zone): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (field?.kind === 'day' || field?.floating) return calendar(String(value));
  if (field?.kind === 'date' || field?.kind === 'stamp') return clock(String(value), zone);
  return String(value);
}

/** As it was written (D13), without a time where it is midnight. */
function calendar(text: string): string {
  const midnight = /^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?$/i.exec(text);
  return midnight?.[1] ?? clock(text);
}

function clock(text: string, zone?: Zone): string {
  if (!DATE_TIME.test(text)) return text;
  const [, day, time = '', offset = ''] = DATE_TIME.exec(shifted(text, zone)) ?? [];
  return `${day} ${time.padEnd(8, ':00')} ${offset.replace(/z/i, '+00:00')}`.trimEnd();
}

const shifted = (text: string, zone?: Zone): string =>
  zone && !Number.isNaN(Date.parse(text)) ? zone.shift(text) : text;
