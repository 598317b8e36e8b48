// pm profiles test: looks whether a service or a database answers, and knows the caller.
import { defined } from '../../text/defined.ts';
import type { Context } from '../context.ts';
import { type DatabaseGiven, databaseNamed, remoteNamed } from '../profiles/profiles.ts';
import { addressIn } from './profiles-database.ts';

/** The profile is the one that is named, whatever --profile says. */
export async function test(context: Context, name: string): Promise<number> {
  const remote = remoteNamed(name, context.io);
  const database = databaseNamed(name, context.io);
  if (database) return testDatabase(context, name, database);
  if (!remote) {
    context.note('local is the embedded engine: pm doctor looks after it.');
    return 0;
  }
  const settings = { ...context.settings, profile: name, remote };
  const { clientOf, sessionOf } = await import('../remote.ts');
  const client = clientOf(remote, settings, context.io);
  try {
    const { me } = await sessionOf(client, remote, settings, context.io);
    context.note(`${remote.name} answers at ${remote.url}, and knows you as ${me.userName}.`);
    return 0;
  } finally {
    await client.close();
  }
}

/** It is opened as any command opens it: an empty one gets its tables and its first site. */
async function testDatabase({ io, settings, note }: Context, name: string, given: DatabaseGiven): Promise<number> {
  const database = addressIn(given, io);
  const { openLocal, placeOf } = await import('../backend.ts');
  const { backend, place } = await openLocal(placeOf({ io, settings: { database } }));
  try {
    const { me } = await backend.open(defined({ user: settings.as, site: settings.site }));
    note(`${name} is ${place}, and knows you as ${me.userName}.`);
    return 0;
  } finally {
    await backend.close();
  }
}
