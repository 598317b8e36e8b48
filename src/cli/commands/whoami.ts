// pm whoami: whom the service takes the caller for.
import { Command } from 'commander';
import { text } from '../../contract/field.ts';
import { type Run, withGlobals } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { knownFor } from '../profiles/credentials.ts';

const FIELDS = {
  Profile: text('read-only'),
  URL: text('read-only'),
  UserName: text('read-only'),
  ID: text('read-only'),
  SiteID: text('read-only'),
  Credential: text('read-only'),
};

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
  await context.print({
    shape: { fields: FIELDS, type: 'Caller', columns: Object.keys(FIELDS) },
    rows: [row],
    one: true,
  });
  return 0;
}
