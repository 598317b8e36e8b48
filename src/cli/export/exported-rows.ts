// The rows of an export: which records and members it holds, in an order that does not depend on the site.
import { keyText } from '../../changes/rows/keys.ts';
import type { Session } from '../../contract/call.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { isOfSite, keptMembers, sentMembers } from '../../files/image.ts';
import { recordsOf, wholeImage } from '../../sites/site-records.ts';
import { sorted } from '../output/sorting/sort.ts';

export interface Selection {
  readonly deleted: 0 | 2;
  /** All that the site knows of a record: its ID, authors and times, members of groups. Else what a request can set. */
  readonly whole: boolean;
  /** References are names, and so is the record: it has no ID where its key tells it from others. */
  readonly named?: boolean;
}

export interface ExportedRows {
  readonly columns: readonly string[];
  /** The key tells all records apart: their IDs mean nothing on another site. */
  readonly ownIDs: boolean;
  rows(): AsyncIterable<Row>;
}

/** Without values that an archive keeps (D29), which are no current ones. */
export async function exportedRows(session: Session, resource: Resource, selection: Selection): Promise<ExportedRows> {
  const { deleted, whole } = selection;
  const ownIDs = !(await needsID(session, resource, selection));
  const withID = 'ID' in resource.fields && !isOfSite(resource) && (whole || !ownIDs);
  const columns = [
    ...(withID ? ['ID'] : []),
    ...sentMembers(resource),
    ...(whole ? wholeMembers(session, resource) : []),
  ];
  const withHidden = whole && deleted === 2 && ownersOf(resource).length > 0;
  return {
    columns: withHidden ? [...columns, 'DeletedByRef'] : columns,
    ownIDs,
    rows: () => {
      const rows = whole ? wholeRows(session, resource, selection) : recordsOf(session, resource, deleted);
      return isOfSite(resource) ? rows : sorted(rows, orderOf(resource), resource.fields);
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

/** Is a record hidden by what it belongs to? The engine says it of each; a service shows it by what it leaves out. */
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
