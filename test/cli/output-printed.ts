// What the output tests say things with: a small kind of record, and stdout as text.
import { PassThrough } from 'node:stream';
import { write } from '../../src/cli/output/index.ts';
import type { OutputOptions, Shape, WriteReport } from '../../src/cli/output/result.ts';
import type { Streams } from '../../src/cli/streams.ts';
import { boolean, date, day, decimal, type Fields, guid, integer, stamp, text } from '../../src/contract/field.ts';
import type { Row } from '../../src/contract/resource.ts';

export const FIELDS: Fields = {
  ID: guid('required on update'),
  Rank: integer('required'),
  Name: text('required', { max: 255 }),
  Description: text('optional'),
  IsOpen: boolean('optional'),
  Weight: decimal('optional'),
  HireDate: date('optional', { floating: true }),
  Due: day('optional'),
  Seen: stamp('read-only'),
  Updated: date('read-only'),
  RowType: integer('read-only', { choices: { 4: 'organization', 56: 'department' } }),
  Password: text('optional', { writeOnly: true }),
};

export const SHAPE: Shape = {
  fields: FIELDS,
  type: 'Item',
  columns: ['ID', 'Rank', 'Name', 'Description', 'IsOpen', 'Updated'],
};

export const NOW = new Date('2026-03-31T12:00:00Z');

/** A record that has every member; what is not said is null. */
export const item = (members: Row = {}): Row => {
  const names = Object.keys(FIELDS).filter((name) => name !== 'Password');
  return { ...Object.fromEntries(names.map((name) => [name, null])), ID: idOf(1), Rank: 1, Name: 'One', ...members };
};

export const idOf = (number: number): string => `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`;

export async function* rowsOf(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

export async function everything<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

export const OPTIONS: OutputOptions = {
  format: 'json',
  where: [],
  color: false,
  width: 120,
  terminal: false,
  namespace: 'urn:test',
};

/** Streams whose stdout and stderr are gathered. */
export function streams(more: Partial<Streams> = {}): Streams & { out(): string; err(): string } {
  const [stdout, stderr] = [gathered(), gathered()];
  return {
    stdin: new PassThrough(),
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdinIsTerminal: false,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    env: {},
    now: () => NOW,
    cwd: '/',
    ...more,
    out: stdout.text,
    err: stderr.text,
  };
}

function gathered(): { stream: PassThrough; text: () => string } {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}

interface Printed {
  readonly out: string;
  readonly report: WriteReport;
}

/** What `write` prints of these rows; one row that stands alone is one object. */
export async function printed(
  rows: Row | readonly Row[],
  options: Partial<OutputOptions> = {},
  shape: Shape = SHAPE,
): Promise<Printed> {
  const io = streams();
  const one = !isList(rows);
  const report = await write({ shape, rows: rowsOf(one ? [rows] : rows), one }, { ...OPTIONS, ...options }, io);
  return { out: io.out(), report };
}

const isList = (rows: Row | readonly Row[]): rows is readonly Row[] => Array.isArray(rows);

/** Texts with everything in them that breaks writers. */
export const NAUGHTY: readonly string[] = [
  '',
  ' ',
  ' blanks around ',
  'a,b;c|d\te',
  'say "so"',
  "it's",
  'line\nfeed',
  'carriage\rreturn',
  'both\r\nof them',
  'back\\slash\\n',
  '<b>&amp;]]></b>',
  '=1+1',
  '- yes: no # [x] {y} *z &a !b %c @d `e',
  'yes',
  'null',
  '~',
  '0012',
  '1e5',
  '2026-03-31',
  '\u0085\u00a0\u2028\u2029',
  '\u202egnp.exe',
  '\u200bzero\u200dwidth\ufeff',
  '日本語 😀 e\u0301',
  'tab\tend\t',
];
