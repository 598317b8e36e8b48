// A report as one self-contained page of HTML, which loads nothing: what is wrong, the departments side by side, then
// one dashboard after another.
import { grouped } from '../../text/batches.ts';
import { anchor, areasOf, barSvg, escaped, figure, notes, PAGE_END, pageOpening } from './html.ts';
import {
  amountOf,
  type Bar,
  barWith,
  figureOf,
  levelWord,
  NO_DATA,
  type Picture,
  spanOf,
  thresholdWords,
} from './picture.ts';
import type { Individual, Report, Unit } from './read-report.ts';
import type { Gap, Unmet } from './unmet.ts';

/** Who made a report, and of what. */
export interface Origin {
  readonly made: Date;
  /** The user name of who called, and of whom the figures were read as. */
  readonly by: string;
  readonly as: string;
  /** The name of the site, and where it was read: `the local file` or an address. */
  readonly site: string;
  readonly place: string;
}

/** The page, department by department, so that it is written as it grows. */
export function* reportPage(report: Report, origin: Origin): Generator<string> {
  const { units } = report;
  yield opening(report, origin);
  yield summary(report);
  yield departmentsTable(report);
  yield contents(report);
  for (const unit of units) yield section(unit);
  yield notes(
    units.flatMap(({ picture, individuals }) => [
      ...(picture ? [picture] : []),
      ...individuals.map((one) => one.picture),
    ]),
  );
  yield PAGE_END;
}

/** Everything before the summary. */
function opening({ top }: Report, origin: Origin): string {
  const title = `Dashboard of ${escaped(top.name)}`;
  const span = spanOf(top);
  const words = thresholdWords(top);
  return [
    pageOpening(title),
    span === '' ? '' : `<p>${escaped(span)}</p>\n`,
    madeBy(origin),
    words === '' ? '' : `<p class="quiet">The lines across the bars: ${words}.</p>\n`,
    PERSONAL,
    '</header>\n<main>\n',
  ].join('');
}

/** Who made the page, when, on which site, and as whom. */
function madeBy({ made, by, as, site, place }: Origin): string {
  const day = `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const who = by === as ? escaped(by) : `${escaped(by)}, as ${escaped(as)}`;
  return `<p class="quiet">Made ${day} by ${who}, on the site ${escaped(site)} (${escaped(place)}). It shows what ${escaped(as)} may read.</p>\n`;
}

const PERSONAL =
  '<p class="personal">This page holds data of persons: their names, and how they stand. Show it only to those who may see that, and delete it when it is no longer needed.</p>\n';

/** A longer table of contents has columns. */
const MANY = 12;

/** The links to the sections of the dashboards; blank for a single one. */
function contents({ units }: Report): string {
  if (units.length < 2) return '';
  const items = units.map(
    ({ id, name, depth }) =>
      `<li${depth === 0 ? '' : ` class="in${Math.min(4, depth)}"`}><a href="#${anchor(id)}">${escaped(name)}</a></li>\n`,
  );
  return `<nav aria-labelledby="contents">\n<h2 id="contents">Contents</h2>\n<ul${units.length > MANY ? ' class="many"' : ''}>\n${items.join('')}</ul>\n</nav>\n`;
}

function section({ id, name, path, picture, unmet, individuals }: Unit): string {
  const heading = `<section class="unit" id="${anchor(id)}" aria-labelledby="${anchor(id)}-h">\n<h2 id="${anchor(id)}-h">${escaped(name)}</h2>\n`;
  if (!picture) return `${heading}<p class="quiet">You may not read this dashboard.</p>\n</section>\n`;
  const where = path.length === 0 ? '' : ` · in ${path.map(escaped).join(' / ')}`;
  return [
    heading,
    `<p class="quiet">${picture.kind}${where}</p>\n`,
    areasOf(picture),
    unmetOf(unmet),
    individualsTable(individuals, name),
    '<p class="top"><a href="#top">Back to the top</a></p>\n</section>\n',
  ].join('');
}

/** What is not met, by name; blank where all is. */
function unmetOf(unmet: readonly Unmet[]): string {
  if (unmet.length === 0) return '';
  const lists = unmet.map(({ title, gaps }) => {
    if (!gaps) return `<div><h4>${title}</h4><p class="quiet">Which ones cannot be read.</p></div>\n`;
    const items = gaps.slice(0, MOST_NAMES).map(gapItem);
    return `<div><h4>${title} (${gaps.length})</h4><ul>${items.join('')}${more(gaps.length)}</ul></div>\n`;
  });
  return `<section class="area unmet"><h3>Not met, by name</h3>\n<div class="lists">${lists.join('')}</div></section>\n`;
}

function gapItem({ name, whose = '', detail }: Gap): string {
  const facts = [whose, detail].filter((fact) => fact !== '').map(escaped);
  return `<li>${escaped(name)}${facts.length === 0 ? '' : ` <span class="quiet">${facts.join(', ')}</span>`}</li>`;
}

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
function departmentsTable({ units, before }: Report): string {
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
function individualsTable(individuals: readonly Individual[], unit: string): string {
  if (individuals.length === 0) return '';
  const pictures = individuals.map(({ picture }) => picture);
  const columns = withData(OF_INDIVIDUALS, pictures);
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

/** A figure that is below the minimum. */
interface Fault {
  readonly picture: Picture;
  readonly label: string;
  readonly bar: Bar;
  /** The points that are missing to the minimum. */
  readonly missing: number;
}

const WORST = 5;
/** The most names in a list; of the others there is the number. */
const MOST_NAMES = 12;

/** The summary: the worst figures, and who is below a threshold. */
function summary({ units, top }: Report): string {
  const pictures = units.flatMap(({ picture }) => (picture ? [picture] : []));
  const isAlone = units.length === 1 && top.kind === 'individual';
  const people = peopleIn(units.flatMap(({ individuals }) => individuals));
  const [ofUnits, ofPeople] = [pictures.flatMap(faultsOf), people.flatMap(faultsOf)];
  const faults = [...ofUnits, ...ofPeople];
  return [
    '<section class="first" aria-labelledby="wrong">\n<h2 id="wrong">What is wrong</h2>\n',
    faults.length === 0 ? `<p>${nothing([...pictures, ...people])}</p>\n` : '',
    worst(ofUnits.length > 0 ? ofUnits : ofPeople),
    isAlone ? '' : who('department', pictures, ofUnits),
    unmetInAll(units[0]?.unmet ?? [], top),
    who('individual', people, ofPeople),
    '</section>\n',
  ].join('');
}

/** Each once: an individual may be in two departments. */
const peopleIn = (individuals: readonly Individual[]): readonly Picture[] => [
  ...new Map(individuals.map(({ picture }) => [picture.id, picture])).values(),
];

function nothing(pictures: readonly Picture[]): string {
  const hasThresholds = pictures.some(({ thresholds }) => thresholds.length > 0);
  return hasThresholds ? 'Nothing is below its threshold.' : 'The site has no thresholds: nothing can be below one.';
}

const faultsOf = (picture: Picture): readonly Fault[] =>
  picture.sections.flatMap(({ title, bars }) =>
    bars.flatMap((bar) => {
      if (bar.kind !== 'gauge' || bar.level !== 'below' || bar.percent === null) return [];
      const missing = (picture.thresholds[0]?.at ?? 0) - bar.percent;
      return [{ picture, bar, label: labelOf(title, bar.label, picture), missing }];
    }),
  );

/** `Commitments, departments`; one word where that says it all. */
function labelOf(title: string, label: string, { kind }: Picture): string {
  if (title === 'Individual') return label;
  const isAll = label === 'All' || title.endsWith(label.toLowerCase());
  return isAll || (kind === 'individual' && label === 'Individuals') ? title : `${title}, ${label.toLowerCase()}`;
}

function worst(faults: readonly Fault[]): string {
  if (faults.length === 0) return '';
  const sorted = [...faults].sort((a, b) => b.missing - a.missing || (b.bar.of ?? 0) - (a.bar.of ?? 0));
  const items = sorted.slice(0, WORST).map(({ picture, bar, label, missing }) => {
    const amount = amountOf(bar);
    const text = `<b>${figureOf(bar)}</b>${amount === '' ? '' : ` (${amount})`}`;
    return `<li>${named(picture)}: ${label} ${text}, ${points(missing)} below its threshold</li>\n`;
  });
  const title = faults.length > WORST ? `The worst ${WORST} of ${faults.length} figures below` : 'The figures below';
  return `<h3>${title} their threshold</h3>\n<ol>\n${items.join('')}</ol>\n`;
}

/** A department has a section of its own; an individual stands in a table. */
const named = ({ id, name, kind }: Picture): string =>
  kind === 'individual' ? escaped(name) : `<a href="#${anchor(id)}">${escaped(name)}</a>`;

const points = (missing: number): string =>
  `${missing.toLocaleString('en', { maximumFractionDigits: 1 })} point${missing === 1 ? '' : 's'}`;

/** Who is below a threshold, each with the figures that are; those with the most points missing first. */
function who(kind: 'department' | 'individual', all: readonly Picture[], faults: readonly Fault[]): string {
  const below = [...grouped(faults, ({ picture }) => picture)].sort(([, a], [, b]) => total(b) - total(a));
  if (below.length === 0) return '';
  const items = below.slice(0, MOST_NAMES).map(([one, own]) => {
    const figures = own.map(({ label, bar }) => `${label} <b>${figureOf(bar)}</b>`);
    return `<li>${named(one)}: ${figures.join('; ')}</li>\n`;
  });
  const verb = below.length === 1 ? 'is' : 'are';
  const title = `${below.length} of ${all.length} ${kind}${all.length === 1 ? '' : 's'} ${verb} below a threshold`;
  return `<h3>${title}</h3>\n<ul>\n${items.join('')}${more(below.length)}</ul>\n`;
}

const total = (faults: readonly Fault[]): number => faults.reduce((sum, { missing }) => sum + missing, 0);

/** The line for those that a list leaves out. */
const more = (count: number): string =>
  count > MOST_NAMES ? `<li class="quiet">and ${count - MOST_NAMES} more</li>\n` : '';

function unmetInAll(unmet: Report['units'][number]['unmet'], top: Picture): string {
  const counts = unmet.flatMap(({ title, gaps }) => (gaps ? [`${title}: <b>${gaps.length}</b>`] : []));
  if (counts.length === 0) return '';
  const link = `<a href="#${anchor(top.id)}">by name</a>`;
  return `<h3>Not met in all of it (${link})</h3>\n<p class="counts">${counts.join(' · ')}</p>\n`;
}
