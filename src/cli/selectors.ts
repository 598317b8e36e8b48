// How records are named on the command line: a GUID, `me`, or a natural key. One rule everywhere.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { isGuid, looksLikeGuid } from '../contract/kinds.ts';
import { type Resource, type Row, singular } from '../contract/resource.ts';
import { textKey } from '../contract/text-key.ts';
import { type Lookup, lookupOf } from './lookup.ts';
import { ambiguous, inWords, unknown } from './selector-errors.ts';

export interface Wanted {
  /** The resources it may be a record of, tried in order; `principal` means the UserID of an individual. */
  readonly targets: readonly string[];
  readonly deleted: 0 | 1 | 2;
  /** Members that a record found by name must have: its owner. */
  readonly within?: Readonly<Record<string, string>>;
}

const PREFIX = /^(id|email|name|path):(.*)$/s;

/** The ID that a text means. Throws `not_found` or `ambiguous` with the candidates, `invalid` for a malformed GUID. */
export async function resolve(session: Session, text: string, wanted: Wanted): Promise<string> {
  const [, prefix, rest = text] = PREFIX.exec(text) ?? [];
  if (prefix === 'id' || (prefix === undefined && looksLikeGuid(text))) {
    const id = guid(rest, wanted);
    if (await standsWithin(session, id, wanted)) return id;
    throw await unknown(session, text, wanted);
  }
  if (prefix === undefined && text === 'me') return me(session, wanted);
  for (const target of wanted.targets) {
    const resource = resourceNamed(target === 'principal' ? 'individual' : target);
    if (prefix === undefined && resource.id === 'integer' && /^\d+$/.test(text)) return text;
    const found = await namedIn(session, resource, prefix, rest, wanted);
    if (found.length > 1) throw await ambiguous(session, resource, text, found);
    if (found[0]) return String(target === 'principal' ? found[0].UserID : found[0].ID);
  }
  if (wanted.deleted === 0) await refuseDeleted(session, prefix, rest, wanted);
  throw await unknown(session, text, wanted);
}

/** A name that only deleted records have: the error says how to bring one back. */
async function refuseDeleted(
  session: Session,
  prefix: string | undefined,
  text: string,
  wanted: Wanted,
): Promise<void> {
  for (const target of wanted.targets) {
    const resource = resourceNamed(target === 'principal' ? 'individual' : target);
    const [row] = await deletedIn(session, resource, prefix, text, wanted);
    if (!row) continue;
    const hint =
      row.Deleted === true
        ? `pm ${resource.command} undelete ${String(row.ID)}`
        : 'Undelete what it belongs to; it comes back with it.';
    throw new ServiceError('deleted', `the ${singular(resource)} "${text}" is deleted`, { hint });
  }
}

/** A remote service may list no deleted ones, or those of one owner; then there is nothing more to say of the name. */
async function deletedIn(
  session: Session,
  resource: Resource,
  prefix: string | undefined,
  text: string,
  wanted: Wanted,
): Promise<readonly Row[]> {
  try {
    return await namedIn(session, resource, prefix, text, { ...wanted, deleted: 1 });
  } catch (error) {
    if (!session.local && error instanceof ServiceError && error.code === 'usage') return [];
    throw error;
  }
}

function guid(text: string, { targets }: Wanted): string {
  if (isGuid(text)) return text.toLowerCase();
  if (targets.some((target) => target !== 'principal' && resourceNamed(target).id === 'integer') && /^\d+$/.test(text))
    return text;
  throw new ServiceError('invalid', `"${text}" is meant as a GUID and is none`, {
    hint: 'A GUID has 8-4-4-4-12 hex digits. For a name that looks like one, write name:<name>.',
  });
}

async function me(session: Session, { targets }: Wanted): Promise<string> {
  if (targets.includes('individual')) return session.me.id;
  const own = targets.includes('principal') ? await lookupOf(session).record('individual', session.me.id) : undefined;
  if (own) return String(own.UserID);
  throw new ServiceError('usage', `"me" is an individual, and no ${inWords(targets)}`);
}

/** Has the record with this ID the owner that is asked for? One that is not there is left to the service to refuse. */
async function standsWithin(session: Session, id: string, { targets, within = {} }: Wanted): Promise<boolean> {
  if (Object.keys(within).length === 0) return true;
  const row = await lookupOf(session).record(targets[0] ?? '', id);
  return row === undefined || fits(row, within);
}

const fits = (row: Row, within: Readonly<Record<string, string>>): boolean =>
  Object.entries(within).every(([name, value]) => row[name] === value);

async function namedIn(
  session: Session,
  resource: Resource,
  prefix: string | undefined,
  text: string,
  wanted: Wanted,
): Promise<readonly Row[]> {
  const lookup = lookupOf(session);
  if (resource.name === 'site') return sitesCalled(session, text);
  if (resource.name === 'organization' && prefix !== 'name') return byPath(lookup, text, wanted);
  for (const field of fieldsFor(resource, prefix)) {
    const found = await lookup.named(resource.name, field, text, wanted.deleted, wanted.within);
    const fitting = found.filter((row) => fits(row, wanted.within ?? {}));
    if (fitting.length > 0) return fitting;
  }
  return [];
}

/** The sites that the caller may name are those of the list, whichever one is acted in (D2). */
async function sitesCalled(session: Session, text: string): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of session.list(contract.site.operations.list)) {
    if (textKey(String(row.Name)) === textKey(text)) found.push(row);
  }
  return found;
}

const fieldsFor = (resource: Resource, prefix: string | undefined): readonly string[] =>
  prefix === 'email' ? resource.names.filter((name) => name === 'Email') : resource.names;

/** `Sales/EMEA`: a department whose name is the last step and whose parents are the steps before; `\/` is a slash in a name. */
async function byPath(lookup: Lookup, text: string, wanted: Wanted): Promise<readonly Row[]> {
  const steps = text.split(/(?<!\\)\//).map((step) => step.replaceAll('\\/', '/').trim());
  const last = steps.pop() ?? '';
  const found = await lookup.named('organization', 'Name', last, wanted.deleted);
  const fits = await Promise.all(found.map((row) => standsBelow(lookup, row, steps)));
  return found.filter((_, index) => fits[index]);
}

async function standsBelow(lookup: Lookup, row: Row, steps: readonly string[]): Promise<boolean> {
  const wanted = steps.at(-1);
  if (wanted === undefined) return true;
  const parent = await lookup.record('organization', String(row.ParentID));
  return (
    parent !== undefined &&
    textKey(String(parent.Name)) === textKey(wanted) &&
    standsBelow(lookup, parent, steps.slice(0, -1))
  );
}
