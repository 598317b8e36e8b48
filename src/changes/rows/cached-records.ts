// Caches the records and names that the rows of a file look up.
import type { Finder } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { byKey, keyText } from './keys.ts';
import type { Records } from './row-draft.ts';

const MOST_CACHED = 100_000;

/**
 * Caches resolved names: the same few occur in thousands of rows. For members without an index, all records are read once.
 * `resolve` throws `not_found` for an ID without a record, too.
 */
export function cachedRecords(records: Records): Records {
  const cacheOf = oncePer((_targets: readonly string[]) => new Map<string, Promise<string>>());
  const idsOf = oncePer((_targets: readonly string[]) => new Map<string, string>());
  const resolve: Records['resolve'] = async (targets, text) => {
    const id = await resolveExisting(records, targets, text);
    const ids = idsOf(targets);
    if (ids.size >= MOST_CACHED) ids.clear();
    ids.set(text, id);
    return id;
  };
  return {
    ...records,
    find: { record: records.find.record, byMembers: indexed(records.find.byMembers) },
    resolve(targets, text) {
      const cache = cacheOf(targets);
      const found = cache.get(text) ?? resolve(targets, text);
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(text, found);
      return found;
    },
    resolved: (targets, text) => idsOf(targets).get(text),
  };
}

/** Checks that an ID has a record, which `resolve` does not. The UserID of a principal is no ID of a record. */
async function resolveExisting(records: Records, targets: readonly string[], text: string): Promise<string> {
  const id = await records.resolve(targets, text);
  const isName = !sameID(text.replace(/^id:/, ''), id);
  if (isName || targets.includes('principal')) return id;
  for (const target of targets) if ((await records.find.record(target, { id }, 'many')).row) return id;
  const words = targets.map((target) => singular(resourceNamed(target)));
  throw new ServiceError('not_found', `no ${words.join(' or ')} of this site has this ID`);
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
