// The references of exported records: as names that an import understands, on another site too.
import type { Session } from '../../contract/call.ts';
import type { Field } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { guidsIn, idKey, looksLikeGuid } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { grouped } from '../../text/batches.ts';
import { oncePerText } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';

type Names = ReadonlyMap<string, string>;

/**
 * Answers the function that gives the written value of a member. A name replaces an ID only where no other record has it.
 * `named`: in every reference; otherwise GUIDs stay, and only integer IDs and UserIDs, which belong to one site, are replaced.
 */
export async function referencesOf(
  session: Session,
  { fields }: Resource,
  named: boolean,
): Promise<(member: string, value: Value) => Value> {
  const namesOf = oncePerText((target) => uniqueNames(session, target));
  const tables = new Map<string, Names>();
  for (const [member, field] of Object.entries(fields)) {
    const targets = targetsOf(field, named);
    if (targets.length > 0) tables.set(member, joined(await Promise.all(targets.map(namesOf))));
  }
  return (member, value) => {
    const names = tables.get(member);
    if (!names || value === null) return value;
    if (fields[member]?.kind !== 'guids') return names.get(idKey(value)) ?? value;
    const ids = guidsIn(value).map(String);
    // In such a cell a blank separates names.
    return ids.every((id) => isOneWord(names.get(idKey(id)))) ? ids.map((id) => names.get(idKey(id))).join(' ') : value;
  };
}

const isOneWord = (name: string | undefined): boolean => name !== undefined && !/[\s,;]/.test(name);

function targetsOf({ to = [], rule }: Field, named: boolean): readonly string[] {
  if (rule === 'read-only') return [];
  return named ? to.filter((target) => target !== 'site') : to.filter(isOfOneSite).slice(0, 1);
}

const isOfOneSite = (target: string): boolean =>
  target === 'principal' || (target !== 'site' && resourceNamed(target).id === 'integer');

/** A text that names records of two kinds names neither. */
function joined(tables: readonly Names[]): Names {
  const [only, ...more] = tables;
  if (only && more.length === 0) return only;
  return new Map(oneOfAKind(tables.flatMap((names) => [...names])));
}

/** The names of all records of a kind, by ID; without names that several records have. */
async function uniqueNames(session: Session, target: string): Promise<Names> {
  if (target === 'organization') return paths(session);
  const [resource, id] =
    target === 'principal' ? [resourceNamed('individual'), 'UserID'] : [resourceNamed(target), 'ID'];
  const names = new Map<string, string>();
  for await (const row of session.find.all(resource.name, 0)) {
    const name = row[resource.names[0] ?? ''];
    if (typeof name === 'string' && name !== '' && name.trim() === name) names.set(idKey(row[id]), name);
  }
  return asSelectors(names);
}

/** Departments by their paths, as a selector reads them: `Sales/EMEA`. */
async function paths(session: Session): Promise<Names> {
  const rows = new Map<string, Row>();
  for await (const row of session.find.all('organization', 0)) rows.set(idKey(row.ID), row);
  const steps = (row: Row): readonly string[] => {
    const parent = rows.get(idKey(row.ParentID));
    return [...(parent && parent !== row ? steps(parent) : []), String(row.Name).replaceAll('/', '\\/')];
  };
  const all = [...rows].map(([id, row]) => [id, steps(row)] as const);
  const endings = all.flatMap(([, path]) => path.map((_, at) => path.slice(at).join('/')));
  return asSelectors(new Map(all.map(([id, path]) => [id, path.join('/')])), endings);
}

/** The names that only one of these texts is, as selectors; by default the names themselves. */
const asSelectors = (names: Names, texts?: readonly string[]): Names =>
  new Map(oneOfAKind([...names], texts).map(([id, name]) => [id, asSelector(name)]));

type Named = readonly [id: string, name: string];

/** The names that only one of these texts is. */
function oneOfAKind(
  names: readonly Named[],
  texts: readonly string[] = names.map(([, name]) => name),
): readonly Named[] {
  const alike = grouped(texts, textKey);
  return names.filter(([, name]) => alike.get(textKey(name))?.length === 1);
}

/** A name that would be read as something else gets the prefix `name:`. */
const asSelector = (name: string): string =>
  /^(?:id|email|name|path):|^\d+$|^me$/.test(name) || looksLikeGuid(name) ? `name:${name}` : name;
