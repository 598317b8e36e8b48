// pm whoami: the caller as the service knows them.
import type { Command } from 'commander';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import { shapeFrom, texts } from '../output/result.ts';
import { knownFor } from '../profiles/profiles.ts';

const SHAPE = shapeFrom('Caller', texts('Profile', 'URL', 'UserName', 'ID', 'SiteID', 'Credential'));

export const build = (run: Run): Command =>
  reading('whoami', 'Show who is calling, where, and by what credential.').action(actionOf(run, whoami));

async function whoami(context: Context): Promise<number> {
  const { settings, io } = context;
  const { me } = await context.session();
  const row = {
    Profile: settings.profile,
    URL: settings.remote?.url ?? null,
    UserName: me.userName,
    ID: me.id,
    SiteID: me.site,
    Credential: settings.remote ? knownFor(settings.remote, io).by : null,
  };
  return context.print({ shape: SHAPE, rows: [row], one: true });
}
