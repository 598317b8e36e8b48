// How the small sample begins: the administrator sets up the site, its departments, who is there already, and rights.
import { dayStart, moment } from './calendar.ts';
import { idNamed, letWrite, makeLeader, setUpSite } from './founding.ts';
import { randomOf } from './random.ts';
import {
  bossOf,
  CLOSED,
  DEPARTMENTS,
  type Department,
  idOf,
  type Person,
  RECORD_KEEPER,
  SECOND,
  SEED,
} from './small-company.ts';
import { PROJECTS } from './small-projects.ts';
import { type Visit, visit, type Writer } from './timeline.ts';

export const departmentID = (key: string): string => idOf('organization', key);
export const groupID = (name: string): string => idOf('securityGroup', name);

/** Visits of the administrator who seeds, before there is anybody else. */
export function foundingVisits(today: Date): readonly Visit[] {
  const at = (ago: number): number => moment(today, ago, randomOf(SEED, 'founding'));
  return [
    { at: at(728), work: (writer) => setUp(writer, today) },
    { at: at(727), work: addDepartments },
    { at: at(725), work: (writer) => addIndividuals(writer, today) },
    { at: at(723), work: addMemberships },
    { at: at(722), work: giveRights },
  ];
}

/** Visits of who keeps the records: newcomers, and rights. */
export function recordKeepingVisits(today: Date): readonly Visit[] {
  const newcomers = DEPARTMENTS.flatMap((department) =>
    department.people.flatMap((one) => (one.joined === undefined ? [] : [{ department, one, joined: one.joined }])),
  );
  return [
    visit(moment(today, 715, randomOf(SEED, 'rights')), RECORD_KEEPER, addPermissions),
    ...newcomers.map(({ department, one, joined }) =>
      visit(moment(today, joined, randomOf(SEED, one.user, 'joined')), RECORD_KEEPER, async (writer) => {
        await addIndividual(writer, today, department, one);
        await giveRightsOn(writer, department, one);
      }),
    ),
  ];
}

async function setUp(writer: Writer, today: Date): Promise<void> {
  await setUpSite(writer, today, 'Harbour Works builds electric ferries. A sample: no such company exists.');
  for (const [Group, Description] of [
    ['Yard council', 'Elected by those who work here.'],
    ['Auditors', 'Come once a year, may read everything.'],
    ['Interns', 'Until September only.'],
  ] as const) {
    await writer.add('securityGroup', { ID: groupID(Group), Group, Description, SiteID: writer.site });
  }
}

/** The organization that the site was born with has rank 1. */
const BEHIND_THE_FIRST = 2;

async function addDepartments(writer: Writer): Promise<void> {
  const [company] = DEPARTMENTS;
  const ranks = new Map<string, number>();
  for (const one of [...DEPARTMENTS, CLOSED]) {
    const isCompany = one.key === company.key;
    const parent = 'parent' in one ? (one.parent ?? company.key) : company.key;
    const Rank = isCompany ? BEHIND_THE_FIRST : (ranks.get(parent) ?? 0) + 1;
    if (!isCompany) ranks.set(parent, Rank);
    await writer.add('organization', {
      ID: departmentID(one.key),
      ParentID: isCompany ? writer.site : departmentID(parent),
      Rank,
      Name: one.name,
      Focus: one.focus,
      EmotionalGoal: 'goal' in one ? (one.goal ?? null) : null,
    });
  }
}

async function addIndividuals(writer: Writer, today: Date): Promise<void> {
  for (const department of DEPARTMENTS) {
    for (const one of department.people.filter((person) => person.joined === undefined)) {
      await addIndividual(writer, today, department, one);
    }
  }
}

const WORKPLACES = ['Quay 3', 'Hall 1', 'Hall 2', 'Drawing office', 'Gate house'] as const;
const TONGUES = ['English', 'English, français', 'English, español', 'English, norsk', 'English, Deutsch'] as const;

async function addIndividual(writer: Writer, today: Date, department: Department, one: Person): Promise<void> {
  const email = `${one.user}@example.com`;
  await writer.add('individual', {
    ID: one.id,
    IsAdmin: one.isAdmin ?? false,
    Prefix: one.prefix ?? null,
    Suffix: one.suffix ?? null,
    FirstName: one.first,
    LastName: one.last,
    UserDefined1: staffNumber(one),
    UserDefined2: writer.random.pick(WORKPLACES),
    UserDefined3: one.own ?? null,
    UserDefined4: writer.random.pick(TONGUES),
    Email: email,
    UserEmail: email,
    UserName: one.user,
    PrimaryOrganizationID: departmentID(department.key),
    PrimaryTitle: one.title,
    PrimaryReportsTo: bossOf(department, one).id,
    HireDate: dayStart(today, one.joined ?? writer.random.between(760, 7_000)),
  });
}

/** With leading zeros, which a spreadsheet likes to lose. */
function staffNumber(one: Person): string {
  const place = DEPARTMENTS.flatMap(({ people }) => people).indexOf(one);
  return String(place + 1).padStart(5, '0');
}

async function addMemberships(writer: Writer): Promise<void> {
  for (const { key, people } of DEPARTMENTS) {
    const [leader] = people;
    if (leader) await makeLeader(writer, leader.id, departmentID(key));
  }
  for (const [user, department, title] of SECOND) {
    await writer.add('organizationMember', {
      ID: idOf('organizationMember', `${user} ${department}`),
      IndividualID: idOf('individual', user),
      OrganizationID: departmentID(department),
      Title: title,
      Primary: false,
      Leader: false,
    });
  }
}

const SET = { CreateState: 0, ReadState: 1, UpdateState: 0, DeleteState: 0, DelegateState: 0 } as const;
const PROJECTS_BELOW = 15;
const DIALOGS_OF_INDIVIDUALS = 38;

async function addPermissions(writer: Writer): Promise<void> {
  const userID = async (user: string) =>
    (await writer.session.find.record('individual', { id: idOf('individual', user) })).row?.UserID ?? null;
  const leaders = await idNamed(writer, 'securityGroup', 'Leaders');
  const readers = await idNamed(writer, 'securityGroup', 'Readers');
  const rows = [
    { RowID: writer.site, PrincipalID: readers, ChildType: null },
    { RowID: writer.site, PrincipalID: groupID('Auditors'), ChildType: null },
    { RowID: departmentID('engineering'), PrincipalID: leaders, ChildType: null, UpdateState: 1 },
    {
      RowID: departmentID('hull-shop'),
      PrincipalID: await userID('pavel.novotny'),
      ChildType: PROJECTS_BELOW,
      UpdateState: 1,
    },
    { RowID: departmentID('people'), PrincipalID: groupID('Yard council'), ChildType: null, UpdateState: 2 },
    {
      RowID: idOf('individual', 'giorgos.papadakis'),
      PrincipalID: await userID('nomvula.dube'),
      ChildType: DIALOGS_OF_INDIVIDUALS,
    },
  ];
  for (const row of rows) await writer.add('permission', { ...SET, ...row });
}

/** Rights in the departments, and of those who are there already. */
async function giveRights(writer: Writer): Promise<void> {
  for (const [user, department] of writers()) {
    await letWrite(writer, idOf('individual', user), idOf('organization', department));
  }
  for (const department of DEPARTMENTS) {
    for (const one of department.people.filter(({ joined }) => joined === undefined)) {
      await giveRightsOn(writer, department, one);
    }
  }
}

/** Leaders write about those who report to them, and about themselves. */
async function giveRightsOn(writer: Writer, department: Department, one: Person): Promise<void> {
  const boss = bossOf(department, one);
  await letWrite(writer, boss.id, one.id);
  if (one === department.people[0] && boss !== one) await letWrite(writer, one.id, one.id);
}

/** User and department, each pair once: leaders, and those who lead a project there or in the one above it. */
function writers(): readonly (readonly [user: string, department: string])[] {
  const leaders = DEPARTMENTS.flatMap(({ key, people }) => people.slice(0, 1).map(({ user }) => [user, key] as const));
  const begun = PROJECTS.flatMap(({ department, parent, team: [user] }) =>
    [department, PROJECTS.find(({ key }) => key === parent)?.department]
      .filter((key) => key !== undefined)
      .map((key) => [user, key] as const),
  );
  return [...new Map([...leaders, ...begun].map((pair) => [pair.join(), pair])).values()];
}
