// The formats of a result. The library that one needs arrives when the format is first asked for.
import { ServiceError } from '../../../contract/errors.ts';
import type { Row, Value } from '../../../contract/resource.ts';
import { chunks } from '../../../text/batches.ts';
import { escapeJson, escapeXml, plainMarkdown, sanitise, sanitiseLines } from '../../../text/escape.ts';
import { noTextFor } from '../printing.ts';
import type { Format, Formatter, Records } from '../result.ts';
import { addRows, type Sink } from '../sink.ts';

const SPECIAL = /[\t\n\r\\]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

/** A record on each line, for awk and cut: tabs, line ends and backslashes are escaped with a backslash; null is empty. */
const lines: Formatter = async ({ rows, columns }, { terminal, header }, sink) => {
  const cell = (value: Value | undefined): string => {
    const text = String(value ?? '').replace(SPECIAL, (char) => ESCAPES[char] ?? char);
    return terminal ? sanitise(text) : text;
  };
  if (header !== false) await sink.add(`${columns.map(cell).join('\t')}\n`);
  return addRows(sink, rows, (row) => `${columns.map((name) => cell(row[name])).join('\t')}\n`);
};

/** An array as JSON.stringify writes it with two spaces, but record by record; or the one object. */
const json: Formatter = async ({ rows, one, head }, _options, sink) => {
  let count = 0;
  if (head) await sink.add(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "Changes": `);
  for await (const row of rows) {
    if (one) {
      await sink.add(jsonText(row));
      return 1;
    }
    // Within an array of its own the record is indented as a member, without the brackets round it.
    const text = (count++ === 0 ? '[' : ',') + JSON.stringify([row], null, 2).slice(1, -2);
    const full = sink.add(head ? text.replaceAll('\n', '\n  ') : text);
    if (full) await full;
  }
  const end = count === 0 ? '[]\n' : head ? '\n  ]\n' : '\n]\n';
  await sink.add(one ? 'null\n' : head ? `${end}}\n` : end);
  return count;
};

/** Any value as a document. */
const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const ndjson: Formatter = ({ rows }, _options, sink) => addRows(sink, rows, (row) => `${JSON.stringify(row)}\n`);

/** The members of a list a line each; of null none. */
const ndjsonText = (value: unknown): string =>
  (Array.isArray(value) ? value : value === null ? [] : [value]).map((one) => `${JSON.stringify(one)}\n`).join('');

/** Throws `usage` where the records have no ID, or `--fields` leaves it out. */
const id: Formatter = async ({ shape, rows, columns, chosen }, options, sink) => {
  const name = shape.id ?? 'ID';
  if (!(name in shape.fields))
    throw new ServiceError('usage', `-o id: a ${shape.type} has no ${name}`, { hint: 'Use -o json.' });
  if (chosen && !columns.includes(name)) {
    throw new ServiceError('usage', `-o id prints ${name}, and --fields leaves it out`, {
      hint: 'Leave --fields out.',
    });
  }
  return addRows(sink, rows, ({ [name]: value = null }) => {
    if (value === null) return '';
    return `${options.terminal ? sanitise(String(value)) : value}\n`;
  });
};

/** Reads all records, and so meets every error, but prints nothing. */
const none: Formatter = ({ rows }, _options, sink) => addRows(sink, rows, () => '');

const count: Formatter = async (records, options, sink) => {
  const total = await none(records, options, sink);
  await sink.add(`${total}\n`);
  return total;
};

type Cell = (row: Row, member: string) => Promise<string>;

/** A list by its columns; one record as Field and Value. */
const markdown: Formatter = async (records, { terminal }, sink) => {
  const safe = (text: string): string => (terminal ? sanitise(escapeMarkdown(text)) : escapeMarkdown(text));
  const cell: Cell = async (row, member) => safe(await cellText(records, row, member));
  return records.one ? markdownCard(records, cell, safe, sink) : markdownList(records, cell, safe, sink);
};

/** A reference by its name, of one record with the ID. */
async function cellText({ nameOf, one }: Records, row: Row, member: string): Promise<string> {
  const value = String(row[member] ?? '');
  const name = await nameOf?.(row, member);
  return name === undefined ? value : one ? `${name} (${value})` : name;
}

/** A line end would end the cell. */
const escapeMarkdown = (text: string): string => plainMarkdown(text).replace(/\r\n?|\n/g, '<br>');

type Safe = (text: string) => string;

async function markdownList({ rows, columns, shape }: Records, cell: Cell, safe: Safe, sink: Sink): Promise<number> {
  const titles = columns.map((name) => safe(shape.titles?.[name] ?? name));
  await sink.add(markdownLine(titles) + markdownLine(columns.map(() => '---')));
  let count = 0;
  for await (const row of rows) {
    await sink.add(markdownLine(await Promise.all(columns.map((name) => cell(row, name)))));
    count++;
  }
  return count;
}

async function markdownCard({ rows, columns }: Records, cell: Cell, safe: Safe, sink: Sink): Promise<number> {
  for await (const row of rows) {
    await sink.add(markdownLine(['Field', 'Value']) + markdownLine(['---', '---']));
    for (const name of columns) await sink.add(markdownLine([safe(name), await cell(row, name)]));
    return 1;
  }
  return 0;
}

const markdownLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** A table of a page that has begun. Throws `usage` where there is no page. */
const html: Formatter = async (records, _options, sink) => {
  const { head, rows, columns } = records;
  if (!head) throw new ServiceError('usage', '-o html is for pm plan show', { hint: 'Use -o md.' });
  const { escaped } = await import('../../dashboards/html.ts');
  const titles = columns.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  await sink.add(`<div class="area wide">\n<table><thead><tr>${titles}</tr></thead><tbody>\n`);
  const cell: Cell = async (row, name) =>
    `<td data-label="${escaped(name)}">${escaped(await cellText(records, row, name))}</td>`;
  let count = 0;
  for await (const row of rows) {
    await sink.add(`<tr>${(await Promise.all(columns.map((name) => cell(row, name)))).join('')}</tr>\n`);
    count++;
  }
  await sink.add('</tbody></table>\n</div>\n');
  return count;
};

interface Entry {
  readonly format: Formatter;
  /** Makes the finished text safe for a terminal, where the format can say every character in another way. */
  readonly escapeText?: (text: string) => string;
  /** Members that hold several IDs are lists; otherwise they are texts. */
  readonly hasLists?: true;
  /** Has cells under names. */
  readonly hasColumns?: true;
  /** With --jmespath a text, a number or a truth is printed bare, and a list of them a line each. */
  readonly hasBareValues?: true;
  /** Any value as text, not only records: for `--jmespath`. */
  readonly textOf?: (value: unknown) => string | Promise<string>;
}

/** Larger chunks outlive the young objects of V8, and its heap grows with the list. */
const AT_ONCE = 64;

/**
 * A table with this delimiter, as an import reads it, with the line ends that the tools of a shell expect: a text <null> is
 * escaped. Null is an empty cell.
 */
const separatedBy =
  (delimiter: string): Formatter =>
  async ({ rows, columns }, { terminal, header }, sink) => {
    const { stringify } = await import('csv-stringify/sync');
    const { escapeNull } = await import('../../../changes/rows/cells.ts');
    const cell = (value: Value | undefined): string => {
      const text = escapeNull(String(value ?? ''));
      return terminal ? sanitiseLines(text) : text;
    };
    // A line without any character would be no record to most readers.
    const style = { delimiter, record_delimiter: 'unix', quoted_match: /[\r\n]/, quoted_empty: columns.length === 1 };
    if (header !== false) await sink.add(stringify([columns.map(cell)], style));
    let count = 0;
    for await (const chunk of chunks(rows, AT_ONCE)) {
      const cells = chunk.map((row) => columns.map((name) => cell(row[name])));
      await sink.add(stringify(cells, style));
      count += chunk.length;
    }
    return count;
  };

/** A workbook of one sheet, as an import reads it. Throws `usage` on a terminal. */
const xlsx: Formatter = async ({ shape, rows, columns }, { terminal, header }, sink) => {
  if (terminal) throw noTextFor('-o xlsx');
  const { workbookWriter } = await import('../../../changes/files/xlsx-writer.ts');
  const { escapeNull } = await import('../../../changes/rows/cells.ts');
  const values = async function* (): AsyncGenerator<readonly (Value | undefined)[]> {
    for await (const row of rows)
      yield columns.map((name) => {
        const value = row[name];
        return typeof value === 'string' ? escapeNull(value) : value;
      });
  };
  const book = workbookWriter((bytes) => sink.addBytes(bytes));
  const name = shape.type || 'Sheet1';
  const count = await book.sheet({ name, columns, fields: shape.fields, header, rows: values() });
  await book.end();
  return count;
};

const quotedTsv = separatedBy('\t');
const tsv: Formatter = (records, options, sink) => (options.lines ? lines : quotedTsv)(records, options, sink);

/** The records as the service would write them. */
const xml: Formatter = async ({ shape, rows, one, columns, chosen }, { namespace }, sink) => {
  const { xmlWriter } = await import('../../../wire/xml-writer.ts');
  const writer = xmlWriter({
    type: shape.type,
    fields: shape.fields,
    namespace,
    indented: true,
    ...(shape.xmlOrder ? { xmlOrder: shape.xmlOrder } : {}),
    ...(chosen ? { members: new Set(columns) } : {}),
  });
  if (!one) await sink.add(writer.opening);
  let count = 0;
  for await (const row of rows) {
    const full = sink.add(one ? writer.one(row) : writer.member(row));
    if (full) await full;
    count++;
    if (one) return count;
  }
  await sink.add(one ? writer.one(null) : writer.closing);
  return count;
};

/** Readers of YAML 1.1 and 1.2 understand the same. */
const PLAIN = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
const QUOTED = { ...PLAIN, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const;

/** A list is written record by record: together they are one sequence. */
const yaml: Formatter = async ({ rows, one, head }, _options, sink) => {
  const textOf = await yamlTexts();
  let count = 0;
  if (head) await sink.add(`${textOf(head)}Changes:\n`);
  for await (const row of rows) {
    await sink.add(textOf(one ? row : [row]));
    count++;
    if (one) return count;
  }
  if (count === 0) await sink.add(one ? 'null\n' : head ? '  []\n' : '[]\n');
  return count;
};

/** Any value as a document. Characters that YAML may not hold, or that no one could see, are escaped in double quotes. */
async function yamlTexts(): Promise<(value: unknown) => string> {
  const { stringify } = await import('yaml');
  return (value) => {
    const text = stringify(value, PLAIN);
    return escapeJson(text) === text ? text : escapeJson(stringify(value, QUOTED));
  };
}

export const FORMATTERS: Readonly<Record<Format, Entry>> = {
  table: {
    format: async (...all) => (await import('./table.ts')).table(...all),
    hasColumns: true,
    hasBareValues: true,
  },
  json: { format: json, escapeText: escapeJson, hasLists: true, textOf: jsonText },
  ndjson: { format: ndjson, escapeText: escapeJson, hasLists: true, textOf: ndjsonText },
  csv: { format: separatedBy(','), hasColumns: true },
  tsv: { format: tsv, hasColumns: true, hasBareValues: true },
  xlsx: { format: xlsx, hasColumns: true },
  yaml: { format: yaml, hasLists: true, textOf: async (value) => (await yamlTexts())(value) },
  xml: { format: xml, escapeText: escapeXml },
  md: { format: markdown, hasColumns: true },
  html: { format: html },
  id: { format: id },
  count: { format: count },
  none: { format: none, textOf: () => '' },
};
