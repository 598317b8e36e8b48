// Law 2: every address of the contract can be taken apart, means something, and is no other one.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { addressOf, isParam, type Operation, type Route, sourceOf } from '../../src/contract/operation.ts';
import { type Param, paramsOf, QUERIES } from '../../src/contract/params.ts';
import type { Resource } from '../../src/contract/resource.ts';

interface Line {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly name: string;
  readonly route: Route;
}

const lines: readonly Line[] = resources.flatMap((resource) =>
  Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([name, route]) => ({ resource, operation, name, route })),
  ),
);

/** Paths whose owner is told by another word of the path, not by the segment in front of it. */
const TOLD_BY_A_WORD = ['GET /dashboards/{ancestorId}/commitments/{type}?period {ancestorId}'];

const paramsOfLine = ({ resource, operation, route }: Line): readonly Param[] =>
  paramsOf(resources, resource, operation.many, addressOf(route));

const isPlainWord = (param: Param): boolean => ['type', 'childtype'].includes(param.name.toLowerCase());

/** What the server has to tell addresses apart by: names of parameters and case do not count. */
const shapeOf = ({ route }: Line): string => {
  const { method, segments } = addressOf(route);
  return `${method} /${segments.map((segment) => (isParam(segment) ? '{}' : segment.toLowerCase())).join('/')}`;
};

describe('an address of the contract', () => {
  it.each(lines.map((line) => [line.route, line] as const))('is put together again as it was: %s', (route) => {
    const { method, path, segments, query } = addressOf(route);
    expect(`${method} /${segments.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`).toBe(route);
    expect(path).toBe(`/${segments.join('/')}`);
  });

  it('has well-formed segments and a known method', () => {
    const odd = lines.filter(({ route }) => {
      const { method, segments } = addressOf(route);
      return (
        !['GET', 'POST', 'PUT', 'DELETE'].includes(method) ||
        !segments.every((segment) => /^([a-z]+|\{[a-z]+\})$/i.test(segment))
      );
    });
    expect(odd.map((line) => line.route)).toEqual([]);
  });

  it('names each of its parameters once', () => {
    const twice = lines.filter(({ route }) => {
      const names = addressOf(route).params.map((name) => name.toLowerCase());
      return new Set(names).size !== names.length;
    });
    expect(twice.map((line) => line.route)).toEqual([]);
  });

  it('has parameters that name a record, or are a plain word', () => {
    const lost = lines.flatMap((line) =>
      paramsOfLine(line)
        .filter((param) => !param.own && !param.target && !isPlainWord(param))
        .map((param) => `${line.route} {${param.name}}`),
    );
    expect(lost).toEqual(TOLD_BY_A_WORD);
  });

  it('has parameters of the kind of the ID that they name', () => {
    const odd = lines.flatMap((line) =>
      paramsOfLine(line)
        .filter((param) => param.target !== undefined || param.own)
        .filter((param) => {
          const named = param.own ? line.resource : resources.find((one) => one.name === param.target);
          return param.field.kind !== named?.id;
        })
        .map((param) => `${line.route} {${param.name}}`),
    );
    expect(odd).toEqual([]);
  });

  it('has only queries whose values are known', () => {
    const unknown = lines.flatMap(({ route }) =>
      addressOf(route).query.filter((name) => !Object.hasOwn(QUERIES, name.toLowerCase())),
    );
    expect(unknown).toEqual([]);
  });
});

describe('an operation', () => {
  it('on one record has its own ID in every address, or the two ends that identify it', () => {
    const lost = lines.filter(({ resource, operation, ...line }) => {
      if (!['get', 'update', 'delete', 'undelete'].includes(operation.verb)) return false;
      const params = paramsOfLine({ resource, operation, ...line });
      return !params.some((param) => param.own) && params.length < Math.max(1, resource.identity.length);
    });
    expect(lost.map((line) => line.route)).toEqual(['GET /me?tz']);
  });

  it('uses the method of its verb', () => {
    const methods: Readonly<Record<string, string>> = {
      list: 'GET',
      get: 'GET',
      create: 'POST',
      update: 'PUT',
      delete: 'DELETE',
      undelete: 'PUT',
    };
    const odd = lines.filter(({ operation, route }) => {
      const wanted = methods[operation.verb] ?? (operation.writes ? addressOf(route).method : 'GET');
      return addressOf(route).method !== wanted;
    });
    expect(odd.map((line) => line.route)).toEqual([]);
  });

  it('shares no address with another one', () => {
    const owners = new Map<string, Set<string>>();
    for (const line of lines) {
      const shape = shapeOf(line);
      owners.set(shape, (owners.get(shape) ?? new Set()).add(`${line.resource.name} ${line.operation.name}`));
    }
    expect([...owners].filter(([, its]) => its.size > 1)).toEqual([]);
  });
});

it('the routes are those of the snapshot', async () => {
  const text = lines.map(({ resource, operation, name, route }) =>
    [resource.name, operation.name, name, route, operation.labels.join('+') || '-', sourceOf(operation, name)].join(
      ' ',
    ),
  );
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('../snapshots/routes.txt');
});
