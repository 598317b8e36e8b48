// A report as one self-contained page of HTML, which loads nothing.
import { createHash } from 'node:crypto';
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
  spanOf,
  thresholdWords,
} from './picture.ts';

/** The text of a record, escaped for HTML. */
export const escaped = (text: string): string =>
  sanitise(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** All areas of a picture; areas without data are only named. */
function areasOf({ sections, thresholds }: Picture): string {
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
  return `<section class="area"><h3>${section.title}</h3>${stack}<ul>${items.join('')}</ul></section>\n`;
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

/** All parts of a whole in one bar. */
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

/** An entry of the table of contents. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** The levels below the first dashboard, which has 0. */
  readonly depth: number;
}

const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1a1d21; --quiet: #565d66; --line: #d9dde3; --track: #e6e9ee;
  --link: #0b5cad; --edge: #6b737d; --mark: #1a1d21;
  --below: #c0392b; --minimum: #e6a117; --meets: #2e9e4f; --exceeds: #2471a3; --none: #7b8794;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1d2126; --text: #e8eaed; --quiet: #a7afb9; --line: #343a42; --track: #2c323a;
    --link: #82b8f2; --edge: #8b949f; --mark: #f2f4f6; --none: #93a0ae;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2.5rem) 4rem; max-width: 90rem;
  background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 0; }
h3 { font-size: 1.02rem; margin: 0 0 .5rem; }
.quiet { color: var(--quiet); }
p { margin: .25rem 0; }
nav { margin: 1.5rem 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
nav h2 { font-size: 1.02rem; margin-bottom: .5rem; }
nav ul { margin: 0; padding: 0; list-style: none; } .many { columns: 16rem; column-gap: 2rem; }
nav li { break-inside: avoid; padding: .1rem 0; }
.in1 { padding-left: 1.1rem; } .in2 { padding-left: 2.2rem; } .in3 { padding-left: 3.3rem; } .in4 { padding-left: 4.4rem; }
.unit { border-top: 2px solid var(--line); margin-top: 2.5rem; padding-top: 1.25rem; }
.areas { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 1rem; margin-top: 1rem; }
.area { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; min-width: 0; }
.area ul { margin: 0; padding: 0; list-style: none; }
.area li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .6rem; padding: .22rem 0; }
.area li svg { flex-basis: 100%; margin: .15rem 0 .3rem; }
.told { margin-left: auto; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.told .quiet, li span > .quiet { margin-inline: .2rem; } .told .quiet:last-child { margin-right: 0; }
b { font-weight: 600; } small b { font-weight: 400; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem 1rem .35rem 0; text-align: left; vertical-align: middle; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
svg { display: block; width: 100%; height: .7rem; overflow: visible; }
.track { fill: var(--track); stroke: var(--edge); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.mark { stroke: var(--mark); stroke-width: 2px; vector-effect: non-scaling-stroke; fill: none; }
.cut { stroke: var(--card); stroke-width: 2px; vector-effect: non-scaling-stroke; fill: none; }
.below { fill: var(--below); } .minimum { fill: var(--minimum); } .meets { fill: var(--meets); }
.exceeds { fill: var(--exceeds); } .none { fill: var(--none); }
.stack { margin-bottom: .5rem; } .stack svg { height: 1.3rem; }
.blank { color: var(--quiet); margin-top: .75rem; }
.people { margin-top: 1rem; overflow-x: auto; padding: .9rem 1rem; }
.people table { min-width: 52rem; table-layout: fixed; }
.people thead th { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.people thead th:first-child { width: 22%; } .people tbody tr + tr > * { border-top: 1px solid var(--line); }
.people small { color: var(--quiet); display: block; font-size: .82rem; }
.people svg { height: .55rem; }
@media (max-width: 30rem) {
  body { padding-top: 1rem; } h1 { font-size: 1.6rem; }
  .area li { font-size: .9rem; } .areas { gap: .7rem; } .area { padding: .7rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; --track: #eee; --link: #000; --mark: #000; --edge: #666; }
  body { padding: 0; font-size: 9.5pt; max-width: none; }
  .area, .people tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .areas { grid-template-columns: 1fr 1fr; } .people { overflow: visible; } .people table { min-width: 0; }
  .top { display: none; } svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Everything before the first dashboard; `made` is when the figures were read. */
export function opening(picture: Picture, entries: readonly Entry[], made: Date): string {
  const title = `Dashboard of ${escaped(picture.name)}`;
  const span = spanOf(picture);
  const words = thresholdWords(picture);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<header id="top">\n<h1>${title}</h1>\n`,
    `<p class="quiet">${[span, `as of ${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`].filter(Boolean).map(escaped).join(' · ')}</p>\n`,
    words === '' ? '' : `<p class="quiet">The lines across the bars: ${words}.</p>\n`,
    `</header>\n${contents(entries)}<main>\n`,
  ].join('');
}

/** The section of one organization, department or individual. `path` are its ancestors, `individuals` is a table. */
export function unit(picture: Picture, path: readonly string[], individuals = ''): string {
  const where = path.length === 0 ? '' : ` · in ${path.map(escaped).join(' / ')}`;
  return [
    `<section class="unit" id="${anchor(picture.id)}" aria-labelledby="${anchor(picture.id)}-h">\n`,
    `<h2 id="${anchor(picture.id)}-h">${escaped(picture.name)}</h2>\n<p class="quiet">${picture.kind}${where}</p>\n`,
    areasOf(picture),
    individuals,
    '<p class="top"><a href="#top">Back to the top</a></p>\n</section>\n',
  ].join('');
}

/** The section of a dashboard that the caller may not read. */
export const unreadable = ({ id, name }: Entry): string =>
  `<section class="unit" id="${anchor(id)}">\n<h2>${escaped(name)}</h2>\n<p class="quiet">You may not read this dashboard.</p>\n</section>\n`;

export const closing = '</main>\n</body>\n</html>\n';

/** A longer table of contents has columns. */
const MANY = 12;

function contents(entries: readonly Entry[]): string {
  if (entries.length < 2) return '';
  const items = entries.map(
    ({ id, name, depth }) =>
      `<li${depth === 0 ? '' : ` class="in${Math.min(4, depth)}"`}><a href="#${anchor(id)}">${escaped(name)}</a></li>\n`,
  );
  return `<nav aria-labelledby="contents">\n<h2 id="contents">Contents</h2>\n<ul${entries.length > MANY ? ' class="many"' : ''}>\n${items.join('')}</ul>\n</nav>\n`;
}

const anchor = (id: string): string => `u-${escaped(id)}`;
