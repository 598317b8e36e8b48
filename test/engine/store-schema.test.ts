// The columns of a table as they are derived from the contract.
import { expect, it } from 'vitest';
import { guid, text } from '../../src/contract/field.ts';
import { undelete } from '../../src/contract/operation.ts';
import { defineResource } from '../../src/contract/resource.ts';
import { sqliteSchema } from '../../src/engine/store/sqlite/dialect.ts';

const note = defineResource({
  name: 'note',
  command: 'notes',
  aliases: [],
  type: 'Note',
  doc: 'A note.',
  fields: () => ({
    AncestorID: guid('required', { to: ['project'], owner: true }),
    Name: text('required'),
    Secret: text('optional', { writeOnly: true }),
    Never: text('optional', { nullOnly: true }),
    Sum: text('read-only'),
  }),
  rights: { from: ['AncestorID'], unset: 'open' },
  identity: ['AncestorID', 'Name'],
  order: ['Name'],
  columns: [],
  open: true,
  operations: () => ({ undelete: undelete({}) }),
});
const columns = (computed: Record<string, string[]>) => {
  const table = sqliteSchema([note], computed).table('note');
  return [...table.columns, ...table.keys].map(({ name }) => name);
};

it('stores neither what is only written, nor what is always null, nor what is computed', () => {
  expect(columns({ note: ['Sum'] }).slice(0, 2)).toEqual(['AncestorID', 'Name']);
  expect(columns({ note: ['Sum'] }).slice(2)).not.toContain('Sum');
  expect(columns({})).toContain('Sum');
});

it('adds what every record needs and the service does not show', () => {
  expect(columns({ note: ['Sum'] }).slice(2)).toEqual(['SiteID', 'ID', 'Deleted', 'DeletedByRef', 'Others', 'Name$']);
});
