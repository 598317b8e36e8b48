// Tables as people see them: columns with two blanks between them, and a rule below their names.
import { type Align, GAP } from '../../../text/columns.ts';

/** The package compares each row with all rows above it: a thousand at once take twice as long. */
const SLICE = 20;
const BETWEEN = ' '.repeat(GAP);

export type Lines = readonly (readonly string[])[];

interface Look {
  /** In character cells; no content is wider. A column without a width is as wide as its content. */
  readonly widths: readonly number[];
  readonly aligns?: readonly Align[];
  /** The names of the columns. */
  readonly head?: readonly string[];
  /** The sign of the rule below them. */
  readonly rule?: string;
}

/** The lines of a table, without blanks at their ends. Texts are sanitised; they may have colors. */
export async function drawnTable(rows: Lines, { widths, aligns = [], head = [], rule = '' }: Look): Promise<string[]> {
  const { default: Table } = await import('cli-table3');
  const nothing = Object.fromEntries(Object.keys(new Table().options.chars).map((place) => [place, '']));
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += SLICE) {
    const table = new Table({
      head: at === 0 ? [...head] : [],
      colWidths: [...widths],
      colAligns: [...aligns],
      chars: { ...nothing, middle: BETWEEN, mid: rule, 'mid-mid': BETWEEN },
      style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    });
    table.push(...rows.slice(at, at + SLICE).map((cells) => [...cells]));
    lines.push(...table.toString().split('\n'));
  }
  return lines.map((line) => line.trimEnd());
}
