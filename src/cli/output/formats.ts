// The formats by name. Each arrives with its library when it is first asked for.
import type { Format, Formatter } from './result.ts';
import { escapeJson, escapeXml } from './sanitise.ts';

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
    format: later(async () => (await import('./json.ts')).json),
    dress: escapeJson,
  },
  ndjson: {
    format: later(async () => (await import('./json.ts')).ndjson),
    dress: escapeJson,
  },
  csv: { format: later(async () => (await import('./csv.ts')).csv) },
  tsv: { format: later(async () => (await import('./tsv.ts')).tsv) },
  yaml: { format: later(async () => (await import('./yaml.ts')).yaml) },
  xml: {
    format: later(async () => (await import('./xml.ts')).xml),
    dress: escapeXml,
  },
  md: { format: later(async () => (await import('./markdown.ts')).markdown) },
  id: { format: later(async () => (await import('./id.ts')).id) },
  none: { format: later(async () => (await import('./id.ts')).none) },
};
