// A whole site in a database on a server: the same records, in few statements, and all of it taken back.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { usingPostgres } from '../support/postgres.ts';

const pm = usingPm();
const root = mkdtempSync(join(tmpdir(), 'pm-whole-site-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** About two thousand records of 28 kinds. A record alone would take two or more. */
const MOST = 500;

/** The lines of all files, in order: records that nothing else tells apart come in that of their IDs. */
const linesIn = (folder: string): readonly (readonly string[])[] =>
  readdirSync(folder)
    .filter((name) => name !== 'manifest.json')
    .map((name) => [name, ...readFileSync(join(folder, name), 'utf8').split('\n').sort()]);

describe('a folder of a whole site', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  it(`is imported and taken back in fewer than ${MOST} statements each, to the same records`, async () => {
    const env = { PM_DATABASE: await server().newDatabase() };
    const exported = async (name: string, options: { env?: typeof env } = {}) => {
      await pm(`export --dir ${join(root, name)}`, options).says();
      return linesIn(join(root, name));
    };
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    const statements = async (line: string): Promise<number> => {
      sent.mockClear();
      await pm(line, { env }).says('1 992 changes');
      return sent.mock.calls.length;
    };
    await pm('seed --sample small -y').says();
    const [sample, fresh] = [await exported('sample'), await exported('fresh', { env })];
    expect(await statements(`import --dir ${join(root, 'sample')} -y`)).toBeLessThan(MOST);
    expect(await exported('imported', { env })).toEqual(sample);
    expect(await statements('undo -y')).toBeLessThan(MOST);
    expect(await exported('undone', { env })).toEqual(fresh);
    sent.mockRestore();
  });
});
