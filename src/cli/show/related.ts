// The records above and below one: managers and reports, departments, projects; and its owner.
import { text } from '../../contract/field.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { isGone, type Row, type Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { compareText } from '../../text/text-key.ts';
import { texts } from '../output/result.ts';
import { fieldsOf, listOf, type SectionPlan, type Subject } from './section.ts';

/** No chain is longer; a service may have a loop all the same. */
const MOST_ABOVE = 100;

/** A section of the records of a kind that a member leads to. */
type Relation = (
  heading: readonly [name: string, title: string],
  kind: string,
  member: string,
  columns: readonly string[],
) => SectionPlan;

/** The records above, the nearest first, by the member that names the next one. */
export const chain: Relation = ([name, title], kind, member, columns) => ({
  name,
  title,
  fields: fieldsOf(kind, [...columns, 'Deleted']),
  async read({ session, row }) {
    const above: Row[] = [];
    let below = row;
    while (above.length < MOST_ABOVE) {
      const id = below[member];
      if (typeof id !== 'string' || sameID(id, below.ID)) break;
      const next = (await session.find.record(kind, { id }, 'many')).row;
      if (!next || above.some((one) => sameID(one.ID, next.ID))) break;
      above.push({ ...next, Deleted: isGone(next) || null });
      below = next;
    }
    return above;
  },
});

/** The live records that name this one in a member, in the order of a field. */
export const below: Relation = ([name, title], kind, member, columns) => ({
  name,
  title,
  fields: fieldsOf(kind, columns),
  async read({ session, id }) {
    const found = (await session.find.byMembers(kind, { [member]: id })) ?? [];
    const live = found.filter((row) => !isGone(row) && !sameID(row.ID, id));
    const [order = 'ID'] = kind === 'individual' ? ['FullOrderedName'] : ['RankOrder'];
    return live.sort((a, b) => compareText(String(a[order] ?? a.Name), String(b[order] ?? b.Name)));
  },
});

const { name: MEMBERSHIP, operations, fields } = contract.organizationMember;

/** The memberships of a department or an individual, with the names of the department and of whom one reports to, who may be deleted. */
const memberships =
  (by: 'department' | 'individual') =>
  async (subject: Subject): Promise<readonly Row[]> => {
    const rows = await collect(listOf(subject, operations.list, by));
    const named = async (row: Row): Promise<Row> => {
      const { OrganizationID = null, ReportsToID = null, ReportsToFull = null } = row;
      const manager = (await subject.names.of(fields.ReportsToID, ReportsToID)) ?? ReportsToFull;
      const Department = (await subject.names.of(fields.OrganizationID, OrganizationID)) ?? OrganizationID;
      return { ...row, Department, ReportsTo: manager, ReportsToFull: manager };
    };
    return Promise.all(rows.map(named));
  };

export const members: SectionPlan = {
  name: 'Members',
  title: 'Members',
  fields: fieldsOf(MEMBERSHIP, ['Name', 'Title', 'Primary', 'Leader', 'ReportsToFull']),
  read: memberships('department'),
};

/** The departments of an individual, by their names. */
export const departments: SectionPlan = {
  name: 'Departments',
  title: 'Departments',
  fields: {
    ...texts('Department'),
    ...fieldsOf(MEMBERSHIP, ['Title', 'Primary', 'Leader']),
    ReportsTo: text('read-only'),
  },
  read: async (subject) =>
    (await memberships('individual')(subject)).toSorted((a, b) => Number(b.Primary) - Number(a.Primary)),
};

/** The name of the record that this member refers to; its ID where that is not known. */
export const nameBy = async ({ names, resource, row }: Subject, member: string): Promise<Value> =>
  (await names.of(resourceNamed(resource).fields[member], row[member])) ?? row[member] ?? null;
