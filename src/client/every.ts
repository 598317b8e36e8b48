// All records of a resource that a service shows, whether it has one list of them or one for each owner.
import { resourceNamed } from '../contract/index.ts';
import { listAddresses, listsAll, type RecordAddress, takesDeleted } from '../contract/record-address.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { type Lists, type Piece, unlessGone } from './lists.ts';

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
  if (whole) return yield* lists.stream(resource, [whole, {}], deleted);
  const owned = ownedLists(addresses);
  // A list of all that tells no deleted ones still shows those whose owners have no list.
  const open = addresses.find(listsAll);
  if (open && !holdAll(resource, owned)) yield* lists.stream(resource, [open, {}], 0);
  for (const address of owned)
    for await (const members of ownersAt(lists, site, address, deleted))
      for (const piece of await lists.pieces(resource, address, members))
        yield* ofOwner(lists, resource, piece, deleted);
}

/** One list for each kind of one owner is enough: a membership has two, and stands in the lists of both. */
function ownedLists(addresses: readonly RecordAddress[]): readonly RecordAddress[] {
  const first = addresses.find((one) => !listsAll(one))?.filled[0]?.member;
  return addresses.filter(({ filled: [owner, ...more] }) => owner?.member === first && owner && more.length === 0);
}

function holdAll({ fields }: Resource, owned: readonly RecordAddress[]): boolean {
  const kinds = fields[owned[0]?.filled[0]?.member ?? '']?.to ?? [];
  return owned.length > 0 && kinds.every((kind) => owned.some(({ filled }) => filled[0]?.kind === kind));
}

/** Every owner that an address may be filled with, as the member that fills it. */
async function* ownersAt(
  lists: Lists,
  site: string,
  { filled: [owner] }: RecordAddress,
  deleted: Deleted,
): AsyncGenerator<Row> {
  if (!owner?.kind) return;
  if (owner.kind === 'site') return yield { [owner.member]: site };
  for await (const { ID = null } of everyRecord(lists, site, resourceNamed(owner.kind), deleted))
    yield { [owner.member]: ID };
}

/** Where an owner is of another kind than the list is for, it has none there. */
async function* ofOwner(lists: Lists, resource: Resource, piece: Piece, deleted: Deleted): AsyncGenerator<Row> {
  const rows = lists.stream(resource, piece, deleted)[Symbol.asyncIterator]();
  for (let next = await unlessGone(() => rows.next()); next && !next.done; next = await unlessGone(() => rows.next()))
    yield next.value;
}
