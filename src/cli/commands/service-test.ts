// Looks whether a remote service answers, and knows the caller.
import type { Context } from '../context.ts';
import type { Settings } from '../settings.ts';

/** Throws what is wrong; notes what is well. */
export async function testService(settings: Settings, context: Context): Promise<number> {
  const { remote } = settings;
  if (!remote) return 0;
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
