// The numbers by which a service counts the states of a right: those of its profile, and those that its own rows show (D18).
import type { Session } from '../../contract/call.ts';
import { type ErrorCode, orNone } from '../../contract/errors.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { oncePer } from '../../text/once-per.ts';
import type { Context } from '../context.ts';
import { changeProfile } from '../profiles/profiles.ts';
import { ACTIONS, permissionRows, stateField, textField } from '../rights/grant.ts';

const NOT_SHOWN: readonly ErrorCode[] = ['forbidden', 'not_found', 'admin_only'];

type StateNumbers = ReadonlyMap<string, number>;

/**
 * The resource as the session's service has it: the states of a right have its numbers. There any number may be sent, and a
 * word without a known number is refused.
 */
export async function servedResource(context: Context, resource: Resource, { RowID }: Row = {}): Promise<Resource> {
  const session = await context.session();
  if (session.local || resource.name !== 'permission') return resource;
  // Rows of the object show words that no row of the site has.
  const rows = RowID == null ? [] : await orNone(session.find.byMembers('permission', { RowID }), NOT_SHOWN);
  const numbers = new Map([...numbersIn(rows ?? []), ...(await knownNumbers(context, session))]);
  await keepNumbers(context, numbers);
  const choices = Object.fromEntries([...numbers].map(([word, number]) => [number, word]));
  const fields = Object.entries(resource.fields).map(([name, field]) => [
    name,
    field.choices === STATES ? { ...field, choices, anyNumber: true } : field,
  ]);
  return { ...resource, fields: Object.fromEntries(fields) };
}

/** Keeps in the profile the numbers that rows have shown, for commands that see no such rows. */
export async function keepNumbers({ io, settings }: Context, numbers: StateNumbers): Promise<void> {
  const { remote, dryRun } = settings;
  if (!remote || dryRun || [...numbers].every(([word, number]) => remote.states?.[word] === number)) return;
  await changeProfile(io, remote.name, (profile) => ({
    ...profile,
    states: { ...Object.fromEntries(numbers), ...profile.states },
  }));
}

/** Those of the profile come before those that rows of the site show. */
export const knownNumbers = async ({ settings }: Context, session: Session): Promise<StateNumbers> =>
  new Map([...(await numbersOfSite(session)), ...Object.entries(settings.remote?.states ?? {})]);

/** The numbers that rows of the site show; empty where the caller may not see them. */
export const numbersOfSite = oncePer(
  async (session: Session): Promise<StateNumbers> =>
    numbersIn((await orNone(permissionRows(session, 'site', session.me.site, null), NOT_SHOWN)) ?? []),
);

export function numbersIn(rows: readonly Row[]): StateNumbers {
  const numbers = new Map<string, number>();
  for (const row of rows)
    for (const action of ACTIONS) {
      const [text, number] = [row[textField(action)], row[stateField(action)]];
      if (typeof text === 'string' && typeof number === 'number') numbers.set(text, number);
    }
  return numbers;
}
