// What completion knows of every command. It is written to a file when pm is built, so that Tab loads no command.

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

/** The flags with blanks between them, its value if it takes one, and what it means. */
export type FlagEntry = readonly [flags: string, value: Value | null, doc: string];

export interface CommandEntry {
  readonly doc: string;
  readonly flags: readonly FlagEntry[];
  readonly arguments: readonly Value[];
  /** The last argument may be given several times. */
  readonly many: boolean;
  /** The flags of every command, as far as this one has them. */
  readonly globals: boolean;
  readonly below: Readonly<Record<string, CommandEntry>>;
}

/** Where the names of a resource are in the database: its columns, each with the one of its key, which may be in a side table. */
export interface NameColumns {
  readonly table: string;
  readonly columns: readonly (readonly [column: string, key: string, sideTable?: string])[];
  readonly soft: boolean;
}

export interface WordsTable {
  readonly commands: Readonly<Record<string, CommandEntry>>;
  /** The commands by their other names. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly globals: readonly FlagEntry[];
  readonly names: Readonly<Record<string, NameColumns>>;
}
