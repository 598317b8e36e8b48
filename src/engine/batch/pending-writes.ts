// The writes of one batch that are not sent yet: gathered by table, and sent in a few calls.
import { resourceNamed, storedResources } from '../../contract/index.ts';
import { ownedBy, ownersOf } from '../../contract/record-address.ts';
import type { Resource, Value } from '../../contract/resource.ts';
import { oncePer, valueAt } from '../../text/once-per.ts';
import type { DeletionChange, RecordChange, Stored, Writer } from '../store/port.ts';

type NewLine = Parameters<Writer['addLines']>[1][number];

type Step =
  | { readonly how: 'insert'; readonly site: Value | undefined; readonly rows: Stored[] }
  | { readonly how: 'update'; readonly site: string; readonly updates: RecordChange[] }
  | { readonly how: 'remove'; readonly site: string; readonly ids: string[] }
  | { readonly how: 'delete'; readonly site: string; readonly gone: boolean; readonly deletions: DeletionChange[] };

type StepOf<How> = Extract<Step, { readonly how: How }>;

/** The writes of one table, in their order: one may free the name that the next one takes. */
interface TableWrites {
  readonly steps: Step[];
  /** Where new rows are, by ID; two sites may have the same number. */
  readonly made: Map<string, { readonly rows: Stored[]; readonly at: number }>;
}

/** They are all deletions, or all undeletions: then their order decides nothing. */
interface PendingDeletions {
  readonly gone: boolean;
  /** The IDs of the deleted records, by resource. */
  readonly roots: Map<string, Set<string>>;
  readonly hides: Set<string>;
  readonly asks: Set<string>;
}

export type PendingWrites = ReturnType<typeof pendingWrites>;

export function pendingWrites() {
  let tables = new Map<string, TableWrites>();
  let lines = new Map<string, NewLine[]>();
  let deletions: PendingDeletions | undefined;
  let hasRemovals = false;
  const tableOf = (resource: string): TableWrites => valueAt(tables, resource, () => ({ steps: [], made: new Map() }));
  const clear = (): void => {
    tables = new Map();
    lines = new Map();
    deletions = undefined;
    hasRemovals = false;
  };
  return {
    insert(resource: string, row: Stored): void {
      const { steps, made } = tableOf(resource);
      const { rows } = lastStep<StepOf<'insert'>>(steps, { how: 'insert', site: row.SiteID, rows: [] });
      made.set(String(row.ID), { rows, at: rows.length });
      rows.push(row);
    },
    update(resource: string, site: string, id: string, changes: Stored): void {
      const { steps, made } = tableOf(resource);
      const { rows = [], at = 0 } = made.get(id) ?? {};
      const row = rows[at];
      if (row?.SiteID === site) rows[at] = { ...row, ...changes };
      else lastStep<StepOf<'update'>>(steps, { how: 'update', site, updates: [] }).updates.push({ id, changes });
    },
    remove(resource: string, site: string, id: string): void {
      const { steps, made } = tableOf(resource);
      lastStep<StepOf<'remove'>>(steps, { how: 'remove', site, ids: [] }).ids.push(id);
      made.delete(id);
      hasRemovals = true;
    },
    setDeleted(resource: string, site: string, change: DeletionChange, gone: boolean): void {
      const { steps, made } = tableOf(resource);
      lastStep<StepOf<'delete'>>(steps, { how: 'delete', site, gone, deletions: [] }).deletions.push(change);
      made.delete(change.id);
      deletions ??= { gone, roots: new Map(), hides: new Set(), asks: new Set() };
      const roots = deletions.roots.get(resource);
      if (roots) return void roots.add(change.id);
      deletions.roots.set(resource, new Set([change.id]));
      const { hides, asks } = reachOf(resource);
      for (const name of hides) deletions.hides.add(name);
      if (!gone) for (const name of asks) deletions.asks.add(name);
    },
    addLines(site: string, more: readonly NewLine[]): void {
      valueAt(lines, site, () => []).push(...more);
    },
    /** May a row with these values wait, or a change of one? */
    mayMatch(resource: string, equals: Stored): boolean {
      const names = Object.keys(equals);
      const fits = (row: Stored): boolean => names.every((name) => mayEqual(row[name], equals[name]));
      return tables.get(resource)?.steps.some((step) => step.how !== 'insert' || step.rows.some(fits)) ?? false;
    },
    /** Do any writes of this table wait? */
    touches: (resource: string): boolean => tables.has(resource),
    /** Do later writes to other tables wait that may name its records? They are sent before any of these is removed. */
    isBehind(resource: string): boolean {
      const names = [...tables.keys()];
      const at = names.indexOf(resource);
      return at >= 0 && names.slice(at + 1).some((name) => mayName(name, resource));
    },
    /** Does a removal wait? */
    hasRemovals: (): boolean => hasRemovals,
    /** May a waiting deletion change records of this resource? */
    hides: (resource: string): boolean => deletions?.hides.has(resource) ?? false,
    /** The resources with records that waiting deletions may change. */
    hidden: (): ReadonlySet<string> => deletions?.hides ?? new Set(),
    /** Does the deletion of this record wait? */
    isRoot: (resource: string, id: string): boolean => deletions?.roots.get(resource)?.has(id) ?? false,
    /** Do waiting undeletions depend on the marks in this table? The writes of one table keep their order. */
    asks: (resource: string): boolean =>
      deletions?.asks.has(resource) === true && !(deletions.roots.has(resource) && deletions.roots.size === 1),
    /** Must all be sent before this deletion? `isApart`: no waiting deletion hides its record or brings it back. */
    precedes(resource: string, gone: boolean, isApart: boolean): boolean {
      if (deletions && deletions.gone !== gone) return true;
      if (deletions?.hides.has(resource) && !(isApart && deletions.roots.has(resource))) return true;
      const { hides, asks } = reachOf(resource);
      return [...hides, ...(gone ? [] : asks)].some((name) => name !== resource && tables.has(name));
    },
    /** Drops all of them. */
    clear,
    /** Sends all of them. Throws `UniqueViolation`. */
    async send(writer: Writer): Promise<void> {
      const [sentTables, sentLines] = [tables, lines];
      clear();
      for (const [resource, { steps }] of sentTables) for (const step of steps) await sendStep(writer, resource, step);
      for (const [site, some] of sentLines) await writer.addLines(site, some);
    },
  };
}

/** The last step, where the next one can be part of it; else the next one. */
function lastStep<S extends Step>(steps: Step[], next: S): S {
  const last = steps.at(-1);
  if (last?.how === next.how && last.site === next.site) return last as S;
  steps.push(next);
  return next;
}

function sendStep(writer: Writer, resource: string, step: Step): Promise<void> {
  switch (step.how) {
    case 'insert':
      return writer.insertMany(resource, step.rows);
    case 'update':
      return writer.updateMany(resource, step.site, step.updates);
    case 'remove':
      return writer.remove(resource, step.site, step.ids);
    case 'delete':
      return writer.setDeleted(resource, step.site, step.deletions, step.gone);
  }
}

/** A list of IDs is searched for one of them; a mark that is not set is false. */
const mayEqual = (value: Value | undefined, wanted: Value | undefined): boolean =>
  value === wanted ||
  (typeof value === 'string' && typeof wanted === 'string'
    ? value.includes(wanted)
    : (value ?? false) === (wanted ?? false));

const reachIn = oncePer((resource: Resource) => {
  /** It may hide or bring back their records. */
  const hides = new Set<string>();
  const add = (name: string): void => {
    for (const { resource: below } of ownedBy(storedResources, name)) {
      if (hides.has(below.name)) continue;
      hides.add(below.name);
      add(below.name);
    }
  };
  add(resource.name);
  const owners = [...hides].flatMap((name) => ownersOf(resourceNamed(name)).flatMap(({ targets }) => targets));
  // Their marks decide whether a record comes back: the owners of the hidden ones.
  return { hides, asks: new Set(owners.map((name) => (name === 'principal' ? 'individual' : name))) };
});

/** The reach of a deletion beyond its record (D6): by resource, not by record. */
export const reachOf = (resource: string) => reachIn(resourceNamed(resource));

/** May records of this resource belong to others of it? */
export const isTree = (resource: string): boolean => reachOf(resource).hides.has(resource);

const namedIn = oncePer(
  ({ fields }: Resource): ReadonlySet<string> => new Set(Object.values(fields).flatMap(({ to = [] }) => to)),
);

const mayName = (resource: string, other: string): boolean => namedIn(resourceNamed(resource)).has(other);
