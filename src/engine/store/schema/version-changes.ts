// The changes of a version that comparing tables does not show; new tables, columns and indexes need no entry.
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
