// A store on a file of its own, and the few records that its tests are about.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { resourceNamed, storedResources } from '../../src/contract/index.ts';
import { isSoft, type Row } from '../../src/contract/resource.ts';
import type { Query, Store, Writer } from '../../src/engine/store/port.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite, type SqliteOptions } from '../../src/engine/store/sqlite/store.ts';

export const SITE = '00000000-0000-4000-8000-000000000001';

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pm-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export const optionsFor = (file: string, more: Partial<SqliteOptions> = {}): SqliteOptions => ({
  file,
  resources: storedResources,
  computed: {},
  ...more,
});

let empty: Buffer | undefined;

/** Makes an empty database. It is made once in each process of tests; to copy it takes less time. */
export async function newFile(): Promise<string> {
  const file = join(folder(), 'local.db');
  if (empty) writeFileSync(file, empty, { mode: 0o600 });
  else await createSqlite(optionsFor(file), async () => undefined);
  empty ??= readFileSync(file);
  return file;
}

export async function opened(file: string, more: Partial<SqliteOptions> = {}): Promise<Store> {
  const store = await openSqlite(optionsFor(file, more));
  onTestFinished(() => store.close());
  return store;
}

export const newStore = async (): Promise<Store> => opened(await newFile());

export const individual = (ID: string, more: Row = {}): Row => ({
  SiteID: SITE,
  ID,
  UserName: ID,
  FullOrderedName: ID,
  ...more,
});

export const organization = (ID: string, ParentID: string, more: Row = {}): Row => ({
  SiteID: SITE,
  ID,
  ParentID,
  Name: ID,
  TreeKey: ID,
  ...more,
});

export const accountability = (ID: string, AncestorID: string, more: Row = {}): Row => ({
  SiteID: SITE,
  ID,
  AncestorID,
  Rank: 1,
  Name: ID,
  Description: '',
  ...more,
});

/** Deletes or undeletes a record as the engine does. */
export async function setDeleted(writer: Writer, resource: string, id: string, Deleted: boolean): Promise<void> {
  const record = await writer.get(resource, SITE, id);
  const change = {
    id,
    changes: isSoft(resourceNamed(resource)) ? { Deleted } : {},
    isHidden: record?.DeletedByRef === true,
  };
  await writer.setDeleted(resource, SITE, [change], Deleted);
}

/** Inserts records of several resources in one transaction. */
export const keep = (store: Store, rows: Readonly<Record<string, readonly Row[]>>): Promise<void> =>
  store.transaction(async (writer: Writer) => {
    for (const [resource, records] of Object.entries(rows)) {
      for (const record of records) await writer.insert(resource, record);
    }
  });

export const all = (resource: string, more: Partial<Query> = {}): Query => ({
  resource,
  site: SITE,
  deleted: 2,
  ...more,
});

/** The IDs of a query's records, in their order. */
export const ids = async (store: Pick<Store, 'find'>, query: Query): Promise<readonly unknown[]> =>
  (await store.find(query)).map((row) => row.ID);
