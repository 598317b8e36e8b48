// The versions of the tables. A change of tables or of the rules of keys adds a line, which a test writes out. Lines of
// released versions are never changed or removed. They say what comparing tables does not show; new tables, columns and
// indexes need no entry.

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
  readonly droppedTables?: readonly string[];
  /** Old names, each with the new one. */
  readonly renamedTables?: Readonly<Record<string, string>>;
  /** Columns by the new name of their table. */
  readonly dropped?: Readonly<Record<string, readonly string[]>>;
  /** Old names of columns, each with the new one, by the new name of their table. */
  readonly renamed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Keys whose rule has changed. */
  readonly recomputed?: readonly KeyRule[];
}

/** One version of the tables. Numbers ascend by one. */
export interface Version extends Changes {
  readonly number: number;
  /** Of the tables, and of the stored keys of some sample texts and dates. */
  readonly sha256: string;
  /**
   * The SQL that changes a database on a server from the version before to this one, with all its new tables, columns and
   * indexes; a version that no server has had before it has none. An older pm may still run there: what it would write wrongly
   * must fail from the first of these statements on, which waits for what it is writing.
   */
  readonly onServer?: readonly string[];
}

/** A kind of database file. */
export interface FileKind {
  readonly applicationID: number;
  /** From the oldest to the newest. */
  readonly versions: readonly Version[];
}

/** The version that this pm creates. */
export function newestOf({ versions }: FileKind): Version {
  const newest = versions.at(-1);
  if (!newest) throw new Error('a kind of file has at least one version');
  return newest;
}

/** The versions that follow this one, whose `sha256` it must have; undefined where a server cannot go from it to the newest. */
export function stepsFrom({ versions }: FileKind, number: number, sha256: string): readonly Version[] | undefined {
  const at = versions.findIndex((one) => one.number === number && one.sha256 === sha256);
  const steps = versions.slice(at + 1);
  return at >= 0 && steps.every(({ onServer }) => onServer) ? steps : undefined;
}

/** Columns of the first version that later ones compute. */
const STORED_ONCE = {
  site: ['SecretKeyPartial', 'Nickname', 'AuthServiceUrl', 'SsoLoginLabel', 'RowType', 'BelowThresholdColor'],
  organization: ['RankPath', 'Values', 'LastCommentBy', 'CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  individual: [
    ...['PrimaryOrganizationName', 'UserEmail', 'LastCommentBy', 'SendEvalSurvey'],
    ...['CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  ],
  organizationMember: ['Name', 'ReportsToFull', 'ReportsToOrderedName'],
  basicRole: ['PerformanceIndicators'],
  indicator: ['BasicRoleName', 'BasicRolePercentTime', 'BasicRoleRank'],
  dialog: ['Template', 'Draft', 'LastCommentBy', 'CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'],
  basicRoleDialog: ['BasicRoleName', 'BasicRoleRank', 'DialogDate'],
  comment: ['CreatedByName'],
  period: ['TotalProjects', 'TotalCommitments', 'Permissions'],
  project: ['AncestorName', 'SumHoursActual', 'SumHoursProjected', 'Status', 'Phase'],
  teamMember: [
    ...['RoleName', 'HoursActualRollup', 'HoursProjectedRollup', 'IndividualFullName'],
    'IndividualFullOrderedName',
  ],
  permission: [
    ...['RowType', 'PrincipalName', 'PrincipalType', 'RowName'],
    ...['CreateText', 'ReadText', 'UpdateText', 'DeleteText', 'DelegateText'],
  ],
};

/**
 * User names get a table of their own. An older pm would remove an individual without its name: it counts its turn in a site up
 * before it writes anything, which it cannot any more.
 */
const USER_NAMES = [
  'ALTER TABLE site_writer RENAME COLUMN Number TO Turn',
  `CREATE TABLE "individual_UserName" (
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Held" TEXT COLLATE "C" NOT NULL,
  "ID" TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY ("Held")
)`,
  `INSERT INTO "individual_UserName" ("SiteID", "Held", "ID")
  SELECT "SiteID", "UserName$", "ID" FROM "individual" WHERE "UserName$" IS NOT NULL`,
  'ALTER TABLE "individual" DROP COLUMN "UserName$"',
];

/** The database of records: "pmv4" in ASCII. Files of the versions 1 to 3 keep no hash. */
export const DATABASE: FileKind = {
  applicationID: 0x706d7634,
  versions: [
    { number: 4, sha256: '9bf839d28d64b6ea0fe89b63cc147b775fe5f99447e7c90b6c38f7e600caf23e', dropped: STORED_ONCE },
    {
      number: 5,
      sha256: 'bebc57edfddaf7d82c5cc278c5ef6cff57b4d017aa1cf60f82592a1a8c45d40d',
      dropped: { job: ['UndoneBy'] },
    },
    {
      number: 6,
      sha256: 'f55d5a965cf4d8d8c4e08289acead05131b40a66dc28b6957fd19482c5d4ebe6',
      dropped: { individual: ['UserName$'] },
      onServer: USER_NAMES,
    },
  ],
};

/**
 * A database of records into which a clone is not whole yet: "pmcl" in ASCII. Its last step makes it one of records. Older
 * ones are not brought forward: they begin again.
 */
export const CLONE: FileKind = { applicationID: 0x706d636c, versions: [newestOf(DATABASE)] };

/** A journal of jobs: "pmjn" in ASCII. Files of version 1 keep no hash. */
export const JOURNAL: FileKind = {
  applicationID: 0x706d6a6e,
  versions: [
    { number: 2, sha256: 'f40d4654e665f53b6c84f51e7bf1078a798a52e3b82e89d5ed7972efb2aa2ec4' },
    {
      number: 3,
      sha256: '62100e25e1ae2b56e7328cebbd7456b87565e6a5fc6d8285d5d6bc3d4b36ebbd',
      dropped: { job: ['UndoneBy'] },
    },
  ],
};

/** The columns of a new table, each with the column of the old table that has its values. */
export type Sources = Map<string, string>;

/** The sources of a table's columns; a missing one was dropped, or must be recomputed. */
export function sourcesOf(
  table: string,
  columns: readonly string[],
  keys: readonly Key[],
  changes: readonly Changes[],
): Sources {
  let sources: Sources = new Map(columns.map((name) => [name, name]));
  for (const { dropped, renamed, recomputed = [] } of changes) {
    for (const name of dropped?.[table] ?? []) for (const one of withKey(name)) sources.delete(one);
    sources = renamedIn(sources, renamed?.[table] ?? {});
    for (const { name, rule } of keys) if (isTouched(rule, recomputed)) sources.delete(name);
  }
  return sources;
}

const withKey = (name: string): readonly string[] => [name, `${name}$`];

/** Tree keys contain text keys. */
const isTouched = (rule: KeyRule, recomputed: readonly KeyRule[]): boolean =>
  recomputed.includes(rule) || (rule === 'tree key' && recomputed.includes('text key'));

function renamedIn(sources: Sources, names: Readonly<Record<string, string>>): Sources {
  const pairs = Object.entries(names).flatMap(([from, to]) => {
    const keys = withKey(to);
    return withKey(from).map((name, i) => [name, keys[i] as string] as const);
  });
  const renames = new Map(pairs);
  return new Map([...sources].map(([name, source]) => [renames.get(name) ?? name, source]));
}
