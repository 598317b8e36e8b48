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

const TITLES = {
  lead: ['Managing director', 'Assistant', 'Planner'],
  design: ['Designer', 'Naval architect', 'Structural engineer', 'Draughting technician'],
  electric: ['Electrical engineer', 'Software engineer', 'Test engineer', 'Technician'],
  build: ['Welder', 'Fitter', 'Joiner', 'Painter', 'Apprentice'],
  quality: ['Inspector', 'Quality engineer', 'Measurement technician'],
  sell: ['Account manager', 'Sales engineer', 'Tender specialist'],
  serve: ['Service engineer', 'Field technician', 'Spare parts clerk'],
  office: ['Accountant', 'People partner', 'Purchaser', 'Systems administrator'],
} as const;
export type Trade = keyof typeof TITLES;

const WORDS: Readonly<Record<Trade, string>> = {
  lead: 'Management',
  design: 'Design',
  electric: 'Drives',
  build: 'Assembly',
  quality: 'Quality',
  sell: 'Sales',
  serve: 'Service',
  office: 'Administration',
};

const PLACES = [
  'North',
  'South',
  'East',
  'West',
  'Harbour',
  'River',
  'Island',
  'Coast',
  'Lake',
  'Delta',
  'Fjord',
  'Bay',
] as const;

export const titlesOf = (trade: Trade): readonly string[] => TITLES[trade];

/** Assembly North, … and once the places are used up, Assembly North 2. */
export function departmentName(trade: Trade, number: number): string {
  const place = PLACES[number % PLACES.length] ?? PLACES[0];
  const lap = Math.floor(number / PLACES.length) + 1;
  return `${WORDS[trade]} ${place}${lap === 1 ? '' : ` ${lap}`}`;
}
