// The versions of the tables. A change of tables or of the rules of keys adds a line, which a test prints. Lines of released
// versions are never changed or removed. A file is brought to the newest version by comparing its tables with the new ones; a line
// names tables that go, and may hold SQL that moves rows or computes keys anew. A database on a server is brought there by the
// SQL of each line.
import { ServiceError } from '../../../contract/errors.ts';
import { LINES_IN_FILE, LINES_ON_SERVER } from './lines-of-history.ts';

/** How a stored key is computed. */
export type KeyRule = 'text key' | 'instant key' | 'tree key';

/** A column that is computed from another one of its record. */
export interface Key {
  readonly name: string;
  readonly rule: KeyRule;
  /** The column it is the key of. */
  readonly from: string;
}

/**
 * Applied once, to files of an older version. Keys and side tables follow their columns. History and jobs keep the names
 * that they were written with.
 */
export interface Changes {
  /** SQL that moves rows of a file, before old tables go. */
  readonly moves?: readonly string[];
  readonly droppedTables?: readonly string[];
}

/** One version of the tables. Numbers ascend by one. */
export interface Version {
  readonly number: number;
  /** Of the tables, and of the stored keys of some sample texts and dates. */
  readonly sha256: string;
}

/** A version to which databases of the version before are brought. */
export interface Step extends Version, Changes {
  /**
   * The SQL that brings a database on a server here from the version before: first the column of turns gets its new name, which
   * waits until an older pm has written (`turnOf`); then come the new tables, columns and indexes. The test prints all that. The SQL that
   * drops, renames or fills a column is added by hand. Empty for a journal, which is never on a server.
   */
  readonly onServer: readonly string[];
}

export interface FileKind {
  readonly applicationID: number;
  /** From the oldest to the newest. */
  readonly versions: readonly [Version, ...Step[]];
}

/** The version that this pm creates. */
export const newestOf = ({ versions }: FileKind): Version => versions.at(-1) ?? versions[0];

export const stepsFrom = ({ versions: [, ...steps] }: FileKind, number: number): readonly Step[] =>
  steps.filter((step) => step.number > number);

/** Called once older tables were brought forward: the version before and now, and of a file the copy of how it was. */
export type OnUpgraded = (from: number, to: number, copy?: string) => void;

/** The version that a database says it has, and how another database is had instead. */
interface StoredVersion {
  /** The file, or the address of the database. */
  readonly place: string;
  readonly number: number;
  readonly sha256: unknown;
  readonly another: string;
  /** How an older pm goes on, where this one is too old, and what is not there then. */
  readonly back: () => string;
}

/** Are these the newest tables? False for older ones, which `stepsFrom` brings there. Throws `storage` for all others. */
export function areNewest(kind: FileKind, stored: StoredVersion): boolean {
  const version = kind.versions.find(({ number }) => number === stored.number);
  if (version && version.sha256 === stored.sha256) return version === newestOf(kind);
  const [reason, hint] = refusalOf(kind, stored);
  throw new ServiceError('storage', `The database ${stored.place} ${reason}`, { hint });
}

/** The reason why tables of an unknown version are refused, and the way out. */
function refusalOf(kind: FileKind, { number, another, back }: StoredVersion): readonly [reason: string, hint: string] {
  const [oldest, newest] = [kind.versions[0].number, newestOf(kind).number];
  if (number > newest)
    return [
      `was made by a newer pm (its tables have version ${number}, this pm knows ${newest})`,
      `Install the newest pm, then run it again. ${back()}`,
    ];
  if (number >= oldest)
    return [
      `was made by another build of pm: its tables are called version ${number}, as ours are, and differ from them`,
      `Use it with the pm that made it, and export from there what is needed here. ${another}`,
    ];
  if (kind === CLONE) return ['is a copy that an older pm has begun', another];
  return [
    `was made by a pm that was never released (its tables have version ${number}, this pm reads ${oldest} and newer)`,
    `${another} The pm that made it still reads it; the topic upgrade of the help says how records come over.`,
  ];
}

/** The database of records: "pmv4" in ASCII. No version before 6 was released. */
export const DATABASE: FileKind = {
  applicationID: 0x706d7634,
  versions: [
    { number: 6, sha256: 'f55d5a965cf4d8d8c4e08289acead05131b40a66dc28b6957fd19482c5d4ebe6' },
    {
      number: 7,
      sha256: '0d549bdd140cc312351199479776176ba9af310484904bedb4bd29ca3ba89070',
      moves: LINES_IN_FILE,
      droppedTables: ['history'],
      onServer: [
        'ALTER TABLE site_writer RENAME COLUMN Turn TO Turn7',
        `CREATE TABLE line_name (
  Number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  Name TEXT COLLATE "C" NOT NULL UNIQUE
)`,
        `CREATE TABLE line (
  Sequence BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  Site BIGINT NOT NULL,
  At BIGINT NOT NULL,
  Caller BIGINT NOT NULL,
  Job BIGINT,
  Row BIGINT,
  Resource BIGINT NOT NULL,
  ID TEXT COLLATE "C" NOT NULL,
  What BIGINT NOT NULL,
  Before TEXT COLLATE "C",
  Crc BIGINT
)`,
        ...LINES_ON_SERVER,
        'CREATE INDEX line_by_ID ON line (ID, Site)',
        'CREATE INDEX line_in_order ON line (Site, Sequence, At)',
        'CREATE INDEX line_by_Job ON line (Job, Row) WHERE Job IS NOT NULL',
      ],
    },
  ],
};

/**
 * A database of records into which a clone is not whole yet: "pmcl" in ASCII. Its last step makes it one of records. Older
 * ones are not brought forward: they begin again.
 */
export const CLONE: FileKind = { applicationID: 0x706d636c, versions: [newestOf(DATABASE)] };

/** A journal of jobs: "pmjn" in ASCII. No version before 3 was released. */
export const JOURNAL: FileKind = {
  applicationID: 0x706d6a6e,
  versions: [{ number: 3, sha256: '62100e25e1ae2b56e7328cebbd7456b87565e6a5fc6d8285d5d6bc3d4b36ebbd' }],
};
