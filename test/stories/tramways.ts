// A tramway company of 292 people, made up, and the tables that an HR program would write of it.

const FIRST =
  'Zoë José François Jürgen Åsa Łukasz Šárka Nuño Béla Chloé Dörte Élise Inês Marek Tomáš Siân Ömer Renée Björn Mária Andrés Jiří Kateřina Grace';
const LAST =
  "Sánchez Müller O'Neill Novák Kowalski Lindström García Peña Nguyễn Dvořák Weiß Håkansson Ferrari Yılmaz Petrović Kovács D'Angelo Brontë Jørgensen Mäkinen Ćosić Bălan Fernández Okafor Çelik";
const [firsts, lasts] = [FIRST.split(' '), LAST.split(' ')];

/** The divisions, each with its units and the trade of a unit. */
const DIVISIONS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['Operations', { 'Depot East': 'Tram driver', 'Depot West': 'Tram driver', 'Control Centre': 'Dispatcher' }],
  ['Infrastructure', { Track: 'Track fitter', 'Overhead Line': 'Line fitter', Signals: 'Signal technician' }],
  ['Workshops', { Bogies: 'Mechanic', 'Body Shop': 'Body builder', Electronics: 'Electronics technician' }],
  ['Customers', { Tickets: 'Ticket inspector', 'Lost & Found': 'Clerk', Information: 'Information officer' }],
  ['Finance', { Ledger: 'Accountant', Purchasing: 'Buyer', Payroll: 'Payroll clerk' }],
  ['Planning', { Timetables: 'Timetable planner', 'New Lines': 'Engineer', 'Data Office': 'Analyst' }],
];
const UNITS = DIVISIONS.flatMap(([division, units]) =>
  Object.entries(units).map(([name, trade]) => ({ division, name, trade })),
);

export interface Worker {
  readonly user: string;
  readonly first: string;
  readonly last: string;
  readonly title: string;
  readonly department: string;
  /** The name of the manager as a person writes it; blank at the top. */
  readonly manager: string;
  readonly hired: string;
}

const PEOPLE = 292;
const [HEADS, LEADS] = [DIVISIONS.length, UNITS.length];

/** All of them, the director first, then heads of divisions, leads of units, and the others. */
export function workers(): readonly Worker[] {
  const names = Array.from({ length: PEOPLE }, (_, at) => nameOf(at));
  const full = (at: number): string => `${names[at]?.first} ${names[at]?.last}`;
  return names.map((name, at) => {
    const { division, unit, lead, title } = placeOf(at);
    const manager = at === 0 ? '' : full(lead);
    return { ...name, title, department: unit ?? division, manager, hired: dayOf(at) };
  });
}

/** The last one has the first and last name of the lead of Depot East. */
function nameOf(at: number): Pick<Worker, 'user' | 'first' | 'last'> {
  const same = at === PEOPLE - 1 ? HEADS + 1 : at;
  const [first, last] = [firsts[same % firsts.length] ?? '', lasts[same % lasts.length] ?? ''];
  return { first, last, user: `${plain(first)}.${plain(last)}${same === at ? '' : '2'}` };
}

const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss' };
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[łøıß]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z]/g, '');

function placeOf(at: number) {
  if (at <= HEADS) {
    const [division = ''] = DIVISIONS[Math.max(0, at - 1)] ?? [];
    return { division, lead: 0, title: at === 0 ? 'Director' : `Head of ${division}` };
  }
  const number = (at - HEADS - 1) % LEADS;
  const { division, name, trade } = UNITS[number] ?? { division: '', name: '', trade: '' };
  const isLead = at <= HEADS + LEADS;
  const head = DIVISIONS.findIndex(([one]) => one === division) + 1;
  return { division, unit: name, lead: isLead ? head : HEADS + 1 + number, title: isLead ? `Lead, ${name}` : trade };
}

/** A day of the last twenty years, as it is written there: 07/11/2019. */
function dayOf(at: number): string {
  const [day, month, year] = [1 + ((at * 7) % 28), 1 + ((at * 5) % 12), 2005 + ((at * 3) % 20)];
  return `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`;
}

/** Two people are called so: the lead of Depot East, and one of its drivers. */
export const NAMESAKE = { name: 'Nuño Peña', user: 'nuno.pena' };

export type Cells = readonly string[];

/** The departments as a table, with a column that means nothing to pm. */
export const departmentRows = (): readonly Cells[] => [
  ['Department', 'Part of', 'Order', 'Cost centre'],
  ...DIVISIONS.flatMap(([division, units], at) => [
    [division, 'Local', String(at + 1), `${at + 1}00`],
    ...Object.keys(units).map((unit, nth) => [unit, division, String(nth + 1), `${at + 1}${nth + 1}0`]),
  ]),
];

export const HEADER: Cells = [
  ...['User name', 'First name', 'Last name', 'E-mail address', 'Job title', 'Department', 'Manager', 'Hired on'],
];

export const cellsOf = (one: Worker): Cells => [
  ...[one.user, one.first, one.last, mailOf(one), one.title, one.department, one.manager, one.hired],
];

export const mailOf = ({ user }: Worker): string => `${user}@tramways.example`;

/** The same rows in another order, which is always the same one. */
export function shuffled<T>(rows: readonly T[]): readonly T[] {
  const all = [...rows];
  let random = 290;
  for (let at = all.length - 1; at > 0; at--) {
    random = (random * 1103515245 + 12345) % 2 ** 31;
    const other = random % (at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

/** As a spreadsheet saves "Unicode text": UTF-16LE with its mark, tabs and CRLF. */
export const asUnicodeText = (rows: readonly Cells[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((cells) => `${cells.join('\t')}\r\n`).join('')}`, 'utf16le');

export const asCsv = (rows: readonly Cells[]): string => rows.map((cells) => `${cells.join()}\n`).join('');
