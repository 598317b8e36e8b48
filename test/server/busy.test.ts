// While another program writes to the same file, writes are busy and reads do not wait.
import { expect, it, onTestFinished } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { computedFields, openEngine } from '../../src/engine/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { openServer } from '../../src/server/index.ts';
import { OWNER } from '../support/engine.ts';
import { askAt, BEGIN, departmentBody, newServer } from './served.ts';

it('a write is 503 with Retry-After while the file is locked, and is made when it is sent again', async () => {
  const server = await newServer();
  const store = await openSqlite({ file: server.engine.file, resources, computed: computedFields, busyMs: 1 });
  const backend = openEngine({ store, clock: () => BEGIN, newID: () => crypto.randomUUID(), owner: OWNER });
  const impatient = await openServer({ backend, clock: () => BEGIN, log: () => undefined });
  const other = openDatabase(server.engine.file);
  onTestFinished(async () => {
    other.close();
    await impatient.close();
    await backend.close();
    await server.close();
    await server.engine.end();
  });
  const body = await departmentBody(server, { Name: 'Made in the end' });
  const create = () => askAt(impatient.url, 'POST', '/v4/departments', { user: OWNER, type: 'application/json', body });

  other.exec('BEGIN IMMEDIATE');
  const refused = await create();
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.json()).toMatchObject({ code: 'busy' });
  expect((await askAt(impatient.url, 'GET', '/v4/me', { user: OWNER })).status).toBe(200);
  other.exec('ROLLBACK');
  expect(await create()).toMatchObject({ status: 200 });
});
