// The heads of jobs: kind, state, counts, and the process that runs the job.
import { ServiceError } from '../../../contract/errors.ts';
import type { JobHead, JobKind, JobState, LockOwner, NewJob, OnDamaged } from '../../../contract/jobs.ts';
import { byName } from '../sql/rows.ts';
import type { Bound, Connection } from '../sqlite/connection.ts';
import { checksum, damaged } from './job-tables.ts';

const FIXED = ['ID', 'Kind', 'Profile', 'SiteID', 'Caller', 'Title', 'Created', 'Undoes'] as const;
const CHANGING = ['State', 'Ended', 'Total', 'Counts', 'UndoneBy', 'Settings', 'LockPid', 'LockHost'] as const;
const COLUMNS = [...FIXED, ...CHANGING];

/** A stored head; settings and counts are JSON. */
export type HeadRow = Readonly<Record<(typeof COLUMNS)[number], Bound>>;

export type Heads = ReturnType<typeof headsOn>;

const SELECT = `SELECT ${COLUMNS.join(', ')}, Crc FROM job`;
const BY_ID = `${SELECT} WHERE ID = ?`;
const NEWEST = `${SELECT} ORDER BY Sequence DESC`;
const BY_PROFILE = `${SELECT} WHERE Profile = ? ORDER BY Sequence DESC`;
const INSERT = `INSERT INTO job (${COLUMNS.join(', ')}, Crc) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)`;
const UPDATE = `UPDATE job SET ${CHANGING.map((name) => `${name} = ?`).join(', ')}, Crc = ? WHERE ID = ?`;

/** The heads of jobs on one connection. Reading throws `storage` where a checksum is wrong. */
export function headsOn(connection: Connection) {
  const decoded = (raw: readonly unknown[]): HeadRow => {
    const row = byName(COLUMNS, raw) as HeadRow;
    if (sumOf(row) !== raw[COLUMNS.length]) throw damaged(connection.file, String(row.ID), 'its head');
    return row;
  };
  const wholeOr = (onDamaged: OnDamaged, raw: readonly unknown[]): readonly HeadRow[] => {
    try {
      return [decoded(raw)];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      onDamaged(String(raw[0]), error);
      return [];
    }
  };
  const find = (job: string): HeadRow | undefined => {
    const raw = connection.one(BY_ID, [job]);
    return raw && decoded(raw);
  };
  return {
    find,
    begin(job: NewJob, owner: LockOwner | undefined): void {
      const row = rowOf(job, owner);
      connection.run(INSERT, [...COLUMNS.map((name) => row[name]), sumOf(row)]);
    },
    /** Throws `not_found`. */
    row: (job: string): HeadRow => find(job) ?? noSuchJob(job),
    /** The newest first; `onDamaged` receives the damaged ones instead of an error. */
    list: (profile: string | undefined, onDamaged?: OnDamaged): readonly HeadRow[] =>
      (profile === undefined ? connection.all(NEWEST) : connection.all(BY_PROFILE, [profile])).flatMap((raw) =>
        onDamaged ? wholeOr(onDamaged, raw) : decoded(raw),
      ),
    update: (row: HeadRow): void =>
      void connection.run(UPDATE, [...CHANGING.map((name) => row[name]), sumOf(row), row.ID]),
  };
}

/** A head as the journal answers it. */
export function headOf(row: HeadRow): JobHead {
  return {
    id: String(row.ID),
    kind: row.Kind as JobKind,
    state: row.State as JobState,
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

export const countsOf = (row: HeadRow): JobHead['counts'] => JSON.parse(String(row.Counts)) as JobHead['counts'];

const sumOf = (row: HeadRow): number => checksum(...COLUMNS.map((name) => row[name]));

const rowOf = (job: NewJob, owner: LockOwner | undefined): HeadRow => ({
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
  UndoneBy: null,
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
  if (holder && !isTakenOver && !isFree(holder, owner)) throw busy(String(row.ID), holder, owner);
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

const isFree = (holder: LockOwner, owner: LockOwner): boolean =>
  holder.host === owner.host && (holder.pid === owner.pid || !isAlive(holder.pid));

/** EPERM: the process of another user is alive, and may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function busy(job: string, holder: LockOwner, owner: LockOwner): ServiceError {
  const isHere = holder.host === owner.host;
  const where = isHere ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`;
  const hint = isHere
    ? `Wait until it ends, or stop it (kill ${holder.pid}).`
    : 'Whether it still runs cannot be seen from here.';
  return new ServiceError('busy', `job ${job} is being run by ${where}`, { hint, next: { do: 'take-over-job', job } });
}
