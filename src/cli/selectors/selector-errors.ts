// What is said when a name means no record, or several.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import { compareText, textKey } from '../../text/text-key.ts';
import { ownerFlags } from '../names.ts';
import { listCommandOf, plansOf } from './addresses.ts';
import type { Wanted } from './selectors.ts';

/** Resources in words: department or individual. */
export const inWords = (targets: readonly string[]): string =>
  targets.map((target) => (target === 'principal' ? 'individual' : singular(resourceNamed(target)))).join(' or ');

/** The error for a name of several records, each of them a candidate. */
export async function ambiguous(
  session: Session,
  resource: Resource,
  text: string,
  found: readonly Row[],
): Promise<ServiceError> {
  return new ServiceError('ambiguous', `"${text}" fits ${found.length} ${resource.command}`, {
    candidates: await Promise.all(found.map((row) => candidate(session, resource, row))),
    hint: `Give the ID of the one you mean${otherWay(resource)}.`,
  });
}

function otherWay(resource: Resource): string {
  if (resource.name === 'organization') return ', or its path, as in Sales/EMEA';
  const owners = [...ownerFlags(resource).keys()].map((flag) => `--${flag} <ref>`);
  return owners.length > 0 ? `, or whose it is: ${owners.join(' or ')}` : '';
}

/** The ID, the names, and what the record belongs to: alike in name, they differ in that. */
async function candidate(session: Session, resource: Resource, row: Row): Promise<string> {
  const parts = [row.ID, ...resource.names.map((name) => row[name])];
  for (const { field, targets } of ownersOf(resource)) {
    for (const target of targets.filter((one) => one !== 'site' && one !== 'principal')) {
      const { row: owner } = await session.find.record(target, { id: String(row[field]) }, 'listed');
      if (owner) parts.push(`of ${String(owner.FullName ?? owner.Name)}`);
    }
  }
  return parts.filter((part) => part !== null && part !== undefined).join('  ');
}

/** The error for a name that nothing has, with names that are spelled much like it. */
export async function unknown(session: Session, text: string, wanted: Wanted): Promise<ServiceError> {
  const resource = resourceNamed(wanted.targets[0] === 'principal' ? 'individual' : (wanted.targets[0] ?? ''));
  const state = wanted.deleted === 1 ? 'deleted ' : '';
  const close = await similar(session, resource, text, wanted.deleted);
  return new ServiceError('not_found', `there is no ${state}${inWords(wanted.targets)} "${text}"`, {
    candidates: close,
    hint:
      close.length > 0
        ? 'Did you mean one of these?'
        : `${listCommandOf(resource)}${wanted.deleted === 1 ? ' --deleted 1' : ''} shows what is there.`,
  });
}

const NEAR = 3;

/** Names of this resource that are spelled much like the text. */
async function similar(
  session: Session,
  resource: Resource,
  text: string,
  deleted: 0 | 1 | 2,
): Promise<readonly string[]> {
  const { list } = resource.operations;
  const plan = list && plansOf(resource, list).find((one) => one.route === 'plain');
  if (!plan || (deleted !== 0 && !plan.query.has('deleted'))) return [];
  const names = new Set<string>();
  for await (const row of session.list(list, { by: 'plain', query: deleted === 0 ? {} : { deleted } })) {
    for (const name of resource.names) if (typeof row[name] === 'string') names.add(row[name]);
  }
  const starts = [...names].filter((name) => textKey(name).startsWith(textKey(text)));
  const close = nearest(text, names);
  return [...new Set(close ? [close, ...starts] : starts)].sort(compareText).slice(0, NEAR);
}
