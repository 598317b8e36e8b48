// What the reading of rows asks of the service: the records that are there.
// Finds records by members that no index holds: all of them are read once, and not once for each row of a file.

import type { Finder } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { byKey, keyText } from './keys.ts';
import type { Records } from './row-draft.ts';

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

type Beside = Finder['beside'];
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
