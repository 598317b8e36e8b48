// What the reading of rows asks of the service: the records that are there. Whoever runs it knows how they are found.
import { ServiceError } from '../../contract/errors.ts';
import type { Row } from '../../contract/resource.ts';

export interface Records {
  /** The site acted in, and the caller. */
  readonly me: { readonly id: string; readonly site: string };
  /** One record, deleted or not; `owners` say where it would be listed, where it cannot be read by its ID alone. */
  byID(resource: string, id: string, owners?: Row): Promise<Row | undefined>;
  /** The records that have all of these members, deleted ones too; texts are compared as D16 says. */
  matching(resource: string, members: Row): Promise<readonly Row[]>;
  /** The ID that a text means. Throws `not_found`, `ambiguous`, `deleted` or `invalid`. */
  resolve(targets: readonly string[], text: string): Promise<string>;
}

const MOST_REMEMBERED = 100_000;

/**
 * Remembers what texts mean: the same few names stand in thousands of rows. `resolve` then throws `not_found` for an ID
 * that belongs to nothing, too.
 */
export function remembering(records: Records): Records {
  const known = new Map<string, Promise<string>>();
  return {
    me: records.me,
    byID: (resource, id, owners) => records.byID(resource, id, owners),
    matching: (resource, members) => records.matching(resource, members),
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
  const isName = text.replace(/^id:/, '').toLowerCase() !== id.toLowerCase();
  if (isName || targets.includes('principal')) return id;
  for (const target of targets) if (await records.byID(target, id)) return id;
  throw new ServiceError('not_found', `no ${targets.join(' or ')} of this site has this ID`);
}
