// A report as one self-contained page of HTML, which loads nothing: what is wrong, the departments side by side, then
// one dashboard after another.
import { anchor, areasOf, escaped } from './html.ts';
import { notes } from './notes.ts';
import { spanOf, thresholdWords } from './picture.ts';
import type { Report, Unit } from './read-report.ts';
import { POLICY, STYLE } from './style.ts';
import { MOST_NAMES, more, summary } from './summary.ts';
import { departmentsTable, individualsTable } from './tables.ts';
import type { Gap, Unmet } from './unmet-lists.ts';

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
  yield '</main>\n</body>\n</html>\n';
}

/** Everything before the summary. */
function opening({ top }: Report, origin: Origin): string {
  const title = `Dashboard of ${escaped(top.name)}`;
  const span = spanOf(top);
  const words = thresholdWords(top);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<header id="top">\n<h1>${title}</h1>\n`,
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

/** The section of one organization, department or individual. */
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
