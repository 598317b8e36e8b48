// The journal of a service that gives no answer: what pm did there can be looked at all the same.
import type { Finder, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';

/**
 * The session. Where the service gives no answer, it is one of the caller and the site of this job, by default the newest;
 * its calls throw `unreachable`. Throws `unreachable` without a job.
 */
export async function sessionOrOffline(context: Context, job?: JobHead): Promise<Session> {
  try {
    return await context.session();
  } catch (error) {
    const { profile } = context.settings;
    const head = job ?? (await (await context.jobs()).heads(profile, { limit: 1 }))[0];
    if (!head || !(error instanceof ServiceError) || error.code !== 'unreachable') throw error;
    context.note(`${profile} does not answer: this comes from pm's own journal.`);
    return offline(context, head, error);
  }
}

function offline({ settings }: Context, { caller, site }: JobHead, error: ServiceError): Session {
  const fail = async (): Promise<never> => {
    throw error;
  };
  // biome-ignore lint/correctness/useYield: nothing can be listed.
  const failList = async function* (): AsyncGenerator<never> {
    throw error;
  };
  const find: Finder = {
    record: fail,
    byName: fail,
    byMembers: fail,
    all: failList,
    holding: failList,
    forget: () => undefined,
  };
  return { me: { id: caller, site, userName: settings.remote?.user ?? caller }, call: fail, list: failList, find };
}
