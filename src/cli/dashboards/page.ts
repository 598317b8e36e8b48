// The frame of a report: a page that holds everything it needs and may load nothing.
import { createHash } from 'node:crypto';
import { spanOf, thresholdWords } from './figures.ts';
import { areasOf, escaped } from './html.ts';
import type { Picture } from './picture.ts';
import { STYLE } from './style.ts';

/** A place in the table of contents. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** How deep it stands below the page's own: 0 for that itself. */
  readonly depth: number;
}

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

/** One organization, department or individual. `path` is where it stands, `people` the table of its individuals. */
export function unit(picture: Picture, path: readonly string[], people = ''): string {
  const where = path.length === 0 ? '' : ` · in ${path.map(escaped).join(' / ')}`;
  return [
    `<section class="unit" id="${anchor(picture.id)}" aria-labelledby="${anchor(picture.id)}-h">\n`,
    `<h2 id="${anchor(picture.id)}-h">${escaped(picture.name)}</h2>\n<p class="quiet">${picture.kind}${where}</p>\n`,
    areasOf(picture),
    people,
    '<p class="top"><a href="#top">Back to the top</a></p>\n</section>\n',
  ].join('');
}

/** What stands in the place of a dashboard that the caller may not read. */
export const unread = ({ id, name }: Entry): string =>
  `<section class="unit" id="${anchor(id)}">\n<h2>${escaped(name)}</h2>\n<p class="quiet">You may not read this dashboard.</p>\n</section>\n`;

export const closing = '</main>\n</body>\n</html>\n';

/** From here on the table of contents stands in columns. */
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
