// Caches the records and names that the rows of a file look up.
import type { Finder } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { byKey, keyText } from './keys.ts';
import type { Records } from './row-draft.ts';

const MOST_CACHED = 100_000;

/**
 * Caches resolved names: the same few occur in thousands of rows. For members without an index, all records are read once.
 * `resolve` throws `not_found` for an ID without a record, too.
 */
export function cachedRecords(records: Records): Records {
  const cache = new Map<string, Promise<string>>();
  return {
    ...records,
    find: { record: records.find.record, byMembers: indexed(records.find.byMembers) },
    resolve(targets, text) {
      const key = `${targets.join()} ${text}`;
      const found = cache.get(key) ?? resolveExisting(records, targets, text);
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(key, found);
      return found;
    },
  };
}

/** Checks that an ID has a record, which `resolve` does not. The UserID of a principal is no ID of a record. */
async function resolveExisting(records: Records, targets: readonly string[], text: string): Promise<string> {
  const id = await records.resolve(targets, text);
  const isName = !sameID(text.replace(/^id:/, ''), id);
  if (isName || targets.includes('principal')) return id;
  for (const target of targets) if ((await records.find.record(target, { id }, 'many')).row) return id;
  throw new ServiceError('not_found', `no ${targets.join(' or ')} of this site has this ID`);
}

type Beside = Finder['byMembers'];
type Groups = ReadonlyMap<string, readonly Row[]>;

function indexed(beside: Beside): Beside {
  const known = new Map<string, Promise<Groups | undefined>>();
  return async (name, members) => {
    const resource = resourceNamed(name);
    if (hasIndex(resource, members)) return beside(name, members);
    const names = Object.keys(members);
    const key = `${name} ${names.join()}`;
    const groups = known.get(key) ?? beside(name, {}).then((rows) => rows && byKey(resource, names, rows));
    known.set(key, groups);
    const found = await groups;
    return found && (found.get(keyText(resource.fields, names, members)) ?? []);
  };
}

function hasIndex(resource: Resource, members: Row): boolean {
  const owners = ownersOf(resource).map(({ field }) => field);
  const names = Object.keys(members);
  return names.length === 0 || names.some((name) => owners.includes(name) || resource.names.includes(name));
}
