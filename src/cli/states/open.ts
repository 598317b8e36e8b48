// The states that a command line names: a profile as it stands or as it stood, or a database file.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { formByName } from '../../changes/files/index.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { State } from '../../sites/state/state.ts';
import { quoted } from '../../text/escape.ts';
import { urlOf } from '../changes/journal.ts';
import { type Context, openContext } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { databaseIn, homeOf } from '../profiles/home.ts';
import { isProfile } from '../profiles/profiles.ts';
import { type Settings, settingsOf } from '../settings.ts';

/** A state, with the context of the profile that it belongs to: that of the command, where no text names one. */
export interface OpenState extends State {
  readonly context: Context;
}

/**
 * Opens the state that the text names, works, and closes it. The embedded engine is read in one state of the data, whatever
 * others write meanwhile. Throws `usage` for what names none, and as `Context.session`.
 */
export async function withState<T>(
  context: Context,
  text: string | undefined,
  values: GlobalValues,
  work: (state: OpenState) => Promise<T>,
): Promise<T> {
  if (text !== undefined && isFile(text)) return withFile(context, text, work);
  const { profile } = context.settings;
  const [said, named, at] = /^([^@]*)(?:@(.+))?$/s.exec(text ?? profile) ?? [];
  if (!said) throw new ServiceError('usage', `${quoted(text ?? '')} names no state`, { hint: STATES });
  const name = named || profile;
  const isOwn = name === profile && at === undefined;
  const opened = isOwn ? context : openContext(settingsAt(context, values, name, at), context.io);
  try {
    const session = await opened.session();
    const inside = (one: Session): Promise<T> =>
      work({ name: text ?? profile, session: one, place: addressIn(opened), context: opened });
    return await (session.local ? session.local.snapshot(inside) : inside(session));
  } finally {
    if (!isOwn) await opened.close();
  }
}

/** The place, whatever names it: the file of the embedded engine may be named as a file, too. */
const addressIn = (context: Context): string =>
  context.settings.remote || context.settings.database ? urlOf(context) : resolve(databaseIn(homeOf(context.io)));

/** The site and the user of the command are those of its own profile. To compare a site makes no new one. */
function settingsAt(
  { io, settings }: Context,
  values: GlobalValues,
  profile: string,
  at: string | undefined,
): Settings {
  if (profile === settings.profile) return { ...settings, at, dryRun: true };
  const { database: _database, site: _site, as: _as, ...others } = values;
  try {
    return { ...settingsOf({ ...others, profile, dryRun: true }, io), at };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.message, { hint: `${error.hint}. ${OTHERS}` });
  }
}

const STATES =
  'Name a profile, as pm profiles list shows them, as local@-7d for how it was; or a database file, as then.db';

const OTHERS =
  'No folder here has that name. Two records: pm individuals diff <one> <other>. A file of rows: pm import <resource> <file> -n';

/** Does the text name a profile as it stands, which a plan can change? */
export const standsNow = (text: string): boolean => !isFile(text) && !text.includes('@');

/** Its slash says that it is the path of a folder. */
export const isFolderPath = (text: string): boolean => /[/\\]/.test(text) && !/:\/\/|\.db$/.test(text);

/** Is it a workbook, a table, or a folder that is there? A profile of that name is none. */
export const isDeclaration = ({ io }: Context, text: string): boolean =>
  formByName(text) !== undefined ||
  (!isProfile(text, io) && statSync(resolve(io.cwd, text), { throwIfNoEntry: false })?.isDirectory() === true);

export const isFile = (text: string): boolean => /[/\\]|\.db$/i.test(text);

async function withFile<T>(context: Context, text: string, work: (state: OpenState) => Promise<T>): Promise<T> {
  const { io } = context;
  const file = resolve(io.cwd, text);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new ServiceError('usage', `there is no database file ${text}`, { hint: STATES });
  const { placeOf, withLocal } = await import('../backend.ts');
  return withLocal({ ...placeOf(context), database: undefined, file }, {}, ({ local }) => {
    if (!local) throw new Error('a file has an engine');
    return local.snapshot((session) => work({ name: text, session, place: file, context }));
  });
}
