// The dashboards of the small sample, against plain SQL that is written for this test alone.
import type Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type Seeded, seeded, TODAY } from './seeded.ts';

let site: Seeded;
let sql: Database.Database;
let dashboards: readonly Row[];
beforeAll(async () => {
  site = await seeded({ sample: 'small' });
  sql = openDatabase(site.engine.file, { readonly: true });
  const session = await site.engine.backend.open({});
  const listed: Row[] = [];
  for await (const row of session.list(contract.dashboard.operations.list)) listed.push(row);
  dashboards = listed;
});
afterAll(async () => {
  sql.close();
  await site.engine.end();
});

const [FROM, TO] = ['2026-10-01 00:00:00', '2026-12-31 23:59:59'];
const NOW = TODAY.toISOString();
const KINDS = { 4: 'Org', 56: 'Dept', 15: 'Proj', 39: 'Ind' } as const;
const LIVE = 'Deleted = 0 AND DeletedByRef = 0';

type Found = Readonly<Record<string, string | number | null>>;
const rows = (text: string, ids: readonly string[] = []): readonly Found[] =>
  sql.prepare<unknown[], Found>(text.replaceAll('(ids)', `(${ids.map((id) => `'${id}'`).join()})`)).all();
const idsOf = (text: string, ids: readonly string[]): readonly string[] => rows(text, ids).map(({ ID }) => String(ID));

interface Scope {
  readonly units: readonly string[];
  readonly people: readonly string[];
  readonly projects: readonly string[];
}

function scopeOf({ ID, RowType }: Row): Scope {
  if (RowType === 39) return { units: [], people: [String(ID)], projects: [] };
  const units = [String(ID)];
  for (const unit of units) {
    units.push(...idsOf(`SELECT ID FROM organization WHERE ParentID IN (ids) AND ${LIVE}`, [unit]));
  }
  return {
    units,
    people: idsOf(
      'SELECT DISTINCT IndividualID AS ID FROM organizationMember WHERE OrganizationID IN (ids) AND DeletedByRef = 0',
      units,
    ),
    projects: idsOf(`SELECT ID FROM project WHERE AncestorID IN (ids) AND ${LIVE}`, units),
  };
}

const percent = (done: number, of: number): number | null => (of === 0 ? null : Number(((done / of) * 100).toFixed(1)));
const total = (found: readonly Found[], member: string): number =>
  found.reduce((sum, one) => sum + Number(one[member] ?? 0), 0);

function commitments({ units, people }: Scope): Row {
  const found = rows(
    `SELECT AncestorType AS kind, count(*) AS n, sum(Completed) AS done FROM commitment WHERE DeletedByRef = 0
    AND AncestorID IN (ids) AND PeriodID = (SELECT ID FROM period WHERE StartDate LIKE '2026-10-01%') GROUP BY kind`,
    [...units, ...people],
  );
  const figures = Object.entries({ 4: 'Organization', 56: 'Department', 39: 'Individual' }).map(([kind, name]) => {
    const one = found.find((row) => row.kind === Number(kind));
    return { [`${name}CommitmentsTotal`]: one?.n ?? 0, [`${name}CommitmentsCompleted`]: one?.done ?? 0 };
  });
  return Object.assign({}, ...figures);
}

function dialogs({ units, people, projects }: Scope): Row {
  const all = [...units, ...people, ...projects];
  const talks = rows(
    `SELECT AncestorType AS kind, count(*) AS n, sum(datetime(DialogDate) <= datetime('${NOW}')) AS done FROM dialog
    WHERE AncestorID IN (ids) AND ${LIVE} AND datetime(DialogDate) BETWEEN '${FROM}' AND '${TO}' GROUP BY kind`,
    all,
  );
  const tasks = rows(
    `SELECT d.AncestorType AS kind, sum(datetime(t.Created) BETWEEN '${FROM}' AND '${TO}') AS n,
    sum(datetime(t.EndDateActual) BETWEEN '${FROM}' AND '${TO}') AS done FROM task t JOIN dialog d ON d.ID = t.AncestorID
    WHERE d.AncestorID IN (ids) AND t.Deleted = 0 AND t.DeletedByRef = 0 GROUP BY kind`,
    all,
  );
  const figures = Object.entries(KINDS).map(([kind, name]) => {
    const [talk, task] = [talks, tasks].map((found) => found.find((row) => row.kind === Number(kind)));
    return {
      [`${name}DialogsExpected`]: talk?.n ?? 0,
      [`${name}DialogsOccurred`]: talk?.done ?? 0,
      [`${name}FollowUpsCreated`]: task?.n ?? 0,
      [`${name}FollowUpsCompleted`]: task?.done ?? 0,
    };
  });
  return Object.assign({}, ...figures, {
    DialogsCompletedPercent: percent(total(talks, 'done'), total(talks, 'n')),
    FollowUpsCompletedPercent: percent(total(tasks, 'done'), total(tasks, 'n')),
  });
}

function metrics({ units, people, projects }: Scope): Row {
  const found = rows(
    `SELECT m.Is8020 AS key, coalesce(m.Threshold1, s.Threshold1) AS a, coalesce(m.Threshold2, s.Threshold2) AS b,
    coalesce(m.Threshold3, s.Threshold3) AS c, (SELECT Value FROM metricValue v WHERE v.MetricID = m.ID
    AND v.ArchiveID IS NULL AND datetime(Date) BETWEEN '${FROM}' AND '${TO}' ORDER BY Date DESC LIMIT 1) AS value
    FROM metric m JOIN siteSetting s WHERE m.AncestorID IN (ids) AND m.Deleted = 0 AND m.DeletedByRef = 0`,
    [...units, ...people, ...projects],
  ).filter(({ value }) => value !== null);
  const graded = found.map(({ key, a, b, c, value }) => {
    const sign = Number(a) > Number(c) ? -1 : 1;
    const reached = [a, b, c].map((threshold) => Number(value) * sign >= Number(threshold) * sign);
    return { key: key === 1, level: reached.lastIndexOf(true) + 1 };
  });
  const share = (level: number): number | null =>
    percent(graded.filter((one) => one.level === level).length, graded.length);
  const keys = graded.filter(({ key }) => key);
  return {
    MetricsBelowPercent: share(0),
    MetricsMinimumPercent: share(1),
    MetricsMeetsPercent: share(2),
    MetricsExceedsPercent: share(3),
    Metrics8020Percent: percent(keys.filter(({ level }) => level >= 2).length, keys.length),
  };
}

function projectsOf({ projects }: Scope): Row {
  const found = rows(
    `SELECT coalesce(StartDateActual, StartDateProjected) AS begun, EndDateActual AS ended, EndDateProjected AS due,
    (SELECT count(*) FROM line h WHERE h.ID = p.ID AND h.What = 2 AND h.Before LIKE '%"EndDateProjected"%'
      AND datetime(h.At / 1000, 'unixepoch') BETWEEN '${FROM}' AND '${TO}') AS changes FROM project p WHERE ID IN (ids)`,
    projects,
  );
  const ends = ({ ended }: Found): boolean =>
    ended !== null && String(ended) >= '2026-10-01' && String(ended) <= '2026-12-31';
  const active = found.filter(
    (one) => String(one.begun ?? '9') <= '2026-12-31' && (!one.ended || String(one.ended) >= '2026-10-01'),
  );
  const counted = found.filter((one) => active.includes(one) || ends(one));
  return {
    ProjectsActive: active.length,
    ProjectsCompleted: found.filter(ends).length,
    ProjectsOnTime: counted.filter(({ ended, due }) => !due || String(ended ?? NOW.slice(0, 10)) <= String(due)).length,
    ProjectsDateChanges: total(found, 'changes'),
  };
}

function others({ people, projects }: Scope): Row {
  const [goals] = rows(
    `SELECT count(*) AS n, count(EndDateActual) AS done FROM task WHERE AncestorID IN (ids) AND ${LIVE}`,
    people,
  );
  const [criteria] = rows(
    `SELECT count(*) AS n, sum(Completed) AS done FROM evaluationCriteria WHERE AncestorID IN (ids) AND ${LIVE}`,
    projects,
  );
  return {
    PersonalGoalsTotal: goals?.n ?? 0,
    PersonalGoalsCompleted: goals?.done ?? 0,
    EvaluationCriteriaPercent: percent(Number(criteria?.done), Number(criteria?.n)),
  };
}

test('there is one for the organizations, each department and each individual', () => {
  const kinds = dashboards.map(({ RowType }) => RowType);
  expect(kinds.filter((kind) => kind === 56)).toHaveLength(12);
  expect(kinds.filter((kind) => kind === 39).length).toBeGreaterThan(50);
});

test('every sum is what plain SQL finds', () => {
  for (const row of dashboards) {
    const scope = scopeOf(row);
    const found = [commitments, dialogs, metrics, projectsOf, others].map((figures) => figures(scope));
    expect(row, String(row.Name)).toMatchObject(Object.assign({}, ...found));
  }
});

/** What this engine has no data for, and what need not happen in every quarter. */
const MAY_BE_SILENT =
  /^(Leader|Team|Individual(Perf|Core|Basic)|OrganizationCommitmentsCompleted|(Dept)?ProjectsCompleted|ProjFollowUps)/;

test('the company shows something in every area', () => {
  const company = dashboards.find(({ Name }) => Name === 'Harbour Works') ?? {};
  const silent = Object.entries(company).filter(([, value]) => value === 0 || value === null);
  expect(silent.map(([name]) => name).filter((name) => !MAY_BE_SILENT.test(name))).toEqual([]);
});
