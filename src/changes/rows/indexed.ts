// Finds records by members that no index holds: all of them are read once, and not once for each row of a file.
import type { Finder } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { byKey, keyText } from './keys.ts';

type Beside = Finder['beside'];
type Groups = ReadonlyMap<string, readonly Row[]>;

export function indexed(beside: Beside): Beside {
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
