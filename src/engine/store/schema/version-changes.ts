// What a version changes beyond what is seen by comparing tables: new tables, columns and indexes need not be said.

/** How a stored key is computed. */
export type KeyRule = 'text key' | 'instant key' | 'tree key';

/** A column that is computed from others of its record. */
export interface Key {
  readonly name: string;
  readonly rule: KeyRule;
  /** The column it is the key of. */
  readonly from: string;
}

/**
 * Each is done once, to files of an older version. Keys and side tables follow their columns. The past and the jobs keep
 * the names that they were written with.
 */
export interface Changes {
  readonly droppedTables?: readonly string[];
  /** Old names, each with the new one. */
  readonly renamedTables?: Readonly<Record<string, string>>;
  /** Columns by their table, which is called as after the renaming. */
  readonly dropped?: Readonly<Record<string, readonly string[]>>;
  /** By their table: old names of columns, each with the new one. */
  readonly renamed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Keys whose rule has changed. */
  readonly recomputed?: readonly KeyRule[];
}

/** The columns of a new table, each with the column of the old one that it takes its values from. */
export type Sources = Map<string, string>;

/** Where the columns of a table come from; one that is not there was dropped, or is to be computed anew. */
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

/** A column's key is called after it. */
const withKey = (name: string): readonly string[] => [name, `${name}$`];

/** The keys of a tree are made of text keys. */
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
