// pm dashboards show, report and compare, on a service whose dashboards are written by hand.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as dashboards from '../../src/cli/commands/dashboards.ts';
import type { Context } from '../../src/cli/context.ts';
import type { OwnerNames } from '../../src/cli/dashboards/owner.ts';
import type { GlobalValues } from '../../src/cli/globals.ts';
import type { Input } from '../../src/contract/call.ts';
import { contextOn, idOf, serviceOf, type Told } from './dashboards-service.ts';
import { ANN, companyWithDashboards, SALES, WORKS } from './dashboards-site.ts';

const { compare } = dashboards;
const show = (context: Context, { who, ...of }: OwnerNames & { period?: string }) => dashboards.show(context, who, of);
const report = (context: Context, { who, html }: OwnerNames & { html: string }) =>
  dashboards.report(context, who, { html });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pm-page-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const calls: Input[] = [];
const on = (values: GlobalValues = {}, columns?: number): Told => {
  calls.length = 0;
  return contextOn(serviceOf(companyWithDashboards(), calls), values, columns, folder);
};

describe('whose dashboard is shown', () => {
  it.each([
    ['a department by its name', { who: 'sales' }, 'department', SALES],
    ['a department by its path', { who: 'Works/Sales' }, 'department', SALES],
    ['an organization', { who: 'Works' }, 'organization', WORKS],
    ['an organization by a flag', { organization: 'Works' }, 'organization', WORKS],
    ['an individual by the user name', { who: 'ann' }, 'individual', ANN],
    ['an individual by the e-mail', { who: 'email:ann@example.org' }, 'individual', ANN],
    ['oneself', { who: 'me' }, 'individual', ANN],
    ['a department by its ID', { who: SALES }, 'department', SALES],
    ['an individual by its ID', { who: `id:${ANN}` }, 'individual', ANN],
    ['an individual where a department has the name too', { individual: 'labs' }, 'individual', idOf(904)],
  ] as const)('is found: %s', async (_what, of, by, id) => {
    expect(await show(on().context, of)).toBe(0);
    expect(calls).toEqual([{ by, params: { id }, query: {} }]);
  });

  it('is asked back where a department and an individual have the name', async () => {
    await expect(show(on().context, { who: 'labs' })).rejects.toMatchObject({
      code: 'ambiguous',
      message: '"labs" fits a department and an individual',
      hint: expect.stringContaining('--individual'),
      candidates: [`${idOf(103)}  department`, `${idOf(904)}  individual`],
    });
  });

  it('is refused where nobody has the name', async () => {
    await expect(show(on().context, { who: 'Nobody' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([{}, { who: 'Sales', individual: 'ann' }])('is one: %j', async (of) => {
    await expect(show(on().context, of)).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('pm ') });
  });

  it('is what the service says of it', async () => {
    await expect(show(on().context, { who: 'path:Labs' })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is of the period that is named', async () => {
    await show(on().context, { who: 'Sales', period: '7' });
    expect(calls[0]?.query).toEqual({ period: 7 });
  });
});

describe('show', () => {
  it('draws without color where it is piped, and with color on a terminal', async () => {
    const [piped, terminal] = [on(), on({}, 60)];
    await show(piped.context, { who: 'Sales' });
    await show(terminal.context, { who: 'Sales' });
    expect(piped.out()).toContain('Departments');
    expect(piped.out()).not.toContain('\x1b');
    expect(terminal.out()).toContain('\x1b[');
  });

  it('gives programs the record', async () => {
    const told = on({ output: 'json' });
    await show(told.context, { who: 'Sales' });
    expect(JSON.parse(told.out())).toMatchObject({
      ID: SALES,
      Metrics8020Percent: 83.3,
      LeaderAssessmentPercent: null,
    });
  });

  it('takes no choice of columns or rows for a drawing', async () => {
    await expect(show(on({ fields: 'Name' }).context, { who: 'Sales' })).rejects.toMatchObject({ code: 'usage' });
    const told = on({ fields: 'Name', output: 'csv' });
    await show(told.context, { who: 'Sales' });
    expect(told.out().split(/\r?\n/)).toEqual(['Name', 'Sales', '']);
  });
});

describe('report', () => {
  it('writes the departments below and the individuals in them', async () => {
    const told = on();
    expect(await report(told.context, { who: 'Works', html: 'out.html' })).toBe(0);
    const page = readFileSync(join(folder, 'out.html'), 'utf8');
    expect([...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual([
      'What is wrong',
      'Departments side by side',
      'Contents',
      'Works',
      'Sales',
      'EMEA',
      'Labs',
      'What the figures count',
    ]);
    expect(page).toContain('You may not read this dashboard.');
    expect(told.out()).toBe('');
    expect(told.err()).toMatch(/^Wrote out\.html: the dashboards of 3 departments and 3 individuals, \d+ KiB\.\n/);
    expect(told.err()).toContain('Left out: 1 dashboard that you may not read.');
  });

  it('begins with the department that is named', async () => {
    await report(on().context, { who: 'Sales', html: 'out.html' });
    const page = readFileSync(join(folder, 'out.html'), 'utf8');
    expect(page).toContain('in Sales</p>');
    expect(page).not.toContain('Works');
  });

  it('is one dashboard for an individual', async () => {
    const told = on();
    await report(told.context, { who: 'ann', html: 'out.html' });
    expect(told.err()).toMatch(/the dashboards of 0 departments and 1 individual,/);
  });

  it('leaves nothing behind where it is interrupted', async () => {
    const stop = new AbortController();
    const { context } = on();
    const session = await context.session();
    const call: typeof session.call = (...asked) => {
      stop.abort();
      return session.call(...asked);
    };
    const stopping = {
      ...context,
      io: { ...context.io, stopped: stop.signal },
      session: async () => ({ ...session, call }),
    };
    await expect(report(stopping, { who: 'Works', html: 'out.html' })).rejects.toMatchObject({ code: 'interrupted' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing behind where it fails', async () => {
    await expect(report(on().context, { who: 'path:Labs', html: 'out.html' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('compare', () => {
  it('puts both figures and their difference beside each other', async () => {
    const told = on({ output: 'json' });
    await compare(told.context, 'ann', 'Sales', {});
    const rows: readonly Record<string, unknown>[] = JSON.parse(told.out());
    const rowOf = (member: string) => rows.find((row) => row.Member === member);
    expect(rowOf('PersonalGoalsCompleted')).toEqual({
      Area: 'Personal goals',
      Label: 'Goals',
      Member: 'PersonalGoalsCompleted',
      First: 4,
      Second: 3,
      Difference: -1,
      Direction: '▼',
    });
    expect(rowOf('Metrics8020Percent')).toMatchObject({ Difference: 0, Direction: '=' });
    expect(rowOf('LeaderAssessmentPercent')).toMatchObject({ First: null, Difference: null, Direction: null });
    expect(told.err()).toBe('First: Ann Smith (individual). Second: Sales (department).\n');
  });

  it('names each member once', async () => {
    const told = on({ output: 'id' });
    await compare(told.context, 'ann', 'Sales', {});
    const members = told.out().trim().split('\n');
    expect(new Set(members).size).toBe(members.length);
    expect(members).toContain('IndividualPerformancePercent');
    expect(members).toContain('DeptProjectsActive');
  });

  it('takes filters and columns as lists do', async () => {
    const told = on({ output: 'csv', where: ['Difference < 0'], fields: 'Member,Difference' });
    await compare(told.context, 'ann', 'Sales', {});
    expect(told.out().trim().split(/\r?\n/)).toEqual(['Member,Difference', 'PersonalGoalsCompleted,-1']);
  });

  it('reads nothing for a column that is none', async () => {
    await expect(compare(on({ fields: 'Nme' }).context, 'ann', 'Sales', {})).rejects.toMatchObject({ code: 'usage' });
    expect(calls).toEqual([]);
  });
});
