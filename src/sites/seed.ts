// Fills a site with a sample, through the engine's own rules: every record is made by a call, at a time of its own.
import type { Local, Session } from '../contract/call.ts';
import { orNone, ServiceError } from '../contract/errors.ts';
import { localOf, openTimeline, type SeedTarget } from './samples/timeline.ts';

export type { SeedTarget } from './samples/timeline.ts';

export type SeedOptions =
  | { readonly sample: 'small' }
  | { readonly sample: 'large'; readonly individuals: number; readonly randomSeed: number };

export interface SeedReport {
  /** How many records were made, by the resource's command; the deleted ones are among them. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Adds a sample to the administrator's site: all of it, or nothing. The same options, site and day give the same records.
 * Throws `conflict` where its individuals are in the database already, `usage` on a remote service, `invalid` for
 * a number of individuals that makes no company.
 */
export async function seedSample(options: SeedOptions, target: SeedTarget): Promise<SeedReport> {
  const { sample, write } = await chosen(options);
  try {
    return await localOf(target.session).transaction(async (session) => {
      await refuseTwice(localOf(session), sample.first, options.sample);
      const timeline = openTimeline({ ...target, session }, sample);
      await write(timeline, (done, total) => target.onProgress?.(done, total));
      return { counts: sorted(timeline.made) };
    });
  } finally {
    target.setClock(target.today);
  }
}

/**
 * Does the site hold this sample, of this size? A sample is there whole or not at all, and its IDs follow from the options:
 * so its first and its last individual are there, and none behind. Throws `usage` and `invalid` as `seedSample`.
 */
export async function holdsSample(options: SeedOptions, session: Session): Promise<boolean> {
  const { first, last, next } = (await chosen(options)).sample.people;
  localOf(session);
  const isThere = async (id: string): Promise<boolean> =>
    ['live', 'deleted'].includes((await session.find.record('individual', { id })).state);
  if (!(await isThere(first)) || !(await isThere(last))) return false;
  // The one behind the last, where a larger sample has one.
  return next === undefined || !(await isThere(next));
}

async function chosen(options: SeedOptions) {
  if (options.sample === 'small') {
    const { smallSample } = await import('./samples/small.ts');
    return smallSample();
  }
  const { largeOf } = await import('./samples/large.ts');
  return largeOf(options);
}

/** User names are unique in the whole database, so a sample fits into it once. */
async function refuseTwice(local: Local, first: string, sample: string): Promise<void> {
  if (!(await orNone(local.as(first), ['not_found']))) return;
  throw new ServiceError(
    'conflict',
    `the ${sample} sample is in this database already: ${first} is one of its people`,
    {
      hint: 'Set PM_HOME to an empty folder and seed there.',
    },
  );
}

const sorted = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
