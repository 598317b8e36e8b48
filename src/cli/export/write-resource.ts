// Writes the records of one resource to a file that can be imported on another site too.
import type { Writable } from 'node:stream';
import type { Dialect, Form } from '../../changes/files/index.ts';
import { fileWriter, send } from '../../changes/files/row-writer.ts';
import { workbookWriter } from '../../changes/files/xlsx-writer.ts';
import { isDemanded } from '../../changes/plan/required-fields.ts';
import { escapeNull, SITE } from '../../changes/rows/cells.ts';
import { keyText } from '../../changes/rows/keys.ts';
import { isReferredTo } from '../../changes/rows/projected-records.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import { dayWritten } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { recordsOf } from '../../sites/site-records.ts';
import { sentMembers } from '../../sites/state/layout.ts';
import { referencesOf } from '../../sites/state/references.ts';
import { firstOf } from '../../text/batches.ts';
import { sorted } from '../output/sorting/sort.ts';

export interface ExportOptions {
  readonly form: Form;
  readonly excel: boolean;
  readonly deleted: 0 | 2;
  /** References are names, and so is the record: it has no ID where its key tells it from others. */
  readonly named?: boolean;
  /** Tables of what names the record stand beside: where others may share its name, it has its ID, too. */
  readonly besideOthers?: boolean;
}

const DIALECTS: Readonly<Record<Form, Dialect>> = {
  csv: { form: 'csv', encoding: 'utf-8', delimiter: ',', newline: 'LF' },
  tsv: { form: 'tsv', encoding: 'utf-8', delimiter: '\t', newline: 'LF' },
  json: { form: 'json', encoding: 'utf-8' },
  ndjson: { form: 'ndjson', encoding: 'utf-8' },
  yaml: { form: 'yaml', encoding: 'utf-8' },
  xlsx: { form: 'xlsx', encoding: 'utf-8' },
};

export const FORMS = Object.keys(DIALECTS) as readonly Form[];

export async function hasRecords(session: Session, resource: Resource, { deleted }: ExportOptions): Promise<boolean> {
  for await (const _ of recordsOf(session, resource, deleted)) return true;
  return false;
}

export async function writeRecords(session: Session, resource: Resource, stream: Writable, options: ExportOptions) {
  const { form } = options;
  const { columns, cells } = await exportedRows(session, resource, options);
  const excel = options.excel && isTable(form);
  const writer = await fileWriter(stream, DIALECTS[form], columns, { excel });
  let count = 0;
  for await (const row of cells()) {
    await writer.write(row);
    count++;
  }
  await writer.end();
  return { rows: count };
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
  if (sheets === 0) throw new ServiceError('forbidden', 'you may read none of these resources');
  await book.end();
  return { rows, sheets };
}

/** A missing value is a blank cell, in JSON and YAML null where the field may be empty. What has no other owner is the site's. */
function cellOf({ fields }: Resource, name: string, value: Value, isTable: boolean): Value | undefined {
  if (value !== null) return typeof value === 'string' ? escapeNull(value) : value;
  const field = fields[name];
  if (field && mayBelongToSite(field)) return SITE;
  const mayBeNull = !field || !(isDemanded(field) || name === 'ID');
  return isTable || !mayBeNull ? undefined : null;
}

/** Without values that an archive keeps (D29), which are no current ones. */
async function exportedRows(session: Session, resource: Resource, options: ExportOptions) {
  const { deleted, form, named = false } = options;
  const isOfSite = resource.name === 'siteSetting';
  const withID = 'ID' in resource.fields && !isOfSite && (await needsID(session, resource, options));
  const columns = [...(withID ? ['ID'] : []), ...sentMembers(resource)];
  const written = await referencesOf(session, resource, named);
  const shown = (name: string, row: Row): Value => {
    const field = resource.fields[name];
    const value = row[name] ?? null;
    return field ? dayWritten(field, value) : value;
  };
  // Names are sorted as they are written: IDs have another order on each site.
  const withNames = async function* (): AsyncGenerator<Row> {
    for await (const row of recordsOf(session, resource, deleted)) {
      const names = columns.map((name) => [name, written(name, row[name] ?? null)]);
      yield { ...row, ...Object.fromEntries(names) };
    }
  };
  return {
    columns,
    /** A cell for each column of a record. */
    async *cells() {
      const rows = isOfSite ? withNames() : sorted(withNames(), orderOf(resource), resource.fields);
      for await (const row of rows)
        yield columns.map((name) => cellOf(resource, name, shown(name, row), isTable(form)));
    },
  };
}

/** Integer IDs differ between sites. They are needed only if the key does not identify every record. */
async function needsID(
  session: Session,
  resource: Resource,
  { deleted, named, besideOthers }: ExportOptions,
): Promise<boolean> {
  const { fields, id, key } = resource;
  if (fields.ID === undefined || fields.ID.rule === 'read-only') return false;
  if ((id === 'guid' && !named) || key.length === 0) return true;
  // User names and paths tell people and departments apart; many other records share a name.
  const hasName = ['individual', 'organization', 'securityGroup'].includes(resource.name);
  if (besideOthers && id === 'guid' && !hasName && isReferredTo(resource)) return true;
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
