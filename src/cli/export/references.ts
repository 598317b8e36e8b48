// How a file names the records that a record refers to, so that it is understood on another site too.

import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { looksLikeGuid, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';

/**
 * Answers what is written for a member's value. GUIDs stay. Integers and the UserIDs of principals belong to one site:
 * a name stands for them, where it names one record alone. The site itself is left blank.
 */
export async function referencesOf(
  session: Session,
  { fields }: Resource,
): Promise<(member: string, value: Value) => Value> {
  const tables = new Map<string, ReadonlyMap<string, string>>();
  for (const [member, { to = [], rule }] of Object.entries(fields)) {
    const target = rule === 'read-only' ? undefined : to.find(isOfOneSite);
    if (target !== undefined) tables.set(member, await namesOf(session, target));
  }
  return (member, value) => {
    if (sameID(value, session.me.site) && fields[member]?.to?.includes('site')) return null;
    return tables.get(member)?.get(String(value)) ?? value;
  };
}

const isOfOneSite = (target: string): boolean =>
  target === 'principal' || (target !== 'site' && resourceNamed(target).id === 'integer');

/** The names of all records of a kind, by their IDs; a name that several have is none. */
async function namesOf(session: Session, target: string): Promise<ReadonlyMap<string, string>> {
  const [resource, id] =
    target === 'principal' ? [resourceNamed('individual'), 'UserID'] : [resourceNamed(target), 'ID'];
  const owners = new Map<string, string | undefined>();
  const names = new Map<string, string>();
  for await (const row of session.find.all(resource.name, 0)) {
    const name = nameIn(resource, row);
    if (name === undefined) continue;
    const key = textKey(name);
    owners.set(key, owners.has(key) ? undefined : String(row[id]));
    names.set(String(row[id]), name);
  }
  return new Map(
    [...names].filter(([, name]) => owners.get(textKey(name)) !== undefined).map(([of, name]) => [of, said(name)]),
  );
}

function nameIn({ names }: Resource, row: Row): string | undefined {
  const name = row[names[0] ?? ''];
  return typeof name === 'string' && name !== '' && name.trim() === name ? name : undefined;
}

/** What would be read as something else says that it is a name. */
const said = (name: string): string =>
  /^(?:id|email|name|path):|^\d+$|^me$/.test(name) || looksLikeGuid(name) ? `name:${name}` : name;
