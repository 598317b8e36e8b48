// Which form a file has: by its name, else by how it begins; and whether it is what its name says.
import { extname } from 'node:path';
import type { FileFault, Form } from './input.ts';

const ENDINGS: Readonly<Record<string, Form>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xlsx': 'xlsx',
};

/** The form that the name says; undefined where it says none. */
export const formByName = (name: string): Form | undefined => ENDINGS[extname(name).toLowerCase()];

/** The form that the first bytes look like. `text` is how they read. */
export function formByContent(head: Buffer, text: string): Form {
  if (isZip(head)) return 'xlsx';
  if (/^\s*\[/.test(text)) return 'json';
  if (/^\s*\{/.test(text)) return 'ndjson';
  if (/^(?:---|- )/.test(text)) return 'yaml';
  return firstLine(text).includes('\t') ? 'tsv' : 'csv';
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? '';
const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));
/** Old Office files, and new ones with a password. */
const isOle = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));

/** What is wrong with a file that holds something else than a file of that form; undefined where it may well be one. */
export function strangeContent(form: Form, head: Buffer, text: string): FileFault | undefined {
  if (isOle(head))
    return fault(
      'is an old Excel file, or one with a password',
      'Save it in Excel as an .xlsx without a password, or as CSV.',
    );
  if (form === 'xlsx') return isZip(head) ? undefined : fault('is no Excel file', 'Try --form csv.');
  if (isZip(head)) return fault(`is a ZIP archive, not ${form.toUpperCase()}`, 'If it is an Excel file: --form xlsx.');
  if (text.includes('\0'))
    return fault(`is not text, so it is no ${form.toUpperCase()}`, 'It holds bytes of value zero.');
  return strangeText(form, text);
}

function strangeText(form: Form, text: string): FileFault | undefined {
  if (/^\s*<(?:!doctype|html|head|body|table|\?xml|!--)/i.test(text))
    return fault('is a web page or XML', 'Perhaps a page to log in was saved under this name. Download it again.');
  const isTable = form === 'csv' || form === 'tsv';
  if (isTable && /^\s*(?:\[\s*\{|\{\s*")/.test(text))
    return fault(
      `holds JSON, not ${form.toUpperCase()}`,
      'Use --form json, or --form ndjson for a record on each line.',
    );
  if (form === 'json' && /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(text))
    return fault('holds a record on each line, not one list', 'Use --form ndjson.');
  if (form === 'json' && /^\s*[^[\s]/.test(text))
    return fault('holds no list of records', 'JSON must be an array of objects: [{"Name": "…"}, …].');
  if (form === 'ndjson' && /^\s*\[/.test(text))
    return fault('holds a list, not a record on each line', 'Use --form json.');
  return undefined;
}

const fault = (message: string, hint: string): FileFault => ({ line: 1, message, hint });
