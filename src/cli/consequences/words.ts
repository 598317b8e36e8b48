// The consequences of deletions and moves for other records, in a few lines, and as a member of a rehearsed change.

import type { Consequence, Effect } from '../../changes/consequences/consequence.ts';
import type { MovedRights } from '../../changes/consequences/moved-rights.ts';
import type { Total } from '../../changes/consequences/totals.ts';
import type { Session } from '../../contract/call.ts';
import { orNone } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { nameOf, plural, type Row, singular } from '../../contract/resource.ts';
import { grouped } from '../../text/batches.ts';
import { series, spaced } from '../../text/thousands.ts';

/** A line for each consequence for those who stay, one for records that move along and one for hidden ones; none without any. */
export async function consequenceLines(session: Session, total: Total): Promise<readonly string[]> {
  const { only, consequences, unseen } = total;
  const [name] = only?.id === undefined ? [] : await namesOf(session, only.resource, [only.id]);
  const subject = name ?? (only && `this ${singular(resourceNamed(only.resource))}`);
  const lines: string[] = [];
  for (const one of consequences) lines.push(...(await sentenceOf(session, one, subject)));
  const counts = [...lines, ...countedLines(consequences, subject)];
  const lead = counts.length > 0 ? 'At least: what' : 'What';
  const more = unseen > 0 ? [`${lead} changes along with ${spaced(unseen)} more is not counted`] : [];
  return [...counts, ...more].map((line) => `  ${line}`);
}

/** A line for each individual and place. */
export const rightsLines = (moved: readonly MovedRights[]): readonly string[] =>
  moved.length === 0 ? ['Nobody gains or loses rights.'] : moved.map(rightsLine);

function rightsLine({ who, isGained, by, role, place, rights }: MovedRights): string {
  const byAction = grouped([...rights.values()], ({ action }) => action);
  const parts = [...byAction].map(
    ([action, kinds]) => `${action} ${series(kinds.map((kind) => counted(kind, kind.count)))}`,
  );
  const kind = singular(resourceNamed(place.resource));
  const why =
    by === 'administrator'
      ? 'as administrator'
      : by === 'row'
        ? `by the permissions on ${kind} ${place.name}`
        : `as ${role} at ${kind} ${place.name}`;
  return `${who.name} ${isGained ? 'gains' : 'loses'}, ${why}: ${parts.join('; ')}`;
}

/** The same for programs: how many records of each resource it concerns; null where that is not known. */
export const consequenceMember = (consequences: readonly Consequence[]): readonly Row[] =>
  consequences.map(({ effect, resource, field, ids }) => ({
    Effect: effect,
    Resource: resourceNamed(resource).command,
    ...(field === undefined ? {} : { Field: field }),
    Count: effect === 'unread' ? null : ids.length,
  }));

/** `isOne`: is it said of a single record? */
type Sentence = (subject: string | undefined, isOne: boolean) => string;

const SENTENCES: Readonly<Partial<Record<Effect, Sentence>>> = {
  top: (subject = 'those deleted', isOne) => `${isOne ? 'reports' : 'report'} to ${subject} and will stand at the top`,
  department: (_subject, isOne) => `${isOne ? 'keeps' : 'keep'} a primary department that is deleted or hidden`,
  leads: (subject, isOne) => `${isOne ? 'loses its leader' : 'lose their leader'}${subject ? ` ${subject}` : ''}`,
};

/** How a record goes on naming one that is deleted. */
const NAMED_AS: Readonly<Record<string, string>> = { Responsible: 'responsible', ReportsToID: 'manager' };

const moving: Sentence = (subject = 'those who move', isOne) =>
  isOne ? `reports to ${subject} and moves along` : `report to ${subject} and move along`;

function sentenceFor({ effect, field = '' }: Consequence): Sentence | undefined {
  if (effect === 'moves') return field === '' ? undefined : moving;
  if (effect !== 'named') return SENTENCES[effect];
  return (subject = 'those deleted', isOne) =>
    `${isOne ? 'goes' : 'go'} on naming ${subject} as ${NAMED_AS[field] ?? field}`;
}

const MOST_NAMES = 3;

/** A few by their names; of more how many they are, and the first ones. */
async function sentenceOf(session: Session, one: Consequence, subject: string | undefined): Promise<readonly string[]> {
  const said = sentenceFor(one)?.(subject, one.ids.length === 1);
  if (said === undefined) return [];
  const names = await namesOf(session, one.resource, one.ids.slice(0, MOST_NAMES));
  const more = one.ids.length - names.length;
  if (more === 0) return [`${series(names)} ${said}`];
  const first = names.length === 0 ? '' : `: ${names.join(', ')} and ${more} more`;
  return [`${idsCounted(one)} ${said}${first}`];
}

function countedLines(all: readonly Consequence[], subject: string | undefined): readonly string[] {
  const of = (wanted: Effect): readonly Consequence[] =>
    all.filter(({ effect, field }) => effect === wanted && field === undefined);
  const [moved, unread, hidden, back] = [of('moves'), of('unread'), of('hidden'), of('back')];
  const ended = hidden.find(({ resource }) => resource === 'permission');
  const others = hidden.filter((one) => one !== ended);
  const what = series(moved.map(idsCounted));
  const verb = moved.length === 1 && moved[0]?.ids.length === 1 ? 'moves' : 'move';
  return [
    ...(moved.length > 0 ? [`${what} ${verb} along${subject ? ` with ${subject}` : ''}`] : []),
    ...(others.length > 0 ? [`Hidden along: ${others.map(idsCounted).join(', ')}`] : []),
    ...(ended ? [`${idsCounted(ended)} ${ended.ids.length === 1 ? 'ends' : 'end'}`] : []),
    ...(back.length > 0 ? [`Comes back along: ${back.map(idsCounted).join(', ')}`] : []),
    ...(unread.length > 0 ? [`The service does not show all: ${unread.map((one) => words(one, 2)).join(', ')}`] : []),
  ];
}

const words = ({ resource }: Pick<Consequence, 'resource'>, count: number): string =>
  (count === 1 ? singular : plural)(resourceNamed(resource));

const counted = (one: Pick<Consequence, 'resource'>, count: number): string => `${spaced(count)} ${words(one, count)}`;

const idsCounted = (one: Consequence): string => counted(one, one.ids.length);

async function namesOf({ find }: Session, resource: string, ids: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const id of ids) {
    const found = await orNone(find.record(resource, { id }, 'listed'), ['forbidden', 'admin_only', 'unsupported']);
    const name = nameOf(resourceNamed(resource), found?.row);
    if (name !== undefined) names.push(name);
  }
  return names;
}
