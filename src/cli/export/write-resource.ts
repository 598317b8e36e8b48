// Writes the records of one resource to a file that can be imported on another site too.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Dialect, Form } from '../../changes/files/index.ts';
import { fileWriter, send } from '../../changes/files/row-writer.ts';
import { workbookWriter } from '../../changes/files/xlsx-writer.ts';
import { isDemanded } from '../../changes/plan/required-fields.ts';
import { escapeNull, SITE } from '../../changes/rows/cells.ts';
import { keyText } from '../../changes/rows/keys.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import { dayWritten } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { checkImage, imageAt, isOfSite, keptMembers, sentMembers } from '../../files/image.ts';
import { type Output, writeStream } from '../../files/output.ts';
import { recordsOf, wholeImage } from '../../sites/site-records.ts';
import { firstOf } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { sorted } from '../output/sorting/sort.ts';
import { referencesOf } from './references.ts';

export interface ExportOptions extends Selection {
  readonly form: Form;
  readonly excel: boolean;
  /** Called for each row of a whole site that could not be restored: a rule of today refuses one of its values. */
  readonly onRefused?: () => void;
}

const DIALECTS: Readonly<Record<Form, Dialect>> = {
  csv: { form: 'csv', encoding: 'utf-8', delimiter: ',', newline: 'LF', quote: '"' },
  tsv: { form: 'tsv', encoding: 'utf-8', delimiter: '\t', newline: 'LF', quote: '"' },
  json: { form: 'json', encoding: 'utf-8' },
  ndjson: { form: 'ndjson', encoding: 'utf-8' },
  yaml: { form: 'yaml', encoding: 'utf-8' },
  xlsx: { form: 'xlsx', encoding: 'utf-8' },
};

export const FORMS = Object.keys(DIALECTS) as readonly Form[];

/** Writes all records to the stream. */
export async function writeRecords(
  session: Session,
  resource: Resource,
  stream: Writable,
  options: ExportOptions,
): Promise<Omit<Written, 'sha256'>> {
  const { form, deleted, whole } = options;
  const { columns, ownIDs, cells } = await exportedRows(session, resource, options);
  const excel = options.excel && isTable(form);
  const writer = await fileWriter(stream, DIALECTS[form], columns, { excel });
  let count = 0;
  for await (const row of cells()) {
    await writer.write(row);
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

const isTable = (form: Form): boolean => form === 'csv' || form === 'tsv' || form === 'xlsx';

/**
 * Writes an Excel file with a sheet for each resource that has records: an import refuses a sheet without any. `onError` may take
 * the error of a resource, which is left out then.
 */
export async function writeWorkbook(
  session: Session,
  wanted: readonly Resource[],
  stream: Writable,
  options: ExportOptions,
  onError: (resource: Resource, error: unknown) => void,
): Promise<{ readonly rows: number; readonly sheets: number }> {
  const book = workbookWriter((bytes) => send(stream, bytes));
  let [rows, sheets] = [0, 0];
  for (const resource of wanted) {
    try {
      const { columns, cells } = await exportedRows(session, resource, options);
      const { first, all } = await firstOf(cells(), 1);
      if (first.length === 0 && (sheets > 0 || resource !== wanted.at(-1))) continue;
      const { command: name, fields } = resource;
      rows += await book.sheet({ name, columns, fields, rows: all });
      sheets++;
    } catch (error) {
      onError(resource, error);
    }
  }
  if (sheets === 0) throw new ServiceError('forbidden', 'none of these resources may be read');
  await book.end();
  return { rows, sheets };
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

/** A missing value is a blank cell, in JSON and YAML null where the field may be empty. What has no other owner is the site's. */
function cellOf({ fields }: Resource, name: string, value: Value, isTable: boolean): Value | undefined {
  if (value !== null) return typeof value === 'string' ? escapeNull(value) : value;
  const field = fields[name];
  if (field && mayBelongToSite(field)) return SITE;
  const mayBeNull = !field || !(isDemanded(field) || name === 'ID');
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

interface Selection {
  readonly deleted: 0 | 2;
  /** All that the site knows of a record: its ID, authors and times, members of groups. Else what a request can set. */
  readonly whole: boolean;
  /** References are names, and so is the record: it has no ID where its key tells it from others. */
  readonly named?: boolean;
}

interface ExportedRows {
  readonly columns: readonly string[];
  /** The key tells all records apart: their IDs mean nothing on another site. */
  readonly ownIDs: boolean;
  /** A cell for each column of a record. */
  cells(): AsyncGenerator<readonly (Value | undefined)[]>;
}

/** Without values that an archive keeps (D29), which are no current ones. */
async function exportedRows(session: Session, resource: Resource, selection: ExportOptions): Promise<ExportedRows> {
  const { deleted, whole, form, named = false, onRefused } = selection;
  const ownIDs = !(await needsID(session, resource, selection));
  const withID = 'ID' in resource.fields && !isOfSite(resource) && (whole || !ownIDs);
  const columns = [
    ...(withID ? ['ID'] : []),
    ...sentMembers(resource),
    ...(whole ? wholeMembers(session, resource) : []),
  ];
  const withHidden = whole && deleted === 2 && ownersOf(resource).length > 0;
  const all = withHidden ? [...columns, 'DeletedByRef'] : columns;
  const written = await referencesOf(session, resource, named);
  const shown = (name: string, row: Row): Value => {
    const field = resource.fields[name];
    const value = written(name, row[name] ?? null);
    return field && !whole ? dayWritten(field, value) : value;
  };
  return {
    columns: all,
    ownIDs,
    async *cells() {
      const records = whole ? wholeRows(session, resource, selection) : recordsOf(session, resource, deleted);
      const rows = isOfSite(resource) ? records : sorted(records, orderOf(resource), resource.fields);
      for await (const row of rows) {
        if (whole && onRefused && !isRestorable(session, resource, row)) onRefused();
        yield all.map((name) => cellOf(resource, name, shown(name, row), isTable(form)));
      }
    },
  };
}

const wholeMembers = (session: Session, resource: Resource): readonly string[] => [
  ...keptMembers(resource).filter((name) => name !== 'ID'),
  // Of a remote service every record may have more (D11).
  ...(resource.open || !session.local ? ['Others'] : []),
  ...(session.local && resource.name === 'securityGroup' ? ['Members'] : []),
];

async function* wholeRows(session: Session, resource: Resource, { deleted }: Selection): AsyncGenerator<Row> {
  const isHidden = await hiding(session, resource, deleted);
  for await (const row of recordsOf(session, resource, deleted))
    yield { ...(await wholeImage(session, resource, row)), DeletedByRef: isHidden(row) };
}

/** Does the deletion of its owner hide the record? The engine marks such records; a service leaves them out of its lists. */
async function hiding(session: Session, resource: Resource, deleted: 0 | 2): Promise<(row: Row) => boolean> {
  if (deleted === 0 || ownersOf(resource).length === 0) return () => false;
  if (session.local && 'DeletedByRef' in resource.fields)
    return ({ Deleted, DeletedByRef }) => Deleted !== true && DeletedByRef === true;
  const shown = new Set<string>();
  for await (const row of session.find.all(resource.name, 0)) shown.add(identityOf(resource, row));
  return (row) => row.Deleted !== true && !shown.has(identityOf(resource, row));
}

const identityOf = ({ fields, identity }: Resource, row: Row): string =>
  'ID' in fields ? String(row.ID) : identity.map((name) => row[name]).join('/');

/** Integer IDs differ between sites. They are needed only if the key does not identify every record. */
async function needsID(session: Session, resource: Resource, { deleted, named }: Selection): Promise<boolean> {
  const { fields, id, key } = resource;
  if (fields.ID === undefined || fields.ID.rule === 'read-only' || isOfSite(resource)) return false;
  if ((id === 'guid' && !named) || key.length === 0) return true;
  const keys = new Set<string>();
  for await (const row of session.find.all(resource.name, deleted)) {
    const text = keyText(fields, key, row);
    if (keys.has(text) || key.some((name) => (row[name] ?? null) === null)) return true;
    keys.add(text);
  }
  return false;
}

/** By the natural key, then by the ID, so that equal records give equal files. */
function orderOf({ key, identity, fields }: Resource): string {
  const names = [...(key.length > 0 ? key : identity), ...('ID' in fields ? ['ID'] : [])];
  return names.filter((name, at) => names.indexOf(name) === at).join(',');
}
