// Names of records that many others refer to, and of the owner of a record: for pm find, and for pages.
import type { Session } from '../../contract/call.ts';
import { orNone } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { listAddresses, listsAll, ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { oncePerText } from '../../text/once-per.ts';
import { type ReferenceNames, referenceNames } from '../selectors/reference-names.ts';

export type RecordNames = Pick<ReferenceNames, 'of'>;

/**
 * Names out of whole lists, each of which a remote service is asked for once, where it has one: the finder keeps the list that
 * it looks into. One that is refused names nothing.
 */
export function recordNames(session: Session): ReferenceNames {
  const names = referenceNames(session);
  const readList = oncePerText(
    async (kind) => isListed(kind) && orNone(session.find.record(kind, { id: NIL }, 'many')),
  );
  return {
    ...names,
    async of(field, value) {
      if (!session.local && value !== null && value !== undefined) await Promise.all((field?.to ?? []).map(readList));
      return names.of(field, value);
    },
  };
}

const isListed = (kind: string): boolean =>
  kind !== 'principal' && listAddresses(resourceNamed(kind), 2).some(listsAll);

const NIL = '00000000-0000-0000-0000-000000000000';

export async function ownerName(names: RecordNames, resource: Resource, row: Row): Promise<string | null> {
  for (const { field } of ownersOf(resource)) {
    const name = await names.of(resource.fields[field], row[field]);
    if (name !== undefined) return name;
  }
  return null;
}
