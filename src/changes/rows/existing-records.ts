// What the reading of rows asks of the service: the records that are there.
import type { Finder } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import type { Change } from '../plan/change.ts';
import { indexed } from './indexed.ts';
import type { RowDraft } from './row-draft.ts';

export interface Records {
  /** The site acted in, and the caller. */
  readonly me: { readonly id: string; readonly site: string };
  readonly find: Pick<Finder, 'record' | 'beside'>;
  /** The ID that a text means. Throws `not_found`, `ambiguous`, `deleted` or `invalid`. */
  resolve(targets: readonly string[], text: string): Promise<string>;
  /** Where the rows of several files are planned together. */
  readonly foreseen?: Foreseen;
}

/** What the records will be when the rows that are planned already have run. */
export interface Foreseen {
  /** Takes a row that is planned: those of later files find and name what it makes and changes. */
  note(resource: Resource, row: RowDraft, changes: readonly Change[]): void;
  /** Is this the planned ID of a record that an earlier row makes? */
  isNew(target: string, id: string): boolean;
  /** How a record that was found will differ by then; undefined where it stays as it is. */
  as(row: Row | undefined): ForeseenAs | undefined;
}

/** `made`: it comes with another record, and nobody knows its ID yet. */
export type ForeseenAs = 'changed' | 'made';

const MOST_REMEMBERED = 100_000;

/**
 * Remembers what texts mean: the same few names stand in thousands of rows. By a member that no index holds, all
 * records are read once. `resolve` then throws `not_found` for an ID
 * that belongs to nothing, too.
 */
export function remembering(records: Records): Records {
  const known = new Map<string, Promise<string>>();
  return {
    ...records,
    find: { record: records.find.record, beside: indexed(records.find.beside) },
    resolve(targets, text) {
      const key = `${targets.join()} ${text}`;
      const found = known.get(key) ?? existing(records, targets, text);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(key, found);
      return found;
    },
  };
}

/** An ID is taken at its word by whoever resolves it. A principal is known by its UserID, which is no record's ID. */
async function existing(records: Records, targets: readonly string[], text: string): Promise<string> {
  const id = await records.resolve(targets, text);
  const isName = !sameID(text.replace(/^id:/, ''), id);
  if (isName || targets.includes('principal')) return id;
  for (const target of targets) if ((await records.find.record(target, { id }, 'many')).row) return id;
  throw new ServiceError('not_found', `no ${targets.join(' or ')} of this site has this ID`);
}
