// The lists of individuals about their own work: accountabilities, basic roles with their indicators, supervisory scopes.
import type { ResourceName } from '../../contract/index.ts';
import { guidOf } from './random.ts';
import type { Members, Writer } from './timeline.ts';

/** A name, and a sentence about it. */
type Pair = readonly [name: string, text: string];

export type ListName = 'accountability' | 'basicRole' | 'indicator' | 'supervisoryScope';

/** The ID of one line, by its place in the list; an indicator's owner is its basic role. */
export const lineOf = (owner: string, list: ListName, rank: number): string => guidOf(owner, list, rank);

/** Writes the own lists of an individual; scopes are of who leads. */
export async function writeOwnLists(writer: Writer, AncestorID: string, leads: boolean): Promise<void> {
  const members = (list: ListName) => (rank: number) => ({ ID: lineOf(AncestorID, list, rank), AncestorID });
  const accountabilities = writer.random.some(ACCOUNTABILITIES, LIST_SIZES.accountabilities);
  await addRanked(writer, 'accountability', accountabilities, members('accountability'));
  await writeRoles(writer, AncestorID);
  if (leads) await addRanked(writer, 'supervisoryScope', SCOPES, members('supervisoryScope'));
}

/** Adds records with ranks from 1 on; `others` are their further members. */
export async function addRanked<N extends ResourceName>(
  writer: Writer,
  resource: N,
  pairs: readonly Pair[],
  others: (rank: number) => Members<N>,
): Promise<void> {
  for (const [index, [Name, Description]] of pairs.entries()) {
    const Rank = index + 1;
    await writer.add(resource, { ...others(Rank), Rank, Name, Description });
  }
}

async function writeRoles(writer: Writer, IndividualID: string): Promise<void> {
  for (const [index, role] of ROLES.entries()) {
    const Rank = index + 1;
    const ID = lineOf(IndividualID, 'basicRole', Rank);
    const PercentTime = index === 0 ? 70 : 30;
    await writer.add('basicRole', { ID, IndividualID, Rank, Name: role.name, Description: role.text, PercentTime });
    await addRanked(writer, 'indicator', role.indicators, (rank) => ({
      ID: lineOf(ID, 'indicator', rank),
      BasicRoleID: ID,
    }));
  }
}

export const LIST_SIZES = { accountabilities: 5, roles: 2, indicators: 2, scopes: 3 } as const;

const ACCOUNTABILITIES: readonly Pair[] = [
  ['Keep delivery promises', 'What was promised to a customer leaves the yard on the day that was named.'],
  ['Keep people safe', 'Nobody is hurt, and every near miss is talked about on the same day.'],
  ['Hold to the budget', 'Spending stays within two percent of the plan; surprises are told at once.'],
  ['Answer within a day', 'Every question gets an answer, even if it is "we are looking into it".'],
  ['Bring knowledge home', 'Engineering hears what breaks, with a picture and the hours.'],
  ['Reuse what works', 'Parts that were proven on one vessel are taken over to the next one.'],
  ['Leave a clean place', 'The next shift finds tools and papers where they belong.'],
];

const ROLES: readonly { readonly name: string; readonly text: string; readonly indicators: readonly [Pair, Pair] }[] = [
  {
    name: 'Specialist',
    text: 'Does what the department is there for.',
    indicators: [
      ['First time right', 'At most two corrections for every hundred pieces.'],
      ['On the agreed day', 'Work is released when the plan says so.'],
    ],
  },
  {
    name: 'Mentor',
    text: 'Helps newcomers into the work.',
    indicators: [
      ['Newcomers stand on their own feet', 'After three months they work without help.'],
      ['Asked again', 'Newcomers come back with questions.'],
    ],
  },
];

const SCOPES: readonly Pair[] = [
  ['Plan of the week', 'Decides who works on what, together with the team.'],
  ['Holidays and hours', 'Approves them within two days.'],
  ['Purchases up to 5 000', 'Orders tools and material without asking first.'],
];
