// The lines of history: each says what one write of one call changed in one record.
import type { Row } from './resource.ts';

/** The row of a job for which a call is made: data of the engine alone, which no request holds. */
export interface Cause {
  /** The ID of the job. */
  readonly job: string;
  readonly row: number;
  /** The ID of the record that the row makes: of the plan, or that it had before. The interface takes it of some alone. */
  readonly id?: string | undefined;
}

/** `remove`: the record was taken out again by which it came (restore), also where deletion is soft. */
export type LineWhat = 'create' | 'update' | 'delete' | 'undelete' | 'remove';

export interface Line {
  /** The order of the writes; clocks may jump. */
  readonly sequence: number;
  readonly at: string;
  /** The ID of the individual who did it. */
  readonly caller: string;
  /** The job and its row that did it; neither where a request or a person did. */
  readonly job?: string | undefined;
  readonly row?: number | undefined;
  /** The name of a resource, which the contract may not have any more; `GROUP_MEMBER` for a membership. */
  readonly resource: string;
  readonly id: string;
  readonly what: LineWhat;
  /** The stored members that changed, as they were; of what went for good the whole record, of a creation nothing. */
  readonly before: Row | undefined;
}

/** A membership in a security group has no resource, and lines of its own. */
export const GROUP_MEMBER = 'groupMember';

/** The ID of a membership, and the two that it joins. */
export const memberID = (group: string, individual: string): string => `${group}/${individual}`;
export const endsOf = (member: string): readonly [group: string, individual: string] => {
  const at = member.indexOf('/');
  return [member.slice(0, at), member.slice(at + 1)];
};

/** A moment in the past of a site: in milliseconds, or just before the first line of a job, by its ID. */
export type Moment = { readonly at: number } | { readonly job: string };

/** The engine's log of all writes. */
export interface History {
  /** Of one record, the oldest first; of a security group with its memberships. Throws `storage` for a damaged line. */
  of(resource: string, id: string): Promise<readonly Line[]>;
  /** Of the site, the newest first. Throws as `of`. */
  since(at: string | undefined, limit: number): Promise<readonly Line[]>;
  /** The IDs of jobs that changed records of a job later, or records of those jobs; the newest first. */
  laterJobs(job: string): Promise<readonly string[]>;
  /** The global administrators: what they did stands in the history of any site, and their records in their own. */
  globals(): Promise<readonly { readonly id: string; readonly userName: string }[]>;
  /** How many lines `prune` would forget, and how many jobs would lose their undo, wholly or in part. */
  countOld(before: string): Promise<{ readonly lines: number; readonly jobs: number }>;
  /**
   * Forgets the site's lines from before a moment, in pieces that are transactions of their own; yields the number of
   * each. Lines that alone know something are kept: changes of a project's projected end, and last images of records
   * that were deleted for good. Throws `admin_only`.
   */
  prune(before: string): AsyncIterable<number>;
}
