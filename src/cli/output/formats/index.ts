// The one table of formats. One that needs a library arrives with it when it is first asked for.
import { escapeJson, escapeXml } from '../../../text/escape.ts';
import type { Format, Formatter } from '../result.ts';
import { id, none } from './id.ts';
import { json, jsonText, ndjson, ndjsonText } from './json.ts';
import { tsv } from './tsv.ts';

interface Entry {
  readonly format: Formatter;
  /** Makes the finished text safe for a terminal, where the format can say every character in another way. */
  readonly escapeText?: (text: string) => string;
  /** Members that hold several IDs are lists; otherwise they are texts. */
  readonly hasLists?: true;
  /** Has cells under names. */
  readonly hasColumns?: true;
  /** Is for reading: a list shows the columns of its table, and not all that there is. */
  readonly isForPeople?: true;
  /** Any value as text, not only records: for `--jmespath`. */
  readonly textOf?: (value: unknown) => string | Promise<string>;
}

const later =
  (load: () => Promise<Formatter>): Formatter =>
  async (...all) =>
    (await load())(...all);

export const FORMATTERS: Readonly<Record<Format, Entry>> = {
  table: { format: later(async () => (await import('./table.ts')).table), hasColumns: true, isForPeople: true },
  json: { format: json, escapeText: escapeJson, hasLists: true, textOf: jsonText },
  ndjson: { format: ndjson, escapeText: escapeJson, hasLists: true, textOf: ndjsonText },
  csv: { format: later(async () => (await import('./csv.ts')).csv), hasColumns: true },
  tsv: { format: tsv, hasColumns: true },
  yaml: {
    format: later(async () => (await import('./yaml.ts')).yaml),
    hasLists: true,
    textOf: async (value) => (await import('./yaml.ts')).yamlText(value),
  },
  xml: { format: later(async () => (await import('./xml.ts')).xml), escapeText: escapeXml },
  md: { format: later(async () => (await import('./markdown.ts')).markdown), hasColumns: true, isForPeople: true },
  id: { format: id },
  none: { format: none, textOf: () => '' },
};
