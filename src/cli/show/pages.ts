// The pages that pm shows: of an individual, a department and a project, section by section.
import { date } from '../../contract/field.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import { tableClock } from '../context.ts';
import { journalEntries } from '../history/journal.ts';
import { type HistoryLine, recordHistory } from '../history/lines.ts';
import { byName, historyRows } from '../history/shown.ts';
import { texts } from '../output/result.ts';
import { granted, groups, permissionsOn } from './granted.ts';
import { below, chain, departments } from './related.ts';
import { listed, type PagePlan, type SectionPlan, type Subject } from './section.ts';

/** The most lines of the last changes. */
const NEWEST = 10;

/** The newest first: from the history of the engine, or what pm itself did on a remote service. */
const lastChanges: SectionPlan = {
  name: 'Changes',
  title: 'Last changes',
  fields: { ...texts('Who', 'What', 'Field', 'Before', 'After'), At: date('read-only') },
  async read(subject) {
    const rows: Row[] = [];
    const style = byName(subject.names, await tableClock(subject.context));
    for await (const line of newest(subject)) {
      // What a record began with stands above already.
      const shown = line.what === 'create' ? { ...line, changes: [] } : line;
      rows.push(...(await historyRows(shown, style)));
      if (rows.length >= NEWEST) break;
    }
    return rows.slice(0, NEWEST);
  },
};

async function* newest({ context, session, resource, id }: Subject): AsyncGenerator<HistoryLine> {
  const wanted = { resource: resourceNamed(resource), id };
  if (!session.local) return yield* journalEntries(await context.jobs(), context.settings.jobProfile, session, wanted);
  yield* await recordHistory(session, wanted.resource, id);
}

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
    listed(['Members', 'Members'], contract.organizationMember.operations.list, 'department', [
      ...['Name', 'Title', 'Primary', 'Leader', 'ReportsToFull'],
    ]),
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

/** The plan of a page, by the resource of its record. */
export const PAGES = { individual, organization, project } as const;
