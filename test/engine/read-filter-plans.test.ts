// How SQLite leaves out of a list what a viewer may not read: by keys, never by walking through another table.
import { expect, it, onTestFinished, vi } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import type { ReadFilter } from '../../src/engine/store/port.ts';
import { driver, openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { newFile, opened, SITE } from './store-fixture.ts';

const WITH_ROWS: ReadFilter = {
  individual: 'ann',
  records: [{ id: 'x', own: 1, below: 2 }],
  site: 1,
  siteForType: 1,
  siteForOrganizations: 2,
};
const WITHOUT_ROWS: ReadFilter = {
  individual: 'ann',
  records: [],
  site: undefined,
  siteForType: undefined,
  siteForOrganizations: undefined,
};

it.each([
  ['with rows', WITH_ROWS],
  ['without rows', WITHOUT_ROWS],
])('%s, every other table is searched by its key', async (_, readFilter) => {
  const file = await newFile();
  const store = await opened(file);
  const prepare = vi.spyOn(driver().prototype, 'prepare');
  for (const { name } of storedResources) {
    const query = { resource: name, site: SITE, equals: { ID: 'x' }, deleted: 0, readFilter } as const;
    for await (const _row of store.iterate(query));
  }
  const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))].filter((sql) => sql.startsWith('WITH'));
  prepare.mockRestore();
  expect(statements.length).toBeGreaterThanOrEqual(8);
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  for (const sql of statements) {
    const nulls = Array<null>(sql.split('?').length - 1).fill(null);
    const steps = database.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...nulls);
    const walks = steps.map(({ detail }) => detail).filter((step) => isWalk(step));
    expect([sql, walks]).toEqual([sql, []]);
  }
});

/** The few rows of the viewer, and what is decided by them, are read whole. */
const isWalk = (step: string): boolean =>
  /^SCAN (?!granted\b|json_each\b|departments\b|decided\b|reports\b|d\b|r\b|u\b|CONSTANT ROW)/.test(step) ||
  /\("?SiteID"?=\?\)$/.test(step);
