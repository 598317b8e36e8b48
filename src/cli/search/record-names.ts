// Names of records by their IDs, and whose a record is: for what is found, and for what a page shows.
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { listAddresses, listsAll, ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';

/** Names of records. */
export interface RecordNames {
  /** The name of the record with this ID, of one of these kinds; undefined where none is known. */
  of(kinds: readonly string[], id: Value | undefined): Promise<string | undefined>;
}

/**
 * Looks names up, each once. On a remote service only whole lists are read for that, each once: never a record by itself.
 */
export function recordNames(session: Session): RecordNames {
  const known = new Map<string, Promise<string | undefined>>();
  const isListed = (kind: string): boolean =>
    session.local !== undefined || listAddresses(resourceNamed(kind), 2).some(listsAll);
  const look = async (kinds: readonly string[], id: string): Promise<string | undefined> => {
    for (const kind of kinds.filter((one) => !NAMELESS.includes(one) && isListed(one))) {
      const name = nameIn(await session.find.record(kind, { id }, 'many').catch(unlessRefused));
      if (name !== undefined) return name;
    }
    return undefined;
  };
  return {
    of: (kinds, id) => {
      const key = `${kinds.join()} ${String(id)}`;
      const name = known.get(key) ?? (isID(id) ? look(kinds, String(id)) : Promise.resolve(undefined));
      known.set(key, name);
      return name;
    },
  };
}

const isID = (value: Value | undefined): boolean => typeof value === 'string' || typeof value === 'number';

/** The site is the same for all; a principal is named by another ID. */
const NAMELESS: readonly string[] = ['site', 'principal'];

function nameIn({ row }: { readonly row?: Row }): string | undefined {
  const name = row?.FullName ?? row?.Name;
  return typeof name === 'string' ? name : undefined;
}

/** A list that is refused names nothing. */
function unlessRefused(error: unknown): { readonly row?: Row } {
  if (isRefusal(error)) return {};
  throw error;
}

/** Does the service not answer this, or not to this caller? */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  (error.exit === EXIT.forbidden || error.exit === EXIT.notFound || error.code === 'unsupported');

/** The name of the first owner that has one. */
export async function ownerName(names: RecordNames, resource: Resource, row: Row): Promise<string | null> {
  for (const { field, targets } of ownersOf(resource)) {
    const name = await names.of(targets, row[field]);
    if (name !== undefined) return name;
  }
  return null;
}
