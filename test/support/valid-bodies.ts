// Valid bodies of new records; a test can replace any member.
import type { ResourceName } from '../../src/contract/index.ts';
import type { Value } from '../../src/contract/resource.ts';
import type { Body } from '../../src/contract/validate.ts';
import { ROLES } from '../../src/engine/records/defaults.ts';

/** The site of a new record, and a way to create the records that it must name. */
export interface BodyContext {
  readonly site: string;
  readonly organization: string;
  /** The ID of the caller. */
  readonly me: string;
  /** The number of records made before. */
  readonly count: number;
  /** Creates a record and returns its ID. */
  another(resource: ResourceName): Promise<Value>;
}

/** A function creates a referenced record, unless the test names one. */
type BodyMaker = (place: BodyContext) => Readonly<Record<string, Value | (() => Promise<Value>)>>;

const ofMine: BodyMaker = ({ me, count }) => ({
  AncestorID: me,
  Rank: count,
  Name: `Line ${count}`,
  Description: 'What it means',
});

const ofProject: BodyMaker = ({ count, another }) => ({
  AncestorID: () => another('project'),
  Rank: count,
  Name: `Line ${count}`,
  Description: 'What it means',
});

const MEASURES = Object.fromEntries(
  [1, 2, 3, 4, 5].flatMap((number): [string, Value][] => [
    [`Measure${number}`, `Signed by ${number} of them`],
    [`Measure${number}Completed`, false],
  ]),
);

const BODIES: Readonly<Partial<Record<ResourceName, BodyMaker>>> = {
  organization: ({ organization, count }) => ({ ParentID: organization, Rank: count, Name: `Department ${count}` }),
  individual: ({ organization, me, count }) => ({
    FirstName: 'Ines',
    LastName: `Moreau ${count}`,
    Email: `ines${count}@example.org`,
    UserEmail: `ines${count}@example.org`,
    UserName: `ines${count}`,
    PrimaryOrganizationID: organization,
    PrimaryTitle: 'Engineer',
    PrimaryReportsTo: me,
    ParentID: null,
  }),
  organizationMember: ({ me, another }) => ({ IndividualID: me, OrganizationID: () => another('organization') }),
  accountability: ofMine,
  supervisoryScope: ofMine,
  projectScope: ofProject,
  evaluationCriteria: ofProject,
  basicRole: ({ me, count }) => ({ IndividualID: me, Name: `Role ${count}`, Rank: count }),
  indicator: ({ count, another }) => ({
    BasicRoleID: () => another('basicRole'),
    Name: `Indicator ${count}`,
    Rank: count,
  }),
  dialog: ({ me, count }) => ({ AncestorID: me, DialogDate: '2026-05-20T10:00:00+02:00', Name: `Dialog ${count}` }),
  comment: ({ me }) => ({ AncestorID: me, Body: 'Well done' }),
  period: ({ site }) => ({
    SiteID: site,
    StartDate: '2027-01-01T00:00:00+00:00',
    EndDate: '2027-03-31T00:00:00+00:00',
  }),
  commitment: ({ me, count }) => ({
    AncestorID: me,
    Name: `Commitment ${count}`,
    Completed: false,
    DueDate: '2026-06-15T00:00:00+00:00',
    PeriodID: 2,
    ...MEASURES,
  }),
  coreValue: ({ count }) => ({ Rank: count, Name: `Value ${count}` }),
  color: ({ site, count }) => ({ SiteID: site, Rank: count, Name: `Color ${count}`, Code: '2e9e4f' }),
  phase: ({ site, count }) => ({ SiteID: site, Rank: count, Name: `Phase ${count}` }),
  status: ({ site, count }) => ({ SiteID: site, Rank: count, Name: `Status ${count}`, ShowForInd: true }),
  project: ({ organization, count }) => ({
    AncestorID: organization,
    Rank: count,
    Name: `Project ${count}`,
    PhaseID: 1,
  }),
  teamMember: ({ me, another }) => ({
    TaskID: () => another('project'),
    IndividualID: me,
    RoleID: ROLES[2].ID,
    HoursProjected: 10,
    HoursActual: 4,
  }),
  metric: ({ organization, count }) => ({
    AncestorID: organization,
    Rank: count,
    Name: `Metric ${count}`,
    Description: 'What it counts',
  }),
  metricValue: ({ another }) => ({
    MetricID: () => another('metric'),
    Date: '2026-05-12T00:00:00+00:00',
    Value: 12.5,
  }),
  task: ({ me, count }) => ({ AncestorID: me, Name: `Task ${count}` }),
  securityGroup: ({ site, count }) => ({ SiteID: site, Group: `Group ${count}` }),
  permission: ({ organization, another }) => ({
    RowID: organization,
    PrincipalID: () => another('securityGroup'),
    ChildType: null,
    CreateState: 0,
    ReadState: 1,
    UpdateState: 2,
    DeleteState: 0,
    DelegateState: 0,
  }),
};

/** A valid body with these members. */
export async function validBody(resource: ResourceName, members: Body, place: BodyContext): Promise<Body> {
  const made = BODIES[resource];
  if (!made) throw new Error(`no test has made a ${resource} so far: give it a row here`);
  // Both are one address.
  const email = 'Email' in members && resource === 'individual' ? { UserEmail: members.Email } : {};
  const body: Record<string, unknown> = { ...made(place), ...email, ...members };
  for (const [name, value] of Object.entries(body)) if (typeof value === 'function') body[name] = await value();
  return body;
}
