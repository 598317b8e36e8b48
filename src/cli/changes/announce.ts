// The first line of a change on stderr: where it goes, as whom, and how much it is.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Context } from '../context.ts';

/** Under CI a change needs a named profile, so that no job writes silently to a fresh local file. */
export function checkNamed(context: Context): void {
  const { settings, io } = context;
  if (!io.env.CI || settings.profileNamed || settings.dryRun) return;
  throw new ServiceError('usage', 'under CI a change needs a named profile', { hint: 'Say which one: -p local' });
}

/** So many changes of each verb. */
export function announceCounts(context: Context, session: Session, counts: ReadonlyMap<string, number>): void {
  const placeOf = (verb: string): number => [...Object.keys(WORDS), verb].indexOf(verb);
  const sorted = [...counts].sort(([one], [other]) => placeOf(one) - placeOf(other));
  const parts = sorted.map(([verb, count]) => `${count} ${WORDS[verb] ?? 'change'}${count === 1 ? '' : 's'}`);
  const rehearsed = context.settings.dryRun ? ' (dry run: nothing is changed)' : '';
  context.note(`▲ ${targetWords(context)} as ${session.me.userName} – ${parts.join(', ') || 'nothing'}${rehearsed}`);
}

/** The profile, and where it leads. */
export const targetWords = ({ settings }: Context): string =>
  settings.remote ? `${settings.profile} (${settings.remote.url})` : settings.profile;

const WORDS: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  undelete: 'undelete',
};
