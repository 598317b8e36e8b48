// What the people of the small sample write through the years: their own lists, talks with whom they report to, remarks.
import type { Row } from '../../contract/resource.ts';
import { hourOf, moment } from './calendar.ts';
import { lineOf, writeOwnLists } from './own-lists.ts';
import { type Random, randomOf } from './random.ts';
import { ABOUT_DIALOGS, ABOUT_INDIVIDUALS, AGENDA, ON_ROLES, PLACES } from './remarks.ts';
import { bossOf, DEPARTMENTS, type Department, idOf, type Person, SEED } from './small-company.ts';
import { type Visit, visit, type Writer } from './timeline.ts';

interface Someone {
  readonly today: Date;
  readonly one: Person;
  readonly department: Department;
  readonly boss: Person;
  readonly random: Random;
  /** First and last day at work, in days before today. */
  readonly first: number;
  readonly last: number;
}

export function peopleVisits(today: Date): readonly Visit[] {
  return DEPARTMENTS.flatMap((department) =>
    department.people.flatMap((one) => {
      const someone: Someone = {
        today,
        one,
        department,
        boss: bossOf(department, one),
        random: randomOf(SEED, one.user),
        first: one.joined ?? 712,
        last: one.left ?? 0,
      };
      return [...ownVisits(someone), ...talks(someone), ...remarks(someone)];
    }),
  );
}

/** The ID of a talk by its number; 0 is the one to come. */
const talkID = (user: string, number: number): string => idOf('dialog', `${user} ${number}`);

const leads = (one: Person): boolean =>
  DEPARTMENTS.some((department) =>
    department.people.some((other) => other !== one && bossOf(department, other) === one),
  );

/** The lists are written in the first weeks, and looked at again later. */
function ownVisits({ today, one, department, random, first, last }: Someone): readonly Visit[] {
  const begun = first - random.between(4, 40);
  const again = random.between(last + 5, begun - 20);
  const write = async (writer: Writer): Promise<void> => {
    const sizes = { accountabilities: writer.random.between(3, 5), roles: writer.random.between(2, 3) };
    await writeOwnLists(writer, { id: one.id, trade: department.trade, leads: leads(one) }, sizes);
  };
  const revise = async (writer: Writer): Promise<void> => {
    await writer.change('basicRole', lineOf(one.id, 'basicRole', 1), { PercentTime: 60 });
    await writer.change('basicRole', lineOf(one.id, 'basicRole', 2), { PercentTime: 40 });
  };
  const written = { at: moment(today, begun, random), user: one.user, work: write };
  return random.chance(0.4) ? [written, { at: moment(today, again, random), user: one.user, work: revise }] : [written];
}

/** Yearly talks: planned before, and remarked on the day after. One in five has the next one planned. */
function talks(someone: Someone): readonly Visit[] {
  const { today, one, boss, random, first, last } = someone;
  if (boss === one) return [];
  const days = [random.between(400, 640), random.between(45, 360)].filter((ago) => ago < first - 60 && ago > last + 5);
  const before = days.flatMap((ago, index) => talkVisits(someone, ago, index + 1));
  if (one.left !== undefined || !random.chance(0.2)) return before;
  const next = visit(moment(today, random.between(2, 9), random), boss.user, (writer) =>
    agreeOnTalk(writer, someone, 0, -random.between(5, 40)),
  );
  return [...before, next];
}

function talkVisits(someone: Someone, ago: number, number: number): readonly Visit[] {
  const { today, one, boss, random } = someone;
  const remark = visit(moment(today, ago - 2, random), one.user, (writer) =>
    writer.add('comment', { AncestorID: talkID(one.user, number), Body: writer.random.pick(ABOUT_DIALOGS) }),
  );
  const visits = [
    visit(moment(today, ago + 10, random), boss.user, (writer) => agreeOnTalk(writer, someone, number, ago)),
    visit(moment(today, ago - 1, random), boss.user, async (writer) => {
      for (const rank of [1, 2])
        await writer.note(lineOf(one.id, 'basicRole', rank), talkID(one.user, number), writer.random.pick(ON_ROLES));
    }),
  ];
  return random.chance(0.5) ? [...visits, remark] : visits;
}

const agreeOnTalk = (writer: Writer, { today, one }: Someone, number: number, ago: number): Promise<Row> =>
  writer.add('dialog', {
    ID: talkID(one.user, number),
    AncestorID: one.id,
    DialogDate: hourOf(today, ago, writer.random.between(9, 15)),
    Name: 'Development talk',
    Location: writer.random.pick(PLACES),
    Agenda: AGENDA,
  });

/** Remarks by the one they report to, and sometimes by a colleague. */
function remarks({ today, one, department, boss, random, first, last }: Someone): readonly Visit[] {
  if (!random.chance(0.6)) return [];
  const ago = random.between(last + 4, first - 30);
  const colleagues = department.people.filter(
    (other) => other !== one && (other.joined ?? 712) > ago + 5 && (other.left ?? 0) < ago,
  );
  const author = colleagues.length > 0 && random.chance(0.3) ? random.pick(colleagues) : boss;
  return [
    visit(moment(today, ago, random), author.user, (writer) =>
      writer.add('comment', { AncestorID: one.id, Body: writer.random.pick(ABOUT_INDIVIDUALS) }),
    ),
  ];
}
