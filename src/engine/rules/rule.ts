// What a resource may add to the ordinary verbs.
import type { Fault } from '../../contract/errors.ts';
import type { Resource, Value } from '../../contract/resource.ts';
import type { Change } from '../context.ts';
import type { Stored } from '../store/port.ts';

/** A record on its way into the store. */
export interface Writing {
  readonly change: Change;
  readonly resource: Resource;
  /** The checked members; `prepare` may add and change some. */
  readonly values: Record<string, Value>;
  /** The record as it stands; undefined for a new one. */
  readonly before: Stored | undefined;
}

export interface Rules {
  /** Fills in what a body may leave open, before it is compared with what is there. */
  fill?(writing: Writing): void;
  /** Adds what the engine derives; throws what concerns the whole record. */
  prepare?(writing: Writing): Promise<void> | void;
  /** Faults of single members that need more than the contract to see. */
  check?(writing: Writing): Promise<readonly Fault[]> | readonly Fault[];
  /** Brings other records in step, after the record is stored. */
  follow?(writing: Writing): Promise<void>;
  /** Must the record be written although none of its members changes? */
  always?(writing: Writing): boolean;
  /** Throws where the record must not be deleted. */
  deleting?(change: Change, row: Stored): Promise<void> | void;
  /** Throws where the record must not be undeleted. */
  undeleting?(change: Change, row: Stored): void;
  /** Brings other records in step after a deletion or undeletion. */
  deleted?(change: Change, row: Stored): Promise<void>;
}

/** A member as it will stand: as written, else as it stands. */
export const member = ({ values, before }: Writing, name: string): Value => values[name] ?? before?.[name] ?? null;

/** Does this writing change that member? */
export const changes = ({ values, before }: Writing, name: string): boolean =>
  values[name] !== undefined && values[name] !== (before?.[name] ?? null);
