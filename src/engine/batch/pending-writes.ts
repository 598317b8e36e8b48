// The writes of one batch that are not sent yet: gathered by table, and sent in a few calls.
import type { Value } from '../../contract/resource.ts';
import type { RecordChange, Stored, Writer } from '../store/port.ts';

type NewEntry = Parameters<Writer['addHistory']>[1][number];

export interface PendingWrites {
  insert(resource: string, row: Stored): void;
  update(resource: string, site: string, id: string, changes: Stored): void;
  addHistory(site: string, entries: readonly NewEntry[]): void;
  /** May a row with these values wait, or a change of one? */
  mayMatch(resource: string, equals: Stored): boolean;
  /** Do any writes of this table wait? */
  touches(resource: string): boolean;
  /** Drops all of them. */
  clear(): void;
  /** Sends all of them. Throws `UniqueViolation`. */
  send(writer: Writer): Promise<void>;
}

type Step =
  | { readonly how: 'insert'; readonly site: Value | undefined; readonly rows: Stored[] }
  | { readonly how: 'update'; readonly site: string; readonly updates: RecordChange[] };

/** The writes of one table, in their order: one may free the name that the next one takes. */
interface TableWrites {
  readonly steps: Step[];
  /** Where new rows are, by ID; two sites may have the same number. */
  readonly made: Map<string, { readonly rows: Stored[]; readonly at: number }>;
}

export function pendingWrites(): PendingWrites {
  let tables = new Map<string, TableWrites>();
  let history = new Map<string, NewEntry[]>();
  const tableOf = (resource: string): TableWrites => {
    const table = tables.get(resource) ?? { steps: [], made: new Map() };
    tables.set(resource, table);
    return table;
  };
  const clear = (): void => {
    tables = new Map();
    history = new Map();
  };
  return {
    insert(resource, row) {
      const { steps, made } = tableOf(resource);
      let last = steps.at(-1);
      if (last?.how !== 'insert' || last.site !== row.SiteID) {
        last = { how: 'insert', site: row.SiteID, rows: [] };
        steps.push(last);
      }
      made.set(String(row.ID), { rows: last.rows, at: last.rows.length });
      last.rows.push(row);
    },
    update(resource, site, id, changes) {
      const { steps, made } = tableOf(resource);
      const { rows = [], at = 0 } = made.get(id) ?? {};
      const row = rows[at];
      const last = steps.at(-1);
      if (row?.SiteID === site) rows[at] = { ...row, ...changes };
      else if (last?.how === 'update' && last.site === site) last.updates.push({ id, changes });
      else steps.push({ how: 'update', site, updates: [{ id, changes }] });
    },
    addHistory(site, entries) {
      const before = history.get(site);
      if (before) before.push(...entries);
      else history.set(site, [...entries]);
    },
    mayMatch(resource, equals) {
      const table = tables.get(resource);
      if (!table) return false;
      const names = Object.keys(equals);
      const fits = (row: Stored): boolean => names.every((name) => mayEqual(row[name], equals[name]));
      return table.steps.some((step) => step.how === 'update' || step.rows.some(fits));
    },
    touches: (resource) => tables.has(resource),
    clear,
    async send(writer) {
      const [sentTables, sentHistory] = [tables, history];
      clear();
      for (const [resource, { steps }] of sentTables) {
        for (const step of steps) {
          if (step.how === 'insert') await writer.insertMany(resource, step.rows);
          else await writer.updateMany(resource, step.site, step.updates);
        }
      }
      for (const [site, entries] of sentHistory) await writer.addHistory(site, entries);
    },
  };
}

/** A list of IDs is searched for one of them; a mark that is not set is false. */
const mayEqual = (value: Value | undefined, wanted: Value | undefined): boolean =>
  value === wanted ||
  (typeof value === 'string' && typeof wanted === 'string'
    ? value.includes(wanted)
    : (value ?? false) === (wanted ?? false));
