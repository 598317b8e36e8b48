// The individuals of a department in a table: a row each, with a small bar for what matters most.
import type { Row } from '../../contract/resource.ts';
import { amountOf } from './figures.ts';
import { barSvg, escaped, figure } from './html.ts';
import type { Bar, Picture } from './picture.ts';

export interface Individual {
  readonly row: Row;
  readonly picture: Picture;
}

/** Columns and the member by which each finds its bar. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ['Commitments', 'IndividualCommitmentsCompleted'],
  ['Goals', 'PersonalGoalsCompleted'],
  ['Dialogs', 'DialogsCompletedPercent'],
  ['Follow-ups', 'FollowUpsCompletedPercent'],
  ['Basic roles', 'IndividualBasicRolePercent'],
];

/** Areas that the site hides have no column. Nothing where there is nobody. */
export function peopleTable(people: readonly Individual[], unit: string): string {
  if (people.length === 0) return '';
  const columns = COLUMNS.filter(([, member]) => people.some(({ picture }) => barWith(picture, member)));
  const head = ['Individual', ...columns.map(([title]) => title)].map((title) => `<th scope="col">${title}</th>`);
  return [
    `<div class="area people" role="region" tabindex="0" aria-label="Individuals of ${escaped(unit)}">`,
    `<h3>Individuals</h3><table><thead><tr>${head.join('')}</tr></thead><tbody>\n`,
    ...people.map((one) => personRow(one, columns)),
    '</tbody></table></div>\n',
  ].join('');
}

function personRow({ row, picture }: Individual, columns: typeof COLUMNS): string {
  const title = typeof row.PrimaryTitle === 'string' ? `<small>${escaped(row.PrimaryTitle)}</small>` : '';
  const cells = columns.map(([name, member]) => {
    const bar = barWith(picture, member);
    return bar ? `<td>${barSvg(bar, picture.thresholds, name)}<small>${words(bar)}</small></td>` : '<td></td>';
  });
  return `<tr><th scope="row">${escaped(picture.name)}${title}</th>${cells.join('')}</tr>\n`;
}

const words = (bar: Bar): string => [figure(bar), amountOf(bar)].filter((text) => text !== '').join(' · ');

const barWith = ({ sections }: Picture, member: string): Bar | undefined =>
  sections.flatMap(({ bars }) => bars).find(({ members }) => members.includes(member));
