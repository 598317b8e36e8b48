// Who runs a job: one process at a time, and a dead one's job is free again.
import { ServiceError } from '../../../contract/errors.ts';
import type { Owner } from '../../../contract/jobs.ts';
import type { HeadRow } from './job-heads.ts';

/** The head with this owner on it. Throws `busy`, which names the holder, unless the job is free or is to be taken over. */
export function locked(row: HeadRow, owner: Owner, isTakenOver: boolean): HeadRow {
  const holder = holderOf(row);
  if (holder && !isTakenOver && !isFree(holder, owner)) throw busy(String(row.ID), holder, owner);
  return { ...row, LockPid: owner.pid, LockHost: owner.host };
}

/** The head without this owner; another's lock stays. */
export function released(row: HeadRow, owner: Owner): HeadRow {
  const holder = holderOf(row);
  return holder && isSame(holder, owner) ? { ...row, LockPid: null, LockHost: null } : row;
}

const holderOf = ({ LockPid, LockHost }: HeadRow): Owner | undefined =>
  LockPid === null ? undefined : { pid: Number(LockPid), host: String(LockHost) };

const isSame = (one: Owner, other: Owner): boolean => one.pid === other.pid && one.host === other.host;

const isFree = (holder: Owner, owner: Owner): boolean =>
  holder.host === owner.host && (holder.pid === owner.pid || !isAlive(holder.pid));

/** A process of somebody else cannot be signalled, but it lives. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function busy(job: string, holder: Owner, owner: Owner): ServiceError {
  const isHere = holder.host === owner.host;
  const where = isHere ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`;
  const hint = isHere
    ? `Wait until it ends, or stop it (kill ${holder.pid}).`
    : 'Whether it still runs cannot be seen from here.';
  return new ServiceError('busy', `job ${job} is being run by ${where}`, { hint, next: { do: 'take-over-job', job } });
}
