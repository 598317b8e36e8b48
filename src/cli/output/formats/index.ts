// The formats by name. One that needs a library arrives with it when it is first asked for.

import { escapeJson, escapeXml } from '../../../text/escape.ts';
import type { Format, Formatter } from '../result.ts';
import { id, none } from './id.ts';
import { json, ndjson } from './json.ts';
import { tsv } from './tsv.ts';

interface Entry {
  readonly format: Formatter;
  /** Makes the finished text safe for a terminal, where the format can say every character in another way. */
  readonly dress?: (text: string) => string;
}

const later =
  (load: () => Promise<Formatter>): Formatter =>
  async (...all) =>
    (await load())(...all);

export const FORMATTERS: Readonly<Record<Format, Entry>> = {
  table: { format: later(async () => (await import('./table.ts')).table) },
  json: {
    format: json,
    dress: escapeJson,
  },
  ndjson: {
    format: ndjson,
    dress: escapeJson,
  },
  csv: { format: later(async () => (await import('./csv.ts')).csv) },
  tsv: { format: tsv },
  yaml: { format: later(async () => (await import('./yaml.ts')).yaml) },
  xml: {
    format: later(async () => (await import('./xml.ts')).xml),
    dress: escapeXml,
  },
  md: { format: later(async () => (await import('./markdown.ts')).markdown) },
  id: { format: id },
  none: { format: none },
};
