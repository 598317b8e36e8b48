// P15: the dashboard of an organization with a hundred departments and five thousand individuals, by how much they did.
import { contract, type ResourceName } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { type Line, timesLine } from './line.ts';
import { fill, makeIndividuals, newSite, reopened, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

const FACTS = [1000, 10_000, 200_000] as const;
const DEPARTMENTS = 100;
const BELOW_ONE = 10;
const INDIVIDUALS = 5000;
const VALUES_OF_ONE = 10;
const DAY = 86_400_000;
const ROUNDS = 7;
const LIMIT_MS = 250;
const GOAL = 0.8;

/** Each number of facts is a quarter each of commitments, metric values, dialogs and tasks. */
export async function rollUps(): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const facts of FACTS) lines.push(await rollUpOf(facts));
  return lines;
}

async function rollUpOf(facts: number): Promise<Line> {
  const site = await reopened(await busySite(facts));
  try {
    const id = await organizationOf(site);
    const { get } = contract.dashboard.operations;
    const ask = (): Promise<Row> => site.session.call(get, { by: 'organization', params: { id } });
    const { ours } = await medians(ROUNDS, { ours: () => timed(ask) });
    const what = `dashboard of ${INDIVIDUALS.toLocaleString('en')} individuals, ${facts.toLocaleString('en')} facts`;
    return timesLine({ row: 'P15', what, ours, limit: LIMIT_MS, goal: GOAL });
  } finally {
    await site.end();
  }
}

async function organizationOf({ session }: Site): Promise<string> {
  for await (const { ID } of session.list(contract.organization.operations.list, { by: 'plain' }, { limit: 1 }))
    return String(ID);
  throw new Error('there is no organization');
}

/** A site with departments of two levels, people in them, and so much that they did in the past two years. */
export async function busySite(facts: number): Promise<Site> {
  const site = await newSite();
  const departments = await makeDepartments(site, await organizationOf(site));
  const people = await makePeople(site, departments);
  const spread = (n: number): string =>
    (n % 4 === 0 ? departments[n % departments.length] : people[n % people.length]) ?? '';
  const each = facts / 4;
  await copies(site, 'commitment', commitment(spread(1)), each, (n) => ({
    ID: n + 2,
    AncestorID: spread(n),
    Completed: n % 3 === 0,
    PeriodID: 1 + (n % 4),
  }));
  const metric = { AncestorID: spread(1), Rank: 1, Name: 'Ferries', Description: 'Built', Is8020: true };
  const metrics = await copies(site, 'metric', metric, each / VALUES_OF_ONE, (n) => ({ AncestorID: spread(n) }));
  const value = { MetricID: metrics[0], Date: dateOf(0), Value: 80 };
  await copies(site, 'metricValue', value, each, (n) => ({
    MetricID: metrics[n % metrics.length] ?? '',
    Date: dateOf(n),
    Value: n % 120,
  }));
  const dialogs = await copies(site, 'dialog', { AncestorID: spread(1), DialogDate: dateOf(0) }, each, (n) => ({
    AncestorID: spread(n),
    DialogDate: dateOf(n),
  }));
  await copies(site, 'task', { AncestorID: dialogs[0], Name: 'Call them' }, each, (n) => ({
    AncestorID: dialogs[n] ?? '',
    Created: dateOf(n),
    EndDateActual: n % 2 === 0 ? dateOf(n).slice(0, 10) : null,
  }));
  return site;
}

async function makeDepartments(site: Site, organization: string): Promise<readonly string[]> {
  const tops = DEPARTMENTS / BELOW_ONE;
  const body = { ParentID: organization, Rank: 1, Name: 'Department' };
  const above = await copies(site, 'organization', body, tops, (n) => ({ TreeKey: `top ${n}` }));
  const below = await copies(site, 'organization', body, DEPARTMENTS - tops, (n) => ({
    ParentID: above[n % tops] ?? '',
    TreeKey: `top ${n % tops} ${n}`,
  }));
  return [...above, ...below];
}

async function makePeople(site: Site, departments: readonly string[]): Promise<readonly string[]> {
  const [first = ''] = await makeIndividuals(site, 1);
  const rest = await fill(site, 'individual', first, INDIVIDUALS - 1, (n) => ({
    UserName: `person${n}`,
    UserID: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  }));
  const member = { IndividualID: rest[0], OrganizationID: departments[0] };
  await copies(site, 'organizationMember', member, rest.length - 1, (n) => ({
    IndividualID: rest[n + 1] ?? '',
    OrganizationID: departments[(n + 1) % departments.length] ?? '',
    Primary: false,
  }));
  return rest;
}

/** One record made by the rules, and copies of it; answers the IDs of all. */
async function copies(
  site: Site,
  resource: ResourceName,
  body: Readonly<Record<string, unknown>>,
  count: number,
  change: (n: number) => Row,
): Promise<readonly string[]> {
  const { create } = contract[resource].operations as { readonly create: Parameters<Site['session']['call']>[0] };
  const first = await site.session.call(create, { body });
  return [
    String(first.ID),
    ...(await fill(site, resource, String(first.ID), Math.max(0, Math.floor(count) - 1), change)),
  ];
}

const commitment = (owner: string): Readonly<Record<string, unknown>> => ({
  AncestorID: owner,
  Name: 'Deliver',
  Completed: false,
  DueDate: dateOf(0),
  PeriodID: 1,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((n): [string, unknown][] => [
      [`Measure${n}`, 'On the day'],
      [`Measure${n}Completed`, false],
    ]),
  ),
});

/** The days of the past year, over and over. */
const dateOf = (n: number): string => new Date(Date.now() - (n % 365) * DAY).toISOString().replace('Z', '+00:00');
