// Law 2: every address of the contract can be taken apart, means something, and is no other one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { resources } from '../../src/contract/index.ts';
import { isRefusal, RULES } from '../../src/contract/kinds.ts';
import { addressOf, isParam, type Operation, type Route } from '../../src/contract/operation.ts';
import { type Param, paramsOf, QUERIES } from '../../src/contract/params.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { buildPath, matchRoute } from '../../src/wire/route.ts';

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

const isFit = (text: string): boolean => !isRefusal(RULES.text.check(text));

/** Every word that stands in an address. */
const WORDS = new Set(lines.flatMap(({ route }) => addressOf(route).segments.map((one) => one.toLowerCase())));

/** Paths whose ID may be of several kinds, or is told by another word than the segment in front of it. */
const TOLD_BY_A_WORD = [
  'GET /dashboards/{ancestorId}/commitments/{type}?period {ancestorId}',
  'GET /dashboards/{id}/metrics/{metricType}?period {id}',
  'GET /dashboards/{id}/projects/active?period&tz {id}',
  'GET /dashboards/{id}/projects/completed?period&tz {id}',
  'GET /dashboards/{id}/projects/deptactive?period&tz {id}',
];

const paramsOfLine = ({ resource, operation, route }: Line): readonly Param[] =>
  paramsOf(resources, resource, operation.many, addressOf(route));

const isPlainWord = (param: Param): boolean =>
  ['type', 'childtype', 'metrictype', 'startdate', 'enddate'].includes(param.name.toLowerCase());

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

describe('match(build(x)) is x', () => {
  const word = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => isFit(text) && !/^\.{0,2}$/.test(text));
  const inputOf = ({ route, name }: Line) => {
    const { params, query } = addressOf(route);
    const values = (names: readonly string[], value: fc.Arbitrary<string>) =>
      fc.record(Object.fromEntries(names.map((one) => [one, value])));
    const some = fc.subarray([...query]).chain((names) => values(names, fc.oneof(word, fc.constant(''))));
    return fc.record({ by: fc.constant(name), params: values(params, word), query: some });
  };

  it.each(lines.map((line) => [line.route, line] as const))('%s', (_route, line) => {
    fc.assert(
      fc.property(inputOf(line), (input) => {
        // A word of the contract in the place of a parameter is that word.
        fc.pre(!Object.values(input.params).some((value) => WORDS.has(value.toLowerCase())));
        const { method, path, query } = buildPath(line.operation, input);
        const match = matchRoute(method, query === '' ? path : `${path}?${query}`);
        const kind = line.operation.verb === 'unsupported' ? 'unsupported' : 'found';
        expect(match).toMatchObject({ kind, operation: line.operation, input });
      }),
      { numRuns: 20 },
    );
  });

  it.each(lines.map((line) => [line.route, line] as const))('in any case of letters: %s', (_route, line) => {
    const { params } = addressOf(line.route);
    const input = { by: line.name, params: Object.fromEntries(params.map((name) => [name, '7'])), query: {} };
    const { method, path } = buildPath(line.operation, input);
    expect(matchRoute(method, path.toUpperCase())).toMatchObject({ operation: line.operation, input });
  });

  it('a word wins over a parameter', () => {
    for (const [target, name] of Object.entries({
      '/colors/defaults': 'defaults',
      '/colors/7': 'get',
      '/teammembers/roles': 'roles',
    }))
      expect(matchRoute('GET', target)).toMatchObject({ operation: { name } });
  });

  it('a parameter that is no plain text, or no path can carry, is refused', () => {
    const operation = resources.find((one) => one.name === 'color')?.operations.get as Operation;
    for (const id of ['', '.', '..', '\ud800', '\u0000'])
      expect(() => buildPath(operation, { params: { id } })).toThrow(ServiceError);
  });
});

describe('an address that comes in', () => {
  it.each([
    '/',
    '',
    'colors',
    '/colors//',
    '//colors',
    '/colors/7/x',
    '/nowhere',
    '/%2563olors',
    '/individuals//security',
  ])('is known to nobody: %s', (target) => {
    expect(matchRoute('GET', target)).toEqual({ kind: 'no-path' });
  });

  it.each([
    ['DELETE', '/colors', ['GET', 'POST']],
    ['POST', '/colors/7', ['DELETE', 'GET', 'PUT']],
    ['PUT', '/colors/defaults', ['GET']],
    ['PATCH', '/me', ['GET']],
    ['PATCH', '/archives/7', ['GET']],
    ['GET', '/archives', []],
    ['toString', '/me', ['GET']],
  ])('is known to other methods: %s %s', (method, target, allow) => {
    expect(matchRoute(method, target)).toEqual({ kind: 'wrong-method', allow });
  });

  it.each([
    ['POST', '/archives', []],
    ['PUT', '/archives/7', ['GET']],
    ['DELETE', '/ARCHIVES/7', ['GET']],
  ])('is known to be what the service does not do: %s %s', (method, target, allow) => {
    expect(matchRoute(method, target)).toMatchObject({ kind: 'unsupported', allow });
  });

  it.each([
    ['/users?tz=%2B05%3A30&DELETED=1', { tz: '+05:30', deleted: '1' }],
    ['/users?tz=a+b&&', { tz: 'a b' }],
    ['/users?tz', { tz: '' }],
    ['/users?x=1', { x: '1' }],
    ['/users?', {}],
    ['/users?tz=a=b?c', { tz: 'a=b?c' }],
  ])('has its queries: %s', (target, query) => {
    expect(matchRoute('GET', target)).toMatchObject({ input: { query } });
  });

  it.each([
    '/users?tz=1&tz=2',
    '/users?tz=1&TZ=1',
    '/users?x=1&X=2',
    '/colors/%',
    '/colors/%ff',
    '/colors/%00',
    '/users?tz=%d8',
  ])('is refused: %s', (target) => {
    expect(() => matchRoute('GET', target)).toThrow(ServiceError);
  });

  it('cannot reach what every object has', () => {
    const match = matchRoute('GET', '/users?__proto__=1&constructor=2');
    expect(match.kind === 'found' && Object.keys(match.input.query ?? {})).toEqual(['__proto__', 'constructor']);
  });
});
