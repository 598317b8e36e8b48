// The order of members in XML is the one that the tables of facts give.
import { expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { orderOf } from '../../src/wire/xml-reader.ts';
import { factsOf } from '../laws/facts.ts';

const facts = factsOf('fields.tsv');
const turned = [...new Set(facts.filter((row) => row.xml !== '-').map((row) => row.type))];

it.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_name, resource) => {
  const rows = facts.filter((row) => row.type === resource.type);
  const placed = turned.includes(resource.type) ? rows.toSorted((a, b) => Number(a.xml) - Number(b.xml)) : rows;
  expect(orderOf(bodyShape(resource))).toEqual(placed.map((row) => row.field));
});

it('differs from that of the fields for periods and archives alone', () => {
  expect(turned).toEqual(['Period', 'Archive']);
});
