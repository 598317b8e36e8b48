// JSON, as one valid document, and NDJSON, one object a line.
import type { Formatter } from '../result.ts';

/** An array whose text is what JSON.stringify gives with two spaces, written record by record; or the one object. */
export const json: Formatter = async ({ rows, one }, _options, sink) => {
  let count = 0;
  for await (const row of rows) {
    if (one) {
      await sink.add(jsonText(row));
      return 1;
    }
    // Within an array of its own the record is indented as a member, without the brackets round it.
    const full = sink.add((count++ === 0 ? '[' : ',') + JSON.stringify([row], null, 2).slice(1, -2));
    if (full) await full;
  }
  await sink.add(one ? 'null\n' : count === 0 ? '[]\n' : '\n]\n');
  return count;
};

/** Any value as a document. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const ndjson: Formatter = async ({ rows }, _options, sink) => {
  let count = 0;
  for await (const row of rows) {
    const full = sink.add(`${JSON.stringify(row)}\n`);
    if (full) await full;
    count++;
  }
  return count;
};

/** The members of a list a line each; of null none. */
export const ndjsonText = (value: unknown): string =>
  (Array.isArray(value) ? value : value === null ? [] : [value]).map((one) => `${JSON.stringify(one)}\n`).join('');
