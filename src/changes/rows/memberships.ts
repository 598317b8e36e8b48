// The primary membership of an individual is another view of the `Primary…` members of its record (D14): a row that changes
// these will change that one too, and a new individual comes with it.
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Change } from '../plan/change.ts';
import type { ForeseenAs, Records } from './existing-records.ts';

export interface Memberships {
  /** A row about an individual: the record as it stands, where it is there, and what is to become of it. */
  note(id: string, found: Row | undefined, changes: readonly Change[]): void;
  /** The memberships of an individual as they will be; undefined where none will be another one than it is. */
  of(individual: Value | undefined): Promise<readonly Row[]> | undefined;
}

interface Individual {
  readonly isNew: boolean;
  /** What its primary membership will say. */
  readonly primary: Row;
  memberships?: Promise<readonly Row[]>;
}

const MEMBERS = {
  OrganizationID: 'PrimaryOrganizationID',
  ReportsToID: 'PrimaryReportsTo',
  Title: 'PrimaryTitle',
} as const;

/** `newID` makes the IDs by which memberships that come with a new individual are told apart here. */
export function membershipsOf(
  { find }: Pick<Records, 'find'>,
  newID: () => string,
  as: WeakMap<Row, ForeseenAs>,
): Memberships {
  const individuals = new Map<string, Individual>();
  const read = async (id: string, { isNew, primary }: Individual): Promise<readonly Row[]> => {
    const there = isNew ? [] : await find.beside('organizationMember', { IndividualID: id });
    return withPrimary(there ?? [], { IndividualID: id, ...primary }, newID, as);
  };
  return {
    note(id, found, changes) {
      const values = Object.assign({}, ...changes.map(({ body, patch }) => body ?? patch)) as Row;
      if (!Object.values(MEMBERS).some((name) => values[name] !== undefined)) return;
      const now: Row = { ...found, ...values };
      const primary = Object.fromEntries(Object.entries(MEMBERS).map(([to, from]) => [to, now[from] ?? null]));
      individuals.set(idKey(id), { isNew: !found, primary: { ...primary, Primary: true } });
    },
    of(individual) {
      const one = individuals.get(idKey(individual));
      if (one) one.memberships ??= read(idKey(individual), one);
      return one?.memberships;
    },
  };
}

/** The membership in the primary department is the primary one; else the one that was primary moves there. */
function withPrimary(
  all: readonly Row[],
  wanted: Row,
  newID: () => string,
  as: WeakMap<Row, ForeseenAs>,
): readonly Row[] {
  const foreseen = (row: Row, how: ForeseenAs): Row => {
    as.set(row, how);
    return row;
  };
  const before = all.find(({ Primary }) => Primary === true);
  const primary = all.find(({ OrganizationID }) => sameID(OrganizationID, wanted.OrganizationID)) ?? before;
  if (!primary) return [...all, foreseen({ ID: newID(), Leader: false, ...wanted }, 'made')];
  return all.map((one) => {
    if (one === primary) return foreseen({ ...one, ...wanted }, 'changed');
    return one === before ? foreseen({ ...one, Primary: false }, 'changed') : one;
  });
}
