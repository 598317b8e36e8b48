// A site that is filled with a sample, and its records as the store keeps them.
import { onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import type { Deleted, Stored } from '../../src/engine/store/port.ts';
import { type SeedOptions, type SeedReport, type SeedTarget, seedSample } from '../../src/sites/seed.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';

export const TODAY = new Date('2026-11-20T12:00:00.000Z');

export interface Seeded {
  readonly engine: TestEngine;
  readonly report: SeedReport;
  /** Records of a resource; without `deleted`, the live ones. */
  rows(resource: string, deleted?: Deleted): Promise<readonly Stored[]>;
}

export const targetOn = async (engine: TestEngine, more: Partial<SeedTarget> = {}): Promise<SeedTarget> => ({
  session: await engine.backend.open({}),
  setClock: engine.setClock,
  today: TODAY,
  ...more,
});

/** Fills a new site. Whoever calls closes the engine. */
export async function seeded(options: SeedOptions): Promise<Seeded> {
  const engine = await newEngine(TODAY);
  const report = await seedSample(options, await targetOn(engine));
  const rows = (resource: string, deleted: Deleted = 0): Promise<readonly Stored[]> =>
    engine.store.find({ resource, site: undefined, deleted, ordered: true });
  return { engine, report, rows };
}

/** The same, closed when the test has finished. */
export async function seededOnce(options: SeedOptions): Promise<Seeded> {
  const site = await seeded(options);
  onTestFinished(() => site.engine.end());
  return site;
}

/** Every record of every resource, deleted ones too. */
export const everything = async ({ rows }: Seeded): Promise<Record<string, readonly Stored[]>> =>
  Object.fromEntries(await Promise.all(storedResources.map(async ({ name }) => [name, await rows(name, 2)] as const)));

export const idsOf = (records: readonly Stored[]): readonly string[] => records.map(({ ID }) => String(ID)).sort();
