// The records of a strange service, and what its requests make of them.
import { ME } from './fake-server.ts';
import { type Habits, MORE } from './strange-habits.ts';
import { type Asked, hasUndelete, isParameter } from './strange-requests.ts';
import { type Fields, membersOf, readOnlyMembers } from './strange-xml.ts';

type Stored = Record<string, unknown>;

export interface StrangeRecords {
  all(group: string): readonly Fields[];
  /** Puts a record in, past every rule. */
  put(group: string, record: Fields): void;
  /** The record or the list that is asked for; undefined where there is none. */
  read(asked: Asked): Fields | readonly Fields[] | undefined;
  /** Does what is asked for; answers the record, undefined where there is none, `taken` where its ID is. `body` reads the body. */
  write(asked: Asked, body: () => Fields): Fields | 'taken' | undefined;
}

/** An empty store. `habits` answers those of the moment. */
export function strangeRecords(habits: () => Habits): StrangeRecords {
  const groups = new Map<string, Stored[]>();
  let given = 0;
  const of = (group: string): Stored[] => {
    const records = groups.get(group) ?? [];
    groups.set(group, records);
    return records;
  };
  const hidden = new Set<Fields>();
  /** How many reads do not show a new record yet. */
  const late = new Map<Fields, number>();
  const isLate = (record: Fields): boolean => {
    const left = late.get(record) ?? 0;
    late.set(record, left - 1);
    return left > 0;
  };
  /** Records as they were before an update, and how many reads show them so. */
  const old = new Map<Fields, { readonly was: Fields; left: number }>();
  const asSeen = (record: Fields): Fields => {
    const before = old.get(record);
    return before && before.left-- > 0 ? before.was : record;
  };
  const more = (): Fields =>
    habits().knowsMore ? Object.fromEntries(MORE.map((name) => [name, `${name} ${++given}`])) : {};
  const created = (asked: Asked, body: Fields): Fields | 'taken' => {
    const records = of(asked.group);
    if (!habits().givesIDs && records.some(({ ID }) => body.ID !== undefined && ID === body.ID)) return 'taken';
    const kept = Object.fromEntries(habits().keeps.map((name) => [name, null]));
    const fixed = newMembers(asked, records, body);
    const record = { ...more(), ...writableIn(asked, body, habits()), ...kept, ...fixed };
    records.push(record);
    if (habits().hidesNew) hidden.add(record);
    if (habits().lags > 0) late.set(record, habits().lags);
    return record;
  };
  const newMembers = ({ group }: Asked, records: readonly Fields[], body: Fields): Fields => {
    const isNumbered = records.some(({ ID }) => typeof ID === 'number') || NUMBERED.includes(group);
    const own = isNumbered ? ++given : `f0000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;
    const ID = habits().givesIDs || isNumbered ? own : (body.ID ?? own);
    return { ID, SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  };
  return {
    all: (group) => groups.get(group) ?? [],
    put: (group, record) => void of(group).push({ ...more(), ...record }),
    read: (asked) =>
      found(
        habits().showsDeleted && asked.deleted === '0' ? { ...asked, deleted: '2' } : asked,
        of(asked.group)
          .filter((record) => !hidden.has(record) && !isLate(record))
          .map(asSeen),
      ),
    write(asked, body) {
      const { method, group, segments, params } = asked;
      if (method === 'POST') return created(asked, body());
      const record = of(group).find(({ ID }) => sameText(ID, params.at(-1)));
      const isUndelete = segments.at(-1) === 'undelete';
      if (!record || (record.Deleted === true && method === 'PUT' && !isUndelete)) return undefined;
      if (habits().lagsBehind > 0) old.set(record, { was: { ...record }, left: habits().lagsBehind });
      if (isUndelete && habits().renews) record.ID = `e0000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;
      if (method === 'DELETE') return deleted(group, of(group), record);
      return isUndelete ? undeleted(record, habits()) : updated(asked, record, body(), habits());
    },
  };
}

/** Groups whose IDs are numbers. */
const NUMBERED: readonly string[] = ['colors', 'commitments'];

const sameText = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase();

function storedValue(value: unknown, { trims, manner }: Habits): unknown {
  if (manner === 'writes empty texts for null' && value === '') return null;
  if (manner === 'writes numbers as texts' && typeof value === 'string' && /^\d{1,9}$/.test(value))
    return Number(value);
  return trims && typeof value === 'string' ? value.trim() : value;
}

const writableIn = ({ type }: Asked, body: Fields, habits: Habits): Fields =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !readOnlyMembers(type).has(name))
      .map(([name, value]) => [name, storedValue(value, habits)]),
  );

function updated({ type }: Asked, record: Stored, body: Fields, habits: Habits): Fields {
  const fixed = new Set([...readOnlyMembers(type), 'ID', 'SiteID', ...habits.keeps]);
  for (const name of membersOf(type, record, false)) {
    if (fixed.has(name)) continue;
    if (habits.forgets.includes(name)) record[name] = null;
    else if (name in body) record[name] = storedValue(body[name], habits);
    else if (habits.replaces) record[name] = null;
  }
  return record;
}

function deleted(group: string, records: Stored[], record: Stored): Fields {
  if (hasUndelete(group)) record.Deleted = true;
  else records.splice(records.indexOf(record), 1);
  return record;
}

function undeleted(record: Stored, { keeps, toggles }: Habits): Fields {
  if (!keeps.includes('Deleted')) record.Deleted = toggles && record.Deleted !== true;
  return record;
}

/** What a read finds among the records of its group. */
function found(
  { segments, params, deleted }: Asked,
  records: readonly Fields[],
): Fields | readonly Fields[] | undefined {
  const last = segments.at(-1);
  if (segments.join() === 'me') return ME_RECORD;
  if (last === 'settings') return { ID: ME.SiteID };
  if (isParameter(last) && last !== '{childtype}' && last !== '{type}')
    return records.find((record) => record.Deleted !== true && sameText(record.ID, params.at(-1)));
  const owner = segments[0] === 'me' ? ME.ID : params[0];
  const isShown = ({ Deleted }: Fields): boolean => deleted === '2' || (Deleted === true) === (deleted === '1');
  const isOf = (record: Fields): boolean =>
    owner === undefined || sameText(owner, ME.SiteID) || Object.values(record).some((value) => sameText(value, owner));
  return records.filter((record) => isShown(record) && isOf(record));
}

/** The administrator `ann`. */
export const ME_RECORD: Fields = {
  ...ME,
  ...{ FirstName: 'Ann', LastName: 'Lee', Email: 'ann@example.com', UserEmail: 'ann@example.com', IsAdmin: true },
  ...{ UserID: ME.ID, PrimaryTitle: 'Head', Deleted: false, DeletedByRef: false },
};
