// Plans an undo from the history of the embedded engine: one reverse change of each record that the chosen lines changed.
import type { Session } from '../contract/call.ts';
import { resourceNamed } from '../contract/index.ts';
import type { JobRow, PlannedRow, SideEffect } from '../contract/jobs.ts';
import { idKey } from '../contract/kinds.ts';
import { endsOf, GROUP_MEMBER, type Line } from '../contract/lines.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../contract/resources/primary.ts';
import { grouped } from '../text/batches.ts';
import { foldHistory, type HistoryStep } from './plan/folded-history.ts';
import { changesIn, changesOneByOne, type Done } from './plan/history-rows.ts';
import { reverseOf } from './plan/reverse-row.ts';

export interface HistoryUndo {
  /** In an order that can run. Records that are as before already have none. */
  readonly rows: readonly PlannedRow[];
  /** One row for each change that is not taken back already. */
  readonly done: readonly JobRow[];
}

/**
 * Was this line written with the site itself, at its moment and by its maker? No undo takes a site apart. `lines`: the
 * history of the site from a moment on.
 */
export function withTheSite(lines: readonly Line[]): (line: Line) => boolean {
  const made = lines.find(({ resource, what }) => resource === 'site' && what === 'create');
  return ({ at, caller }) => at === made?.at && caller === made.caller;
}

/** `lines`: the history since the first chosen one, of everybody, the newest first. */
export async function planHistoryUndo(
  session: Session,
  lines: readonly Line[],
  isChosen: (line: Line) => boolean,
): Promise<HistoryUndo> {
  const all: Done[] = [];
  for (const record of stepsByRecord(lines, isChosen)) all.push(...(await changesOf(session, record)));
  const done: JobRow[] = [];
  const rows: PlannedRow[] = [];
  const kept = withoutOwnMemberships(withMemberships(all), lines.filter(isChosen));
  for (const { row } of kept.toSorted((one, other) => other.sequence - one.sequence)) {
    done.push(row);
    const reverse = reverseOf(row);
    if (reverse) rows.push({ number: rows.length + 1, ...reverse });
  }
  return { rows, done };
}

interface RecordSteps {
  readonly resource: string;
  readonly id: string;
  readonly steps: HistoryStep[];
}

const stepsByRecord = (lines: readonly Line[], isChosen: (line: Line) => boolean): readonly RecordSteps[] =>
  [...grouped(lines, ({ resource, id }) => `${resource} ${id}`).values()].flatMap((some) => {
    const steps = some.map((line) => ({ line, isChosen: isChosen(line) }));
    const [{ resource, id }] = some as [Line];
    return steps.some((one) => one.isChosen) ? [{ resource, id, steps }] : [];
  });

async function changesOf(session: Session, { resource: name, id, steps: all }: RecordSteps): Promise<readonly Done[]> {
  // Earlier lines of others are no part of it.
  const steps = all.slice(0, all.findLastIndex(({ isChosen }) => isChosen) + 1);
  if (name === GROUP_MEMBER) return membershipChange(id, steps);
  const resource = resourceNamed(name);
  const now = (await session.find.record(name, { id })).row;
  if (now && isReplayed(resource, steps)) return [...changesOneByOne(resource, now, steps)];
  const folded = foldHistory(resource, steps, now);
  return [...changesIn(resource, id, folded, now)];
}

/**
 * Are its changes taken back one by one? A value that one record has at a time, and a place in a tree, may be free for a
 * record only on the way on which it came: where two people have exchanged their user names, each had another one in between.
 */
const isReplayed = (resource: Resource, steps: readonly HistoryStep[]): boolean =>
  steps.length > 1 &&
  steps.every(({ isChosen, line }) => isChosen && line.what === 'update') &&
  steps.some(({ line }) =>
    Object.keys(line.before ?? {}).some((name) => {
      const field = resource.fields[name];
      return field?.unique === true || (resource.order === 'tree' && field?.to?.includes(resource.name) === true);
    }),
  );

/** A membership in a group that is not as it was before the first chosen step. `steps`: the newest first. */
function membershipChange(id: string, steps: readonly HistoryStep[]): readonly Done[] {
  const chosen = steps.filter(({ isChosen }) => isChosen);
  const isMember = steps[0]?.line.what === 'create';
  const wasMember = chosen.at(-1)?.line.what === 'remove';
  if (isMember === wasMember) return [];
  const [Group, Individual] = endsOf(id);
  const operation = isMember ? 'addMember' : 'deleteMember';
  const row: JobRow = { number: 1, resource: 'securityGroup', operation, body: { Group, Individual }, state: 'done' };
  return [{ row, now: undefined, sequence: chosen[0]?.line.sequence ?? 0 }];
}

/**
 * The primary membership shows in a person's record, too: they go back in one row, as of a job. After that, a new membership
 * is not the primary one any more.
 */
function withMemberships(all: readonly Done[]): readonly Done[] {
  const persons = new Map<string, SideEffect[]>();
  for (const one of all) if (one.row.resource === 'individual' && isPrimary(one)) persons.set(idKey(one.row.id), []);
  const alone: Done[] = [];
  for (const one of all) {
    const isMembership = one.row.resource === 'organizationMember';
    const effects = isMembership ? persons.get(idKey(one.now?.IndividualID)) : undefined;
    if (effects && isPrimary(one)) effects.push(asSideEffect(one));
    else if (effects && one.row.operation === 'create') alone.push(asSecondary(one));
    else alone.push(one);
  }
  return alone.map((one) => (isPrimary(one) ? withMembershipEffects(one, persons.get(idKey(one.row.id))) : one));
}

const isPrimary = ({ row: { resource, operation, patch = {} } }: Done): boolean =>
  operation === 'update' && (PRIMARY_MEMBERS[resource] ?? []).some((name) => name in patch);

function asSideEffect({ row: { resource, id = '', place = {}, result, patch = {} } }: Done): SideEffect {
  // The patch is made of values of the record.
  return { resource, id, place, before: result?.before ?? {}, after: patch as Row };
}

function asSecondary(one: Done): Done {
  const row: JobRow = { ...one.row, body: { ...one.row.body, Primary: false } };
  return { ...one, row };
}

function withMembershipEffects(one: Done, effects: readonly SideEffect[] = []): Done {
  if (effects.length === 0) return one;
  const row: JobRow = { ...one.row, result: { ...one.row.result, effects } };
  return { ...one, row };
}

/** The primary membership of a person who was created came with the record, and goes with it. */
function withoutOwnMemberships(all: readonly Done[], chosen: readonly Line[]): readonly Done[] {
  const created = new Set<string>();
  for (const { resource, what, id } of chosen)
    if (resource === 'individual' && what === 'create') created.add(idKey(id));
  return all.filter(
    ({ row, now }) =>
      row.resource !== 'organizationMember' || now?.Primary !== true || !created.has(idKey(now.IndividualID)),
  );
}
