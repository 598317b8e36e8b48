// Does a row still fit its record? Asked before it is applied.
import type { Found, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobKind, PlannedRow } from '../../contract/jobs.ts';
import { nameOf, type Resource, type Row, singular } from '../../contract/resource.ts';
import { alsoOf, locate, otherWithKey } from '../plan/current-record.ts';
import { hasDrifted, isAsWanted, isSame } from '../plan/drift.ts';
import { operationOfRow } from './apply-row.ts';
import type { Run } from './options.ts';

/** Does the row rely on anything, or may another record have its key by now? */
export const mayDrift = ({ isLater }: Pick<Run, 'isLater'>, { was, seen, also }: PlannedRow): boolean =>
  isLater === true || was !== undefined || seen !== undefined || also !== undefined;

interface OfRun extends Pick<Run, 'isLater'> {
  readonly options: Pick<Run['options'], 'onDrift'>;
  readonly head: Pick<Run['head'], 'kind'>;
}

/** The error of a row that has drifted; `as wanted` where the change is made already: by another machine, or by hand. Throws where a part is shown alone. */
export async function driftOf(
  { options, isLater, head: { kind } }: OfRun,
  session: Session,
  row: PlannedRow,
  found: Found | undefined,
): Promise<State> {
  if (found?.row && found.refusal && row.patch) throw found.refusal;
  // Overwriting is for a record that is there; it makes no second one.
  const other = isLater ? await otherWithKey(session, row) : undefined;
  if (other) return keyTakenError(row, other);
  if (options.onDrift === 'overwrite') return undefined;
  const own = !session.local && seemsGone(kind, row, found) ? undefined : stateOf(kind, row, found);
  if (!row.also) return own;
  const states = [own];
  for (const one of alsoOf(row)) states.push(stateOf(kind, one, await locate(session, one)));
  const drifted = states.find((state) => state instanceof ServiceError);
  return drifted ?? (states.every((state) => state === 'as wanted') ? 'as wanted' : undefined);
}

/** A read may be older than the change that an undo takes back: a record that it does not show is deleted all the same. */
export const seemsGone = (kind: JobKind, row: PlannedRow, found: Found | undefined): boolean =>
  kind === 'undo' && found?.state === 'absent' && operationOfRow(row).operation.verb === 'delete';

type State = ServiceError | 'as wanted' | undefined;

/** As `driftOf`, of one record. In an undo, a single member that is taken back already is no drift. */
function stateOf(kind: JobKind, row: PlannedRow, found: Found | undefined): State {
  const { resource, operation } = operationOfRow(row);
  if (!hasDrifted(resource, row, found?.row)) return undefined;
  if (!found || found.state === 'unseen') return driftError(kind, row, found);
  if (isAsWanted(resource, operation, row, found.row)) return 'as wanted';
  const left = kind === 'undo' ? withoutTakenBack(resource, row, found.row) : row;
  return hasDrifted(resource, left, found.row) ? driftError(kind, row, found) : undefined;
}

/** The row without the members that its record has as they are wanted. */
function withoutTakenBack(resource: Resource, row: PlannedRow, now: Row | undefined): PlannedRow {
  const isBack = (name: string): boolean =>
    row.patch !== undefined && name in row.patch && isSame(resource, name, row.patch[name], now?.[name]);
  const was = Object.entries(row.was ?? {}).filter(([name]) => !isBack(name));
  return { ...row, was: Object.fromEntries(was) };
}

const AGAIN = 'Look at it, then plan the change again.';

/** The error of a row whose new record has a key that another record has by now. */
const keyTakenError = ({ resource, key = [] }: PlannedRow, { ID }: Row): ServiceError =>
  new ServiceError(
    'drifted',
    `another ${singular(resourceNamed(resource))} has this ${key.join(' and ')} by now: ${String(ID)}`,
    { hint: AGAIN },
  );

function driftError(kind: JobKind, { resource: name, id = '', was, body }: PlannedRow, found?: Found): ServiceError {
  const resource = resourceNamed(name);
  const called = nameOf(resource, found?.row ?? { ...body, ...was });
  const what = `the ${singular(resource)} ${called === undefined ? id : `${called} (${id})`}`;
  const [since, hint] =
    kind === 'undo'
      ? ['the change that is taken back', 'Look at it: newer values would be lost.']
      : ['the plan was made', AGAIN];
  if (found?.row?.Deleted === true && was?.Deleted !== true && resource.operations.undelete) {
    const next = { do: 'undelete', resource: name, id } as const;
    return new ServiceError('drifted', `${what} was deleted after ${since}`, { hint: 'To bring it back first:', next });
  }
  if (found?.row)
    return new ServiceError('drifted', `${what} has changed since ${since}`, { hint, next: { do: 'overwrite-drift' } });
  if (found?.state === 'unseen')
    return new ServiceError('drifted', `pm cannot see whether ${what} has changed: no list of the service shows it`, {
      hint: 'Look at it yourself.',
      next: { do: 'overwrite-drift' },
    });
  return new ServiceError('drifted', `${what} no longer exists`);
}
