// Who gains and who loses which right by a plan, and by what: two moments of a site are compared, on the embedded engine.
import type { Local } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { idKey } from '../../contract/kinds.ts';
import type { RecordNamed } from '../../contract/next.ts';
import { type PicturedRecord, type RightsPicture, type RightsReason, wishesOn } from '../../contract/rights.ts';
import { grouped } from '../../text/batches.ts';
import { valueAt } from '../../text/once-per.ts';

/** Rights that one individual gains or loses for one reason. */
export interface MovedRights extends Pick<RightsReason, 'by' | 'role'> {
  readonly who: PicturedRecord;
  readonly isGained: boolean;
  /** The record on which the permission stands, the site of an administrator, or whose own or report the individual is. */
  readonly place: PicturedRecord;
  /** How many records of each kind, by the action. */
  readonly rights: Map<string, { readonly action: string; readonly resource: string; count: number }>;
}

/** Begins before the changes. Throws `admin_only`. */
export async function openRightsComparison(local: Local, isLate: () => boolean) {
  const before = await local.rightsPicture();
  let after: RightsPicture | undefined;
  let pairs: ReadonlyMap<string, readonly PicturedRecord[]> = new Map();
  let then: Awaited<ReturnType<Local['rightsReasons']>>;
  return {
    /** Looks at the site with the changes made. */
    async made({ local: changed }: { readonly local?: Local }): Promise<void> {
      if (!changed || isLate()) return;
      after = await changed.rightsPicture();
      pairs = pairsOf(before, after);
      then = await changed.rightsReasons(pairs, isLate);
    },
    /** Called when the changes are taken back. Undefined if it was late before all was compared. */
    async result(): Promise<readonly MovedRights[] | undefined> {
      const now = after && then && (await local.rightsReasons(pairs, isLate));
      return after && then && now && movedIn({ before, after, pairs, now, then });
    },
  };
}

/** For each individual the records on which its rights may be others: few of all. */
function pairsOf(before: RightsPicture, after: RightsPicture): ReadonlyMap<string, readonly PicturedRecord[]> {
  const all = new Map([...before.records, ...after.records]);
  const belowThem = belowIn([before, after]);
  const changed = [...all.keys()].filter((key) => {
    const [one, other] = [before.records.get(key), after.records.get(key)];
    return one?.sign !== other?.sign || one?.live !== other?.live;
  });
  const moved = belowThem(changed);
  const pairs = new Map<string, readonly PicturedRecord[]>();
  for (const who of new Set([...before.people.keys(), ...after.people.keys()])) {
    const [one, other] = [before.people.get(who), after.people.get(who)];
    const isOther = one?.administrates !== other?.administrates && [one, other].some(isAdministrator);
    const places = [...new Set([...(one?.grants.keys() ?? []), ...(other?.grants.keys() ?? [])])];
    const regranted = belowThem(places.filter((key) => one?.grants.get(key) !== other?.grants.get(key)));
    const keys = isOther ? new Set(all.keys()) : new Set([...(one && other ? moved : []), ...regranted]);
    const records = [...keys].flatMap((key) => all.get(key) ?? []);
    if (records.length > 0) pairs.set(who, records);
  }
  return pairs;
}

const isAdministrator = (one: { readonly administrates: string } | undefined): boolean =>
  one?.administrates.includes('true') === true;

/** Answers these records and all that inherit from them, in either picture. */
function belowIn(pictures: readonly RightsPicture[]): (keys: readonly string[]) => ReadonlySet<string> {
  const owned = pictures.flatMap(({ records }) =>
    [...records].flatMap(([key, { above }]) => above.map((owner) => ({ key, owner }))),
  );
  const below = grouped(owned, ({ owner }) => owner);
  return (keys) => {
    const reached = new Set(keys);
    // A set hands out what is added while it is read.
    for (const one of reached) for (const { key } of below.get(one) ?? []) reached.add(key);
    return reached;
  };
}

interface Compared {
  readonly before: RightsPicture;
  readonly after: RightsPicture;
  readonly pairs: ReadonlyMap<string, readonly RecordNamed[]>;
  readonly now: ReadonlyMap<string, readonly RightsReason[]>;
  readonly then: ReadonlyMap<string, readonly RightsReason[]>;
}

/**
 * The rights that differ. Of individuals and records that are there at one of both moments only what permissions on them say
 * counts, or that an individual is an administrator: that everybody may read a new department is no news.
 */
function movedIn({ before, after, pairs, now, then }: Compared): readonly MovedRights[] {
  const moved = new Map<string, MovedRights>();
  const named = (key: string): PicturedRecord | undefined => after.records.get(key) ?? before.records.get(key);
  const stays = (key: string): boolean =>
    before.records.get(key)?.live === true && after.records.get(key)?.live === true;
  for (const [who, records] of pairs) {
    const person = named(`individual ${idKey(who)}`);
    const isKnown = before.people.has(who) && after.people.has(who);
    let at = 0;
    for (const { resource, id } of records) {
      const isLasting = stays(`${resource} ${idKey(id)}`);
      for (const { action, of } of wishesOn(resourceNamed(resource))) {
        const [one, other] = [now.get(who)?.[at], then.get(who)?.[at]];
        at++;
        if (!one || !other || one.allowed === other.allowed) continue;
        const [allowed, denied] = one.allowed ? [one, other] : [other, one];
        const reason = allowed.by === 'default' && denied.by === 'row' ? denied : allowed;
        const place = named(reason.place ?? '');
        const isCounted = isKnown ? isLasting || !stays(reason.place ?? '') : true;
        if (!person || !place || !isCounted || ((!isKnown || !isLasting) && allowed.by === 'default')) continue;
        const key = [who, other.allowed, reason.by, reason.role, reason.place].join(' ');
        const entry = { ...reason, who: person, isGained: other.allowed, place, rights: new Map() };
        const { rights } = valueAt(moved, key, () => entry);
        valueAt(rights, `${action} ${of.name}`, () => ({ action, resource: of.name, count: 0 })).count++;
      }
    }
  }
  return [...moved.values()].sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

const orderOf = ({ who, isGained, place }: MovedRights): string => [who.name, isGained ? 0 : 1, place.name].join('\n');
