// What the leaders of the small sample write about their departments: talks, remarks, and commitments for each quarter.
import { hourOf, moment, quartersAround } from './calendar.ts';
import { canBePlanned, commitmentVisits } from './commitments.ts';
import { DISCIPLINES } from './disciplines.ts';
import { type Random, randomOf } from './random.ts';
import { ABOUT_DEPARTMENTS, DEPARTMENT_AGENDA } from './remarks.ts';
import { DEPARTMENTS, type Department, idOf, type Person, SEED } from './small-company.ts';
import { departmentID } from './small-founding.ts';
import type { Visit, Writer } from './timeline.ts';

export function departmentVisits(today: Date): readonly Visit[] {
  return DEPARTMENTS.flatMap((department, place) => {
    const random = randomOf(SEED, 'department', department.key);
    return [
      ...talks(today, department, random),
      ...remarks(today, department, random),
      ...commitments(today, department, place),
    ];
  });
}

export const departmentTalkID = (key: string, number: number): string => idOf('dialog', `${key} ${number}`);

const leaderOf = ({ people }: Department): Person => people[0] as Person;

/** Two a year behind us, one to come. */
function talks(today: Date, department: Department, random: Random): readonly Visit[] {
  const days = [random.between(540, 600), random.between(340, 400), random.between(150, 200), -random.between(3, 30)];
  return days.map((ago, index) => ({
    at: moment(today, Math.max(ago + 14, 3), random),
    user: leaderOf(department).user,
    work: (writer: Writer) =>
      writer.add('dialog', {
        ID: departmentTalkID(department.key, index + 1),
        AncestorID: departmentID(department.key),
        DialogDate: hourOf(today, ago, writer.random.between(9, 14)),
        Name: department.key === 'company' ? 'Review of the half-year' : `Half-year of ${department.name}`,
        Location: 'Quay 3, large room',
        Agenda: DEPARTMENT_AGENDA,
      }),
  }));
}

/** By people of the department who were there from the start and still are. */
function remarks(today: Date, department: Department, random: Random): readonly Visit[] {
  const authors = department.people.filter((one) => one.joined === undefined && one.left === undefined);
  return [random.between(420, 680), random.between(30, 300)].map((ago) => ({
    at: moment(today, ago, random),
    user: random.pick(authors).user,
    work: (writer: Writer) =>
      writer.add('comment', {
        AncestorID: departmentID(department.key),
        Body: writer.random.pick(ABOUT_DEPARTMENTS),
      }),
  }));
}

/** One for the department and one for its leader each quarter; the company itself has both of its undertakings. */
function commitments(today: Date, department: Department, place: number): readonly Visit[] {
  const leader = leaderOf(department);
  const { undertakings } = DISCIPLINES[department.trade];
  const ours = departmentID(department.key);
  return quartersAround(today)
    .filter((quarter) => canBePlanned(today, quarter))
    .flatMap((quarter, index) => {
      const theirs = department.key === 'company' ? undertakings : undertakings.slice(index % 2, (index % 2) + 1);
      const own = DISCIPLINES.lead.undertakings[(index + place) % 2];
      return [
        ...theirs.map((undertaking) => ({ ancestor: ours, undertaking })),
        ...(own ? [{ ancestor: leader.id, undertaking: own }] : []),
      ].flatMap((one) => commitmentVisits(today, { ...one, quarter, user: leader.user }));
    });
}
