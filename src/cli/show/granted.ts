// The groups of an individual, and the rights that it is given by itself and through them: the engine alone knows both.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { CHILD_TYPES } from '../../contract/rights.ts';
import { collect } from '../../text/batches.ts';
import { texts } from '../output/result.ts';
import { textField } from '../rights/grant.ts';
import { fieldsOf, type SectionPlan, type Subject } from './section.ts';

const { securityGroup } = contract;

export const groups: SectionPlan = {
  name: 'Groups',
  title: 'Security groups',
  fields: fieldsOf('securityGroup', ['Group', 'Description']),
  read: groupsOf,
};

export const granted: SectionPlan = {
  name: 'Rights',
  title: 'Rights it is given',
  fields: texts('On', 'About', 'Allowed', 'Denied', 'Through'),
  async read(subject) {
    if (!subject.session.local) return [];
    await checkAdministrator(subject.session);
    const through = await groupsOf(subject);
    const own = await rowsOf(subject.session, subject.row.UserID);
    const ofGroups = await Promise.all(through.map(({ ID }) => rowsOf(subject.session, ID)));
    return [
      ...own.map((row) => inWords(row, null)),
      ...through.flatMap(({ Group = null }, at) => (ofGroups[at] ?? []).map((row) => inWords(row, Group))),
    ];
  },
};

/** Others see only rows on what they may delegate: a list of those would pass for the whole. */
async function checkAdministrator({ me, find }: Session): Promise<void> {
  const { row } = await find.record('individual', { id: me.id });
  if (row?.IsAdmin === true || row?.IsGlobalAdmin === true) return;
  throw new ServiceError('admin_only', 'all the rights of an individual are shown to administrators alone');
}

/** The rows of permissions on the record; the list of a service leaves out those that are about its children. */
export const permissionsOn: SectionPlan = {
  name: 'Rights',
  title: 'Rights on it',
  fields: texts('Who', 'About', 'Allowed', 'Denied'),
  async read({ session, resource, id }) {
    const by = resource === 'organization' ? 'department' : resource;
    const listed = await collect(session.list(contract.permission.operations.list, { by, params: { id } }));
    const rows = session.local ? ((await session.find.byMembers('permission', { RowID: id })) ?? []) : listed;
    return rows.map((row) => ({ Who: row.PrincipalName ?? row.PrincipalID ?? null, ...inWords(row, null) }));
  },
};

async function groupsOf({ session, id }: Subject): Promise<readonly Row[]> {
  if (!session.local) return [];
  const found: Row[] = [];
  for (const group of await collect(session.list(securityGroup.operations.list, { by: 'plain' }))) {
    const members = await collect(
      session.list(securityGroup.operations.members, { body: { Group: group.ID ?? null } }),
    );
    if (members.some(({ ID }) => ID === id)) found.push(group);
  }
  return found;
}

const rowsOf = async (session: Session, principal: Value | undefined): Promise<readonly Row[]> =>
  (await session.find.byMembers('permission', { PrincipalID: principal ?? null })) ?? [];

const ACTIONS = ['create', 'read', 'update', 'delete', 'delegate'] as const;

/** One row of permissions: the actions that it allows and denies. */
function inWords(row: Row, group: Value): Row {
  const actions = (state: string): Value =>
    ACTIONS.filter((action) => row[textField(action)] === state).join(', ') || null;
  const about = row.ChildType ?? null;
  return {
    On: row.RowName ?? row.RowID ?? null,
    About: about === null ? null : (CHILD_TYPES[String(about)] ?? about),
    Allowed: actions('Allow'),
    Denied: actions('Deny'),
    Through: group,
  };
}
