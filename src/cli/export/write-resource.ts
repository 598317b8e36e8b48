// Writes the records of one resource to a file that can be imported on another site too.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Cell, Dialect, Form } from '../../changes/files/index.ts';
import { fileWriter } from '../../changes/files/row-writer.ts';
import { isDemanded } from '../../changes/plan/required-fields.ts';
import { escapeNull } from '../../changes/rows/cells.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { checkImage, imageAt } from '../../files/image.ts';
import { type Output, writeStream } from '../../files/output.ts';
import { defined } from '../../text/defined.ts';
import { exportedRows, type Selection } from './exported-rows.ts';
import { referencesOf } from './references.ts';

export type ExportForm = Exclude<Form, 'xlsx'>;

export interface ExportOptions extends Selection {
  readonly form: ExportForm;
  readonly excel: boolean;
  /** Called for each row of a whole site that could not be restored: a rule of today refuses one of its values. */
  readonly onRefused?: () => void;
}

const DIALECTS: Readonly<Record<ExportForm, Dialect>> = {
  csv: { form: 'csv', encoding: 'utf-8', delimiter: ',', newline: 'LF', quote: '"' },
  tsv: { form: 'tsv', encoding: 'utf-8', delimiter: '\t', newline: 'LF', quote: '"' },
  json: { form: 'json', encoding: 'utf-8' },
  ndjson: { form: 'ndjson', encoding: 'utf-8' },
  yaml: { form: 'yaml', encoding: 'utf-8' },
};

/** The forms of an export. */
export const FORMS = Object.keys(DIALECTS) as readonly ExportForm[];

/** Writes all records to the stream. */
export async function writeRecords(
  session: Session,
  resource: Resource,
  stream: Writable,
  options: ExportOptions,
): Promise<Omit<Written, 'sha256'>> {
  const { form, deleted, whole, named = false } = options;
  const { columns, ownIDs, rows } = await exportedRows(session, resource, options);
  const written = await referencesOf(session, resource, named);
  const isTable = form === 'csv' || form === 'tsv';
  const excel = options.excel && isTable;
  const writer = await fileWriter(stream, DIALECTS[form], columns, { excel });
  let count = 0;
  for await (const row of rows()) {
    if (whole && options.onRefused && !isRestorable(session, resource, row)) options.onRefused();
    await writer.write(columns.map((name) => cellOf(resource, name, written(name, row[name] ?? null), isTable)));
    count++;
  }
  await writer.end();
  return defined({
    rows: count,
    excel: excel || undefined,
    whole: whole || undefined,
    deleted: deleted === 2 || undefined,
    ownIDs: (whole && ownIDs) || undefined,
  });
}

function isRestorable({ me }: Session, resource: Resource, row: Row): boolean {
  try {
    checkImage(resource, imageAt(me.site, resource, row), me.site, '');
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/**
 * A missing value is a blank cell; in JSON and YAML it is null where the field may be empty, or the site is meant, which owns
 * what has no other owner.
 */
function cellOf({ fields }: Resource, name: string, value: Value, isTable: boolean): Cell | undefined {
  if (value !== null) return typeof value === 'string' ? escapeNull(value) : value;
  const field = fields[name];
  const mayBeNull = !field || mayBelongToSite(field) || !(isDemanded(field) || name === 'ID');
  return isTable || !mayBeNull ? undefined : null;
}

export interface Written {
  readonly rows: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Formulas are escaped for spreadsheets; the import must remove that. */
  readonly excel?: boolean;
  /** As `Selection` says. */
  readonly whole?: boolean;
  /** Deleted records are among the rows. */
  readonly deleted?: boolean;
  /** The IDs mean nothing on another site. */
  readonly ownIDs?: boolean;
}

/** Writes the file whole, or not at all. Throws as `writeOutput`. */
export async function writeExport(
  session: Session,
  resource: Resource,
  output: Output,
  options: ExportOptions,
): Promise<Written> {
  const hash = createHash('sha256');
  const written = await writeStream(output, (stream) => writeRecords(session, resource, stream, options), hash);
  return { ...written, sha256: hash.digest('hex') };
}

/** The SHA-256 that such a file would have now. */
export async function exportHash(session: Session, resource: Resource, options: ExportOptions): Promise<string> {
  const hash = createHash('sha256');
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    hash.update(chunk);
    done();
  };
  await writeRecords(session, resource, new Writable({ write }), options);
  return hash.digest('hex');
}

export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
