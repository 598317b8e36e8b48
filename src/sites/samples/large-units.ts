// The parts of a large sample: departments with their people, each of which follows from the seed and its number alone.
import { BEGINNING } from './calendar.ts';
import type { Trade } from './disciplines.ts';
import type { Name } from './founding.ts';
import { departmentName, nameOf, titlesOf } from './large-names.ts';
import { guidOf, randomOf } from './random.ts';

export interface Wanted {
  readonly individuals: number;
  readonly randomSeed: number;
}

/** A part of the sample: a department with its people. All of it follows from the seed and its number. */
export interface Unit {
  readonly seed: string;
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly trade: Trade;
  readonly above: number | undefined;
  /** The first one leads. */
  readonly people: readonly Someone[];
  /** Days ago when it was set up. */
  readonly begun: number;
}

export interface Someone extends Name {
  readonly id: string;
  readonly title: string;
}

/** People in a department, its leader included; the last one has the rest. */
export const CROWD = 25;
/** Departments right below one department. */
export const FAN = 5;
const TRADES: readonly Trade[] = ['build', 'design', 'electric', 'quality', 'sell', 'serve', 'office'];

/** The first unit is the organization; the others stand below it in a tree that is as even as can be. */
export function unitOf({ individuals, randomSeed }: Wanted, number: number): Unit {
  const seed = `large ${randomSeed}`;
  const trade = number === 0 ? 'lead' : (TRADES[(number - 1) % TRADES.length] ?? 'build');
  const first = number * CROWD;
  const crowd = Math.min(CROWD, individuals - first);
  const place = Math.floor((number - 1) / TRADES.length);
  return {
    seed,
    number,
    id: idOfUnit(seed, number),
    name: number === 0 ? `Blue Quay ${randomSeed}` : departmentName(trade, place),
    trade,
    above: number === 0 ? undefined : Math.floor((number - 1) / FAN),
    people: Array.from({ length: crowd }, (_, index) => someoneOf(randomSeed, seed, first + index, trade, index === 0)),
    begun: Math.round(BEGINNING - 5 - (first / individuals) * (BEGINNING - 60)),
  };
}

export const idOfUnit = (seed: string, number: number): string => guidOf(seed, 'organization', number);
export const idOfSomeone = (seed: string, number: number): string => guidOf(seed, 'individual', number);

function someoneOf(randomSeed: number, seed: string, number: number, trade: Trade, isLeader: boolean): Someone {
  const title = isLeader && number > 0 ? 'Head of department' : randomOf(seed, 'title', number).pick(titlesOf(trade));
  const name = nameOf(randomSeed, number);
  return { id: idOfSomeone(seed, number), ...name, title: number === 0 ? 'Managing director' : title };
}

/** The leader, and for the leader the one of the department above. */
export function bossOf(unit: Unit, one: Someone): { readonly id: string } {
  const leader = unit.people[0] ?? one;
  if (one !== leader) return leader;
  return unit.above === undefined ? one : { id: idOfSomeone(unit.seed, unit.above * CROWD) };
}
