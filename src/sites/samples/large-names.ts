// Names for samples of any size. Every individual's name follows from its number, and no two user names are alike.
import { type Name, userNameOf } from './founding.ts';

const FIRST = [
  'Maria',
  'Ann',
  'Ben',
  'Carlos',
  'Dana',
  'Émile',
  'Freya',
  'Goran',
  'Helene',
  'Ilse',
  'Jamal',
  'Kenji',
  'Leïla',
  'Marco',
  'Nadia',
  'Olof',
  'Paula',
  'Quinn',
  'Rosa',
  'Stefan',
  'Tariq',
  'Ursula',
  'Vera',
  'William',
  'Xenia',
  'Yusuf',
  'Zoé',
  'Adaeze',
  'Bruno',
  'Chloe',
  'Deniz',
] as const;

const LAST = [
  'Lindqvist',
  'Lee',
  'Abbott',
  'Brandt',
  'Castro',
  'Dupont',
  'Eriksen',
  'Fischer',
  'García',
  'Hansen',
  'Ito',
  'Jansen',
  'Kaya',
  'Larsen',
  'Müller',
  'Nakamura',
  'Osei',
  'Petrov',
  'Quist',
  'Rossi',
  'Silva',
  'Takahashi',
  'Ueda',
  'Varga',
  'Wagner',
  'Yilmaz',
  'Zimmer',
  'Adeleke',
  'Bennett',
  'Chen',
  'Díaz',
  'Engström',
  'Fontaine',
  'Graham',
  'Hussain',
  'Iyer',
  'Jovanović',
  'Keller',
  'Lefèvre',
  'Mensah',
  'Nguyen',
] as const;

const ALL = FIRST.length * LAST.length;

/**
 * The name of individual number 0, 1, … The seed chooses in which order names come; the first one is always the same.
 * Once all names are used they come again, with a number behind the user name.
 */
export function nameOf(seed: number, number: number): Name {
  const at = (number * strideOf(seed)) % ALL;
  const first = FIRST[at % FIRST.length] ?? FIRST[0];
  const last = LAST[Math.floor(at / FIRST.length)] ?? LAST[0];
  const lap = Math.floor(number / ALL) + 1;
  const user = userNameOf(first, last);
  return { first, last, user: lap === 1 ? user : `${user}${lap}` };
}

/** Steps that share no factor with the number of names, so that every name comes once before one comes twice. */
function strideOf(seed: number): number {
  let stride = 1_000 + (Math.abs(seed) % ALL);
  while (commonFactor(stride, ALL) !== 1) stride += 1;
  return stride;
}

const commonFactor = (a: number, b: number): number => (b === 0 ? a : commonFactor(b, a % b));

/** The names of departments of one kind, and the titles of their people. */
export interface Trade {
  readonly name: string;
  readonly titles: readonly string[];
}

export const TRADES: readonly Trade[] = [
  { name: 'Assembly', titles: ['Welder', 'Fitter', 'Joiner', 'Painter', 'Apprentice'] },
  { name: 'Design', titles: ['Designer', 'Naval architect', 'Structural engineer', 'Draughting technician'] },
  { name: 'Drives', titles: ['Electrical engineer', 'Software engineer', 'Test engineer', 'Technician'] },
  { name: 'Service', titles: ['Service engineer', 'Field technician', 'Spare parts clerk'] },
  { name: 'Administration', titles: ['Accountant', 'People partner', 'Purchaser', 'Planner'] },
];
