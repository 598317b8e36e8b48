// Commitments: made at the beginning of a quarter, and looked at again when it ends.
import { contract } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { daysAgo, moment, type Quarter } from './calendar.ts';
import type { Undertaking } from './disciplines.ts';
import { randomOf } from './random.ts';
import { type Visit, visit, type Writer } from './timeline.ts';

interface Promised {
  /** The ID of the organization, department or individual. */
  readonly ancestor: string;
  readonly user: string;
  readonly undertaking: Undertaking;
  readonly quarter: Quarter;
}

const NUMBERS = [1, 2, 3, 4, 5] as const;
/** The next quarter is planned that many days before it begins. */
const AHEAD = 45;
/** By then everybody who makes commitments is there. */
const EARLIEST = 700;

/** A quarter for which plans can be made: it has begun, or will soon. */
export const canBePlanned = (today: Date, { first }: Quarter): boolean => daysAgo(today, first) > -AHEAD;

/** Two visits: one to promise, one to look back (where there is something to look back on). */
export function commitmentVisits(today: Date, promised: Promised): readonly Visit[] {
  const { quarter, user, ancestor } = promised;
  const random = randomOf('commitment', ancestor, quarter.first, promised.undertaking.name);
  const begun = Math.min(Math.max(daysAgo(today, quarter.first) - random.between(0, 6), 2), EARLIEST);
  const ended = daysAgo(today, quarter.last);
  const reviewed = Math.max(ended, 1);
  let made: Value | undefined;
  const promise = visit(moment(today, begun, random), user, async (writer) => {
    made = (await promiseIt(writer, promised)).ID;
  });
  const review = visit(moment(today, reviewed, random), user, (writer) =>
    writer.change('commitment', made, reachedOf(writer, ended > 0)),
  );
  return begun - reviewed > 30 ? [promise, review] : [promise];
}

/** Writes one commitment with open measures. */
export async function promiseIt(writer: Writer, { ancestor, undertaking, quarter }: Omit<Promised, 'user'>) {
  const measures = NUMBERS.flatMap((number) => [
    [`Measure${number}`, undertaking.measures[number - 1] ?? ''],
    [`Measure${number}Completed`, false],
  ]);
  return writer.add('commitment', {
    AncestorID: ancestor,
    Name: undertaking.name,
    Completed: false,
    DueDate: `${quarter.last}T00:00:00+00:00`,
    PeriodID: await periodOf(writer, quarter),
    ...Object.fromEntries(measures),
  });
}

/** Most commitments that ended are complete, and some that go on; of the rest the first measures are. */
function reachedOf({ random }: Writer, isOver: boolean) {
  const reached = random.chance(isOver ? 0.7 : 0.4) ? 5 : random.between(1, 4);
  const marks = NUMBERS.map((number) => [`Measure${number}Completed`, number <= reached]);
  return { Completed: reached === 5, ...Object.fromEntries(marks) };
}

/** A list of periods counts the commitments of each. */
const periodOf = ({ session, site, once }: Writer, { first }: Quarter): Promise<Value> =>
  once(`period ${first}`, async () => {
    for await (const period of session.list(contract.period.operations.list, { params: { siteid: site } })) {
      if (String(period.StartDate).startsWith(first)) return period.ID ?? null;
    }
    return null;
  });
