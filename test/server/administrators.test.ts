// Who is no administrator reads, and changes nothing.
import { describe, expect, it } from 'vitest';
import { BOB, departmentBody, usingServer } from './served.ts';

const server = usingServer();
const type = 'application/json';

describe('somebody who is no administrator', () => {
  it.each(['/v4/me', '/v4/users', '/v4/departments', '/v4/colors'])('reads %s', async (path) => {
    expect((await server.ask('GET', path, { user: BOB })).status).toBe(200);
  });

  it.each([
    ['POST', '/v4/departments'],
    ['PUT', '/v4/departments/0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['DELETE', '/v4/departments/0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['PUT', '/v4/departments/0f8fad5b-d9cb-469f-a165-70867728950e/undelete'],
    ['DELETE', '/v4/colors/1'],
  ])('is refused %s %s', async (method, path) => {
    const answer = await server.ask(method, path, { user: BOB, type, body: await departmentBody(server) });
    expect(answer.json()).toMatchObject({ status: 403, code: 'admin_only' });
  });

  it('logs in, since that changes no record', async () => {
    const body = JSON.stringify({ UserName: BOB, Password: 'Correct-horse-1' });
    expect((await server.ask('POST', '/v4/login', { type, body })).status).toBe(200);
  });
});

describe('an administrator', () => {
  it('changes what the service lets them change', async () => {
    const body = await departmentBody(server, { Name: 'Made' });
    expect((await server.asAda('POST', '/v4/departments', { type, body })).json()).toMatchObject({ Name: 'Made' });
  });
});
