// What the reading of a file's rows asks of the service, answered by the embedded file or by a remote service's lists.
import type { Records } from '../../changes/rows/records.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { RULES } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/owners.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { textKey } from '../../contract/text-key.ts';
import { findRemote, listedRemote } from '../lookup.ts';
import { resolve } from '../selectors.ts';

/** The records of one session, as the rows of a file are matched with them. */
export function recordsFor(session: Session): Records {
  const { local } = session;
  const source: Pick<Records, 'byID' | 'matching'> = local
    ? { byID: (resource, id) => local.record(resource, id), matching: indexed((name, of) => local.matching(name, of)) }
    : remoteRecords(session);
  return {
    me: session.me,
    ...source,
    resolve: (targets, text) => resolve(session, text, { targets, deleted: 0 }),
  };
}

type Matching = Records['matching'];

/** By a member that no index holds, all records are read once, and not once for each row. */
function indexed(matching: Matching): Matching {
  const known = new Map<string, Promise<ReadonlyMap<string, readonly Row[]>>>();
  return async (name, members) => {
    const resource = resourceNamed(name);
    if (hasIndex(resource, members)) return matching(name, members);
    const key = `${name} ${Object.keys(members).join()}`;
    const groups = known.get(key) ?? matching(name, {}).then((rows) => grouped(resource, Object.keys(members), rows));
    known.set(key, groups);
    return (await groups).get(keyIn(resource, members)) ?? [];
  };
}

function hasIndex(resource: Resource, members: Row): boolean {
  const owners = ownersOf(resource).map(({ field }) => field);
  const names = Object.keys(members);
  return names.length === 0 || names.some((name) => owners.includes(name) || resource.names.includes(name));
}

function grouped(
  resource: Resource,
  names: readonly string[],
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyIn(resource, Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

const keyIn = ({ fields }: Resource, members: Row): string =>
  JSON.stringify(Object.entries(members).map(([name, value]) => comparable(fields[name]?.kind, value)));

/** Texts by their key, dates by their moment. */
function comparable(kind: string | undefined, value: Value): Value {
  if (typeof value !== 'string') return value;
  return kind === 'date' || kind === 'stamp' ? Date.parse(value) : textKey(value);
}

function remoteRecords(session: Session): Pick<Records, 'byID' | 'matching'> {
  const byID = new WeakMap<readonly Row[], ReadonlyMap<string, Row>>();
  return {
    async byID(name, id, owners = {}) {
      const resource = resourceNamed(name);
      const rows = await listedRemote(session, resource, owners).catch(withoutList);
      if (!rows) return (await findRemote(session, resource, id, 2).catch(withoutList)) ?? undefined;
      const known = byID.get(rows) ?? new Map(rows.map((row) => [String(row.ID).toLowerCase(), row]));
      byID.set(rows, known);
      return known.get(id.toLowerCase());
    },
    matching: indexed(async (name, members) => {
      const resource = resourceNamed(name);
      const rows = await listedRemote(session, resource, members);
      return rows.filter((row) =>
        Object.entries(members).every(([member, value]) => same(resource, member, value, row)),
      );
    }),
  };
}

/** Where the service lists the records of one owner alone, they are asked for one by one. */
function withoutList(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'usage') return undefined;
  throw error;
}

function same({ fields }: Resource, name: string, wanted: Value, row: Row): boolean {
  const value = row[name] ?? null;
  const kind = fields[name]?.kind ?? 'text';
  if (typeof wanted === 'string' && typeof value === 'string' && (kind === 'text' || kind === 'guid'))
    return textKey(wanted) === textKey(value);
  return RULES[kind].same(wanted, value);
}
