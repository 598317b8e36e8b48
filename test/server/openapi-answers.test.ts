// The answers of a whole site hold what the description of the interface says of them: generated clients rely on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isParam } from '../../src/contract/operation.ts';
import { openServer, type Served } from '../../src/server/index.ts';
import { openApi } from '../../src/server/openapi.ts';
import { type Seeded, seeded } from '../sites/seeded.ts';
import { credentialOn } from '../support/backends.ts';
import { askAt, type Member } from './served.ts';

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly type: string | readonly string[] }>>;
  readonly items?: Reference;
}
interface Reference {
  readonly $ref: string;
}
const { paths, components } = openApi() as unknown as {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, Reference>> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const nameIn = ({ $ref }: Reference): string => $ref.split('/').at(-1) ?? '';
const schemaNamed = (name: string): Schema => components.schemas[name] ?? {};

/** How many records of a list stand for all of them in the addresses below it. */
const SOME = 2;

let site: Seeded | undefined;
let served: Served | undefined;
let credential = { login: '', password: '' };
beforeAll(async () => {
  site = await seeded({ sample: 'small' });
  credential = await credentialOn(site.engine.backend);
  served = await openServer({ backend: site.engine.backend, clock: () => new Date(), log: () => undefined });
});
afterAll(async () => {
  await served?.close();
  await site?.engine.end();
});

async function read(path: string): Promise<readonly Member[]> {
  const { login: user, password } = credential;
  const answer = await askAt(served?.url ?? '', 'GET', `/v4${path}`, { user, password });
  if (answer.status !== 200) return [];
  const body: unknown = answer.json();
  return Array.isArray(body) ? body : [body as Member];
}

/** What a record lacks of its schema, and what is null in it against its schema. */
function faultsOf({ required = [], properties = {} }: Schema, record: Member): readonly string[] {
  const lacking = required.filter((name) => !(name in record)).map((name) => `${name} is missing`);
  const unknown = Object.keys(record).filter((name) => !(name in properties));
  const empty = Object.entries(properties).filter(
    ([name, { type }]) => record[name] === null && !type.includes('null'),
  );
  return [...lacking, ...unknown.map((name) => `${name} is unknown`), ...empty.map(([name]) => `${name} is null`)];
}

/** The addresses that a path stands for, with the IDs of records that were read. */
function addressesOf(path: string, ids: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const [segment = '', owner = ''] = path.split('/').slice(1);
  const known = ids.get(segment === 'individuals' ? 'users' : segment) ?? [];
  const params = path.split('/').filter(isParam);
  if (params.length === 0) return [path];
  return params.length > 1 || !isParam(owner) ? [] : known.slice(0, SOME).map((id) => path.replace(owner, id));
}

describe('the answers of the small sample', () => {
  it('have every required member, no unknown one, and null only where it is allowed', async () => {
    const ids = new Map<string, readonly string[]>();
    const faults = new Set<string>();
    const seen = new Set<string>();
    const readable = Object.entries(paths).flatMap(([path, { get }]) =>
      get?.responses['200'] ? [{ path, name: nameIn(get.responses['200']) }] : [],
    );
    for (const { path, name } of readable.toSorted((one, other) => depthOf(one.path) - depthOf(other.path))) {
      const { items } = schemaNamed(name);
      const type = items ? nameIn(items) : name;
      for (const address of addressesOf(path, ids)) {
        const records = await read(address);
        const last = path.split('/').at(-1) ?? '';
        ids.set(last, [...(ids.get(last) ?? []), ...records.flatMap(({ ID }) => (ID ? [String(ID)] : []))]);
        if (records.length > 0) seen.add(type);
        for (const record of records)
          for (const fault of faultsOf(schemaNamed(type), record)) faults.add(`${type}: ${fault}`);
      }
    }
    expect([...faults]).toEqual([]);
    expect(seen.size).toBeGreaterThan(25);
  });
});

const depthOf = (path: string): number => path.split('/').filter(isParam).length;
