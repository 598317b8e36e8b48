// A markdown table, to paste into a ticket.
import type { Value } from '../../../contract/resource.ts';
import { sanitise } from '../../../text/escape.ts';
import type { Formatter, Records } from '../result.ts';
import { addRows, type Sink } from '../sink.ts';

type Cell = (value: Value | undefined) => string;

/** A list by its columns; one record as Field and Value. */
export const markdown: Formatter = async (records, { terminal }, sink) => {
  const cell: Cell = (value) => {
    const text = escapeMarkdown(String(value ?? ''));
    return terminal ? sanitise(text) : text;
  };
  return records.one ? card(records, cell, sink) : list(records, cell, sink);
};

/** Pipes, line ends and backslashes cannot end a cell; `<` and `&` cannot begin HTML. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n?|\n/g, '<br>');

async function list({ rows, columns }: Records, cell: Cell, sink: Sink): Promise<number> {
  await sink.add(line(columns.map(cell)) + line(columns.map(() => '---')));
  return addRows(sink, rows, (row) => line(columns.map((name) => cell(row[name]))));
}

async function card({ rows, columns }: Records, cell: Cell, sink: Sink): Promise<number> {
  for await (const row of rows) {
    await sink.add(line(['Field', 'Value']) + line(['---', '---']));
    for (const name of columns) await sink.add(line([cell(name), cell(row[name])]));
    return 1;
  }
  return 0;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
