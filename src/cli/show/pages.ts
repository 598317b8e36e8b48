// The pages that pm shows: of an individual, a department and a project, section by section.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { date } from '../../contract/field.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { CHILD_TYPES } from '../../contract/rights.ts';
import { collect } from '../../text/batches.ts';
import { tableClock } from '../context.ts';
import { recordHistory } from '../history/lines.ts';
import { byName, HISTORY_WHOLE, historyRows } from '../history/shown.ts';
import { texts } from '../output/result.ts';
import { ACTIONS, permissionRows, textField } from '../rights/grant.ts';
import { below, chain, departments, members } from './related.ts';
import { fieldsOf, listed, type PagePlan, type SectionPlan, type Subject } from './section.ts';

const { securityGroup } = contract;

const groups: SectionPlan = {
  name: 'Groups',
  title: 'Security groups',
  fields: fieldsOf('securityGroup', ['Group', 'Description']),
  read: groupsOf,
};

const granted: SectionPlan = {
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

/** Others see only rows on objects that they may delegate: a list of those would pass for the whole. */
async function checkAdministrator({ me, find }: Session): Promise<void> {
  const { row } = await find.record('individual', { id: me.id });
  if (row?.IsAdmin === true || row?.IsGlobalAdmin === true) return;
  throw new ServiceError('admin_only', 'all the rights of an individual are shown to administrators alone');
}

/** The rows of permissions on the record; the list of a service leaves out those that are about its children. */
const permissionsOn: SectionPlan = {
  name: 'Rights',
  title: 'Rights on it',
  fields: texts('Who', 'About', 'Allowed', 'Denied'),
  async read({ session, resource, id }) {
    const listed = await permissionRows(session, resource, id, null);
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

/** The most lines of the last changes. */
const NEWEST = 10;

/** The newest first: from the history of the engine, or from the jobs of pm itself on a remote service. */
const lastChanges: SectionPlan = {
  name: 'Changes',
  title: 'Last changes',
  fields: { At: date('read-only'), ...texts('Who', 'What', 'Field', 'Before', 'After') },
  whole: HISTORY_WHOLE,
  async read(subject) {
    const rows: Row[] = [];
    const style = byName(subject.names, await tableClock(subject.context));
    const { context, session, resource, id } = subject;
    for await (const line of recordHistory(context, session, resourceNamed(resource), id)) {
      // The first values of a record stand above already.
      const shown = line.what === 'create' ? { ...line, changes: [] } : line;
      rows.push(...(await historyRows(shown, style)));
      if (rows.length >= NEWEST) break;
    }
    return rows.slice(0, NEWEST);
  },
};

const LIST: readonly string[] = ['Name', 'Description'];

/** The lists that records of several kinds have, each at the address of this kind. */
const ownLists = (by: 'individual' | 'department'): readonly SectionPlan[] => [
  listed(['Commitments', 'Commitments of the period'], contract.commitment.operations.list, by, [
    ...['Name', 'DueDate', 'Completed', 'MeasuresCompleted', 'MeasuresTotal'],
  ]),
  listed(['Projects', 'Projects'], contract.project.operations.list, by, ['Name', 'AncestorName', 'Phase', 'Status']),
];

const measured = (by: 'individual' | 'department' | 'project'): readonly SectionPlan[] => [
  listed(['Metrics', 'Metrics'], contract.metric.operations.list, by, LIST),
  listed(['Dialogs', 'Dialogs'], contract.dialog.operations.list, by, ['Name', 'DialogDate', 'Location']),
  listed(['Comments', 'Comments'], contract.comment.operations.list, by, ['CreatedByName', 'Body', 'Created']),
];

const tasks = (operation: Operation, by: string): SectionPlan =>
  listed(['Tasks', 'Tasks'], operation, by, ['Name', 'Priority', 'EndDateProjected', 'EndDateActual']);

const PERSON: readonly string[] = ['FullName', 'UserName', 'PrimaryTitle', 'PrimaryOrganizationName'];

const individual: PagePlan = {
  head: [
    ...['UserName', 'Email', 'PrimaryTitle', 'PrimaryOrganizationID', 'PrimaryReportsTo', 'HireDate'],
    ...['UserDefined1', 'UserDefined2', 'UserDefined3', 'UserDefined4'],
    ...['IsAdmin', 'IsGlobalAdmin', 'Deleted', 'DeletedByRef', 'ID'],
  ],
  sections: [
    departments,
    chain(['Managers', 'Above, the nearest first'], 'individual', 'PrimaryReportsTo', PERSON),
    below(['Reports', 'Who reports to them'], 'individual', 'PrimaryReportsTo', PERSON),
    listed(['Accountabilities', 'Accountabilities'], contract.accountability.operations.list, 'individual', LIST),
    listed(['Scopes', 'Supervisory scopes'], contract.supervisoryScope.operations.list, 'individual', LIST),
    listed(['Roles', 'Basic roles'], contract.basicRole.operations.list, 'individual', [
      ...['Name', 'PercentTime', 'PerformanceIndicators'],
    ]),
    ...ownLists('individual'),
    tasks(contract.task.operations.all, 'individual'),
    ...measured('individual'),
    listed(['CoreValues', 'Core values of the site'], contract.coreValue.operations.list, 'plain', LIST),
    groups,
    granted,
    lastChanges,
  ],
};

const organization: PagePlan = {
  head: ['ParentID', 'DisplayRank', 'Focus', 'EmotionalGoal', 'Deleted', 'DeletedByRef', 'ID'],
  sections: [
    chain(['Above', 'Above, the nearest first'], 'organization', 'ParentID', ['Name', 'Focus']),
    below(['Below', 'Departments below'], 'organization', 'ParentID', ['Name', 'Focus']),
    members,
    ...ownLists('department'),
    tasks(contract.task.operations.list, 'plain'),
    ...measured('department'),
    permissionsOn,
    lastChanges,
  ],
};

const project: PagePlan = {
  head: [
    ...['AncestorName', 'ParentID', 'Phase', 'Status', 'Description'],
    ...['StartDateProjected', 'StartDateActual', 'EndDateProjected', 'EndDateActual'],
    ...['Deleted', 'DeletedByRef', 'ID'],
  ],
  sections: [
    chain(['Above', 'Projects above, the nearest first'], 'project', 'ParentID', ['Name', 'AncestorName']),
    below(['Below', 'Projects below'], 'project', 'ParentID', ['Name', 'Phase', 'Status']),
    listed(['Team', 'Team'], contract.teamMember.operations.list, 'project', [
      ...['IndividualFullName', 'RoleName', 'HoursProjected', 'HoursActual'],
    ]),
    listed(['Scopes', 'What it covers'], contract.projectScope.operations.list, 'project', LIST),
    listed(['Criteria', 'By what it is judged'], contract.evaluationCriteria.operations.list, 'project', [
      ...['Name', 'Completed', 'Description'],
    ]),
    tasks(contract.task.operations.list, 'project'),
    ...measured('project'),
    permissionsOn,
    lastChanges,
  ],
};

export const PAGES = { individual, organization, project } as const;
