// Values separated by commas or tabs: a header, quotes where a text needs them, and the line ends that the tools of a shell expect.
import { type Options, stringify } from 'csv-stringify/sync';
import { escapeNull } from '../../../changes/rows/cells.ts';
import type { Value } from '../../../contract/resource.ts';
import { chunks } from '../../../text/batches.ts';
import { sanitiseLines } from '../../../text/escape.ts';
import type { Formatter } from '../result.ts';

/** What is larger outlives the young objects of V8, and its heap grows with the list. */
const AT_ONCE = 64;

/** A table with this delimiter, as an import reads it: a text <null> is escaped. Null is an empty cell. */
const separatedBy =
  (delimiter: string): Formatter =>
  async ({ rows, columns }, { terminal, header }, sink) => {
    const cell = (value: Value | undefined): string => {
      const text = escapeNull(String(value ?? ''));
      return terminal ? sanitiseLines(text) : text;
    };
    // A line without any character would be no record to most readers.
    const style: Options = {
      delimiter,
      record_delimiter: 'unix',
      quoted_match: /[\r\n]/,
      quoted_empty: columns.length === 1,
    };
    if (header !== false) await sink.add(stringify([columns.map(cell)], style));
    let count = 0;
    for await (const chunk of chunks(rows, AT_ONCE)) {
      await sink.add(
        stringify(
          chunk.map((row) => columns.map((name) => cell(row[name]))),
          style,
        ),
      );
      count += chunk.length;
    }
    return count;
  };

export const csv = separatedBy(',');
export const tsv = separatedBy('\t');
