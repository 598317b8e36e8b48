// Commitments to something in a quarter, and their periods.
import { contract } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { daysAgo, type Quarter } from './calendar.ts';
import type { Undertaking } from './disciplines.ts';
import type { Writer } from './timeline.ts';

interface Promised {
  /** The ID of the organization, department or individual. */
  readonly ancestor: string;
  readonly undertaking: Undertaking;
  readonly quarter: Quarter;
}

const NUMBERS = [1, 2, 3, 4, 5] as const;
/** The next quarter is planned that many days before it begins. */
const AHEAD = 45;

/** A quarter for which plans can be made: it has begun, or will soon. */
export const canBePlanned = (today: Date, { first }: Quarter): boolean => daysAgo(today, first) > -AHEAD;

/** Writes one commitment with open measures. */
export async function promiseIt(writer: Writer, { ancestor, undertaking, quarter }: Promised) {
  const measures = NUMBERS.flatMap((number) => [
    [`Measure${number}`, undertaking.measures[number - 1] ?? ''],
    [`Measure${number}Completed`, false],
  ]);
  return writer.add('commitment', {
    AncestorID: ancestor,
    Name: undertaking.name,
    Completed: false,
    DueDate: `${quarter.last}T00:00:00+00:00`,
    PeriodID: await periodOf(writer, quarter.first),
    ...Object.fromEntries(measures),
  });
}

/** The ID of the period that begins on that day. A list of periods counts the commitments of each, so it is read once. */
export const periodOf = ({ session, site, once }: Writer, first: string): Promise<Value> =>
  once(`period ${first}`, async () => {
    for await (const period of session.list(contract.period.operations.list, { params: { siteid: site } })) {
      if (String(period.StartDate).startsWith(first)) return period.ID ?? null;
    }
    return null;
  });
