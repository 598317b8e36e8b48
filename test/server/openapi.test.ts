// The description of the interface: whole, consistent, and the pinned one.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { addressOf, isParam } from '../../src/contract/operation.ts';
import { openApi } from '../../src/server/openapi.ts';
import { havePinnedHashes } from '../support/hashes.ts';
import { type Member, usingServer } from './served.ts';

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Member[];
}
const document = openApi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Member>>>>;
};
const described = Object.values(document.paths).flatMap((item) => Object.values(item));
const keyOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isParam(segment) ? '{}' : segment.toLowerCase()))
    .join('/');

it('is the pinned one: a hash for each path, schema and other part', () =>
  havePinnedHashes('openapi.txt', async (src) => {
    const { openApi: description }: typeof import('../../src/server/openapi.ts') = await import(
      /* @vite-ignore */ `${src}/server/openapi.ts`
    );
    const { paths, components, ...others } = description();
    return new Map([
      ...partsOf('', { ...others, ...(paths as object) }),
      ...Object.entries(components as object).flatMap(([kind, all]) => partsOf(`${kind} `, all)),
    ]);
  }));

const partsOf = (above: string, parts: object): readonly (readonly [string, string])[] =>
  Object.entries(parts).map(([name, part]) => [`${above}${name}`, JSON.stringify(part, null, 2)]);

it('describes a member that is always null, as the document has it', () => {
  const { IndividualToCreate } = document.components.schemas as Readonly<Record<string, { properties: Member }>>;
  expect(IndividualToCreate?.properties).toMatchObject({ ParentID: { type: 'null', deprecated: true } });
});

describe('the paths', () => {
  it('hold every address of the contract, the login and its end', () => {
    const known = new Set(
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method} ${keyOf(path)}`),
      ),
    );
    const routes = resources.flatMap(({ operations }) =>
      Object.values(operations).flatMap((one) => Object.values(one.routes)),
    );
    const wanted = routes.map((route) => `${addressOf(route).method.toLowerCase()} ${keyOf(addressOf(route).path)}`);
    expect([...known].sort()).toEqual([...new Set([...wanted, 'post /login', 'delete /login'])].sort());
  });

  it('differ in more than the names of parameters', () => {
    const keys = Object.keys(document.paths).map(keyOf);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('describe each of their parameters once', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(item))
        expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
  });

  it('name each operation once', () => {
    const ids = described.map(({ operationId }) => operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
});

describe('the references', () => {
  it('lead somewhere, and every component is led to', () => {
    const used = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, to]) => to),
    );
    const { securitySchemes: _basic, ...rest } = document.components;
    const there = Object.entries(rest).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    expect([...used].sort()).toEqual(there.sort());
  });
});

describe('the schemas', () => {
  const schema = (name: string): Member => document.components.schemas?.[name] as Member;

  it('say what is required of a new record and of a changed one', () => {
    expect(schema('IndividualToCreate').required).toContain('Email');
    expect(schema('IndividualToUpdate').required).not.toContain('Email');
    // The address says them.
    expect(schema('IndividualToUpdate').required).not.toContain('ID');
    expect(schema('BasicRoleDialogToUpdate').required).toEqual(['Description']);
  });

  it('require every member of an answer, and of a body only what must be sent', () => {
    const { required, properties } = schema('Organization') as { required: string[]; properties: Member };
    expect(required).toEqual(Object.keys(properties));
    expect(properties).toMatchObject({ ID: { type: 'string' }, Focus: { type: ['string', 'null'] } });
    expect(schema('OrganizationToCreate').required).toEqual(['Rank', 'Name']);
  });

  it('of a record that some lists say more of do not require that', () => {
    const { required, properties } = schema('Dialog');
    expect(properties).toHaveProperty('Relation');
    expect(required).not.toContain('Relation');
  });

  it('make an example that can be sent: without what the service sets, with all that is required', () => {
    const { properties, required } = schema('IndividualToCreate') as { properties: Member; required: string[] };
    expect(properties.FullName).toMatchObject({ readOnly: true });
    expect(properties.UserName).toMatchObject({ examples: ['string'] });
    for (const name of required) expect(properties[name]).not.toHaveProperty('deprecated');
  });

  it('never answer a password', () => {
    expect(schema('Individual').properties).not.toHaveProperty('Password');
    expect(schema('IndividualToCreate').properties).toMatchObject({ Password: { writeOnly: true } });
  });

  it('carry the names of XML', () => {
    expect(schema('Organization').xml).toEqual({ name: 'Organization', namespace: 'urn:performance-management:v4' });
    expect(schema('ArrayOfOrganization').xml).toMatchObject({ name: 'ArrayOfOrganization', wrapped: true });
  });
});

describe('the endpoint', () => {
  const server = usingServer();

  it('answers it to everybody', async () => {
    const answer = await server.ask('GET', '/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(openApi());
  });

  it('answers records with exactly the described members', async () => {
    for (const [path, name] of [
      ['/v4/me', 'Individual'],
      ['/v4/colors/1', 'Color'],
    ] as const) {
      const properties = document.components.schemas?.[name]?.properties as Member;
      expect(Object.keys((await server.asAda('GET', path)).json())).toEqual(Object.keys(properties));
    }
  });
});
