// Law 1: the contract says what the document and the help pages say, no more and no less.
import { describe, expect, it } from 'vitest';
import type { Fields, Source } from '../../src/contract/field.ts';
import { everyResource } from '../../src/contract/index.ts';
import { addressOf, type Operation, sourceOf, takesBody } from '../../src/contract/operation.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { type Fact, factsOf } from './facts.ts';

/** What the service answers; tokens are the embedded engine's own. */
const resources = everyResource.filter((resource) =>
  Object.values(resource.operations).some(({ verb }) => verb !== 'local'),
);
const operations = factsOf('operations.tsv');
const fields = factsOf('fields.tsv');

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
        source: `${sourceOf(operation, name)}${operation.verb === 'unsupported' ? ', unsupported' : ''}`,
      });
    }),
  );

const bodyOf = (resource: Resource, operation: Operation): string => (takesBody(operation) ? resource.type : '-');

const fieldLine = (row: Fact): string =>
  [row.field, row.kind, row.rule, row.max, row.source, row.deprecated].join(' | ');

const contractLines = (own: Fields, source: Source): string[] =>
  Object.entries(own).map(([field, its]) =>
    fieldLine({
      field,
      kind: its.kind,
      rule: its.rule,
      max: its.max === undefined ? '-' : String(its.max),
      source: its.source ?? source,
      deprecated: its.deprecated ? 'deprecated' : '-',
    }),
  );

const factLines = (type: string): string[] => fields.filter((row) => row.type === type).map(fieldLine);

interface Answer {
  readonly types: readonly string[];
  readonly fields: Fields;
  readonly source: Source;
}

/** Shapes of answers that are no resource's own. */
const answers = resources.flatMap((resource) =>
  Object.values(resource.operations).flatMap((operation) =>
    operation.answers && operation.verb !== 'local' ? [shapeOf(operation, operation.answers)] : [],
  ),
);

/** A known type with members in front of it is told apart by its operation; other types are known from where it is. */
function shapeOf(operation: Operation, own: Fields): Answer {
  const type = operation.output ?? '';
  const known = resources.find((one) => one.type === type);
  const more = known ? Object.keys(own).length - Object.keys(known.fields).length : 0;
  const extra = more > 0 ? `${type} in ${Object.values(operation.routes)[0]?.match(/[a-z]+(?=\?|$)/)?.[0]}` : type;
  return { types: [...new Set([extra, type])], fields: own, source: known?.source ?? operation.source };
}

describe('the tables of facts', () => {
  it('name every operation once', () => {
    const lines = operations.map((row) => `${row.method} ${row.path}`.toLowerCase());
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  it('hold all of them', () => {
    expect(operations, 'where rows were added to test/facts/operations.tsv: their number here').toHaveLength(252);
  });

  it('name the groups of the contract, and no others', () => {
    const commands = resources.map((resource) => resource.command).sort();
    const groups = [...new Set(operations.map((row) => row.group))].sort();
    expect(groups, 'a resource has its rows in test/facts/operations.tsv, which a test below prints').toEqual(commands);
  });

  it('name the types of the contract, and no others', () => {
    const types = [...resources.map((resource) => resource.type), ...answers.flatMap((answer) => answer.types)];
    const told = [...new Set(fields.map((row) => row.type))].sort();
    expect(told, 'a type has its rows in test/facts/fields.tsv, which a test below prints').toEqual(
      [...new Set(types)].sort(),
    );
  });
});

/** As a row of the tables of facts. */
const tabbed = (first: string, line: string, ...last: readonly string[]): string =>
  [first, ...line.split(' | '), ...last].join('\t');

describe('the operations of the contract', () => {
  it.each(resources.map((resource) => [resource.command, resource] as const))(
    "are the table's: %s",
    (command, resource) => {
      const rows = operations.filter((row) => row.group === command);
      const lines = routeLines(resource).sort();
      const wanted = lines.map((line) => tabbed(command, line)).join('\n');
      expect(lines, `its rows in test/facts/operations.tsv:\n${wanted}\n`).toEqual(rows.map(operationLine).sort());
    },
  );
});

describe('the fields of the contract', () => {
  it.each(resources.map((resource) => [resource.command, resource] as const))(
    "are the table's, in its order: %s",
    (_command, resource) => {
      const lines = contractLines(resource.fields, resource.source);
      const facts = factLines(resource.type);
      const missing = lines.filter((line) => !facts.includes(line)).map((line) => tabbed(resource.type, line, '-'));
      const advice = `in the order of the contract, these rows are missing in test/facts/fields.tsv:\n${missing.join('\n')}\n`;
      expect(lines, advice).toEqual(facts);
    },
  );

  it.each(answers.map((answer) => [answer.types.join(' and '), answer] as const))(
    "are the table's in answers of another shape, in its order: %s",
    (_types, { fields: own, types, source }) => {
      expect(contractLines(own, source)).toEqual(types.flatMap(factLines));
    },
  );
});
