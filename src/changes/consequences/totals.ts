// The consequences of all rows of a job together: each record counts once, and as it is after the last row.
import type { PlannedRow } from '../../contract/jobs.ts';
import { idKey } from '../../contract/kinds.ts';
import { seenBy } from '../../text/batches.ts';
import { type Consequence, type Effect, verbOf } from './consequence.ts';

/** A row with what it does to other records; undefined of one that was not looked at. */
interface RowConsequences {
  readonly row: PlannedRow;
  readonly consequences?: readonly Consequence[] | undefined;
}

export interface Total {
  readonly consequences: readonly Consequence[];
  /** The only row that has any. */
  readonly only?: PlannedRow;
  /** The rows that were not looked at. */
  readonly unseen: number;
}

/** The member that places a record. A later row that sets it replaces the consequence. */
const PLACES: Readonly<Partial<Record<Effect, string>>> = {
  top: 'PrimaryReportsTo',
  department: 'PrimaryOrganizationID',
  moves: 'ParentID',
};
const DECIDING: readonly string[] = [...Object.values(PLACES), 'Responsible', 'ReportsToID'];

/** What a later row brings back is not hidden, and the reverse. */
const OPPOSITE: Readonly<Partial<Record<Effect, Effect>>> = { hidden: 'back', back: 'hidden' };

/** `isRehearsed`: were the rows before each one made already, when its consequences were looked for? */
export function openTotals(isRehearsed: boolean) {
  /** The IDs stand by their keys. */
  const found = new Map<string, { readonly consequence: Consequence; readonly ids: Map<string, string> }>();
  /** Deletions and undeletions by a row of their own. */
  const marked = new Map<string, 'delete' | 'undelete'>();
  const decided = new Set<string>();
  const rows: PlannedRow[] = [];
  let unseen = 0;
  const decide = (row: PlannedRow): void => {
    if (row.id === undefined) return;
    const id = idKey(row.id);
    const verb = verbOf(row);
    if (verb === 'delete' || verb === 'undelete') marked.set(keyOf(row.resource, id), verb);
    for (const field of membersSet(row)) {
      decided.add(keyOf(row.resource, id, field));
      for (const { consequence, ids } of found.values())
        if (consequence.resource === row.resource && placeOf(consequence) === field) ids.delete(id);
    }
  };
  const isDecided = (one: Consequence, id: string): boolean =>
    (!isRehearsed || one.effect === 'moves') && decided.has(keyOf(one.resource, id, placeOf(one)));
  const add = ({ row, consequences }: RowConsequences): void => {
    decide(row);
    if (!consequences) unseen++;
    else if (consequences.length > 0 && rows.length < 2) rows.push(row);
    for (const consequence of consequences ?? []) {
      const { effect, resource, field = '' } = consequence;
      const key = [effect, resource, field].join(' ');
      const { ids } = found.get(key) ?? { ids: new Map() };
      const other = found.get(`${OPPOSITE[effect]} ${resource} `)?.ids;
      for (const id of consequence.ids)
        if (!other?.delete(idKey(id)) && !isDecided(consequence, idKey(id))) ids.set(idKey(id), id);
      found.set(key, { consequence, ids });
    }
  };
  const isGone = ({ effect, resource }: Consequence, id: string): boolean =>
    marked.get(keyOf(resource, id)) === (effect === 'back' ? 'undelete' : 'delete') ||
    (effect !== 'hidden' && found.get(`hidden ${resource} `)?.ids.has(id) === true);
  return {
    /** Rows are added in their order. */
    add,
    /** The same rows; each is added when it is read. */
    through: <T extends RowConsequences>(all: AsyncIterable<T> | Iterable<T>) => seenBy(all, add),
    total(): Total {
      const consequences = [...found.values()].map(({ consequence, ids }) => ({
        ...consequence,
        ids: [...ids].flatMap(([key, id]) => (isGone(consequence, key) ? [] : [id])),
      }));
      const [only, ...more] = rows;
      const left = consequences.filter(({ effect, ids }) => effect === 'unread' || ids.length > 0);
      return { consequences: left, unseen, ...(only && more.length === 0 ? { only } : {}) };
    },
  };
}

const keyOf = (resource: string, id: string, field = ''): string => `${resource} ${id} ${field}`;

const placeOf = ({ effect, field = PLACES[effect] }: Consequence): string | undefined => field;

const membersSet = (row: PlannedRow): readonly string[] =>
  verbOf(row) === 'update' ? Object.keys(row.patch ?? row.body ?? {}).filter((field) => DECIDING.includes(field)) : [];
