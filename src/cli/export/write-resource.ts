// Writes the records of one resource to a file that can be imported on another site too.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Cell, Dialect, Form } from '../../changes/files/index.ts';
import { fileWriter } from '../../changes/files/row-writer.ts';
import { isDemanded } from '../../changes/plan/required-fields.ts';
import { escapeNull } from '../../changes/rows/cells.ts';
import { keyText } from '../../changes/rows/keys.ts';
import type { Session } from '../../contract/call.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { looksLikeGuid, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { type Output, writeStream } from '../../files/output.ts';
import { textKey } from '../../text/text-key.ts';
import { sorted } from '../output/sort.ts';

export type ExportForm = Exclude<Form, 'xlsx'>;

export interface ExportOptions {
  readonly form: ExportForm;
  readonly excel: boolean;
  readonly deleted: 0 | 2;
}

const DIALECTS: Readonly<Record<ExportForm, Dialect>> = {
  csv: { form: 'csv', encoding: 'utf-8', delimiter: ',', newline: 'LF', quote: '"' },
  tsv: { form: 'tsv', encoding: 'utf-8', delimiter: '\t', newline: 'LF', quote: '"' },
  json: { form: 'json', encoding: 'utf-8' },
  ndjson: { form: 'ndjson', encoding: 'utf-8' },
  yaml: { form: 'yaml', encoding: 'utf-8' },
};

/** The writable members, without secrets and members that pm fills in. */
const exportedMembers = ({ fields }: Resource): readonly string[] =>
  Object.entries(fields)
    .filter(([name, field]) => isWritable(field) && !field.writeOnly && !['ID', 'SiteID', 'UserEmail'].includes(name))
    .map(([name]) => name);

/** Writes all records; answers their number. */
export async function writeRecords(
  session: Session,
  resource: Resource,
  stream: Writable,
  { form, excel, deleted }: ExportOptions,
): Promise<number> {
  const withID = await needsID(session, resource, deleted);
  const columns = [...(withID ? ['ID'] : []), ...exportedMembers(resource)];
  const written = await referencesOf(session, resource);
  const isTable = form === 'csv' || form === 'tsv';
  const writer = await fileWriter(stream, DIALECTS[form], columns, { excel: excel && isTable });
  let count = 0;
  const rows = session.find.all(resource.name, deleted);
  for await (const row of sorted(rows, orderOf(resource), resource.fields)) {
    await writer.write(columns.map((name) => cellOf(resource, name, written(name, row[name] ?? null), isTable)));
    count++;
  }
  await writer.end();
  return count;
}

/** Integer IDs differ between sites. They are written only if the key does not identify every record. */
async function needsID(session: Session, resource: Resource, deleted: 0 | 2): Promise<boolean> {
  const { fields, id, key } = resource;
  if (fields.ID === undefined || fields.ID.rule === 'read-only') return false;
  if (id === 'guid' || key.length === 0) return true;
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

/** A missing value is a blank cell; in JSON and YAML it is null where the field may be empty. */
function cellOf({ fields }: Resource, name: string, value: Value, isTable: boolean): Cell | undefined {
  const field = fields[name];
  if (value === null) return isTable || (field && (isDemanded(field) || name === 'ID')) ? undefined : null;
  return typeof value === 'string' ? escapeNull(value) : value;
}

export interface Written {
  readonly rows: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Formulas are escaped for spreadsheets; the import must remove that. */
  readonly excel?: true;
}

/** Writes the file whole, or not at all. Throws as `writeOutput`. */
export async function writeExport(
  session: Session,
  resource: Resource,
  output: Output,
  options: ExportOptions,
): Promise<Written> {
  const hash = createHash('sha256');
  const rows = await writeStream(output, (stream) => writeRecords(session, resource, stream, options), hash);
  const excel = options.excel && ['csv', 'tsv'].includes(options.form);
  return { rows, sha256: hash.digest('hex'), ...(excel ? { excel: true } : {}) };
}

export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** A stream over one that must stay open, such as stdout. */
export const keptOpen = (stream: NodeJS.WritableStream): Writable =>
  new Writable({
    write: (chunk, _encoding, done) => void stream.write(chunk as Buffer, (error) => done(error ?? null)),
  });

/**
 * Answers the function that gives the written value of a member. GUIDs stay. Integer IDs and UserIDs belong to one site,
 * so a unique name replaces them. The site itself is left blank.
 */
async function referencesOf(session: Session, { fields }: Resource): Promise<(member: string, value: Value) => Value> {
  const tables = new Map<string, ReadonlyMap<string, string>>();
  for (const [member, { to = [], rule }] of Object.entries(fields)) {
    const target = rule === 'read-only' ? undefined : to.find(isOfOneSite);
    if (target !== undefined) tables.set(member, await namesOf(session, target));
  }
  return (member, value) => {
    if (sameID(value, session.me.site) && fields[member]?.to?.includes('site')) return null;
    return tables.get(member)?.get(String(value)) ?? value;
  };
}

const isOfOneSite = (target: string): boolean =>
  target === 'principal' || (target !== 'site' && resourceNamed(target).id === 'integer');

/** The names of all records of a kind, by ID; without names that several records have. */
async function namesOf(session: Session, target: string): Promise<ReadonlyMap<string, string>> {
  const [resource, id] =
    target === 'principal' ? [resourceNamed('individual'), 'UserID'] : [resourceNamed(target), 'ID'];
  const owners = new Map<string, string | undefined>();
  const names = new Map<string, string>();
  for await (const row of session.find.all(resource.name, 0)) {
    const name = uniqueName(resource, row);
    if (name === undefined) continue;
    const key = textKey(name);
    owners.set(key, owners.has(key) ? undefined : String(row[id]));
    names.set(String(row[id]), name);
  }
  return new Map(
    [...names]
      .filter(([, name]) => owners.get(textKey(name)) !== undefined)
      .map(([of, name]) => [of, asSelector(name)]),
  );
}

function uniqueName({ names }: Resource, row: Row): string | undefined {
  const name = row[names[0] ?? ''];
  return typeof name === 'string' && name !== '' && name.trim() === name ? name : undefined;
}

/** A name that would be read as something else gets the prefix `name:`. */
const asSelector = (name: string): string =>
  /^(?:id|email|name|path):|^\d+$|^me$/.test(name) || looksLikeGuid(name) ? `name:${name}` : name;
