// The heads of jobs: kind, state, counts, and the process that runs the job.
import { ServiceError } from '../../../contract/errors.ts';
import type {
  JobHead,
  JobKind,
  JobState,
  LockOwner,
  NewJob,
  OnDamaged,
  RowState,
  WantedHeads,
} from '../../../contract/jobs.ts';
import { isRunning } from '../../../files/processes.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Dialect } from '../sql/dialect.ts';
import { byName } from '../sql/rows.ts';
import { all, type Bound, one, type Raw, run, type Steps } from '../sql/steps.ts';
import { checksum, damaged } from './job-tables.ts';

const FIXED = ['ID', 'Kind', 'Profile', 'SiteID', 'Caller', 'Title', 'Created', 'Undoes'] as const;
const CHANGING = ['State', 'Ended', 'Total', 'Counts', 'Settings', 'LockPid', 'LockHost'] as const;
/** The columns that the checksum covers. */
const COLUMNS = [...FIXED, ...CHANGING];

/** A stored head; settings and counts are JSON. */
type StoredHead = Readonly<Record<(typeof COLUMNS)[number], Bound>>;

export interface HeadRow extends StoredHead {
  /** The newest undo with rows that are done. */
  readonly UndoneBy: Bound;
  /** The dialect's. */
  readonly isLocal: boolean;
}

export type Heads = ReturnType<typeof headsIn>;

const hasRows = ({ json }: Dialect, state: RowState, counts = 'Counts'): string =>
  `CAST(${json(counts)} ->> '${state}' AS INTEGER) > 0`;
const undoneBy = (dialect: Dialect): string => `(SELECT undo.ID FROM job AS undo
  WHERE undo.Undoes = job.ID AND ${hasRows(dialect, 'done', 'undo.Counts')} ORDER BY undo.Sequence DESC LIMIT 1)`;
const select = oncePer(
  (dialect: Dialect): string =>
    `SELECT ${COLUMNS.join(', ')}, Crc, ${undoneBy(dialect)} FROM job WHERE State <> '${PRUNED}'`,
);
/** A row failed or was altered, and what was done is still to be taken back: only a remote service has both for long. */
const rollingBack = (dialect: Dialect): string => `(${dialect.json('Settings')} ->> 'onError' = 'rollback'
  AND (${hasRows(dialect, 'altered')} OR ${hasRows(dialect, 'done')} AND (${hasRows(dialect, 'failed')}
    OR ${hasRows(dialect, 'drifted')} AND ${dialect.json('Settings')} ->> 'onDrift' = 'stop'))
  AND NOT EXISTS (SELECT 1 FROM job AS undo WHERE undo.Undoes = job.ID AND undo.State = 'running'))`;
const unfinished = (dialect: Dialect): string => `(State <> 'running' OR ${hasRows(dialect, 'pending')}
  OR ${hasRows(dialect, 'intent')} OR ${hasRows(dialect, 'unknown')} OR ${rollingBack(dialect)})`;
const INSERT = `INSERT INTO job (${COLUMNS.join(', ')}, Crc) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)`;
const UPDATE = `UPDATE job SET ${CHANGING.map((name) => `${name} = ?`).join(', ')}, Crc = ? WHERE ID = ?`;

/** Of a job that has run the head stays, so that lines of history still name it; no reading of the journal finds it. */
const PRUNED = 'pruned';
const UNSTARTED = "State IN ('planning', 'planned')";
const FORGETS = [
  `DELETE FROM job WHERE ID = ? AND ${UNSTARTED}`,
  `UPDATE job SET State = '${PRUNED}', Total = 0, Counts = '{}', Settings = '{}', Undoes = NULL, LockPid = NULL,
  LockHost = NULL WHERE ID = ?`,
];

const ALL = 2 ** 31 - 1;
const NOT_BEFORE = 'Sequence >= (SELECT Sequence FROM job WHERE ID = ?)';

/** The heads of jobs; `place` names the database in errors. Reading throws `storage` where a checksum is wrong. */
export function headsIn(place: string, dialect: Dialect) {
  const decoded = (raw: Raw): HeadRow => {
    const row = byName(COLUMNS, raw) as StoredHead;
    if (sumOf(row) !== raw[COLUMNS.length]) throw damaged(place, String(row.ID), 'its head');
    return { ...row, UndoneBy: (raw[COLUMNS.length + 1] ?? null) as Bound, isLocal: dialect.isLocal };
  };
  const wholeOr = (onDamaged: OnDamaged, raw: Raw): readonly HeadRow[] => {
    try {
      return [decoded(raw)];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      onDamaged(String(raw[0]), error);
      return [];
    }
  };
  function* find(job: string, end = ''): Steps<HeadRow | undefined> {
    const raw = yield* one(`${select(dialect)} AND ID = ?${end}`, [job]);
    return raw && decoded(raw);
  }
  const findToChange = (job: string): Steps<HeadRow | undefined> => find(job, dialect.forChange('job'));
  return {
    find: (job: string): Steps<HeadRow | undefined> => find(job),
    /** It stays as it is until the transaction ends, unless that changes it. */
    findToChange,
    *begin(job: NewJob, owner: LockOwner | undefined): Steps<void> {
      const row = rowOf(job, owner);
      yield* run(INSERT, [...COLUMNS.map((name) => row[name]), sumOf(row)]);
    },
    /** Throws `not_found`. */
    *row(job: string): Steps<HeadRow> {
      return (yield* find(job)) ?? noSuchJob(job);
    },
    /** As `findToChange`. Throws `not_found`. */
    *rowToChange(job: string): Steps<HeadRow> {
      return (yield* findToChange(job)) ?? noSuchJob(job);
    },
    /** The newest first; `onDamaged` receives the damaged ones instead of an error. */
    *list(
      profile: string | undefined,
      { unfinished: isUnfinished, site, from, limit = ALL, onDamaged }: WantedHeads = {},
    ): Steps<readonly HeadRow[]> {
      const conditions = [
        ...(profile === undefined ? [] : ['Profile = ?']),
        ...(site === undefined ? [] : ['SiteID = ?']),
        ...(isUnfinished ? [unfinished(dialect)] : []),
        ...(from === undefined ? [] : [NOT_BEFORE]),
      ];
      const where = conditions.map((condition) => ` AND ${condition}`).join('');
      const params = [profile, site, from].filter((one) => one !== undefined);
      const found = yield* all(`${select(dialect)}${where} ORDER BY Sequence DESC LIMIT CAST(? AS BIGINT)`, [
        ...params,
        limit,
      ]);
      return found.flatMap((raw) => (onDamaged ? wholeOr(onDamaged, raw) : decoded(raw)));
    },
    *forget(job: string): Steps<void> {
      for (const sql of FORGETS) yield* run(sql, [job]);
    },
    *update(row: StoredHead): Steps<void> {
      yield* run(UPDATE, [...CHANGING.map((name) => row[name]), sumOf(row), row.ID]);
    },
  };
}

/** A head as the journal answers it. */
export function headOf(row: HeadRow): JobHead {
  return {
    id: String(row.ID),
    kind: row.Kind as JobKind,
    state: stateOf(row),
    profile: String(row.Profile),
    site: String(row.SiteID),
    caller: String(row.Caller),
    title: String(row.Title),
    created: String(row.Created),
    ...(row.Ended === null ? {} : { ended: String(row.Ended) }),
    total: Number(row.Total),
    counts: countsOf(row),
    ...(row.Undoes === null ? {} : { undoes: String(row.Undoes) }),
    ...(row.UndoneBy === null ? {} : { undoneBy: String(row.UndoneBy) }),
    settings: JSON.parse(String(row.Settings)) as JobHead['settings'],
  };
}

function stateOf(row: HeadRow): JobState {
  if (row.State !== 'running') return row.State as JobState;
  if (isOver(countsOf(row))) return 'ended';
  const holder = holderOf(row);
  return holder && isRunning(holder, row.isLocal) !== false ? 'running' : 'stopped';
}

/** Has no row to run, and none of unknown outcome? */
const isOver = ({ pending = 0, intent = 0, unknown = 0 }: JobHead['counts']): boolean =>
  pending + intent + unknown === 0;

export const countsOf = (row: StoredHead): JobHead['counts'] => JSON.parse(String(row.Counts)) as JobHead['counts'];

const sumOf = (row: StoredHead): number => checksum(...COLUMNS.map((name) => row[name]));

const rowOf = (job: NewJob, owner: LockOwner | undefined): StoredHead => ({
  ID: job.id,
  Kind: job.kind,
  State: 'planning',
  Profile: job.profile,
  SiteID: job.site,
  Caller: job.caller,
  Title: job.title,
  Created: job.created,
  Ended: null,
  Total: 0,
  Counts: '{}',
  Undoes: job.undoes ?? null,
  Settings: JSON.stringify(job.settings),
  LockPid: owner?.pid ?? null,
  LockHost: owner?.host ?? null,
});

function noSuchJob(job: string): never {
  throw new ServiceError('not_found', `there is no job ${job}`, { next: { do: 'list-jobs' } });
}

/** The head locked by this owner. Throws `busy`, which names the holder, unless the job is free or is taken over. */
export function locked(row: HeadRow, owner: LockOwner, isTakenOver: boolean): HeadRow {
  const holder = holderOf(row);
  const runs = holder && !isTakenOver && !isSame(holder, owner) ? isRunning(holder, row.isLocal) : false;
  if (holder && runs !== false) throw busy(String(row.ID), holder, runs);
  return { ...row, LockPid: owner.pid, LockHost: owner.host };
}

/** The head without this owner's lock; another's lock stays. */
export function released(row: HeadRow, owner: LockOwner): HeadRow {
  const holder = holderOf(row);
  return holder && isSame(holder, owner) ? { ...row, LockPid: null, LockHost: null } : row;
}

const holderOf = ({ LockPid, LockHost }: HeadRow): LockOwner | undefined =>
  LockPid === null ? undefined : { pid: Number(LockPid), host: String(LockHost) };

const isSame = (one: LockOwner, other: LockOwner): boolean => one.pid === other.pid && one.host === other.host;

/** How to stop a process is said where the system has shown that it still is the holder. */
function busy(job: string, { pid, host }: LockOwner, runs: true | undefined): ServiceError {
  const [name, boot] = host.split(' ');
  const where = runs ? `process ${pid}` : `process ${pid} on ${name}`;
  const wait = boot ? `Wait until it ends, or stop it (kill ${pid}).` : 'Wait until it ends.';
  const hint = runs ? wait : 'pm cannot see from here whether it still runs.';
  return new ServiceError('busy', `job ${job} is being run by ${where}`, { hint, next: { do: 'take-over-job', job } });
}
