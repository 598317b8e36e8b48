// Law 1: the contract says what the document and the help pages say, no more and no less.
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../src/contract/field.ts';
import { everyResource } from '../../src/contract/index.ts';
import { addressOf, type Operation, sourceOf } from '../../src/contract/operation.ts';
import { fieldSource, type Resource } from '../../src/contract/resource.ts';
import { type Fact, factsOf } from './facts.ts';

/** What the service answers; tokens are the embedded engine's own. */
const resources = everyResource.filter((resource) =>
  Object.values(resource.operations).some(({ verb }) => verb !== 'local'),
);
const operations = factsOf('operations.tsv');
const fields = factsOf('fields.tsv');
const now = operations.filter((row) => row.state === 'now');

/** Paths match in any case (D11); everything else is compared as it is written. */
const operationLine = (row: Fact): string =>
  [row.method, row.path?.toLowerCase(), row.query, row.body, row.output, row.labels, row.source].join(' | ');

const routeLines = (resource: Resource): string[] =>
  Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([name, route]) => {
      const { method, path, query } = addressOf(route);
      return operationLine({
        method,
        path,
        query: query.join(',') || '-',
        body: bodyOf(resource, operation),
        output: operation.output ?? '-',
        labels: operation.labels.join('+') || '-',
        source: sourceOf(operation, name),
      });
    }),
  );

function bodyOf(resource: Resource, operation: Operation): string {
  const sendsOne = ['create', 'update'].includes(operation.verb) || (operation.verb === 'special' && operation.writes);
  return sendsOne ? resource.type : '-';
}

const fieldLine = (row: Fact): string =>
  [row.field, row.kind, row.rule, row.max, row.source, row.deprecated].join(' | ');

const contractLines = (resource: Resource, own: Fields): string[] =>
  Object.entries(own).map(([field, its]) =>
    fieldLine({
      field,
      kind: its.kind,
      rule: its.rule,
      max: its.max === undefined ? '-' : String(its.max),
      source: fieldSource(resource, its),
      deprecated: its.deprecated ? 'deprecated' : '-',
    }),
  );

const factLines = (type: string): string[] => fields.filter((row) => row.type === type).map(fieldLine);

/** Shapes of answers that are no resource's own. */
const answers = resources.flatMap((resource) =>
  Object.values(resource.operations).flatMap((operation) =>
    operation.answers && operation.verb !== 'local'
      ? [{ resource, type: operation.output ?? '', fields: operation.answers }]
      : [],
  ),
);

describe('the tables of facts', () => {
  it('name every operation once', () => {
    const lines = operations.map((row) => `${row.method} ${row.path}`.toLowerCase());
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  it('keep the operations that come later, so that none is forgotten', () => {
    expect(new Set(operations.map((row) => row.state))).toEqual(new Set(['now', 'later']));
    expect(operations).toHaveLength(251);
  });

  it('name only groups that the contract has, but for what comes later', () => {
    const commands = resources.map((resource) => resource.command);
    expect([...new Set(now.map((row) => row.group))].sort()).toEqual([...commands].sort());
  });

  it('name only types that the contract has', () => {
    const types = [...resources.map((resource) => resource.type), ...answers.map((answer) => answer.type)];
    expect([...new Set(fields.map((row) => row.type))].sort()).toEqual([...new Set(types)].sort());
  });
});

describe('the operations of the contract', () => {
  it.each(resources.map((resource) => [resource.command, resource] as const))(
    "are the table's: %s",
    (command, resource) => {
      const rows = now.filter((row) => row.group === command);
      expect(routeLines(resource).sort()).toEqual(rows.map(operationLine).sort());
    },
  );

  it('hold none of those that come later', () => {
    const later = new Set(operations.filter((row) => row.state === 'later').map(operationLine));
    expect(resources.flatMap(routeLines).filter((line) => later.has(line))).toEqual([]);
  });
});

describe('the fields of the contract', () => {
  it.each(resources.map((resource) => [resource.command, resource] as const))(
    "are the table's, in its order: %s",
    (_command, resource) => {
      expect(contractLines(resource, resource.fields)).toEqual(factLines(resource.type));
    },
  );

  it.each(answers.map((answer) => [answer.type, answer] as const))(
    "are the table's in answers of another shape, in its order: %s",
    (type, answer) => {
      expect(contractLines(answer.resource, answer.fields)).toEqual(factLines(type));
    },
  );
});
