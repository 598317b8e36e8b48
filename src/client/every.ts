// All records of a resource that a service shows, whether it has one list of them or one for each owner.
import { childTypesOn } from '../contract/child-types.ts';
import { resourceNamed } from '../contract/index.ts';
import { listAddresses, listsAll, type RecordAddress, takesDeleted } from '../contract/record-address.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { type Lists, unlessGone } from './lists.ts';

type Deleted = 0 | 2;

/** Each record once, in no order. */
export async function* everyRecord(
  lists: Lists,
  site: string,
  resource: Resource,
  deleted: Deleted,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  for await (const row of inLists(lists, site, resource, deleted)) {
    const key = identityOf(resource, row);
    if (seen.has(key)) continue;
    seen.add(key);
    yield row;
  }
}

const identityOf = ({ identity }: Resource, row: Row): string =>
  row.ID === undefined ? JSON.stringify(identity.map((name) => row[name])) : String(row.ID);

async function* inLists(lists: Lists, site: string, resource: Resource, deleted: Deleted): AsyncGenerator<Row> {
  const addresses = listAddresses(resource, 0);
  const whole = addresses.find((one) => listsAll(one) && (deleted === 0 || takesDeleted(one)));
  if (whole) return yield* lists.stream(resource, whole, deleted, {});
  const owned = ownedLists(addresses);
  // A list of all that tells no deleted ones still shows those whose owners have no list.
  const open = addresses.find(listsAll);
  if (open && !holdAll(resource, owned)) yield* lists.stream(resource, open, 0, {});
  for (const kind of new Set(owned.map(({ filled }) => filled[0]?.kind)))
    for await (const id of owners(lists, site, kind, deleted))
      for (const [address, members] of listsOf(owned, kind, id))
        yield* ofOwner(lists, resource, address, deleted, members);
}

/** One list for each kind of one owner is enough: a membership has two, and stands in the lists of both. */
function ownedLists(addresses: readonly RecordAddress[]): readonly RecordAddress[] {
  const first = addresses.find((one) => !listsAll(one))?.filled[0]?.member;
  return addresses.filter(({ filled }) => filled[0] !== undefined && filled[0].member === first);
}

function holdAll({ fields }: Resource, owned: readonly RecordAddress[]): boolean {
  const kinds = fields[owned[0]?.filled[0]?.member ?? '']?.to ?? [];
  return owned.length > 0 && kinds.every((kind) => owned.some(({ filled }) => filled[0]?.kind === kind));
}

async function* owners(lists: Lists, site: string, kind: string | undefined, deleted: Deleted): AsyncGenerator<Value> {
  if (kind === 'site') yield site;
  else if (kind !== undefined)
    for await (const { ID = null } of everyRecord(lists, site, resourceNamed(kind), deleted)) yield ID;
}

/** The lists of one owner, with the members that fill their addresses: of rights there is one for each type of children (D19). */
function* listsOf(
  owned: readonly RecordAddress[],
  kind: string | undefined,
  id: Value,
): Generator<readonly [RecordAddress, Row]> {
  for (const address of owned) {
    const [owner, child] = address.filled;
    if (!owner || owner.kind !== kind) continue;
    if (!child) yield [address, { [owner.member]: id }];
    else for (const type of childTypesOn(kind)) yield [address, { [owner.member]: id, [child.member]: type }];
  }
}

/** Where an owner is of another kind than the list is for, it has none there. */
async function* ofOwner(
  lists: Lists,
  resource: Resource,
  address: RecordAddress,
  deleted: Deleted,
  members: Row,
): AsyncGenerator<Row> {
  const rows = lists.stream(resource, address, deleted, members)[Symbol.asyncIterator]();
  for (let next = await unlessGone(() => rows.next()); next && !next.done; next = await unlessGone(() => rows.next()))
    yield next.value;
}
