// The XML namespace as a setting: every body is read in it, and every answer is written in it.
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { NAMESPACE } from '../../src/wire/codec.ts';
import { clientOn } from '../support/backends.ts';
import { OWNER } from '../support/engine.ts';
import { departmentBody, PASSWORD, usingServer } from './served.ts';

const OTHER = 'http://example.org/interface/v4';
const server = usingServer({ namespace: OTHER });
const xml = { type: 'text/xml', accept: 'text/xml' };

const departmentIn = async (namespace: string): Promise<string> => {
  const { ParentID } = JSON.parse(await departmentBody(server)) as { ParentID: string };
  return `<Organization xmlns="${namespace}"><ParentID>${ParentID}</ParentID><Rank>7</Rank><Name>Sales</Name></Organization>`;
};

describe('another namespace', () => {
  it('is that of records, lists and problems', async () => {
    for (const [path, root] of [
      ['/v4/me', 'Individual'],
      ['/v4/departments', 'ArrayOfOrganization'],
      ['/v4/nothing', 'Problem'],
      ['/nothing', 'Problem'],
    ])
      expect((await server.asAda('GET', String(path), xml)).text).toContain(`\n<${root} xmlns="${OTHER}" `);
  });

  it('is that of bodies, and no other one is read', async () => {
    const made = await server.asAda('POST', '/v4/departments', { ...xml, body: await departmentIn(OTHER) });
    expect(made).toMatchObject({ status: 200, text: expect.stringContaining('<Name>Sales</Name>') });
    const refused = await server.asAda('POST', '/v4/departments', { ...xml, body: await departmentIn(NAMESPACE) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`it must be in &quot;${OTHER}&quot;`);
  });

  it('has the namespace of session tokens below it', async () => {
    const body = `<LoginParameter xmlns="${OTHER}"><UserName>${OWNER}</UserName><Password>${PASSWORD}</Password></LoginParameter>`;
    expect((await server.ask('POST', '/v4/login', { ...xml, body })).text).toContain(`xmlns="${OTHER}:common"`);
  });

  it('is told by the description of the interface', async () => {
    const { text } = await server.ask('GET', '/openapi.json');
    expect(text).toContain(`"xml":{"name":"Organization","namespace":"${OTHER}"}`);
    expect(text).toContain(`"xml":{"name":"AuthToken","namespace":"${OTHER}:common"}`);
    expect(text).not.toContain(`"namespace":"${NAMESPACE}`);
  });

  it('is learned by a client that reads it', async () => {
    const client = clientOn(server.url, { wire: 'xml' });
    const session = await client.open({ login: OWNER, password: PASSWORD });
    const { Name, Rank, ParentID } = JSON.parse(await departmentBody(server)) as Record<string, string>;
    const { create } = contract.organization.operations;
    expect(await session.call(create, { body: { Name, Rank, ParentID } })).toMatchObject({ Name: 'Sales' });
    await client.close();
  });

  it('changes nothing in JSON', async () => {
    const answer = await server.asAda('POST', '/v4/departments', {
      type: 'application/json',
      body: await departmentBody(server),
    });
    expect(answer.json()).toMatchObject({ Name: 'Sales' });
  });
});
