// Reads what a report shows: a dashboard and all below it, those of the period before, the people, and what is not met.

import type { Session } from '../../contract/call.ts';
import { orNone } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { collect, grouped } from '../../text/batches.ts';
import { byOf, colorsOf, type Owner, readDashboard } from './owner.ts';
import { type Picture, picture } from './picture.ts';
import { dayOf, listed, type Reading, type Scope, UNREADABLE, type Unmet, unmetReader } from './unmet.ts';

export interface Individual {
  readonly title: string | undefined;
  readonly picture: Picture;
}

/** The heading of a dashboard in the report. */
interface Heading {
  readonly id: string;
  readonly name: string;
  /** The levels below the first dashboard, which has 0. */
  readonly depth: number;
  readonly owner: Owner;
  /** The names of its ancestors, from the first dashboard down. */
  readonly path: readonly string[];
}

/** One dashboard of the report. */
export interface Unit extends Heading {
  /** Undefined if the caller may not read it. */
  readonly picture: Picture | undefined;
  /** In the period before; undefined if there is none. */
  readonly before: Picture | undefined;
  /** The members of the unit whose dashboards may be read. */
  readonly individuals: readonly Individual[];
  readonly unmet: readonly Unmet[];
}

export interface Report {
  readonly top: Picture;
  /** The first one is that of `top`, then the departments below, each after its parent. */
  readonly units: readonly Unit[];
  /** The span of the period before, or why there is none. */
  readonly before: PeriodBefore;
  /** The numbers of dashboards that are shown, and of those that the caller may not read. */
  readonly departments: number;
  readonly individuals: number;
  readonly unread: number;
}

/** The period before, by its ID, with its days; or in words why it is not shown. */
type PeriodBefore = { readonly id: string; readonly from: string; readonly to: string } | { readonly why: string };

type Read = (owner: Owner, period: string | undefined) => Promise<Picture | undefined>;

/** Reads a whole report. Throws the error of the service if the first dashboard cannot be read. */
export async function readReport(reading: Reading, owner: Owner): Promise<Report> {
  const { session, period } = reading;
  const colors = await colorsOf(session);
  const top = picture(await readDashboard(session, owner, period), colors);
  const headings = await headingsFrom(session, { owner, id: owner.id, name: top.name, depth: 0, path: [] });
  const before = await periodBefore(session, top.from);
  const read: Read = async (one, id) => {
    const row = await orNone(readDashboard(session, one, id), UNREADABLE);
    return row && picture(row, colors);
  };
  // The first dashboard was read already.
  const known: Read = async (one, id) => (one === owner && id === period ? top : read(one, id));
  const found = await side(session, headings, (heading) => unitAt(reading, heading, known, before));
  const unitsRead = found.map(({ unit }) => unit);
  const units = await withUnmet(reading, unitsRead);
  return { top, before, units, ...countsOf(units), unread: found.reduce((sum, { unread }) => sum + unread, 0) };
}

function countsOf(units: readonly Unit[]): Pick<Report, 'departments' | 'individuals'> {
  const shown = units.filter(({ picture }) => picture);
  const alone = shown.filter(({ owner }) => owner.by === 'individual');
  const people = [
    ...alone.map(({ id }) => id),
    ...shown.flatMap((unit) => unit.individuals.map((one) => one.picture.id)),
  ];
  return { departments: shown.length - alone.length, individuals: new Set(people).size };
}

const side = <T, R>(session: Session, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  collect(ahead(items, session.readsAtOnce ?? 1, work));

/** This heading, and those of the departments below it, each after its parent, in the service's order. */
async function headingsFrom(session: Session, top: Heading): Promise<readonly Heading[]> {
  if (top.owner.by === 'individual') return [top];
  const all = await collect(session.list(contract.organization.operations.list, { by: 'plain' }));
  const children = grouped(all, ({ ParentID }) => ParentID);
  const walk = (heading: Heading): readonly Heading[] => [
    heading,
    ...(children.get(heading.id) ?? []).flatMap((row) => {
      const id = String(row.ID);
      const owner = { id, by: byOf(row) };
      return walk({
        id,
        owner,
        name: String(row.Name),
        depth: heading.depth + 1,
        path: [...heading.path, heading.name],
      });
    }),
  ];
  return walk(top);
}

async function periodBefore(session: Session, from: string | null): Promise<PeriodBefore> {
  if (from === null) return { why: 'the dashboard is of no period' };
  const input = { by: 'site', params: { siteid: session.me.site } };
  const periods = await listed({ session }, contract.period.operations.list, input);
  if (!periods) return { why: 'the periods of the site cannot be read' };
  const ended = periods.filter(({ EndDate }) => dayOf(EndDate) < from);
  const last = ended.sort((a, b) => (dayOf(a.EndDate) < dayOf(b.EndDate) ? -1 : 1)).at(-1);
  if (!last) return { why: `the site has none that ended before ${from}` };
  return { id: String(last.ID), from: dayOf(last.StartDate), to: dayOf(last.EndDate) };
}

async function unitAt({ session, period }: Reading, heading: Heading, read: Read, before: PeriodBefore) {
  const shown = await read(heading.owner, period);
  const members = shown && heading.owner.by !== 'individual' ? await membersOf(session, heading.id) : [];
  const people = await side(session, members, async (row) => {
    const own = await read({ id: String(row.ID), by: 'individual' }, period);
    return own && { title: typeof row.PrimaryTitle === 'string' ? row.PrimaryTitle : undefined, picture: own };
  });
  const individuals = people.filter((one) => one !== undefined);
  const earlier = shown && 'id' in before ? await read(heading.owner, before.id) : undefined;
  const unread = (shown ? 0 : 1) + people.length - individuals.length;
  const unit: Unit = { ...heading, picture: shown, before: earlier, individuals, unmet: [] };
  return { unit, unread };
}

const membersOf = (session: Session, id: string): Promise<Row[]> =>
  collect(session.list(contract.individual.operations.list, { by: 'department', params: { id } }));

/** Each unit with what is not met in it and below it. */
async function withUnmet(reading: Reading, units: readonly Unit[]): Promise<readonly Unit[]> {
  const unmet = unmetReader(reading);
  return side(reading.session, units, async (unit) => ({
    ...unit,
    unmet: unit.picture ? await unmet(unit.picture, scopeOf(units, unit)) : [],
  }));
}

/** The unit, those below it, and the people in them. */
function scopeOf(units: readonly Unit[], top: Unit): Scope {
  const at = units.indexOf(top);
  const end = units.findIndex(({ depth }, index) => index > at && depth <= top.depth);
  const within = units.slice(at, end < 0 ? undefined : end);
  const isAlone = top.owner.by === 'individual';
  const people = isAlone ? [] : within.flatMap(({ individuals }) => individuals.map((one) => one.picture));
  return {
    units: new Map(isAlone ? [] : within.map(({ id, name }) => [id, name])),
    people: new Map(
      [...(isAlone ? [{ id: top.id, name: top.name }] : []), ...people].map(({ id, name }) => [id, name]),
    ),
  };
}
