// The large sample: as many individuals as wanted, department by department, so that memory does not grow with their number.
import { invalid } from '../../contract/errors.ts';
import { BEGINNING, dayStart, moment } from './calendar.ts';
import { letWrite, makeLeader, setUpSite } from './founding.ts';
import { nameOf } from './large-names.ts';
import {
  bossOf,
  CROWD,
  FAN,
  idOfSomeone,
  idOfUnit,
  type Someone,
  type Unit,
  unitOf,
  type Wanted,
} from './large-units.ts';
import { leaderVisits, memberVisits, quarterVisits, REVIEW_RECORDS } from './large-work.ts';
import { randomOf } from './random.ts';
import type { Timeline, Visit, Writer } from './timeline.ts';

const MOST = 1_000_000;
const MINUTE = 60_000;
/** Writes of one individual, roughly. */
const WRITES = 40;

export function largeOf({ individuals, randomSeed }: Wanted) {
  refuseSize(individuals);
  const seed = `large ${randomSeed}`;
  const someone = (number: number): string => idOfSomeone(seed, number);
  const pace = Math.max(1, Math.min(3 * MINUTE, Math.floor((BEGINNING * 24 * 60 * MINUTE) / (individuals * WRITES))));
  return {
    sample: {
      ...{ seed, pace, first: nameOf(randomSeed, 0).user },
      people: { first: someone(0), last: someone(individuals - 1), next: someone(individuals) },
    },
    write: (timeline: Timeline, onProgress: (done: number, total: number) => void) =>
      writeLarge(timeline, { individuals, randomSeed }, onProgress),
  };
}

function refuseSize(individuals: number): void {
  if (Number.isInteger(individuals) && individuals >= 1 && individuals <= MOST) return;
  const message = `is ${individuals}; allowed are whole numbers from 1 to ${MOST}`;
  throw invalid('the large sample', [{ field: 'individuals', code: 'out_of_range', message }]);
}

async function writeLarge(
  timeline: Timeline,
  wanted: Wanted,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const { today } = timeline;
  const total = wanted.individuals;
  const setUp = (writer: Writer): Promise<void> => setUpSite(writer, today, 'A large sample. No such company exists.');
  await timeline.write([{ at: moment(today, BEGINNING, randomOf(wanted.randomSeed)), work: setUp }]);
  const units = Math.ceil(total / CROWD);
  for (let number = 0; number < units; number++) {
    const unit = unitOf(wanted, number);
    await timeline.write([foundingVisit(today, unit)]);
    await timeline.write([...memberVisits(today, unit), ...leaderVisits(today, unit)]);
    const people = Math.min((number + 1) * CROWD, total);
    onProgress(timeline.records(), Math.round((timeline.records() / people) * total) + units * REVIEW_RECORDS);
  }
  for (let number = 0; number < units; number++) {
    await timeline.write(quarterVisits(today, unitOf(wanted, number)));
    onProgress(timeline.records(), timeline.records() + (units - number - 1) * REVIEW_RECORDS);
  }
}

/** The administrator sets up the department and its people. */
function foundingVisit(today: Date, unit: Unit): Visit {
  return {
    at: moment(today, unit.begun, randomOf(unit.seed, 'founding', unit.number)),
    async work(writer) {
      await writer.add('organization', {
        ID: unit.id,
        ParentID: unit.above === undefined ? writer.site : idOfUnit(unit.seed, unit.above),
        Rank: unit.above === undefined ? 2 : ((unit.number - 1) % FAN) + 1,
        Name: unit.name,
        Focus: `${unit.people.length} people who work in one direction.`,
      });
      for (const [index, one] of unit.people.entries()) await addIndividual(writer, today, unit, one, index);
      const [leader] = unit.people;
      if (!leader) return;
      await makeLeader(writer, leader.id, unit.id);
      await letWrite(writer, leader.id, unit.id);
      for (const one of unit.people) await letWrite(writer, leader.id, one.id);
    },
  };
}

async function addIndividual(writer: Writer, today: Date, unit: Unit, one: Someone, index: number): Promise<void> {
  const email = `${one.user}@example.com`;
  const number = unit.number * CROWD + index;
  await writer.add('individual', {
    ID: one.id,
    FirstName: one.first,
    LastName: one.last,
    UserDefined1: String(number + 1).padStart(7, '0'),
    Email: email,
    UserEmail: email,
    UserName: one.user,
    PrimaryOrganizationID: unit.id,
    PrimaryTitle: one.title,
    PrimaryReportsTo: bossOf(unit, one).id,
    HireDate: dayStart(today, unit.begun + writer.random.between(0, 5_000)),
  });
}
