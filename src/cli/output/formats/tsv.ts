// Tab-separated values: a header line, one record a line, whatever the texts hold.
import type { Value } from '../../../contract/resource.ts';
import { sanitise } from '../../../text/escape.ts';
import type { Formatter } from '../result.ts';

const SPECIAL = /[\t\n\r\\]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

/** Tabs, line ends and backslashes are escaped with a backslash; null is empty. */
export const tsv: Formatter = async ({ rows, columns }, { terminal }, sink) => {
  const cell = (value: Value | undefined): string => {
    const text = String(value ?? '').replace(SPECIAL, (char) => ESCAPES[char] ?? char);
    return terminal ? sanitise(text) : text;
  };
  await sink.add(`${columns.map(cell).join('\t')}\n`);
  let count = 0;
  for await (const row of rows) {
    const full = sink.add(`${columns.map((name) => cell(row[name])).join('\t')}\n`);
    if (full) await full;
    count++;
  }
  return count;
};
