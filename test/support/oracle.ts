// The oracle of rights: a second, simple implementation of D19 to compare with.
import { type Fact, factsOf } from '../laws/facts.ts';

export type Action = 'create' | 'read' | 'update' | 'delete' | 'delegate';

/** A record: its kind, its owner, and its author. */
export interface Thing {
  readonly id: string;
  readonly kind: string;
  /** The IDs of the owners; none for the site. */
  readonly under: readonly string[];
  readonly author?: string;
  /** An individual who is administrator of every site. */
  readonly global?: boolean;
}

/** A permission row: its principal, its object, its child type, and its state for each action. */
export interface Rule {
  readonly on: string;
  readonly whom: string;
  readonly child: number | null;
  readonly says: Readonly<Record<Action, number>>;
  /** Its object is deleted: it still denies, and no longer allows. */
  readonly gone?: boolean;
}

export interface Caller {
  readonly id: string;
  /** The IDs under which rights are given: the user's and those of live groups. */
  readonly principals: readonly string[];
  readonly administrator: boolean;
  /** Administrator of every site. */
  readonly global?: boolean;
  /** Calls with its own password, and no token. */
  readonly showsPassword?: boolean;
  /** Calls with a token of the site. */
  readonly bySiteToken?: boolean;
}

export interface World {
  readonly things: readonly Thing[];
  readonly rules: readonly Rule[];
  /** Whom each individual reports to. */
  readonly bosses: Readonly<Record<string, string>>;
}

const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  organization: [4],
  department: [19],
  project: [15],
  metric: [7, 16, 58],
  metricValue: [7, 16, 58],
  dialog: [9, 25, 38],
  basicRoleDialog: [9, 25, 38],
};
const MEANT: Readonly<Record<string, readonly number[]>> = {
  site: [4, 7, 9, 15, 16, 19, 25, 38, 58],
  organization: [4, 15, 19, 7, 9],
  department: [4, 15, 19, 7, 9],
  project: [4, 15, 19, 16, 25],
  individual: [4, 15, 19, 58, 38],
  metric: [4, 15, 19],
  task: [4, 15, 19],
};
/** One line for each kind of record: through which member it inherits, and who may do what where no row says anything. */
const LINES = new Map(factsOf('rights.tsv').map((line) => [line.resource, line]));

function lineOf(kind: string): Fact {
  const line = LINES.get(kind === 'department' ? 'organization' : kind);
  if (!line) throw new Error(`test/facts/rights.tsv does not say who may do what with a ${kind}: give it a line`);
  return line;
}

/** The members through which a record of that kind inherits: all that are set. */
export const through = (kind: string): readonly string[] =>
  lineOf(kind)
    .through?.split(', ')
    .filter((member) => member !== '-') ?? [];

/** The kinds that inherit from others than the site. */
export const INHERITING: readonly string[] = [...LINES.keys()].flatMap((kind = '') =>
  through(kind).length > 0 ? kind : [],
);

/** The members of an individual by which others could become that one, or that decide what that one may. */
export const LOGIN_MEMBERS = ['Password', 'UserName', 'Email', 'IsAdmin'] as const;

/** A global administrator's record is for that individual and other global administrators, and never for a token of a site. */
const reaches = (who: Caller, thing: Thing): boolean =>
  !thing.global || (who.bySiteToken !== true && (who.id === thing.id || who.global === true));

/** May the caller change this member of an individual whose record they may change? */
export function mayChange(who: Caller, member: string, thing: Thing): boolean {
  if ((LOGIN_MEMBERS as readonly string[]).includes(member) && !reaches(who, thing)) return false;
  if (member === 'Password') return who.id === thing.id ? who.showsPassword === true : who.administrator;
  return who.administrator || !['UserName', 'IsAdmin'].includes(member);
}

/** Is the action allowed? A new record is given as it will be. */
export function allowed(world: World, who: Caller, action: Action, thing: Thing): boolean {
  if (action === 'delete' && !reaches(who, thing)) return false;
  if (who.administrator) return true;
  if (thing.kind === 'permission') {
    const [object] = ownersOf(world, thing);
    return object !== undefined && allowed(world, who, 'delegate', object);
  }
  const chains = chainsOf(world, thing);
  const own = action === 'create' ? undefined : setOn(world, who, action, thing, undefined);
  const firsts = chains.map((chain) =>
    chain.map((place) => setOn(world, who, action, place, thing.kind)).find((state) => state !== undefined),
  );
  const state = own ?? (firsts.includes(false) ? false : firsts.find((one) => one !== undefined));
  if (!(state ?? byDefault(world, who, action, thing, chains))) return false;
  // A membership is hidden with either of its ends.
  const ends = thing.kind === 'organizationMember' && action === 'read' ? ownersOf(world, thing) : [];
  return ends.every((end) => allowed(world, who, 'read', end));
}

/** What the rows on a record say, of itself or of what is below it of that kind. */
function setOn(world: World, who: Caller, action: Action, place: Thing, kind: string | undefined): boolean | undefined {
  const here = world.rules.filter((rule) => rule.on === place.id && who.principals.includes(rule.whom));
  if (kind !== undefined) {
    const typed = here.filter(({ child }) => child !== null && NUMBERS[kind]?.includes(child));
    if (typed.some(({ says }) => says[action] === 2)) return false;
    const meant = typed.filter(({ child }) => MEANT[place.kind]?.includes(Number(child)));
    if (meant.some(({ says, gone }) => says[action] === 1 && !gone)) return true;
  }
  const plain = here.filter(({ child }) => child === null);
  if (plain.some(({ says }) => says[action] === 2)) return false;
  return plain.some(({ says, gone }) => says[action] === 1 && !gone) ? true : undefined;
}

function byDefault(
  world: World,
  who: Caller,
  action: Action,
  thing: Thing,
  chains: readonly (readonly Thing[])[],
): boolean {
  const people = [thing, ...chains.flat()].filter(({ kind }) => kind === 'individual').map(({ id }) => id);
  // Delegation is never allowed by default.
  const words = lineOf(thing.kind)[action]?.split(', ') ?? [];
  return words.some((word) => {
    if (word === 'everybody') return true;
    if (word === 'itself') return thing.id === who.id;
    if (word === 'person') return people[0] === who.id;
    if (word === 'author') return thing.author === who.id;
    // A record without an individual above it is for everybody, one of several for who is above all of them.
    if (word === 'chain') return people.every((person) => chainOf(world, person).includes(who.id));
    return false;
  });
}

const ownersOf = (world: World, thing: Thing): readonly Thing[] =>
  thing.under.flatMap((under) => world.things.find(({ id }) => id === under) ?? []);

/** Every way from a record up to the site. */
function chainsOf(world: World, thing: Thing): readonly (readonly Thing[])[] {
  const owners = ownersOf(world, thing);
  if (owners.length === 0) return [[]];
  return owners.flatMap((owner) => chainsOf(world, owner).map((chain) => [owner, ...chain]));
}

function chainOf({ bosses }: World, person: string): readonly string[] {
  const chain: string[] = [];
  for (let at: string | undefined = person; at !== undefined && !chain.includes(at); at = bosses[at]) chain.push(at);
  return chain;
}
