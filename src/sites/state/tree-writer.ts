// Writes a site as a folder that people read and keep in git: names in place of IDs, no authors, no times, no secrets.
import { escapeNull, SITE } from '../../changes/rows/cells.ts';
import { keyText } from '../../changes/rows/keys.ts';
import type { Session } from '../../contract/call.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import { contract } from '../../contract/index.ts';
import { dayWritten, idKey } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { collect, grouped } from '../../text/batches.ts';
import { compareText, textKey } from '../../text/text-key.ts';
import { recordsOf } from '../site-records.ts';
import { aboveMember, declarable, hasFolder, holderMember, listsIn, MEMBERS, ownMembers } from './layout.ts';
import { referencesOf } from './references.ts';

export interface SiteFile {
  /** From the folder on, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The records of a resource, in the order in which they are written. */
interface Kind {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  /** By the ID of the record in whose file they stand; those without one under an empty text. */
  readonly byHolder: ReadonlyMap<string, readonly Row[]>;
  /** By the ID of the record of the same kind that they stand below. */
  readonly byAbove: ReadonlyMap<string, readonly Row[]>;
  readonly written: (member: string, value: Value) => Value;
  /** The key of a record does not tell it from another one. */
  isTwin(row: Row): boolean;
}

type Kinds = ReadonlyMap<Resource, Kind>;

/** The files of a site, those of its own lists first. `onLeftOut` is called with the error of a resource that may not be read. */
export async function* siteFiles(
  session: Session,
  onLeftOut: (resource: Resource, error: unknown) => void,
): AsyncGenerator<SiteFile> {
  const yaml = await import('yaml');
  const kinds = new Map<Resource, Kind>();
  for (const resource of declarable) {
    try {
      kinds.set(resource, await kindOf(session, resource));
    } catch (error) {
      onLeftOut(resource, error);
    }
  }
  // A long text is not folded, so that a changed word changes one line.
  const textOf = (value: unknown): string => yaml.stringify(value, { lineWidth: 0 });
  for (const { resource, byHolder } of kinds.values()) {
    const own = hasFolder(resource) ? [] : (byHolder.get('') ?? []);
    if (own.length > 0)
      yield { path: `${resource.command}.yaml`, text: textOf(own.map((row) => declared(kinds, resource, row))) };
  }
  for (const kind of kinds.values()) if (hasFolder(kind.resource)) yield* folderOf(kinds, kind, textOf);
}

async function kindOf(session: Session, resource: Resource): Promise<Kind> {
  const { fields, key, identity } = resource;
  const written = await referencesOf(session, resource, true);
  const records = await collect(recordsOf(session, resource, 0));
  const all = resource.name === 'securityGroup' ? await withUsers(session, records) : records;
  const rows = inOrder(resource, all, written);
  const members = key.length > 0 ? key : identity;
  const alike = grouped(rows, (row) => keyText(fields, members, row));
  const [holder = '', above = ''] = [holderMember(resource), aboveMember(resource)];
  return {
    resource,
    rows,
    written,
    byHolder: grouped(rows, (row) => idOrNone(row[holder])),
    byAbove: grouped(rows, (row) => idOrNone(row[above])),
    isTwin: (row) => members.length > 0 && (alike.get(keyText(fields, members, row))?.length ?? 0) > 1,
  };
}

/** The user names of the members of security groups, which the embedded engine alone tells. */
async function withUsers({ local, list }: Session, groups: readonly Row[]): Promise<readonly Row[]> {
  const { members } = contract.securityGroup.operations;
  const withMembers = async (row: Row): Promise<Row> => {
    const users = await collect(list(members, { body: { Group: row.ID } }));
    return {
      ...row,
      [MEMBERS]: users
        .map(({ UserName }) => String(UserName))
        .sort()
        .join('\n'),
    };
  };
  return local ? Promise.all(groups.map(withMembers)) : groups;
}

const idOrNone = (id: Value | undefined): string => (id == null ? '' : idKey(id));

/** By the place in the list, and then by all that is written, so that equal sites give equal files. */
function inOrder({ order, key, fields }: Resource, rows: readonly Row[], written: Kind['written']): readonly Row[] {
  const said = order === 'tree' ? ['Rank', 'Name'] : order.filter((name) => !name.includes('.'));
  const names = [...new Set([...said.map((name) => name.replace('-', '')), ...key, 'ID'])];
  const compared = names.map((name) => ({ name, isNumber: ['integer', 'byte'].includes(fields[name]?.kind ?? '') }));
  return rows.toSorted((one, other) => {
    for (const { name, isNumber } of compared) {
      const [a, b] = [written(name, one[name] ?? null), written(name, other[name] ?? null)];
      const sign = isNumber ? Number(a) - Number(b) : compareText(String(a), String(b));
      if (sign !== 0) return sign;
    }
    return 0;
  });
}

/** A record with the lists of its own records. An empty list is left out: it is not declared. */
function declared(kinds: Kinds, resource: Resource, row: Row): Readonly<Record<string, unknown>> {
  const kind = kinds.get(resource) as Kind;
  const { fields } = resource;
  const above = aboveMember(resource);
  const members: Record<string, unknown> = {};
  // Numbers are each site's own, and mean another record elsewhere.
  if (kind.isTwin(row) && resource.id === 'guid' && fields.ID?.rule !== 'read-only') members.ID = row.ID;
  for (const name of ownMembers(resource)) {
    const field = fields[name];
    const value = kind.written(name, row[name] ?? null);
    // Its place says what it is below.
    if (!field || name === above) continue;
    if (value !== null)
      members[name] = field.kind === 'guids' ? String(value).split(' ') : cellOf(dayWritten(field, value));
    else if (mayBelongToSite(field)) members[name] = SITE;
  }
  if (row[MEMBERS]) members[MEMBERS] = String(row[MEMBERS]).split('\n');
  for (const [name, list] of listsIn(resource)) {
    const below = kinds.get(list);
    const rows = (list === resource ? below?.byAbove : below?.byHolder)?.get(idKey(row.ID)) ?? [];
    // A record below another one of its kind stands there.
    const isTop = (one: Row): boolean => list === resource || one[aboveMember(list) ?? ''] == null;
    const tops = rows.filter(isTop);
    if (tops.length > 0) members[name] = tops.map((one) => declared(kinds, list, one));
  }
  return members;
}

const cellOf = (value: Value): Value => (typeof value === 'string' ? escapeNull(value) : value);

/** A file for each record, below that of the record above it. */
function* folderOf(kinds: Kinds, { resource, rows, byAbove }: Kind, textOf: (value: unknown) => string) {
  const ids = new Set(rows.map(({ ID }) => idKey(ID)));
  const above = aboveMember(resource) ?? '';
  const isTop = (row: Row): boolean => !ids.has(idOrNone(row[above]));
  const filesIn = function* (folder: string, records: readonly Row[]): Generator<SiteFile> {
    const taken = new Set<string>();
    for (const row of records) {
      const path = `${folder}/${freeName(String(row[resource.names[0] ?? ''] ?? ''), taken)}`;
      yield { path: `${path}.yaml`, text: textOf(declared(kinds, resource, row)) };
      if (above !== '') yield* filesIn(path, byAbove.get(idKey(row.ID)) ?? []);
    }
  };
  yield* filesIn(resource.command, above === '' ? rows : rows.filter(isTop));
}

/** Names of devices, which Windows takes for no files. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const LONGEST = 80;

/** A name of a file on every system; the second one that differs in letters of no account ends in `~2`. */
function freeName(name: string, taken: Set<string>): string {
  const plain = textKey(name)
    .replaceAll(/[^\p{L}\p{N}._@+-]+/gu, '-')
    .slice(0, LONGEST)
    .replaceAll(/[-.]{2,}/g, '-')
    .replaceAll(/^[-.]|[-.]$/g, '');
  const base = plain === '' || RESERVED.test(plain.split('.')[0] ?? '') ? `_${plain}` : plain;
  for (let number = 1; ; number++) {
    const free = number === 1 ? base : `${base}~${number}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}
