// pm whoami: the caller as the service knows them.
import { Command } from 'commander';
import { type Run, withGlobals } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { shapeFrom, texts } from '../output/shape.ts';
import { knownFor } from '../profiles/credentials.ts';

const SHAPE = shapeFrom('Caller', texts('Profile', 'URL', 'UserName', 'ID', 'SiteID', 'Credential'));

export function build(run: Run): Command {
  return withGlobals(new Command('whoami').description('Show who is calling, where, and by what credential.')).action(
    (options: GlobalValues) => run(options, whoami),
  );
}

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
  await context.print({ shape: SHAPE, rows: [row], one: true });
  return 0;
}
