// A markdown table, to paste into a ticket.
import type { Row } from '../../../contract/resource.ts';
import { sanitise } from '../../../text/escape.ts';
import type { Formatter, Records } from '../result.ts';
import type { Sink } from '../sink.ts';

/** The text of a member of a row. */
type Cell = (row: Row, member: string) => Promise<string>;

/** A list by its columns; one record as Field and Value. */
export const markdown: Formatter = async (records, { terminal }, sink) => {
  const safe = (text: string): string => (terminal ? sanitise(escapeMarkdown(text)) : escapeMarkdown(text));
  const cell: Cell = async (row, member) => safe(await textOf(records, row, member));
  return records.one ? card(records, cell, safe, sink) : list(records, cell, safe, sink);
};

/** A reference by its name, of one record with the ID. */
async function textOf({ nameOf, one }: Records, row: Row, member: string): Promise<string> {
  const value = String(row[member] ?? '');
  const name = await nameOf?.(row, member);
  return name === undefined ? value : one ? `${name} (${value})` : name;
}

/** Pipes, line ends and backslashes cannot end a cell; `<` and `&` cannot begin HTML. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n?|\n/g, '<br>');

type Safe = (text: string) => string;

async function list({ rows, columns }: Records, cell: Cell, safe: Safe, sink: Sink): Promise<number> {
  await sink.add(line(columns.map(safe)) + line(columns.map(() => '---')));
  let count = 0;
  for await (const row of rows) {
    await sink.add(line(await Promise.all(columns.map((name) => cell(row, name)))));
    count++;
  }
  return count;
}

async function card({ rows, columns }: Records, cell: Cell, safe: Safe, sink: Sink): Promise<number> {
  for await (const row of rows) {
    await sink.add(line(['Field', 'Value']) + line(['---', '---']));
    for (const name of columns) await sink.add(line([safe(name), await cell(row, name)]));
    return 1;
  }
  return 0;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
