// The pieces of a page that loads nothing: its beginning, harmless text, bars, and the areas of a dashboard.
import { sanitise } from '../../text/escape.ts';
import { marksOf, type Thresholds } from './areas.ts';
import {
  amountOf,
  type Bar,
  barDescription,
  figureOf,
  isBlank,
  levelWord,
  NO_DATA,
  type Picture,
  type Section,
} from './picture.ts';
import { POLICY, STYLE } from './style.ts';

export const escaped = (text: string): string =>
  sanitise(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** A page until below its heading; the title is escaped. */
export const pageOpening = (title: string): string =>
  [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<header id="top">\n<h1>${title}</h1>\n`,
  ].join('');

export const PAGE_END = '</main>\n</body>\n</html>\n';

/** The ID of the section of a dashboard. */
export const anchor = (id: string): string => `u-${escaped(id)}`;

/** All areas of a picture; areas without data are only named. */
export function areasOf({ sections, thresholds }: Picture): string {
  const withData = sections.filter((section) => !isBlank(section));
  const blank = sections.filter(isBlank).map(({ title }) => title);
  const cards = withData.map((section) => areaOf(section, thresholds)).join('');
  return [
    cards === '' ? '' : `<div class="areas">${cards}</div>\n`,
    blank.length === 0 ? '' : `<p class="blank">No data: ${blank.join(', ')}.</p>\n`,
    sections.length === 0 ? '<p class="blank">The site shows no area of this dashboard.</p>\n' : '',
  ].join('');
}

function areaOf(section: Section, thresholds: Thresholds): string {
  const items = section.bars.map((bar) => `<li>${caption(bar)}${barSvg(bar, thresholds, bar.label)}</li>`);
  const stack = section.stacked ? stackSvg(section) : '';
  return `<section class="area"><h3>${section.title}${noteOf(section)}</h3>${stack}<ul>${items.join('')}</ul></section>\n`;
}

/** The link to the records that its figures count. */
function noteOf({ title }: Section): string {
  const number = Object.keys(COUNTS).indexOf(title) + 1;
  const words = `What ${escaped(title)} counts`;
  return ` <a class="note" href="#note-${number}" aria-label="${words}">${number}</a>`;
}

/** The line above a bar: label, level, amount and figure. */
function caption(bar: Bar): string {
  const [amount, level] = [amountOf(bar), levelWord(bar)];
  return [
    `<span>${bar.label}${level === '' ? '' : ` <span class="quiet">${level}</span>`}</span>`,
    ` <span class="told">${amount === '' ? '' : `<span class="quiet">${amount}</span> `}${figure(bar)}</span>`,
  ].join('');
}

/** A figure; without data it is grey. */
export function figure(bar: Bar): string {
  const text = figureOf(bar);
  return text === NO_DATA ? `<span class="quiet">${text}</span>` : `<b>${text}</b>`;
}

/** One bar; empty for a count and without data. `label` is for screen readers. */
export function barSvg(bar: Bar, thresholds: Thresholds, label: string): string {
  if (bar.kind === 'count' || bar.percent === null) return '';
  const filled = rect(0, Math.max(0, Math.min(100, bar.percent)), bar);
  const marks = bar.kind === 'gauge' ? marksOf(thresholds).map(({ at }) => `M${round(at)} -1.5V11.5`) : [];
  const lines = marks.length === 0 ? '' : `<path class="mark" d="${marks.join('')}"/>`;
  return svg(barDescription(bar, label), `${TRACK}${filled}${lines}`);
}

const TRACK = '<rect class="track" width="100" height="10"/>';

function stackSvg({ title, bars }: Section): string {
  const parts = bars.map((bar) => ({ bar, width: bar.percent ?? 0 })).filter(({ width }) => width > 0);
  let at = 0;
  const rects = parts.map(({ bar, width }) => {
    const from = Math.min(100, at);
    at += width;
    return rect(from, Math.min(100, at) - from, bar) + (from > 0 ? `<path class="cut" d="M${round(from)} 0V10"/>` : '');
  });
  const words = `${title}: ${parts.map(({ bar }) => `${bar.label.toLowerCase()} ${figureOf(bar)}`).join(', ')}`;
  return `<div class="stack">${svg(words, TRACK + rects.join(''))}</div>`;
}

const rect = (x: number, width: number, { level, color }: Bar): string =>
  width === 0
    ? ''
    : `<rect${x === 0 ? '' : ` x="${round(x)}"`} width="${round(width)}" height="10" ${fillOf(level, color)}/>`;

/** The site's color, or the page's own color of the level. */
const fillOf = (level: string, color: string | null): string =>
  color === null ? `class="${level}"` : `fill="${color}"`;

const svg = (words: string, content: string): string =>
  `<svg role="img" aria-label="${escaped(words)}" viewBox="0 0 100 10" preserveAspectRatio="none">${content}</svg>`;

const round = (value: number): number => Math.round(value * 100) / 100;

/** By the title of each area, in drawing order. */
const COUNTS: Readonly<Record<string, string>> = {
  Commitments:
    'Commitments of the period that are completed, out of all: of organizations, of departments, and of the people in them.',
  Metrics:
    'Metrics of the units, of their projects and of their people that have a value in the period, each by its newest value: the shares that exceed, meet, reach the minimum only, or stay below it.',
  '80/20 metrics':
    'Of the metrics marked 80/20, those that meet or exceed. The line of departments is the mean over the departments below.',
  Projects:
    'Projects of the unit and below that had begun by the end of the period and had not ended before it. On time: ended by the projected end, or not past it on the day of the report; this is judged on that day, for past periods too. Date changes: how often a projected end was set or moved.',
  'Projects of departments': 'The same, of the departments below alone.',
  Assessments:
    'Criteria: evaluation criteria of the projects that are completed, whenever. Leader and team: as the service gives them.',
  Dialogs:
    'Expected: dated in the period, and no draft. Held: of these, those whose time has come. The lines say what they are about.',
  'Follow-ups':
    'Tasks under dialogs: those completed in the period, out of those made in it. A task made before may be completed now: the share can exceed 100 %.',
  'Personal goals': 'Tasks that belong to the individuals themselves, whatever their date.',
  Individual:
    'Performance: own commitments that are completed. Basic roles: those that a dialog of the period spoke of. Core values: as the service gives them.',
};

/** The notes of the areas that these dashboards show, numbered as the titles are. */
export function notes(pictures: readonly Picture[]): string {
  const shown = new Set(pictures.flatMap(({ sections }) => sections.map(({ title }) => title)));
  const items = Object.entries(COUNTS).flatMap(([title, text], at) =>
    shown.has(title) ? [`<li id="note-${at + 1}" value="${at + 1}"><b>${title}.</b> ${text}</li>\n`] : [],
  );
  return [
    '<section class="unit notes" aria-labelledby="counts">\n<h2 id="counts">What the figures count</h2>\n',
    '<p>A department counts itself and all departments below it, and each of their members once. What is deleted does not count. A share of nothing is no data, never 0 %.</p>\n',
    `<ol>\n${items.join('')}</ol>\n`,
    '<p class="top"><a href="#top">Back to the top</a></p>\n</section>\n',
  ].join('');
}
