// What a manager finds in a report: what is wrong, the names behind the figures, the departments beside each other.
import { describe, expect, it } from 'vitest';
import { reportPage } from '../../src/cli/dashboards/page.ts';
import { readReport } from '../../src/cli/dashboards/read-report.ts';
import type { Row } from '../../src/contract/resource.ts';
import { NOW } from '../support/pm.ts';
import { empty } from './dashboards-rows.ts';
import { type Company, idOf, serviceOf } from './dashboards-service.ts';
import { ANN, companyWithDashboards, EVIL, SALES, WORKS } from './dashboards-site.ts';

const ORIGIN = { made: NOW, by: 'admin', as: 'ann', site: 'Harbour Works', place: 'the local file' };

async function pageOf(company: Company, origin = ORIGIN): Promise<string> {
  const reading = { session: serviceOf(company), period: undefined, now: NOW };
  return [...reportPage(await readReport(reading, { id: WORKS, by: 'organization' }), origin)].join('');
}

/** The page as text, without tags. */
const textOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');

/** Works and Sales with these figures; the other dashboards have none. */
function companyWith(figures: Row, lists: Company['lists'] = {}): Company {
  const all = companyWithDashboards();
  const dashboards = new Map(
    [...all.dashboards].map(([id, { ID, Name, RowType }]) => [id, empty({ ID, Name, RowType } as Row)]),
  );
  for (const id of [WORKS, SALES]) dashboards.set(id, { ...dashboards.get(id), ...figures });
  return { ...all, dashboards, lists };
}

const commitment = (name: string, members: Row = {}): Row => ({
  Name: name,
  AncestorID: SALES,
  Completed: false,
  DueDate: '2026-03-01T00:00:00Z',
  ...members,
});

describe('the first page', () => {
  it('names the worst figures, and who is below a threshold', async () => {
    const page = await pageOf(companyWithDashboards());
    const text = textOf(page);
    expect(text).toContain('What is wrong The worst 5 of');
    expect(text).toContain('Works : Follow-ups 0.4 % (1 of 250), 59.6 points below its threshold');
    expect(text).toMatch(/3 of 3 departments are below a threshold .* Sales : Commitments, individuals 21\.7 %/);
    expect(text).toMatch(/2 of 3 individuals are below a threshold .*Ann Smith: Commitments 21\.7 %/);
    expect(page.indexOf('What is wrong')).toBeLessThan(page.indexOf('<h2 id="contents"'));
  });

  it('says that nothing is wrong where nothing is', async () => {
    const page = await pageOf(companyWith({ DepartmentCommitmentsCompleted: 4, DepartmentCommitmentsTotal: 4 }));
    expect(textOf(page)).toContain('What is wrong Nothing is below its threshold.');
    expect(page).not.toContain('Not met');
  });

  it('says where the site has no thresholds', async () => {
    const none = { Threshold1: null, Threshold2: null, Threshold3: null };
    const company = companyWith({ ...none, DialogsCompletedPercent: 3 });
    for (const [id, row] of company.dashboards) (company.dashboards as Map<string, Row>).set(id, { ...row, ...none });
    expect(textOf(await pageOf(company))).toContain('The site has no thresholds: nothing can be below one.');
  });

  it('says who made it, when, on which site and as whom, and that it holds data of persons', async () => {
    const text = textOf(await pageOf(companyWithDashboards()));
    expect(text).toContain('Made 2026-03-31 12:00 UTC by admin, as ann, on the site Harbour Works (the local file).');
    expect(text).toContain('It shows what ann may read.');
    expect(text).toContain('This page holds data of persons');
  });

  it('escapes the names of those who made it too', async () => {
    const page = await pageOf(companyWithDashboards(), { ...ORIGIN, by: EVIL, as: EVIL, site: EVIL, place: EVIL });
    expect(page).not.toContain('<script');
  });
});

describe('the names behind a figure', () => {
  const figures = { DepartmentCommitmentsCompleted: 1, DepartmentCommitmentsTotal: 15, MetricsBelowPercent: 50 };

  it('are those that are not met, with whose they are; after twelve there is the number of the others', async () => {
    const open = Array.from({ length: 14 }, (_, at) => commitment(`Ship ${at + 1}`));
    const lists = { commitment: [...open, commitment('Done', { Completed: true })] };
    const text = textOf(await pageOf(companyWith(figures, lists)));
    expect(text).toContain('Commitments not completed (14) Ship 1 Sales, due 2026-03-01');
    expect(text).toMatch(/Ship 12 Sales, due 2026-03-01 and 2 more/);
    expect(text).not.toMatch(/Ship 13|Done/);
    expect(text).toContain('Commitments not completed: 14');
  });

  it('are texts, whatever they hold', async () => {
    const metric = { Name: EVIL, AncestorID: SALES, FormattedCurrent: EVIL, FormattedMinimum: '<b>3</b>' };
    const lists = { commitment: [commitment(EVIL)], 'dashboard metrics': [metric] };
    const page = await pageOf(companyWith(figures, lists));
    expect(page).not.toMatch(/<script|<b>3/);
    expect(page).toContain('&#60;b&#62;3&#60;/b&#62;');
    expect(page.split('&#60;script&#62;alert').length).toBeGreaterThan(3);
  });

  it('are not asked for where nothing is missing, and it is told where they may not be read', async () => {
    const text = textOf(await pageOf(companyWith(figures)));
    expect(text).toContain('Commitments not completed Which ones cannot be read.');
    expect(text).toContain('Metrics below their minimum Which ones cannot be read.');
    expect(text).not.toContain('Projects not on time');
  });

  it('are found by what they are about: dialogs, tasks under them, goals', async () => {
    const figures = {
      ...{ IndDialogsExpected: 2, IndDialogsOccurred: 1, IndFollowUpsCreated: 2, IndFollowUpsCompleted: 1 },
      ...{ PersonalGoalsCompleted: 0, PersonalGoalsTotal: 1, ProjectsActive: 2, ProjectsOnTime: 1 },
    };
    const task = (name: string, of: string, members: Row = {}): Row => ({
      ...{ Name: name, AncestorID: of, Created: '2026-02-01T08:00:00Z', EndDateActual: null, ...members },
    });
    const dialog = (number: number, of: string, on: string): Row => ({
      ...{ ID: idOf(number), Name: `Talk ${number}`, AncestorID: of, DialogDate: on, Draft: false },
    });
    const text = textOf(
      await pageOf(
        companyWith(figures, {
          dialog: [
            dialog(1, ANN, '2026-03-31T18:00:00Z'),
            dialog(2, ANN, '2026-02-01'),
            dialog(3, idOf(7), '2026-03-31T18:00:00Z'),
          ],
          task: [
            task('Call back', idOf(2)),
            task('Called', idOf(2), { EndDateActual: '2026-02-03' }),
            task('Of last year', idOf(2), { Created: '2025-02-01' }),
            task('Learn to sail', ANN),
            task('Of a department', SALES),
          ],
          project: [],
          'dashboard activeProjects': [
            { Name: 'Late', AncestorName: 'Sales', EndDateProjected: '2026-03-30', EndDateActual: null },
            { Name: 'In time', AncestorName: 'Sales', EndDateProjected: '2026-03-31', EndDateActual: null },
          ],
        }),
      ),
    );
    expect(text).toContain('Dialogs not held yet (1) Talk 1 Ann Smith, on 2026-03-31');
    expect(text).toContain('Follow-ups not completed (1) Call back Ann Smith');
    expect(text).toContain('Personal goals not reached (1) Learn to sail Ann Smith');
    expect(text).toContain('Projects not on time (1) Late Sales, planned until 2026-03-30');
  });
});

describe('the table of departments', () => {
  const periods = [
    { ID: 7, StartDate: '2025-07-01', EndDate: '2025-09-30' },
    { ID: 8, StartDate: '2025-10-01', EndDate: '2025-12-31' },
    { ID: 1, StartDate: '2026-01-01', EndDate: '2026-03-31' },
  ];

  it('has them side by side, each with its figure of the period before', async () => {
    const company = companyWith(
      { DialogsCompletedPercent: 52.9, IndDialogsExpected: 17, IndDialogsOccurred: 9 },
      { period: periods },
    );
    const earlier = companyWith({ DialogsCompletedPercent: 61 });
    const page = await pageOf({ ...company, before: new Map([['8', earlier.dashboards]]) });
    const [, table = ''] = /Departments side by side([\s\S]*?)<\/table>/.exec(page) ?? [];
    expect(textOf(table)).toContain('that of the period before, 2025-10-01 – 2025-12-31.');
    expect([...table.matchAll(/<tr><th scope="row"[^>]*><a[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
      'Works',
      'Sales',
      'EMEA',
      'Labs',
    ]);
    expect(textOf(table)).toContain('Sales 52.9 % 9 of 17 · below before 61.0 %, down 8.1');
    expect(textOf(table)).toContain('Labs You may not read this dashboard.');
    expect(table).toContain('<th scope="col">Dialogs</th>');
    expect(table).not.toContain('Projects on time');
  });

  it.each([
    ['there is none', { period: [periods[2] as Row] }, 'the site has none that ended before 2026-01-01'],
    ['it cannot be read', {}, 'the periods of the site cannot be read'],
  ])('says why it has no period before, where %s', async (_when, lists, why) => {
    const text = textOf(await pageOf(companyWith({ DialogsCompletedPercent: 80 }, lists)));
    expect(text).toContain(`The period before is not shown: ${why}.`);
    expect(text).not.toContain('before no data');
  });
});

describe('the foot notes', () => {
  it('say what the figures of each area count, and its title leads there', async () => {
    const page = await pageOf(companyWithDashboards());
    const titles = new Set(
      [...page.matchAll(/<h3>([^<]+) <a class="note" href="#(note-\d+)"/g)].map(([, title, id]) => `${title} ${id}`),
    );
    expect(titles.size).toBeGreaterThan(7);
    for (const one of titles) {
      const [, title, id] = /^(.*) (note-\d+)$/.exec(one) ?? [];
      expect(page).toContain(`<li id="${id}" value="${id?.slice(5)}"><b>${title}.</b> `);
    }
  });
});
