// The first page of a report: what is below its threshold, in words, and how much is not met.
import { anchor, escaped } from './html.ts';
import { amountOf, type Bar, figureOf, type Picture } from './picture.ts';
import type { Individual, Report } from './read-report.ts';

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
export const MOST_NAMES = 12;

/** The summary: the worst figures, and who is below a threshold. */
export function summary({ units, top }: Report): string {
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
  const hasThresholds = pictures.some(({ thresholds }) => Object.values(thresholds).some((at) => at !== null));
  return hasThresholds ? 'Nothing is below its threshold.' : 'The site has no thresholds: nothing can be below one.';
}

const faultsOf = (picture: Picture): readonly Fault[] =>
  picture.sections.flatMap(({ title, bars }) =>
    bars.flatMap((bar) => {
      if (bar.kind !== 'gauge' || bar.level !== 'below' || bar.percent === null) return [];
      const { minimum, meets, exceeds } = picture.thresholds;
      const missing = (minimum ?? meets ?? exceeds ?? 0) - bar.percent;
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
  const byPicture = new Map<Picture, Fault[]>();
  for (const one of faults) byPicture.set(one.picture, [...(byPicture.get(one.picture) ?? []), one]);
  const below = [...byPicture].sort(([, a], [, b]) => total(b) - total(a));
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
export const more = (count: number, most = MOST_NAMES): string =>
  count > most ? `<li class="quiet">and ${count - most} more</li>\n` : '';

function unmetInAll(unmet: Report['units'][number]['unmet'], top: Picture): string {
  const counts = unmet.flatMap(({ title, gaps }) => (gaps ? [`${title}: <b>${gaps.length}</b>`] : []));
  if (counts.length === 0) return '';
  const link = `<a href="#${anchor(top.id)}">by name</a>`;
  return `<h3>Not met in all of it (${link})</h3>\n<p class="counts">${counts.join(' · ')}</p>\n`;
}
