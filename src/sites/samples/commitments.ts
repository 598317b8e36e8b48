// Commitments to something in a quarter, and their periods.
import { contract } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { daysAgo, type Quarter } from './calendar.ts';
import type { Writer } from './timeline.ts';

/** Something to reach in a quarter, and its five measures. */
interface Undertaking {
  readonly name: string;
  readonly measures: readonly [string, string, string, string, string];
}

/** The next quarter is planned that many days before it begins. */
const AHEAD = 45;

/** A quarter for which plans can be made: it has begun, or will soon. */
export const canBePlanned = (today: Date, { first }: Quarter): boolean => daysAgo(today, first) > -AHEAD;

/** Writes a commitment with open measures, of the organization, department or individual of this ID. */
export async function promiseIn(writer: Writer, { first, last }: Quarter, AncestorID: string): Promise<void> {
  const { name, measures } = writer.random.pick(UNDERTAKINGS);
  const numbered = measures.flatMap((measure, index) => [
    [`Measure${index + 1}`, measure],
    [`Measure${index + 1}Completed`, false],
  ]);
  await writer.add('commitment', {
    AncestorID,
    Name: name,
    Completed: false,
    DueDate: `${last}T00:00:00+00:00`,
    PeriodID: await periodOf(writer, first),
    ...Object.fromEntries(numbered),
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

/** Of commitments, and of projects. */
export const UNDERTAKINGS: readonly Undertaking[] = [
  {
    name: 'One page of goals for every team',
    measures: [
      'Goals drafted with each team',
      'Goals fit those of the company',
      'Numbers agreed with finance',
      'Page hangs at every team board',
      'Halfway review held',
    ],
  },
  {
    name: 'Welcome plan for newcomers',
    measures: [
      'First week planned',
      'A colleague to ask',
      'Tools and accounts ready on day one',
      'Talk after thirty days',
      'Newcomers asked how it was',
    ],
  },
];
