// Who may write what in the small sample: departments are their leaders', projects those of whoever leads them.
import type { Pen } from './diary.ts';
import { letWrite } from './rights.ts';
import { bossOf, DEPARTMENTS, type Department, idOf, type Person } from './small-company.ts';
import { PROJECTS } from './small-projects.ts';

/** Rights in the departments, and of those who are there already. */
export async function giveRights(pen: Pen): Promise<void> {
  for (const [user, department] of writers()) {
    await letWrite(pen, idOf('individual', user), idOf('organization', department));
  }
  for (const department of DEPARTMENTS) {
    for (const one of department.people.filter(({ joined }) => joined === undefined)) {
      await giveRightsOn(pen, department, one);
    }
  }
}

/** Whoever somebody reports to writes about that one; leaders write about themselves, too. */
export async function giveRightsOn(pen: Pen, department: Department, one: Person): Promise<void> {
  const boss = bossOf(department, one);
  await letWrite(pen, boss.id, one.id);
  if (one === department.people[0] && boss !== one) await letWrite(pen, one.id, one.id);
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
