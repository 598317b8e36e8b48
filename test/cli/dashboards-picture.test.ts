// A dashboard's record as a picture: areas, levels, colors, and what is said without data.
import { describe, expect, it } from 'vitest';
import { AREAS, levelOf, marksOf } from '../../src/cli/dashboards/areas.ts';
import { type Bar, barDescription, figureOf, picture } from '../../src/cli/dashboards/picture.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { COLORS, empty, full } from './dashboards-rows.ts';

const barsOf = (row: Row, colors: readonly Row[] = COLORS): readonly Bar[] =>
  picture(row, colors).sections.flatMap(({ bars }) => bars);
const titlesOf = (row: Row): readonly string[] => picture(row, COLORS).sections.map(({ title }) => title);
const barWith = (row: Row, member: string, colors?: readonly Row[]): Bar => {
  const bar = barsOf(row, colors).find(({ members }) => members.includes(member));
  if (!bar) throw new Error(`no bar shows ${member}`);
  return bar;
};

describe('the picture of a dashboard', () => {
  it('shows every figure that the record has', () => {
    const figures = Object.keys(contract.dashboard.fields).filter((name) =>
      /(Percent|Completed|Total|ColorValue|Active|OnTime|DateChanges|Expected|Occurred|Created)$/.test(name),
    );
    const lines = AREAS.flatMap((area) => area.lines);
    const drawn = lines.flatMap(({ value, of, percent, color }) => [value, of, percent, color]);
    expect(figures.length).toBe(49);
    expect(figures.filter((name) => !drawn.includes(name))).toEqual([]);
    expect(drawn.filter((name) => name !== undefined && !Object.hasOwn(contract.dashboard.fields, name))).toEqual([]);
  });

  it.each([
    ['ShowMetrics', 'Metrics'],
    ['Show8020Metrics', '80/20 metrics'],
    ['ShowProjectLoad', 'Projects'],
    ['ShowDialogs', 'Dialogs'],
    ['ShowFollowUps', 'Follow-ups'],
    ['ShowGoals', 'Personal goals'],
  ])('leaves out what %s hides', (member, title) => {
    expect(titlesOf(full())).toContain(title);
    expect(titlesOf(full({ [member]: false }))).not.toContain(title);
  });

  it.each([
    ['ShowOrgCommitments', 'OrganizationCommitmentsTotal'],
    ['ShowDeptCommitments', 'DepartmentCommitmentsTotal'],
    ['ShowIndCommitments', 'IndividualCommitmentsTotal'],
    ['ShowEvaluationCriteria', 'EvaluationCriteriaPercent'],
    ['ShowLeaderAssessment', 'LeaderAssessmentPercent'],
    ['ShowTeamAssessment', 'TeamAssessmentPercent'],
  ])('leaves out the line that %s hides', (show, member) => {
    const shown = (row: Row): boolean => barsOf(row).some(({ members }) => members.includes(member));
    expect([shown(full()), shown(full({ [show]: false }))]).toEqual([true, false]);
  });

  it('leaves out an area none of whose lines is shown', () => {
    const hidden = { ShowOrgCommitments: false, ShowDeptCommitments: false, ShowIndCommitments: false };
    expect(titlesOf(full(hidden))).not.toContain('Commitments');
  });

  it('has what is of individuals alone only for them, and departments only for what has some', () => {
    expect(titlesOf(full({ RowType: 39 }))).toContain('Individual');
    expect(titlesOf(full({ RowType: 39 }))).not.toContain('Projects of departments');
    expect(titlesOf(full({ RowType: 4 }))).toContain('Projects of departments');
    expect(titlesOf(full({ RowType: 4 }))).not.toContain('Individual');
  });
});

describe('a level', () => {
  const thresholds = [
    { level: 'minimum', at: 60 },
    { level: 'meets', at: 80 },
    { level: 'exceeds', at: 100 },
  ] as const;

  it.each([
    [0, 'below'],
    [59.9, 'below'],
    [60, 'minimum'],
    [79.9, 'minimum'],
    [80, 'meets'],
    [100, 'exceeds'],
    [null, 'none'],
  ] as const)('of %s is %s', (percent, level) => expect(levelOf(percent, thresholds)).toBe(level));

  it('is none without thresholds', () => expect(levelOf(50, [])).toBe('none'));

  it('is marked where the bar can show it', () => {
    const [low, , high] = thresholds;
    const unusual = [
      { ...low, at: 0 },
      { level: 'meets', at: 80 },
      { ...high, at: 120 },
    ] as const;
    expect(marksOf(unusual)).toEqual([{ at: 80, level: 'meets' }]);
  });
});

describe('a color', () => {
  const colorOf = (members: Row, colors?: readonly Row[]): string | null =>
    barWith(full(members), 'DepartmentCommitmentsTotal', colors).color;

  it('is the one that the record names', () =>
    expect(colorOf({ DepartmentCommitmentsColorValue: 13 })).toBe('#2e9e4f'));
  it('is else the one of the level’s rank', () =>
    expect(colorOf({ DepartmentCommitmentsColorValue: 0 })).toBe('#e6a117'));
  it('is the last one for levels above', () =>
    expect(colorOf({ DepartmentCommitmentsColorValue: 0 }, COLORS.slice(0, 1))).toBe('#c0392b'));
  it('is none where the site has none, or no real one', () => {
    expect(colorOf({}, [])).toBeNull();
    expect(colorOf({}, [{ ID: 12, Rank: 1, Code: 'red"/><script>' }])).toBeNull();
  });
});

describe('a figure', () => {
  it('is a percentage with one decimal', () => {
    const bar = barWith(full(), 'IndividualCommitmentsTotal');
    expect(bar).toMatchObject({ value: 1234, of: 5678, percent: 21.7, level: 'below' });
    expect(barDescription(bar)).toBe('Individuals: 1,234 of 5,678, 21.7 %, below');
  });

  it('is no data where nothing was counted, never 0 % of nothing', () => {
    const bars = barsOf(empty()).filter(({ kind }) => kind !== 'count');
    expect(bars.map(({ percent }) => percent)).toEqual(bars.map(() => null));
    expect(new Set(bars.map(figureOf))).toEqual(new Set(['no data']));
  });

  it('is 0 % where something was counted and none of it done', () => {
    expect(barDescription(barWith(full(), 'EvaluationCriteriaPercent'))).toBe('Criteria: 0.0 %, below');
  });

  it('is never a part that is more than its whole', () => {
    const bar = barWith(full({ ProjectsActive: 2, ProjectsOnTime: 3 }), 'ProjectsOnTime');
    expect([bar.percent, figureOf(bar)]).toEqual([null, '3']);
  });

  it('is no data where the service sends no number', () => {
    const bars = barsOf(full({ Metrics8020Percent: 'NaN', DialogsCompletedPercent: '' }));
    expect(bars.filter(({ percent }) => Number.isNaN(percent))).toEqual([]);
  });
});
