// What to do next over HTTP: a request that the service has, and nothing about what may not be read.
import { describe, expect, it } from 'vitest';
import { MEDIA_TYPES } from '../../src/wire/media.ts';
import { BOB, departmentBody, type Member, usingServer } from './served.ts';

const server = usingServer();
const JSON_BODY = 'application/json';

async function newDepartment(): Promise<Member> {
  const body = await departmentBody(server);
  return (await server.asAda('POST', '/v4/departments', { type: JSON_BODY, body })).json();
}

describe('the problem', () => {
  it('of a deleted record has the request that undeletes it', async () => {
    const { ID } = await newDepartment();
    await server.asAda('DELETE', `/v4/departments/${ID}`);
    const { code, next } = (await server.asAda('GET', `/v4/departments/${ID}`)).json();
    expect({ code, next }).toEqual({
      code: 'deleted',
      next: { method: 'PUT', href: `/v4/departments/${ID}/undelete` },
    });
    const { method, href } = next as { method: string; href: string };
    expect((await server.asAda(method, href)).status).toBe(200);
    expect((await server.asAda('GET', `/v4/departments/${ID}`)).status).toBe(200);
  });

  it('of a record that is in the way has the request that reads it', async () => {
    const made = await newDepartment();
    const body = JSON.stringify({ ...made, Name: 'Another' });
    const problem = (await server.asAda('POST', '/v4/departments', { type: JSON_BODY, body })).json();
    expect(problem).toMatchObject({
      code: 'conflict',
      next: { method: 'GET', href: `/v4/departments/${made.ID}` },
    });
  });

  it('of somebody who is not known has the request that logs in', async () => {
    const next = { method: 'POST', href: '/v4/login' };
    expect((await server.ask('GET', '/v4/me')).json()).toMatchObject({ code: 'unauthorized', next });
    const wrong = await server.ask('GET', '/v4/me', { user: BOB, password: 'wrong' });
    expect(wrong.json()).toMatchObject({ code: 'unauthorized', next });
  });

  it.each(MEDIA_TYPES.filter((media) => media.includes('xml')))('says it in %s', async (accept) => {
    const { text } = await server.ask('GET', '/v4/me', { accept });
    expect(text).toContain('<next><method>POST</method><href>/v4/login</href></next>');
  });

  it('of what is not there, or may not be read, has none', async () => {
    const problem = (await server.asAda('GET', '/v4/departments/0f8fad5b-d9cb-469f-a165-70867728950e')).json();
    expect(problem).toMatchObject({ code: 'not_found' });
    expect(problem).not.toHaveProperty('next');
  });

  it('of what may not be done has none: no address explains a right', async () => {
    const { ID } = await newDepartment();
    const problem = (await server.ask('DELETE', `/v4/departments/${ID}`, { user: BOB })).json();
    expect(problem).toMatchObject({ code: 'forbidden' });
    expect(problem).not.toHaveProperty('next');
  });
});
