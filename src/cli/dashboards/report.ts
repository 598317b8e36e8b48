// The page of a report, one department after another, each with a table of its individuals.
import type { Session } from '../../contract/call.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { NOT_THERE, orNone } from '../selectors/records.ts';
import { byOf, colorsOf, type Owner, readDashboard } from './owner.ts';
import { barSvg, closing, type Entry, escaped, figure, opening, unit, unreadable } from './page.ts';
import { amountOf, type Bar, type Picture, picture } from './picture.ts';

const { list: units } = contract.organization.operations;

interface ReportContent {
  readonly period: string | undefined;
  /** The time at which the figures were read. */
  readonly made: Date;
  /** Counts the dashboards that were drawn, and those that the caller may not read. */
  readonly count: { units: number; readonly individuals: Set<string>; unread: number };
}

interface Place extends Entry {
  readonly owner: Owner;
  /** The names of its ancestors, from the first dashboard down. */
  readonly path: readonly string[];
}

type Reader = (owner: Owner) => Promise<Picture>;

/** The page in parts. Throws the error of the service if the first dashboard cannot be read. */
export async function* reportOf(session: Session, owner: Owner, choices: ReportContent): AsyncGenerator<string> {
  const { period, made, count } = choices;
  const colors = await colorsOf(session);
  const read: Reader = async (one) => picture(await readDashboard(session, one, period), colors);
  const first = await read(owner);
  const top = { owner, id: owner.id, name: first.name, depth: 0, path: [] };
  const below = owner.by === 'individual' ? [] : placesBelow(top, await collect(session.list(units, { by: 'plain' })));
  yield opening(first, [top, ...below], made);
  for (const place of [top, ...below]) {
    const shown = place === top ? first : await readable(() => read(place.owner), count);
    if (!shown) {
      yield unreadable(place);
      continue;
    }
    const individuals = owner.by === 'individual' ? [] : await individualsOf(session, place, read, count);
    count.units += owner.by === 'individual' ? 0 : 1;
    for (const id of owner.by === 'individual' ? [owner.id] : individuals.map(({ row }) => String(row.ID)))
      count.individuals.add(id);
    yield unit(shown, place.path, individualsTable(individuals, shown.name));
  }
  yield closing;
}

/** The departments below, each after its parent, in the service's order. */
function placesBelow(top: Place, rows: readonly Row[]): readonly Place[] {
  const children = new Map<unknown, Row[]>();
  for (const row of rows) children.set(row.ParentID, [...(children.get(row.ParentID) ?? []), row]);
  const walk = (place: Place): readonly Place[] =>
    (children.get(place.id) ?? []).flatMap((row) => {
      const { depth, path, name } = place;
      const id = String(row.ID);
      const one = { id, name: String(row.Name), depth: depth + 1, path: [...path, name], owner: { id, by: byOf(row) } };
      return [one, ...walk(one)];
    });
  return walk(top);
}

async function individualsOf(
  session: Session,
  place: Place,
  read: Reader,
  count: ReportContent['count'],
): Promise<readonly Individual[]> {
  const individuals: Individual[] = [];
  const input = { by: 'department', params: { id: place.id } };
  for await (const row of session.list(contract.individual.operations.list, input)) {
    const shown = await readable(() => read({ id: String(row.ID), by: 'individual' }), count);
    if (shown) individuals.push({ row, picture: shown });
  }
  return individuals;
}

const UNREADABLE: readonly ErrorCode[] = [
  ...NOT_THERE,
  ...(['forbidden', 'admin_only', 'global_admin_only', 'feature_off'] as const),
];

/** Undefined for a dashboard that the caller may not read; it is counted. */
async function readable(read: () => Promise<Picture>, count: ReportContent['count']): Promise<Picture | undefined> {
  const picture = await orNone(read(), UNREADABLE);
  if (!picture) count.unread++;
  return picture;
}

interface Individual {
  readonly row: Row;
  readonly picture: Picture;
}

/** The columns, with the member that identifies the bar. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ['Commitments', 'IndividualCommitmentsCompleted'],
  ['Goals', 'PersonalGoalsCompleted'],
  ['Dialogs', 'DialogsCompletedPercent'],
  ['Follow-ups', 'FollowUpsCompletedPercent'],
  ['Basic roles', 'IndividualBasicRolePercent'],
];

/** A table without the areas that the site hides; empty without individuals. */
function individualsTable(individuals: readonly Individual[], unit: string): string {
  if (individuals.length === 0) return '';
  const columns = COLUMNS.filter(([, member]) => individuals.some(({ picture }) => barWith(picture, member)));
  const head = ['Individual', ...columns.map(([title]) => title)].map((title) => `<th scope="col">${title}</th>`);
  return [
    `<div class="area people" role="region" tabindex="0" aria-label="Individuals of ${escaped(unit)}">`,
    `<h3>Individuals</h3><table><thead><tr>${head.join('')}</tr></thead><tbody>\n`,
    ...individuals.map((one) => individualRow(one, columns)),
    '</tbody></table></div>\n',
  ].join('');
}

function individualRow({ row, picture }: Individual, columns: typeof COLUMNS): string {
  const title = typeof row.PrimaryTitle === 'string' ? `<small>${escaped(row.PrimaryTitle)}</small>` : '';
  const cells = columns.map(([name, member]) => {
    const bar = barWith(picture, member);
    return bar ? `<td>${barSvg(bar, picture.thresholds, name)}<small>${cellText(bar)}</small></td>` : '<td></td>';
  });
  return `<tr><th scope="row">${escaped(picture.name)}${title}</th>${cells.join('')}</tr>\n`;
}

const cellText = (bar: Bar): string => [figure(bar), amountOf(bar)].filter((text) => text !== '').join(' · ');

const barWith = ({ sections }: Picture, member: string): Bar | undefined =>
  sections.flatMap(({ bars }) => bars).find(({ members }) => members.includes(member));
