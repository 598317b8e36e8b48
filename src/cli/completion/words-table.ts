// What completion knows of every command. It is written to a file when pm is built, so that Tab loads no command.
import type { CommandEntry } from '../usage/command-list.ts';

/** What stands behind a flag, or as an argument. */
export type Value =
  /** One of these words. */
  | readonly string[]
  /** A record of these resources, by their names. `gone`: a deleted one. */
  | { readonly of: readonly string[]; readonly gone?: true }
  /** A word of a kind; the fields are those of the resource, by its command. */
  | 'file'
  | 'profile'
  | 'job'
  | 'command'
  | 'text';

/** The value is null for a flag that takes none. */
export type FlagWords = readonly [flag: string, short: string | null, value: Value | null, doc: string];

export interface CommandWords extends Pick<CommandEntry, 'Doc'> {
  readonly Flags: readonly FlagWords[];
  readonly Arguments: readonly Value[];
  /** The last argument may be given several times. */
  readonly Several: boolean;
  /** It has flags of every command. */
  readonly Globals: boolean;
}

/** Where the names of a resource are in the database: its columns, each with the one of its key, which may be in a side table. */
export interface NameColumns {
  readonly table: string;
  readonly columns: readonly (readonly [column: string, key: string, sideTable?: string])[];
  readonly soft: boolean;
}

export interface WordsTable {
  /** By the words that call them; those of none call pm itself, whose flags are those of every command. */
  readonly commands: Readonly<Record<string, CommandWords>>;
  /** The commands by their other names. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, NameColumns>>;
}
