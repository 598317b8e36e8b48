// A company of four for the tests of dashboards. What counts in the second quarter of 2026 stands beside each line.
import type { Input } from '../../src/contract/call.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { newEngine } from '../support/engine.ts';
import { type Asker, siteOn, type TestSite, TODAY } from '../support/site.ts';

export interface Company {
  readonly site: TestSite;
  readonly organization: string;
  readonly yard: string;
  /** Below the yard. */
  readonly paint: string;
  readonly bo: string;
  readonly cy: string;
  readonly di: string;
  /** Has left. */
  readonly ed: string;
}

type Owner = Readonly<Record<'organization' | 'department' | 'individual', string>>;

/** The dashboard of an organization, a department or an individual. */
export const dashboardOf = (asker: Asker, of: Partial<Owner>, query: Input['query'] = {}): Promise<Row> =>
  asker.call('dashboard', 'get', of, { query });

const Q1 = 1;
const Q2 = 2;

/**
 * Makes it, mostly in the second quarter; on the 13th of May, when the tests ask, everything is there. Whoever calls
 * closes the engine.
 */
export async function company(): Promise<Company> {
  const site = await siteOn(await newEngine(new Date(TODAY)));
  site.at('2026-03-20T09:00:00Z');
  const people = await founded(site);
  const ours = { site, organization: site.organization, ...people };
  const early = await inMarch(ours);
  site.at('2026-05-11T09:00:00Z');
  await commitments(ours);
  await metrics(ours, early.hull);
  await projects(ours, early);
  await dialogs(ours, early);
  await goals(ours);
  await site.ada.delete('individual', ours.ed);
  site.at('2026-05-13T09:00:00Z');
  return ours;
}

const id = async (made: Promise<Row>): Promise<string> => String((await made).ID);

async function founded({ ada, organization }: TestSite): Promise<Omit<Company, 'site' | 'organization'>> {
  const yard = await id(ada.make('organization', { Name: 'Yard', ParentID: organization }));
  const paint = await id(ada.make('organization', { Name: 'Paint', ParentID: yard }));
  const person = (UserName: string, FirstName: string, LastName: string, at: string, boss: string): Promise<string> =>
    id(
      ada.make('individual', {
        UserName,
        FirstName,
        LastName,
        PrimaryOrganizationID: at,
        PrimaryReportsTo: boss,
      }),
    );
  const bo = await person('bo', 'Bo', 'Berg', yard, ada.id);
  const cy = await person('cy', 'Cy', 'Cole', paint, bo);
  const di = await person('di', 'Di', 'Dahl', paint, ada.id);
  const ed = await person('ed', 'Ed', 'Eder', paint, ada.id);
  await ada.make('organizationMember', { IndividualID: cy, OrganizationID: yard });
  return { yard, paint, bo, cy, di, ed };
}

interface Early {
  readonly hull: string;
  readonly yardTalk: string;
  readonly diTalk: string;
  readonly boTalk: string;
}

/** What is there before the quarter begins. */
async function inMarch({ site, yard, paint, bo, di }: Company): Promise<Early> {
  const { ada } = site;
  const hull = await id(
    ada.make('project', {
      AncestorID: paint,
      Name: 'Hull',
      StartDateActual: '2026-04-15',
      EndDateProjected: '2026-04-20',
    }),
  );
  site.at('2026-03-25T09:00:00Z');
  await ada.change('project', hull, { EndDateProjected: '2026-05-01' }); // a change of the first quarter
  const talk = (AncestorID: string, DialogDate: string): Promise<string> =>
    id(ada.make('dialog', { AncestorID, DialogDate }));
  const yardTalk = await talk(yard, '2026-04-20T10:00:00+00:00');
  const diTalk = await talk(di, '2026-03-30T10:00:00+00:00');
  const boTalk = await talk(bo, '2026-05-13T08:00:00+00:00');
  const followUp = await id(ada.make('task', { AncestorID: yardTalk }));
  site.at('2026-04-26T09:00:00Z');
  await ada.change('task', followUp, { EndDateActual: '2026-04-25' }); // ended in the quarter, made before it
  await ada.change('project', hull, { EndDateProjected: '2026-05-05' }); // 1
  return { hull, yardTalk, diTalk, boTalk };
}

async function commitments({ site, organization, yard, paint, bo, cy, ed }: Company): Promise<void> {
  const promise = (AncestorID: string, Completed: boolean, PeriodID = Q2): Promise<Row> =>
    site.ada.make('commitment', { AncestorID, Completed, PeriodID });
  await promise(organization, true);
  await promise(organization, false);
  await promise(yard, true);
  await promise(yard, true);
  await promise(yard, false);
  await promise(yard, true, Q1); // not of this quarter
  await promise(paint, false);
  await promise(bo, true);
  await promise(bo, true);
  await promise(cy, false);
  await promise(ed, true); // hidden with Ed
}

type Thresholds = readonly [Value, Value, Value];

async function metrics({ site, organization, yard, paint, cy }: Company, hull: string): Promise<void> {
  const { ada } = site;
  const metric = async (
    AncestorID: string,
    Name: string,
    [Threshold1, Threshold2, Threshold3]: Thresholds,
    Is8020: boolean,
    values: Readonly<Record<string, number>>,
  ): Promise<Row> => {
    const made = await ada.make('metric', { AncestorID, Name, Threshold1, Threshold2, Threshold3, Is8020 });
    for (const [day, Value] of Object.entries(values)) {
      await ada.make('metricValue', { MetricID: made.ID, Date: `${day}T00:00:00+00:00`, Value });
    }
    return made;
  };
  const key = true;
  await metric(organization, 'Orders', [null, null, null], key, { '2026-05-04': 100 }); // exceeds: the site says 100
  await metric(organization, 'Calls', [1, 2, 3], false, { '2026-02-04': 0 }); // none in the quarter
  await metric(yard, 'Ferries', [10, 20, 30], key, { '2026-04-10': 35, '2026-05-01': 25 }); // meets: the newest counts
  await metric(yard, 'Scrap', [30, 20, 10], false, { '2026-04-01': 30 }); // minimum: smaller is better
  const gone = await metric(yard, 'Gone', [1, 2, 3], key, { '2026-05-01': 0 });
  await ada.delete('metric', gone.ID);
  await metric(paint, 'Coats', [5, 5, 5], key, { '2026-06-30': 5 }); // exceeds: all thresholds are equal
  await metric(paint, 'Shine', [null, 50, null], false, { '2026-05-01': 85 }); // meets: the site's 60, 80 and 100, all three
  await metric(hull, 'Seams', [4, 5, 6], key, { '2026-05-01': 3.9 }); // below
  await metric(cy, 'Errors', [3, 2, 1], false, { '2026-05-01': 1 }); // exceeds: smaller is better
}

async function projects({ site, organization, yard, paint }: Company, { hull }: Early): Promise<void> {
  const { ada } = site;
  const project = (AncestorID: string, Name: string, dates: Row): Promise<string> =>
    id(ada.make('project', { AncestorID, Name, ...dates }));
  await ada.change('project', hull, { EndDateProjected: '2026-05-10' }); // 2; three days late
  const begun = { StartDateProjected: '2026-01-10' };
  const ferry = await project(organization, 'Ferry', { ...begun, EndDateProjected: '2026-08-01' }); // active, on time
  const past = await project(organization, 'Past', { ...begun, EndDateActual: '2026-03-31' }); // over
  // Active, completed, on time; active, completed, a day late.
  await project(yard, 'Crane', { ...begun, EndDateProjected: '2026-04-30', EndDateActual: '2026-04-30' });
  await project(yard, 'Dock', { ...begun, EndDateProjected: '2026-05-01', EndDateActual: '2026-05-02' });
  await project(yard, 'Later', { StartDateProjected: '2026-07-01' });
  const plan = await project(yard, 'Plan', {}); // not begun
  await ada.change('project', plan, { EndDateProjected: '2026-12-01' }); // 3
  await ada.delete('project', await project(yard, 'Gone', begun));
  await project(paint, 'Mast', { EndDateActual: '2026-06-01' }); // completed, on time
  const criterion = (AncestorID: string, Completed: boolean): Promise<Row> =>
    ada.make('evaluationCriteria', { AncestorID, Completed });
  await criterion(ferry, true);
  await criterion(ferry, false);
  await criterion(past, true);
  await criterion(hull, false);
  await ada.delete('evaluationCriteria', (await criterion(hull, true)).ID);
}

async function dialogs(ours: Company, { hull, yardTalk, diTalk, boTalk }: Early): Promise<void> {
  const { site, organization, yard, paint, cy, ed } = ours;
  const { ada } = site;
  const talk = (AncestorID: string, day: string): Promise<string> =>
    id(ada.make('dialog', { AncestorID, DialogDate: `${day}T10:00:00+00:00` }));
  const followUp = (AncestorID: string, EndDateActual: Value = null): Promise<Row> =>
    ada.make('task', { AncestorID, EndDateActual });
  const board = await talk(organization, '2026-04-10');
  await talk(yard, '2026-06-01'); // to come
  await talk(paint, '2026-05-20'); // to come
  const hullTalk = await talk(hull, '2026-05-01');
  await talk(cy, '2026-04-02');
  await talk(cy, '2026-05-30'); // to come
  await talk(ed, '2026-05-01'); // hidden with Ed
  await followUp(board, '2026-05-05');
  await followUp(yardTalk);
  await followUp(hullTalk);
  await followUp(boTalk, '2026-05-11');
  await ada.delete('task', (await followUp(boTalk)).ID);
  await followUp(diTalk);
  await roles(ours, boTalk);
}

async function roles({ site, bo }: Company, boTalk: string): Promise<void> {
  const { ada } = site;
  const before = await id(ada.make('dialog', { AncestorID: bo, DialogDate: '2026-02-01T10:00:00+00:00' }));
  const role = (): Promise<string> => id(ada.make('basicRole', { IndividualID: bo }));
  const note = (basicRole: string, dialog: string): Promise<Row> =>
    ada.call('basicRoleDialog', 'update', { basicRole: [basicRole, dialog] }, { body: { Description: 'Well' } });
  await note(await role(), boTalk); // spoken of in the quarter
  await note(await role(), before); // spoken of before it
  await role();
}

async function goals({ site, bo, cy }: Company): Promise<void> {
  const { ada } = site;
  await ada.make('task', { AncestorID: bo, EndDateActual: '2026-01-05' }); // reached, whenever that was
  await ada.make('task', { AncestorID: bo });
  await ada.delete('task', (await ada.make('task', { AncestorID: bo })).ID);
  await ada.make('task', { AncestorID: cy, EndDateActual: '2026-05-05' });
  await ada.make('task', { AncestorID: ada.id });
}
