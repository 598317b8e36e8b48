// Names of the records that members refer to, for people. A command looks up each record once.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Field, Fields } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { guidsIn, idKey } from '../../contract/kinds.ts';
import { isGone, nameOf, type Row, type Value } from '../../contract/resource.ts';
import { targetResource } from '../names.ts';
import type { NameOf } from '../output/result.ts';

export type ReferenceNames = ReturnType<typeof referenceNames>;

/** The records of a kind that a remote service is asked for besides the lists that were read: one before, one after. */
const MOST_READS = 2;
/** So many names are kept: a file may have millions of rows. */
const MOST_KNOWN = 50_000;

/** A record that cannot be read has no name. Without a session, only added records have one. */
export function referenceNames(session: Session | undefined) {
  const known = new Map<string, Promise<string | undefined>>();
  const read = readerOn(session);
  const keep = (key: string, name: Promise<string | undefined>): Promise<string | undefined> => {
    const [oldest] = known.size < MOST_KNOWN ? [] : known.keys();
    if (oldest !== undefined) known.delete(oldest);
    known.set(key, name);
    return name;
  };
  const nameOfOne = async (targets: readonly string[], id: string): Promise<string | undefined> => {
    for (const target of targets) {
      const key = keyOf(target, id);
      const name = await (known.get(key) ?? keep(key, nameIn(target, read(target, id))));
      if (name !== undefined) return name;
    }
    return undefined;
  };
  return {
    /** The names of the records that a member names by their IDs; undefined if no record is named. */
    async of(field: Field | undefined, value: Value | undefined): Promise<string | undefined> {
      if (!field?.to || value === null || value === undefined) return undefined;
      const { to } = field;
      const ids = field.kind === 'guids' ? guidsIn(value).map(String) : [String(value)];
      const names = await Promise.all(ids.map((id) => nameOfOne(to, id)));
      if (names.every((name) => name === undefined)) return undefined;
      return names.map((name, at) => name ?? ids[at]).join(', ');
    },
    /** Names a record that is not there yet. */
    add(resource: string, id: unknown, record: Readonly<Record<string, unknown>>): void {
      keep(keyOf(resource, id), Promise.resolve(nameOf(resourceNamed(resource), record)));
    },
  };
}

/** The names of all records of these kinds, by their IDs; undefined if a service lists none of the kinds. */
export async function namesAmong({ find }: Session, targets: readonly string[]) {
  const names = new Map<string, string>();
  let isListed = false;
  for (const target of targets) {
    const resource = targetResource(target);
    const rows = await find.byMembers(resource.name, {});
    isListed ||= rows !== undefined;
    for (const row of rows ?? [])
      names.set(idKey(target === 'principal' ? row.UserID : row.ID), nameOf(resource, row) ?? '');
  }
  return isListed ? names : undefined;
}

/** The names of those whose record it is, by the members that name them: what a record without a name is called. */
export async function namesOfOwners(
  names: Pick<ReferenceNames, 'of'>,
  fields: Fields,
  owners: Row,
): Promise<string | undefined> {
  const all = Object.entries(owners).map(([field, value]) => names.of(fields[field], value));
  return (await Promise.all(all)).filter(Boolean).join(', ') || undefined;
}

const keyOf = (resource: string, id: unknown): string => `${resource} ${idKey(id)}`;

async function nameIn(target: string, reading: Promise<Row | undefined>): Promise<string | undefined> {
  try {
    const row = await reading;
    const name = nameOf(targetResource(target), row);
    return row && name !== undefined && isGone(row) ? `${name} (deleted)` : name;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function readerOn(session: Session | undefined): (target: string, id: string) => Promise<Row | undefined> {
  if (!session) return async () => undefined;
  const { find, local } = session;
  const reads = new Map<string, number>();
  return async (target, id) => {
    if (target === 'principal') return (await find.byMembers('individual', { UserID: id }))?.[0];
    const { row } = await find.record(target, { id }, 'cached');
    const count = reads.get(target) ?? 0;
    // The site is the same of all records.
    if (row || local || target === 'site' || count >= MOST_READS) return row;
    reads.set(target, count + 1);
    return (await find.record(target, { id }, 'listed')).row;
  };
}

/** The name of a record that one with these fields refers to: the one that stands beside the ID, or that of the record. */
export const namesIn =
  (fields: Fields, names: ReferenceNames): NameOf =>
  async (row, column) => {
    const [field, value] = [fields[column], row[column] ?? null];
    return field?.to && value !== null ? (nameBeside(row, column) ?? names.of(field, value)) : undefined;
  };

/** PhaseID stands beside Phase, AncestorID beside AncestorName. */
function nameBeside(row: Row, column: string): string | undefined {
  const word = column.replace(/ID$/, '');
  const texts = [`${word}Name`, `${word}FullName`, ...(word === column ? [] : [word])].map((name) => row[name]);
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}
