// The words of people in comments and dialogs, and the talk that each has; both samples draw from them.
import type { Row } from '../../contract/resource.ts';
import type { Members, Writer } from './timeline.ts';

/** On individuals, mostly by whom they report to. */
export const ABOUT_INDIVIDUALS: readonly string[] = [
  'Took over the night shift at short notice. Thank you!',
  'Asks good questions early; that saves us weeks.',
  'Would like to learn more about batteries. Let us find a course.',
  'Handover notes are the best in the department.',
  'Needs a quieter place to work; facilities is told.',
  'Ready for a larger task next year.',
  'Trained two apprentices, both passed.',
  'Said "I was wrong" in front of everybody. That helps us all.',
];

export const ABOUT_DEPARTMENTS: readonly string[] = [
  'The new board by the door is used every morning.',
  'Too many meetings on Mondays, say four of six.',
  'Short of one person until the summer.',
  'No accident for 200 days.',
  'Budget and plan agree again.',
  'The two teams now share one store & one list.',
  'Three questions came up again and again; the answers now hang on the wall.',
  'Overtime is down by a third since the spring.',
  'Visitors on Thursday: please show them round.',
  'We should look at our commitments before the quarter ends.',
  'Good mood, full table.',
];

export const ABOUT_PROJECTS: readonly string[] = [
  'Supplier is two weeks late; we can still hold the date.',
  'The owner was here today, and left with a smile.',
  'Scope is larger than we thought. To be decided on Thursday.',
  'Half of the hours are used, half of the work is done.',
  'Paper is in order, parts are on the way.',
];

export const ABOUT_DIALOGS: readonly string[] = [
  'Good talk. I will write down my three points.',
  'We agreed to look at the workload again in a month.',
  'Please move the next one to the morning.',
  'I would add: more time on board, less at the desk.',
];

/** The words of a dialog about a role. */
export const ON_ROLES: readonly string[] = [
  'Going well; the numbers are where they should be.',
  'Took more time than planned, because of the handover.',
  'Wants to give more of this to the apprentices.',
  'Clear, liked and seen by others.',
  'Needs a second person who can do it.',
  'First half year in this role: steeper than expected, and good fun.',
];

const PLACES: readonly string[] = [
  'Quay 3, meeting room',
  'Small office',
  'Walk along the pier',
  'Canteen',
  'Video call',
];

const AGENDA =
  '1. How are you?\n2. What went well, what did not?\n3. Your roles and their share of time\n4. What to learn next\n5. What we agree on';
/** What is to be done after the review of a quarter. */
export const FOLLOW_UPS = ['Tell everybody what was decided', 'Come back with numbers'] as const;

/** An individual has a talk with whom it reports to. */
export const addTalk = (
  writer: Writer,
  talk: Pick<Members<'dialog'>, 'ID' | 'AncestorID' | 'DialogDate'>,
): Promise<Row> =>
  writer.add('dialog', { ...talk, Name: 'Development talk', Location: writer.random.pick(PLACES), Agenda: AGENDA });

export const DEPARTMENT_AGENDA =
  '1. Numbers of the quarter\n2. Commitments: kept, open, dropped\n3. People\n4. Next steps';
