// Lines of history as they are printed, and the flags that choose among them.
import type { Session } from '../../contract/call.ts';
import { date } from '../../contract/field.ts';
import { guidsIn } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { shortID } from '../changes/journal.ts';
import { type Context, formatOf, tableClock } from '../context.ts';
import { valueInWords } from '../output/formats/cells.ts';
import { type Clock, isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import { namesOfOwners, type ReferenceNames, referenceNames } from '../selectors/reference-names.ts';
import { changedField, type HistoryLine, type MemberChange } from './lines.ts';

/** How lines are shown. */
export interface Shown {
  /** What a member was and became. */
  change(line: HistoryLine, change: MemberChange): Promise<{ before: Value; after: Value }>;
  /** Whose record it is: what one without a name is called. */
  owners(line: HistoryLine): Promise<string | undefined>;
}

/** Values as they are; of a list what came and went: +ann -bob. */
export const plainly = (session: Session): Shown => ({
  change: async ({ resource }, { field, before, after }) =>
    changedField(resource, field)?.kind === 'guids' ? listChange(before, after, String) : { before, after },
  owners: ownersBy(referenceNames(session)),
});

const ownersBy =
  (names: Pick<ReferenceNames, 'of'>): Shown['owners'] =>
  ({ resource: { fields }, owners }) =>
    namesOfOwners(names, fields, owners);

/** The same with names in place of IDs, and times by a clock. */
export const byName = (names: Pick<ReferenceNames, 'of'>, clock: Clock | undefined): Shown => ({
  async change(line, change) {
    const field = changedField(line.resource, change.field);
    const named = async (value: Value): Promise<Value> =>
      (await names.of(field, value)) ?? valueInWords(field, value, clock) ?? value;
    if (field?.kind !== 'guids') return { before: await named(change.before), after: await named(change.after) };
    const ids = [change.before, change.after].flatMap((value) => guidsIn(value).map(String));
    const known = new Map<string, string>();
    for (const id of ids) known.set(id, String(await named(id)));
    return listChange(change.before, change.after, (id) => known.get(id) ?? id);
  },
  owners: ownersBy(names),
});

/** How a command shows them: by name where people read, and in csv and xlsx, which spreadsheets show to people. */
export async function styleFor(context: Context, session: Session): Promise<Shown> {
  const format = formatOf(context);
  if (!isForPeople(format) && format !== 'csv' && format !== 'xlsx') return plainly(session);
  return byName(referenceNames(session), await tableClock(context));
}

function listChange(before: Value, after: Value, nameOf: (id: string) => string): { before: Value; after: Value } {
  const [was, is] = [before, after].map((value) => guidsIn(value).map(String)) as [string[], string[]];
  const came = is.filter((id) => !was.includes(id)).map((id) => `+${nameOf(id)}`);
  const went = was.filter((id) => !is.includes(id)).map((id) => `-${nameOf(id)}`);
  return { before: null, after: [...came, ...went].join(' ') || null };
}

export const LOG_FIELDS = {
  At: date('read-only'),
  ...texts('Who', 'What', 'Resource', 'Name', 'Changes', 'Fields', 'Job', 'ID'),
};

export const LOG_SHAPE: Shape = {
  ...shapeFrom('LogLine', LOG_FIELDS, ['At', 'Who', 'Name', 'Changes', 'Job', 'Resource']),
  whole: ['At', 'Who', 'Name', 'Changes'],
};

/** All characters of the changes, for programs. The arrow stands between what a member was and became. */
export const WHOLE = { most: Number.POSITIVE_INFINITY, arrow: '→' };

export async function logRow(line: HistoryLine, shown: Shown, { most, arrow } = WHOLE): Promise<Row> {
  const { at, who, what, resource, id, name, changes, job } = line;
  const said: string[] = [];
  for (const change of changes) said.push(inWords(change.field, await shown.change(line, change), arrow));
  // An update says what it changed; the word is for those that may say nothing more.
  const all = [...(what === 'update' ? [] : [what]), ...said].join('; ');
  return {
    At: at,
    Who: who,
    What: what,
    Resource: resource.command,
    Name: name ?? (await shown.owners(line)) ?? id,
    Changes: (all.length > most ? `${all.slice(0, most)}…` : all) || null,
    Fields: changes.map(({ field }) => field).join(' ') || null,
    Job: job === undefined ? null : shortID(job),
    ID: id,
  };
}

function inWords(field: string, { before, after }: { before: Value; after: Value }, arrow: string): string {
  const is = after === null ? 'empty' : String(after);
  // As pm permissions calls them: Read, not ReadState.
  const named = /^(.+)State$/.exec(field)?.[1] ?? field;
  const name = named !== field && STATE_WORDS.includes(is) ? `${named}:` : field;
  return before === null ? `${name} ${is}` : `${name} ${String(before)} ${arrow} ${is}`;
}

const STATE_WORDS: readonly string[] = Object.values(STATES);

const HISTORY_FIELDS = { At: date('read-only'), ...texts('Who', 'What', 'Field', 'Before', 'After', 'Job') };

/** What support looks for. */
export const HISTORY_WHOLE = ['At', 'Who', 'What', 'Field', 'Before', 'After'];
export const HISTORY_SHAPE: Shape = { ...shapeFrom('HistoryLine', HISTORY_FIELDS), whole: HISTORY_WHOLE };

/** One row for each member that changed. */
export async function historyRows(line: HistoryLine, shown: Shown): Promise<readonly Row[]> {
  const { at, who, what, job } = line;
  const head = { At: at, Who: who, What: what };
  const tail = { Job: job === undefined ? null : shortID(job) };
  if (line.changes.length === 0) return [{ ...head, Field: null, Before: null, After: null, ...tail }];
  const rows: Row[] = [];
  for (const change of line.changes) {
    const { before, after } = await shown.change(line, change);
    rows.push({ ...head, Field: change.field, Before: textOf(before), After: textOf(after), ...tail });
  }
  return rows;
}

const textOf = (value: Value): string | null => (value === null ? null : String(value));
