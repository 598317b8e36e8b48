// The tables of a report: the departments side by side, with the period before, and the individuals of one of them.
import { anchor, barSvg, escaped, figure } from './html.ts';
import { amountOf, type Bar, barWith, figureOf, levelWord, NO_DATA, type Picture } from './picture.ts';
import type { Individual, Report, Unit } from './read-report.ts';

/** A column with the member that identifies its bar. */
type Column = readonly [title: string, member: string];

const OF_UNITS: readonly Column[] = [
  ['Commitments of departments', 'DepartmentCommitmentsCompleted'],
  ['Commitments of individuals', 'IndividualCommitmentsCompleted'],
  ['Metrics below', 'MetricsBelowPercent'],
  ['80/20 metrics', 'Metrics8020Percent'],
  ['Projects on time', 'ProjectsOnTime'],
  ['Dialogs', 'DialogsCompletedPercent'],
  ['Follow-ups', 'FollowUpsCompletedPercent'],
];

const OF_INDIVIDUALS: readonly Column[] = [
  ['Commitments', 'IndividualCommitmentsCompleted'],
  ['Goals', 'PersonalGoalsCompleted'],
  ['Dialogs', 'DialogsCompletedPercent'],
  ['Follow-ups', 'FollowUpsCompletedPercent'],
  ['Basic roles', 'IndividualBasicRolePercent'],
];

/** All departments side by side, with what each figure was in the period before; blank for a single dashboard. */
export function departmentsTable({ units, before }: Report): string {
  const pictures = units.flatMap(({ picture }) => (picture ? [picture] : []));
  if (units.length < 2) return '';
  const columns = withData(OF_UNITS, pictures);
  const words =
    'why' in before
      ? `The period before is not shown: ${before.why}.`
      : `Below each figure stands that of the period before, ${before.from} – ${before.to}.`;
  return [
    '<section class="area wide" aria-labelledby="beside">\n<h2 id="beside">Departments side by side</h2>\n',
    `<p class="quiet">${escaped(words)}</p>\n`,
    `<table>${headOf('Department', columns)}<tbody>\n`,
    ...units.map((unit) => departmentRow(unit, columns)),
    '</tbody></table>\n</section>\n',
  ].join('');
}

/** The columns in which any of them has data. */
const withData = (columns: readonly Column[], pictures: readonly Picture[]): readonly Column[] =>
  columns.filter(([, member]) =>
    pictures.some((picture) => {
      const bar = barWith(picture, member);
      return bar !== undefined && figureOf(bar) !== NO_DATA;
    }),
  );

const headOf = (first: string, columns: readonly Column[]): string =>
  `<thead><tr>${[first, ...columns.map(([title]) => title)].map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>`;

function departmentRow({ id, name, depth, picture, before }: Unit, columns: readonly Column[]): string {
  const head = `<th scope="row" class="in${Math.min(4, depth)}"><a href="#${anchor(id)}">${escaped(name)}</a></th>`;
  if (!picture) return `<tr>${head}<td colspan="${columns.length}">You may not read this dashboard.</td></tr>\n`;
  const cells = columns.map(([title, member]) => {
    const bar = barWith(picture, member);
    if (!bar) return '<td></td>';
    const level = levelWord(bar);
    const facts = [amountOf(bar), level].filter((fact) => fact !== '').join(' · ');
    const content = [figure(bar), small(facts), small(earlier(bar, before && barWith(before, member)))].join('');
    return `<td data-label="${title}"${level === 'below' ? ' class="low"' : ''}>${content}</td>`;
  });
  return `<tr>${head}${cells.join('')}</tr>\n`;
}

const small = (text: string): string => (text === '' ? '' : `<small>${text}</small>`);

/** What the figure was, and how far it has moved; blank without a period before. */
function earlier(bar: Bar, before: Bar | undefined): string {
  if (!before || (figureOf(before) === NO_DATA && figureOf(bar) === NO_DATA)) return '';
  if (before.percent === null || bar.percent === null) return `before ${figureOf(before)}`;
  const change = Math.round((bar.percent - before.percent) * 10) / 10;
  if (change === 0) return 'before the same';
  const was = figureOf(before).replace(' ', '\u00a0');
  return `before ${was}, ${change > 0 ? 'up' : 'down'} ${Math.abs(change)}`;
}

/** The members of a department, those below a threshold first; blank without any. */
export function individualsTable(individuals: readonly Individual[], unit: string): string {
  if (individuals.length === 0) return '';
  const columns = withData(
    OF_INDIVIDUALS,
    individuals.map(({ picture }) => picture),
  );
  const sorted = [...individuals].sort((a, b) => faultsIn(b) - faultsIn(a));
  return [
    `<section class="area people" aria-label="Individuals of ${escaped(unit)}">\n<h3>Individuals</h3>\n`,
    columns.length === 0 ? '<p class="quiet">No data of any of them.</p>\n' : '',
    `<table>${headOf('Individual', columns)}<tbody>\n`,
    ...sorted.map((one) => individualRow(one, columns)),
    '</tbody></table>\n</section>\n',
  ].join('');
}

const faultsIn = ({ picture }: Individual): number =>
  picture.sections.flatMap(({ bars }) => bars).filter((bar) => levelWord(bar) === 'below').length;

function individualRow({ title, picture }: Individual, columns: readonly Column[]): string {
  const cells = columns.map(([name, member]) => {
    const bar = barWith(picture, member);
    if (!bar) return '<td></td>';
    const facts = [figure(bar), amountOf(bar), levelWord(bar)].filter((text) => text !== '');
    return `<td data-label="${name}">${barSvg(bar, picture.thresholds, name)}<small>${facts.join(' · ')}</small></td>`;
  });
  const job = title === undefined ? '' : `<small>${escaped(title)}</small>`;
  return `<tr><th scope="row">${escaped(picture.name)}${job}</th>${cells.join('')}</tr>\n`;
}
