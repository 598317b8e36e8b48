// Harbour Works, a company of our invention that builds electric ferries: its departments and its people.
import type { Trade } from './disciplines.ts';
import { type Name, userNameOf } from './founding.ts';
import { guidOf } from './random.ts';

export const SEED = 'small';
/** The part of a record's ID that follows from its name. */
export const idOf = (kind: string, name: string): string => guidOf(SEED, kind, name);

interface More {
  /** Whom they report to, if not the leader of the department; a user name. */
  readonly under?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  /** Their name as they write it themselves. */
  readonly own?: string;
  /** Joined that many days ago; otherwise before the site began. */
  readonly joined?: number;
  /** Left that many days ago: the record is deleted. */
  readonly left?: number;
  readonly isAdmin?: true;
}

export interface Person extends More, Name {
  readonly title: string;
  readonly id: string;
}

export interface Department {
  readonly key: string;
  readonly name: string;
  /** The department above it; without one, the organization. */
  readonly parent?: string;
  readonly trade: Trade;
  readonly focus: string;
  readonly goal?: string;
  /** The first one leads. */
  readonly people: readonly Person[];
}

const person = (first: string, last: string, title: string, more: More = {}): Person => {
  const user = userNameOf(first, last);
  return { first, last, title, user, id: idOf('individual', user), ...more };
};

/** The first one is the organization itself. A department stands behind the one above it. */
export const DEPARTMENTS: readonly [Department, ...Department[]] = [
  {
    key: 'company',
    name: 'Harbour Works',
    trade: 'lead',
    focus: 'Ferries without fumes for every harbour that wants them.',
    goal: 'We want children to wave at our ferries, and captains to wave back.',
    people: [
      person('Ingrid', 'Halvorsen', 'Managing director'),
      person('Tomasz', 'Wrona', 'Assistant to the managing director'),
    ],
  },
  {
    key: 'engineering',
    name: 'Engineering',
    trade: 'design',
    focus: 'One platform, three sizes of ferry.',
    goal: 'Proud of what is not on the drawing any more.',
    people: [
      person('Amara', 'Okafor', 'Head of engineering', { prefix: 'Dr.', suffix: 'PhD' }),
      person('Luis', 'Ferreira', 'Systems engineer'),
      person('Hanna', 'Virtanen', 'Project engineer'),
      person('Chidi', 'Eze', 'Engineering planner', { joined: 300 }),
    ],
  },
  {
    key: 'hull-design',
    name: 'Hull Design',
    parent: 'engineering',
    trade: 'design',
    focus: 'Less wave, less weight, less noise.',
    people: [
      person('Søren', 'Kjeldsen', 'Lead naval architect'),
      person('Maëlle', 'Le Goff', 'Naval architect'),
      person('Björn', 'Åkesson', 'Structural engineer'),
      person('Priya', 'Raman', 'Fluid dynamics engineer', { own: 'பிரியா ராமன்' }),
      person('Noah', 'Whitlock', 'Design technician', { left: 90 }),
    ],
  },
  {
    key: 'electric-drives',
    name: 'Electric Drives',
    parent: 'engineering',
    trade: 'electric',
    focus: 'From shore to propeller with 88 % and more.',
    people: [
      person('Mei', 'Tanaka', 'Lead drive engineer', { own: '田中 芽衣' }),
      person('Jörg', 'Strauß', 'Power electronics engineer'),
      person('Zofia', 'Łuczak', 'Motor control engineer'),
      person('Ruben', 'de Wit', 'Electrical designer'),
      person('Aoife', "O'Connell", 'Software engineer', { under: 'zofia.luczak', joined: 520 }),
    ],
  },
  {
    key: 'battery-lab',
    name: 'Battery Laboratory',
    parent: 'electric-drives',
    trade: 'electric',
    focus: 'Modules that outlive the ferry.',
    people: [
      person('Farid', 'Haddad', 'Head of the battery laboratory', { prefix: 'Dr.', own: 'فريد حداد' }),
      person('Lina', 'Zhou', 'Cell engineer', { own: '周丽娜' }),
      person('Emre', 'Yıldız', 'Test engineer'),
      person('Klara', 'Svoboda', 'Laboratory technician', { joined: 210 }),
    ],
  },
  {
    key: 'production',
    name: 'Production',
    trade: 'build',
    focus: 'A hull every nine weeks.',
    people: [
      person('Margaret', 'Oyelaran', 'Head of production'),
      person('Pavel', 'Novotný', 'Production planner'),
      person('Ylva', 'Sandström', 'Materials planner'),
    ],
  },
  {
    key: 'hull-shop',
    name: 'Hull Shop',
    parent: 'production',
    trade: 'build',
    focus: 'Seams that pass the first time.',
    people: [
      person('Giorgos', 'Papadakis', 'Hull shop lead', { own: 'Γιώργος Παπαδάκης' }),
      person('Dmytro', 'Shevchuk', 'Welding team leader', { own: 'Дмитро Шевчук' }),
      person('Kwame', 'Asante', 'Welder', { under: 'dmytro.shevchuk' }),
      person('Marta', 'Kowalczyk', 'Welder', { under: 'dmytro.shevchuk' }),
      person('Oskar', 'Lindgren', 'Plate worker'),
      person('Fatou', 'Diallo', 'Welder', { under: 'dmytro.shevchuk', joined: 430 }),
      person('Henrik', 'Baas', 'Crane operator', { left: 200 }),
      person('Tiago', 'Moreira', 'Apprentice welder', { under: 'dmytro.shevchuk', joined: 110 }),
    ],
  },
  {
    key: 'outfitting',
    name: 'Outfitting & Paint',
    parent: 'production',
    trade: 'build',
    focus: 'Cabins that feel like a living room.',
    people: [
      person('Siobhán', 'Murphy', 'Outfitting lead'),
      person('Jean-Baptiste', 'Rousseau', 'Joiner'),
      person('Anneke', 'Vos', 'Paint team leader'),
      person('Rashid', 'Karimi', 'Pipe fitter'),
      person('Lucía', 'Peña', 'Cable installer'),
      person('Milan', 'Horváth', 'Painter', { under: 'anneke.vos', joined: 380 }),
      person('Grace', 'Achieng', 'Apprentice joiner', { under: 'jean-baptiste.rousseau', joined: 75 }),
    ],
  },
  {
    key: 'quality',
    name: 'Quality',
    parent: 'production',
    trade: 'quality',
    focus: 'Seen by us first.',
    people: [
      person('Annika', 'Weiß', 'Head of quality'),
      person('Bogdan', 'Ionescu', 'Welding inspector'),
      person('Thandiwe', 'Nkosi', 'Quality engineer'),
      person('Sven', 'Dahl', 'Measurement technician', { joined: 610 }),
    ],
  },
  {
    key: 'sea-trials',
    name: 'Sea Trials',
    parent: 'quality',
    trade: 'quality',
    focus: 'One trip is enough.',
    people: [
      person('Elías', 'Guðmundsson', 'Trials captain', { prefix: 'Capt.' }),
      person('Nils', 'Aune', 'Trials engineer'),
      person('Camila', 'Rojas', 'Data analyst', { joined: 260 }),
    ],
  },
  {
    key: 'sales',
    name: 'Sales & Service',
    trade: 'sell',
    focus: 'Operators who come back.',
    people: [
      person('Victoria', 'Ashdown', 'Head of sales and service'),
      person('Matteo', 'Gallo', 'Key account manager'),
      person('Haeun', 'Seo', 'Sales engineer', { own: '서하은' }),
      person('Karim', 'Benali', 'Tender manager'),
      person('Juliette', 'Marchand', 'Marketing specialist', { left: 30 }),
    ],
  },
  {
    key: 'service',
    name: 'Service | Spare Parts',
    parent: 'sales',
    trade: 'serve',
    focus: 'The right part, "yesterday".',
    people: [
      person('Óscar', 'Ibáñez', 'Service lead'),
      person('Tess', 'van den Berg', 'Spare parts manager'),
      person('Arjun', 'Nair', 'Field technician'),
      person('Ewa', 'Zielińska', 'Customer support', { joined: 480 }),
    ],
  },
  {
    key: 'people',
    name: 'People & Finance',
    trade: 'office',
    focus: 'Pay, people and papers in order.',
    people: [
      person('Ruth', 'Abrahams', 'Head of people and finance', { isAdmin: true }),
      person('Dániel', 'Szabó', 'Accountant'),
      person('Nomvula', 'Dube', 'People partner'),
      person('Petra', 'Hoffmann', 'Payroll specialist'),
      person('Ivo', 'Marković', 'Purchaser'),
      person('Sara', 'Bergström', 'Systems administrator', { isAdmin: true }),
    ],
  },
];

/** Closed since: the record is deleted. */
export const CLOSED = {
  key: 'diesel',
  name: 'Diesel Workshop',
  parent: 'production',
  focus: 'The last engines with a smell.',
  closed: 400,
} as const;

/** Second memberships: user name, department, title there. */
export const SECOND: readonly (readonly [user: string, department: string, title: string])[] = [
  ['amara.okafor', 'company', 'Member of the management'],
  ['margaret.oyelaran', 'company', 'Member of the management'],
  ['victoria.ashdown', 'company', 'Member of the management'],
  ['ruth.abrahams', 'company', 'Member of the management'],
  ['hanna.virtanen', 'sea-trials', 'Coordinator of trials'],
  ['annika.weiss', 'engineering', 'Adviser on quality'],
  ['jorg.strauss', 'battery-lab', 'Charging electronics'],
  ['tess.vandenberg', 'outfitting', 'Keeper of fittings'],
  ['dmytro.shevchuk', 'diesel', 'Engine fitter'],
  ['oskar.lindgren', 'diesel', 'Engine fitter'],
];

export const MANAGING_DIRECTOR = DEPARTMENTS[0].people[0] as Person;
/** The individual who keeps the records once the site is set up. */
export const RECORD_KEEPER = 'ruth.abrahams';

const byKey = new Map(DEPARTMENTS.map((department) => [department.key, department]));

/** The individual that one reports to: the leader of the department, or of the one above it. */
export function bossOf(department: Department, one: Person): Person {
  if (one.under) return department.people.find((other) => other.user === one.under) ?? MANAGING_DIRECTOR;
  const leader = department.people[0] ?? MANAGING_DIRECTOR;
  if (leader !== one) return leader;
  return byKey.get(department.parent ?? 'company')?.people[0] ?? MANAGING_DIRECTOR;
}
