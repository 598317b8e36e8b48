// pm schema: the JSON Schema of the files of a site, by which an editor completes and checks them.
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { docOf, type Field } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import {
  declarable,
  hasFolder,
  holderMember,
  listsIn,
  MEMBERS,
  ownMembers,
  PRIMARY,
} from '../../sites/state/layout.ts';
import type { Run } from '../command.ts';
import { resourceCalled } from '../names.ts';
import { printText } from '../output/printing.ts';
import type { Streams } from '../streams.ts';

export const build = (_run: Run, io: Streams): Command =>
  new Command('schema')
    .description('Print the JSON Schema of the files of a site, for an editor.')
    .argument('<resource>', 'whose files: individuals, departments, projects, or a list: colors …')
    .addHelpText('after', HELP)
    .action((name: string) => schema(io, name));

const HELP = `
An editor that reads YAML completes members, and marks what is none:
  pm schema individuals > individuals.schema.json
and in the first line of a file, or for a folder in the settings of the editor:
  # yaml-language-server: $schema=../individuals.schema.json`;

async function schema(io: Streams, name: string): Promise<void> {
  const resource = resourceCalled(name);
  if (!declarable.includes(resource))
    throw new ServiceError('usage', `${resource.command} stand in no file of a site`, {
      hint: `It holds ${declarable.map(({ command }) => command).join(', ')}.`,
    });
  const { z } = (await import('../../files/schemas.ts')) as unknown as { readonly z: Zod };
  const record = recordSchemas(z)(resource);
  const file = hasFolder(resource) ? record : z.array(record);
  printText(io, `${JSON.stringify(z.toJSONSchema(file.describe(resource.doc), { io: 'input' }), null, 2)}\n`);
}

/** What is used of zod: its own types, which tell the values of a schema, would cost the compiler a sixth of all. */
interface Schema {
  nullish(): Schema;
  optional(): Schema;
  min(least: number): Schema;
  max(most: number): Schema;
  describe(text: string): Schema;
}
interface Zod {
  string(): Schema;
  number(): Schema;
  int(): Schema;
  boolean(): Schema;
  enum(words: readonly string[]): Schema;
  union(all: readonly Schema[]): Schema;
  array(of: Schema): Schema;
  lazy(of: () => Schema): Schema;
  strictObject(members: Readonly<Record<string, Schema>>): Schema;
  toJSONSchema(schema: Schema, how: { readonly io: 'input' }): unknown;
}

/** The schema of a record of each resource, with the lists in it; one that holds itself refers to itself. */
function recordSchemas(z: Zod): (resource: Resource) => Schema {
  const made = new Map<Resource, Schema>();
  const recordOf = (resource: Resource): Schema => {
    const members = [...ownMembers(resource), ...(resource.name === 'individual' ? Object.keys(PRIMARY) : [])];
    const holder = holderMember(resource);
    const fields = ['ID', ...(holder === undefined ? [] : [holder]), ...members]
      .filter((name) => Object.hasOwn(resource.fields, name))
      .map((name) => [name, memberSchema(z, resource.fields[name] as Field)]);
    const lists = [...listsIn(resource)].map(([name, list]) => [
      name,
      z.lazy(() => z.array(schemaOf(list))).optional(),
    ]);
    const was = z.string().describe('An older name, or path: the record is renamed or moved.').optional();
    const users = resource.name === 'securityGroup' ? { [MEMBERS]: z.array(z.string()).nullish() } : {};
    return z.strictObject({ ...Object.fromEntries([...fields, ...lists]), ...users, was });
  };
  const schemaOf = (resource: Resource): Schema => {
    const known = made.get(resource) ?? recordOf(resource);
    made.set(resource, known);
    return known;
  };
  return schemaOf;
}

/** Every member may be left out: it is not declared then; null makes it empty. */
function memberSchema(z: Zod, field: Field): Schema {
  return valueSchema(z, field).nullish().describe(docOf(field));
}

function valueSchema(z: Zod, { kind, to, max, choices, anyNumber }: Field): Schema {
  if (kind === 'guids') return z.union([z.string(), z.array(z.string())]);
  if (to) return z.union([z.string(), z.number()]);
  if (choices && !anyNumber) return z.union([z.enum(Object.values(choices)), z.number()]);
  switch (kind) {
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int();
    case 'byte':
      return z.int().min(0).max(255);
    case 'decimal':
      return z.number();
    default:
      // pm reads 00042 and true as they are written, an editor as a number and a truth.
      return z.union([max === undefined ? z.string() : z.string().max(max), z.number(), z.boolean()]);
  }
}
