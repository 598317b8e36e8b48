// The hooks by which a resource adds its own rules to the ordinary verbs.
import type { Fault } from '../../contract/errors.ts';
import type { Resource, Value } from '../../contract/resource.ts';
import type { Change } from '../context.ts';
import type { Stored } from '../store/port.ts';

/** A record that is about to be stored. */
export interface Writing {
  readonly change: Change;
  readonly resource: Resource;
  /** The checked members; `prepare` may add and change some. */
  readonly values: Record<string, Value>;
  /** The stored record; undefined for a new one. */
  readonly before: Stored | undefined;
}

export interface Rules {
  /** Fills in what a body may leave out, before it is compared with the stored record. */
  fill?(writing: Writing): void;
  /** Adds derived members; throws errors about the whole record. */
  prepare?(writing: Writing): Promise<void> | void;
  /** Faults of single members beyond those that the contract finds. */
  check?(writing: Writing): Promise<readonly Fault[]> | readonly Fault[];
  /** Updates other records after the record is stored. */
  follow?(writing: Writing): Promise<void>;
  /** Whether the record is written although none of its members changes. */
  always?(writing: Writing): boolean;
  /** Throws where the record must not be deleted. */
  deleting?(change: Change, row: Stored): Promise<void> | void;
  /** Throws where the record must not be undeleted. */
  undeleting?(change: Change, row: Stored): Promise<void> | void;
  /** Updates other records after a deletion or undeletion. */
  deleted?(change: Change, row: Stored): Promise<void>;
}

/** The value that a member will have: the written one, else the stored one. */
export const member = ({ values, before }: Writing, name: string): Value => values[name] ?? before?.[name] ?? null;

/** Whether this writing changes that member. */
export const changes = ({ values, before }: Writing, name: string): boolean =>
  values[name] !== undefined && values[name] !== (before?.[name] ?? null);
