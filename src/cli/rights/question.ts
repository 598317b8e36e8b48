// The question of pm can: an action on a record, or on a new one in its owner, in words; and the right that --if imagines.
import type { Local, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { RecordNamed } from '../../contract/next.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone, type Resource, singular } from '../../contract/resource.ts';
import type { RightsWish } from '../../contract/rights.ts';
import { resolve } from '../selectors/selectors.ts';
import { actionNamed, applyGrant, engineNumber, type Grant, objectResource, readGrant, readObject } from './grant.ts';

/** `update department Sales`, `create project in department Sales`. Throws `usage`, `not_found`, `ambiguous`. */
export async function readWish(session: Session, [word = '', ...what]: readonly string[]): Promise<RightsWish> {
  const action = actionNamed(word);
  if (action !== 'create') return { action, ...(await recordOf(session, what)) };
  const [kind = '', within, ...owner] = what;
  const { name } = objectResource(kind);
  if (within !== 'in') throw new ServiceError('usage', `in which owner? Write: create ${kind} in department Sales`);
  const { resource, id } = await recordOf(session, owner);
  return { action, resource: name, in: { resource, id } };
}

/** The live records of `comments in department Sales`, each as a wish; undefined for words that name one record. Throws as `readWish`. */
export async function wishesBelow(
  session: Session,
  [word = '', kind = '', within, ...owner]: readonly string[],
): Promise<readonly RightsWish[] | undefined> {
  const action = actionNamed(word);
  if (within !== 'in' || owner.length === 0 || action === 'create') return undefined;
  const resource = objectResource(kind);
  const { resource: target, id } = await recordOf(session, owner);
  const place = ownersOf(resource).find(({ targets }) => targets.includes(target));
  if (!place)
    throw new ServiceError('usage', `${resource.command} do not belong to a ${singular(resourceNamed(target))}`, {
      hint: `pm ${resource.command} list --help shows whose they are.`,
    });
  const rows = (await session.find.byMembers(resource.name, { [place.field]: id })) ?? [];
  return rows.filter((row) => !isGone(row)).map(({ ID }) => ({ action, resource: resource.name, id: String(ID) }));
}

/** The record that two words name: `department Sales`. Throws `usage`, `not_found`, `ambiguous`. */
export async function recordOf(session: Session, what: readonly string[]): Promise<RecordNamed> {
  const { resource, ref } = readObject(what);
  return { resource: resource.name, id: await idOf(session, resource, ref) };
}

/** Resources that are named by another resource. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  siteSetting: ['site'],
  dashboard: ['organization', 'individual'],
};

/** A resource without IDs keeps the text: the two IDs that it joins. Of an unknown one the hint asks about all of an owner. */
async function idOf(session: Session, resource: Resource, ref: string): Promise<string> {
  if (!resource.fields.ID) return ref;
  try {
    return await resolve(session, ref, { targets: NAMED_BY[resource.name] ?? [resource.name], deleted: 2 });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found' || error.candidates.length > 0) throw error;
    const owners = ownersOf(resource).flatMap(({ targets }) => targets);
    for (const owner of owners.filter((one) => one !== 'site' && one !== resource.name)) {
      const isOwner = await resolve(session, ref, { targets: [owner], deleted: 0 }).then(Boolean, () => false);
      if (!isOwner) continue;
      const hint = `Of all that one has: ${resource.command} in ${singular(resourceNamed(owner))} ${ref}`;
      throw new ServiceError('not_found', error.message, { hint });
    }
    throw error;
  }
}

/** Asks the engine as it is, or as it would be with a right. */
export type Ask = <T>(question: (local: Asked) => Promise<T>) => Promise<T>;
export type Asked = Pick<Local, 'rights' | 'whoMay' | 'whatMay'>;

/** Each question is asked with this right given, which is taken back. Throws `usage` for a text that is no right. */
export function askAsIf(local: Local, text: string): Ask {
  const grant = grantIn(text);
  return (question) =>
    local.rehearse(async (session) => {
      await applyGrant(session, await readGrant(session, grant), engineNumber);
      return question(session.local);
    });
}

const STATE = '(?<state>allow|deny|unset)';
const ACTIONS = '(?<actions>\\S+)';
const OBJECT = '(?<kind>\\S+)\\s+(?<ref>.+?)';
const CHILD = '(?:\\s+--child-type\\s+(?<child>\\S+))?';
const GRANT_SENTENCE = new RegExp(`^${STATE}\\s+${ACTIONS}\\s+on\\s+${OBJECT}\\s+to\\s+(?<who>.+?)${CHILD}$`, 'i');
const GRANT_COMMAND = new RegExp(`^(?<who>.+?)\\s+${STATE}\\s+${ACTIONS}\\s+${OBJECT}${CHILD}$`, 'i');

function grantIn(text: string): Grant {
  const { groups } = GRANT_SENTENCE.exec(text.trim()) ?? GRANT_COMMAND.exec(text.trim()) ?? {};
  if (!groups) {
    throw new ServiceError('usage', `--if "${text}" is not a right in words`, {
      hint: 'Write: --if "allow update on department Sales to ann", or --if "ann allow update department Sales".',
    });
  }
  const { who = '', state = '', actions = '', kind = '', ref = '', child } = groups;
  return { who: unquoted(who), state, actions, what: [kind, unquoted(ref)], child };
}

/** Removes quotes around a name. */
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');
