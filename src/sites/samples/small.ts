// The small sample: two years of a company of sixty people, with every resource filled and some records deleted.
import { moment } from './calendar.ts';
import type { Diary, Visit } from './diary.ts';
import { randomOf } from './random.ts';
import { IN_MANY_TONGUES } from './remarks.ts';
import { DEPARTMENTS, idOf, MANAGING_DIRECTOR, SEED } from './small-company.ts';
import { deletionVisits } from './small-deletions.ts';
import { departmentVisits } from './small-departments.ts';
import { departmentID, foundingVisits, recordKeepingVisits } from './small-founding.ts';
import { measuringVisits } from './small-measuring.ts';
import { peopleVisits } from './small-people.ts';
import { kickOffID, projectID, projectVisits } from './small-undertaken.ts';

/** What the diary of this sample begins with. */
export const SMALL = {
  seed: SEED,
  pace: 4 * 60_000,
  first: MANAGING_DIRECTOR.user,
  people: { first: MANAGING_DIRECTOR.id, last: DEPARTMENTS.at(-1)?.people.at(-1)?.id ?? MANAGING_DIRECTOR.id },
} as const;

/** Progress is told after so many visits. */
const TOGETHER = 100;

/** Suggestions for whoever looks at the sample first. */
export const SMALL_COMMANDS: readonly string[] = [
  'pm departments tree',
  'pm individuals tree',
  'pm individuals list --deleted 2',
  'pm accountabilities list --individual ingrid.halvorsen',
  'pm dashboards show --department Production',
  'pm comments list --department "Harbour Works"',
];

export async function writeSmall(diary: Diary, onProgress: (done: number, total: number) => void): Promise<void> {
  const { today } = diary;
  const begin = foundingVisits(today);
  const rest = [
    ...recordKeepingVisits(today),
    ...peopleVisits(today),
    ...departmentVisits(today),
    ...projectVisits(today),
    ...measuringVisits(today),
    ...tongues(today),
    ...deletionVisits(today),
  ].sort((a, b) => a.at - b.at);
  const total = begin.length + rest.length;
  await diary.write(begin);
  onProgress(begin.length, total);
  let done = begin.length;
  for (const some of batches(rest)) {
    await diary.write(some);
    done += some.length;
    onProgress(done, total);
  }
}

function* batches(visits: readonly Visit[]): Generator<readonly Visit[]> {
  let batch: Visit[] = [];
  for (const visit of visits) {
    batch.push(visit);
    if (batch.length < TOGETHER) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Who writes which of the remarks in other languages, and on what. */
const ON: readonly (readonly [user: string, ancestor: string])[] = [
  ['nils.aune', projectID('ferry-12')],
  ['annika.weiss', projectID('hull-12')],
  ['jean-baptiste.rousseau', departmentID('outfitting')],
  ['lucia.pena', departmentID('production')],
  ['dmytro.shevchuk', projectID('hull-12')],
  ['giorgos.papadakis', departmentID('hull-shop')],
  ['mei.tanaka', departmentID('electric-drives')],
  ['lina.zhou', projectID('module-2')],
  ['farid.haddad', kickOffID('module-2')],
  ['ruben.dewit', projectID('drive-12')],
  ['ingrid.halvorsen', departmentID('company')],
  ['tomasz.wrona', idOf('individual', 'ingrid.halvorsen')],
];

function tongues(today: Date): readonly Visit[] {
  const random = randomOf(SEED, 'tongues');
  const bodies = [
    ...IN_MANY_TONGUES,
    'Thank you all: two years, no lost day. 🎉',
    'Birthday on Friday, cake at ten 🎂',
  ];
  return ON.flatMap(([user, AncestorID], index) => {
    const Body = bodies[index];
    if (Body === undefined) return [];
    const at = moment(today, random.between(5, 130), random);
    return [{ at, user, work: async (pen) => void (await pen.add('comment', { AncestorID, Body })) } satisfies Visit];
  });
}
