// pm schema: the JSON Schema of the files of a site, by which an editor completes and checks them.
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { docOf, type Field } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import { PRIMARY } from '../../contract/resources/primary.ts';
import { declarable, hasFolder, holderMember, listsIn, MEMBERS, ownMembers } from '../../sites/state/layout.ts';
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

function schema(io: Streams, name: string): void {
  const resource = resourceCalled(name);
  if (!declarable.includes(resource))
    throw new ServiceError('usage', `no file of a site holds ${resource.command}`, {
      hint: `Files hold ${declarable.map(({ command }) => command).join(', ')}.`,
    });
  const lists = new Map<string, Schema>();
  const record = recordSchema(resource, lists);
  const file = hasFolder(resource) ? record : { type: 'array', items: record };
  const whole = { $schema: DRAFT, description: resource.doc, ...file, $defs: Object.fromEntries(lists) };
  printText(io, `${JSON.stringify(whole, null, 2)}\n`);
}

type Schema = Readonly<Record<string, unknown>>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a record; those of the records in its lists come into `lists`, each once. */
function recordSchema(resource: Resource, lists: Map<string, Schema>): Schema {
  const holder = holderMember(resource);
  const members = [...ownMembers(resource), ...(resource.name === 'individual' ? Object.keys(PRIMARY) : [])];
  const fields = ['ID', ...(holder === undefined ? [] : [holder]), ...members]
    .filter((name) => Object.hasOwn(resource.fields, name))
    .map((name) => [name, memberSchema(resource.fields[name] as Field)]);
  const own = [...listsIn(resource)].map(([name, list]) => [name, listSchema(list, lists)]);
  const users = resource.name === 'securityGroup' ? { [MEMBERS]: NAMES } : {};
  const properties = { ...Object.fromEntries([...fields, ...own]), ...users, was: WAS };
  return { type: 'object', properties, additionalProperties: false };
}

const NAMES = { type: ['array', 'null'], items: { type: 'string' } };
const WAS = { type: 'string', description: 'An older name, or path: the record is renamed or moved.' };

function listSchema(resource: Resource, lists: Map<string, Schema>): Schema {
  const { name } = resource;
  if (!lists.has(name)) {
    // A record may hold a list of its own kind.
    lists.set(name, {});
    lists.set(name, recordSchema(resource, lists));
  }
  return { type: 'array', items: { $ref: `#/$defs/${name}` } };
}

/** Every member may be left out: it is not declared then; null makes it empty. */
const memberSchema = (field: Field): Schema => ({ description: docOf(field), ...valueSchema(field) });

function valueSchema({ kind, to, max, choices, anyNumber }: Field): Schema {
  if (kind === 'guids') return { type: ['string', 'array', 'null'], items: { type: 'string' } };
  if (to) return { type: ['string', 'number', 'null'] };
  if (choices && !anyNumber) return { anyOf: [{ enum: Object.values(choices) }, { type: ['number', 'null'] }] };
  switch (kind) {
    case 'boolean':
      return { type: ['boolean', 'null'] };
    case 'integer':
      return { type: ['integer', 'null'] };
    case 'byte':
      return { type: ['integer', 'null'], minimum: 0, maximum: 255 };
    case 'decimal':
      return { type: ['number', 'null'] };
    default:
      // pm reads 00042 and true as they are written, an editor as a number and a truth.
      return { type: ['string', 'number', 'boolean', 'null'], maxLength: max };
  }
}
