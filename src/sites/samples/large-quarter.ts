// How the departments of the large sample stand in this quarter: a metric with its values, a review and its follow-ups.
import { dayStart, dayText, hourOf, moment } from './calendar.ts';
import type { Pen, Visit } from './diary.ts';
import type { Unit } from './large-units.ts';
import { guidOf, randomOf } from './random.ts';

const MEASURED: readonly (readonly [name: string, text: string])[] = [
  ['Delivered on the day', 'In percent of what was promised.'],
  ['Passed the first time', 'In percent of what was tested.'],
  ['Answered within a day', 'In percent of what was asked.'],
];
const FOLLOW_UPS = ['Tell everybody what was decided', 'Come back with numbers'] as const;

/** The leader measures, holds the review and notes what follows from it; half of that is done by today. */
export function quarterVisits(today: Date, unit: Unit): readonly Visit[] {
  const [leader] = unit.people;
  if (!leader) return [];
  const at = moment(today, 9, randomOf(unit.seed, 'quarter', unit.number));
  return [{ at, user: leader.user, work: (pen) => standing(pen, today, unit) }];
}

async function standing(pen: Pen, today: Date, unit: Unit): Promise<void> {
  const metric = guidOf(unit.seed, 'metric', unit.number);
  const talk = guidOf(unit.seed, 'review', unit.number);
  const [Name, Description] = pen.random.pick(MEASURED);
  const Is8020 = pen.random.chance(0.5);
  await pen.add('metric', { ID: metric, AncestorID: unit.id, Rank: 1, Name, Description, Is8020 });
  for (const ago of [120, 9]) {
    await pen.add('metricValue', { MetricID: metric, Date: dayStart(today, ago), Value: pen.random.between(40, 105) });
  }
  const review = { AncestorID: unit.id, DialogDate: hourOf(today, 9, 9), Name: `Review of ${unit.name}` };
  await pen.add('dialog', { ID: talk, ...review });
  for (const [index, followUp] of FOLLOW_UPS.entries()) {
    const EndDateActual = pen.random.chance(0.5) ? dayText(today, 9) : null;
    await pen.add('task', { AncestorID: talk, Name: followUp, Rank: index + 1, EndDateActual });
  }
}
