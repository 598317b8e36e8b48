// Prints a page: for people a heading, the fields at its top and a table for each section; for programs one object.
import { resourceNamed } from '../../contract/index.ts';
import { nameOf, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { plainMarkdown, sanitise } from '../../text/escape.ts';
import { optionsFor } from '../context.ts';
import { paint } from '../output/color.ts';
import { FORMATTERS } from '../output/formats/index.ts';
import { recordSink } from '../output/printing.ts';
import { type OutputOptions, shapeFrom } from '../output/result.ts';
import type { Sink } from '../output/sink.ts';
import { nameBy } from './related.ts';
import type { Section, Subject } from './section.ts';

export interface Page {
  readonly subject: Subject;
  /** The fields at its top. */
  readonly head: readonly string[];
  readonly sections: readonly Section[];
}

/** The members of the object, in their order. */
export const membersOf = (sections: readonly Pick<Section, 'name'>[]): readonly string[] => [
  'Record',
  ...sections.map(({ name }) => name),
  'Refused',
];

/** The page as one object: the record, a list for each section, and why sections are refused. */
export const objectOf = ({ subject, sections }: Page): Readonly<Record<string, unknown>> => ({
  Record: subject.row,
  ...Object.fromEntries(sections.map((section) => [section.name, section.rows.map((row) => shownOf(section, row))])),
  Refused: Object.fromEntries(
    sections.flatMap(({ name, refused }) => (refused === undefined ? [] : [[name, refused]])),
  ),
});

/** The members of a record that a section shows, and its ID. */
const shownOf = ({ fields }: Section, row: Row): Row =>
  valuesOf(row, [...Object.keys(fields), ...(row.ID === undefined ? [] : ['ID'])]);

export async function printPage(page: Page, format: 'table' | 'md'): Promise<void> {
  const { context, row } = page.subject;
  const options = { ...(await optionsFor(context, shapeFrom(page.subject.resource, {}))), format };
  const sink = recordSink(context.io, options.terminal);
  const heading = headingOf(format, options);
  await sink.add(heading(sanitise(nameOf(resourceNamed(page.subject.resource), row) ?? String(row.ID)), 1));
  await addTop(page, options, sink);
  for (const section of page.sections.filter(({ rows, refused }) => rows.length > 0 || refused !== undefined)) {
    await sink.add(`\n${heading(section.title, 2)}`);
    if (section.refused === undefined) await addRows(section, options, sink);
    else await sink.add(`not shown: ${sanitise(section.refused)}\n`);
  }
  await sink.end();
}

const headingOf =
  (format: 'table' | 'md', { color }: OutputOptions) =>
  (text: string, level: number): string =>
    format === 'md' ? `${'#'.repeat(level)} ${plainMarkdown(text)}\n\n` : `${paint(color).bold(text)}\n`;

/** The fields at the top that have a value, references by name. */
async function addTop({ subject, head }: Page, options: OutputOptions, sink: Sink): Promise<void> {
  const { fields } = resourceNamed(subject.resource);
  const top: Record<string, Value> = {};
  for (const name of head) {
    const value = fields[name]?.to ? await nameBy(subject, name) : (subject.row[name] ?? null);
    if (isFilled(value)) top[name] = value;
  }
  const columns = Object.keys(top);
  const records = { shape: shapeFrom(subject.resource, fields), rows: [top], one: true, columns, chosen: true };
  await FORMATTERS[options.format].format(records, options, sink);
}

const isFilled = (value: Value | undefined): value is Exclude<Value, null> =>
  value !== undefined && value !== null && value !== false && value !== '';

/** Columns that no row fills are left out. */
async function addRows({ name, fields, whole = [], rows }: Section, options: OutputOptions, sink: Sink): Promise<void> {
  const columns = Object.keys(fields).filter((field) => rows.some((row) => isFilled(row[field])));
  const records = { shape: { ...shapeFrom(name, fields), whole }, rows, one: false, columns, chosen: true };
  await FORMATTERS[options.format].format(records, options, sink);
}
