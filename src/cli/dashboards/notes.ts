// The foot notes of a report: what each figure counts.
import type { Picture } from './picture.ts';

/** By the titles of areas, in drawing order. */
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

/** The number of an area's note, from 1; undefined where nothing is said of it. */
export function noteNumber(title: string): number | undefined {
  const at = Object.keys(COUNTS).indexOf(title);
  return at < 0 ? undefined : at + 1;
}

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
