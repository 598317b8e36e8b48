// Makes the table of completion of the commands and the contract; scripts/build.js writes it to a file.
import { readdirSync } from 'node:fs';
import type { Argument, Command, Option } from 'commander';
import { resources, storedResources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { computedFields } from '../../engine/index.ts';
import type { Table } from '../../engine/store/schema/tables.ts';
import { sideTables } from '../../engine/store/sql/side-tables.ts';
import { sqliteSchema } from '../../engine/store/sqlite/dialect.ts';
import { GLOBAL_FLAGS, type GlobalFlag } from '../globals.ts';
import { fieldFlags, kindFlag } from '../names.ts';
import { commandsOfProgram } from '../program.ts';
import { addressFlags, plansOf } from '../selectors/addresses.ts';
import { closedValues, ownFlags, valueName, visibleFlags } from '../usage/flags-of.ts';
import type { CommandEntry, FlagEntry, NameColumns, Value, WordsTable } from './words-table.ts';

/** The table of all commands. `topics` is the folder of the topics of help. */
export async function makeTable(topics: string): Promise<WordsTable> {
  const visible = resources.filter(({ hidden }) => !hidden);
  const files = readdirSync(topics).map((file) => file.replace(/\.md$/, ''));
  const commands = await commandsOfProgram();
  return {
    commands: Object.fromEntries(
      commands.map((one) => [one.name(), entryOf(one, one.name(), [...files, 'coverage', 'flags'])]),
    ),
    aliases: Object.fromEntries(visible.flatMap(({ command, aliases }) => aliases.map((alias) => [alias, command]))),
    globals: GLOBAL_FLAGS.map(globalEntry),
    names: Object.fromEntries(namesOf()),
  };
}

function entryOf(command: Command, path: string, topics: readonly string[]): CommandEntry {
  const [first = ''] = path.split(' ');
  const resource = resources.find((one) => one.command === first);
  const own = ownFlags(command);
  const given = command.registeredArguments;
  return {
    doc: command.description(),
    flags: own.map((option) => flagEntry(option, resource)),
    arguments: given.map((argument) => argumentValue(argument, path, resource, topics)),
    many: given.at(-1)?.variadic ?? false,
    globals: own.length < visibleFlags(command).length,
    below: Object.fromEntries(
      command.commands.map((one) => [one.name(), entryOf(one, `${path} ${one.name()}`, topics)]),
    ),
  };
}

const wordsOf = (flags: string): string => (flags.match(/--?[a-zA-Z][\w-]*/g) ?? []).join(' ');

const globalEntry = ({ flags, doc, choices }: GlobalFlag): FlagEntry => [
  wordsOf(flags),
  flags.includes('<')
    ? (choices?.filter((word) => !/^\d$/.test(word)) ?? GLOBAL_VALUES[wordsOf(flags).split(' ').at(-1) ?? ''] ?? 'text')
    : null,
  doc,
];

const GLOBAL_VALUES: Readonly<Record<string, Value>> = {
  '--profile': 'profile',
  '--site': { of: ['site'] },
  '--as': { of: ['individual'] },
  '--trace': 'file',
};

function flagEntry(option: Option, resource: Resource | undefined): FlagEntry {
  const { flags, description, long = '' } = option;
  const words = wordsOf(flags);
  const form = valueName(option);
  if (form === undefined) return [words, null, description];
  return [words, closedValues(option) ?? valueNamed(form, long?.slice(2) ?? '', resource), description];
}

function valueNamed(form: string, flag: string, resource: Resource | undefined): Value {
  if (/^@?(file|folder)$/.test(form)) return 'file';
  if (form === 'user' || form === 'user name') return { of: ['individual'] };
  if (!/^refs?$/.test(form)) return 'text';
  const targets = resource ? targetsOf(resource, flag) : [];
  const named = resources.filter(({ name }) => kindFlag(name) === flag || name === flag).map(({ name }) => name);
  return { of: targets.length > 0 ? targets : named };
}

function targetsOf(resource: Resource, flag: string): readonly string[] {
  const addresses = Object.values(resource.operations).flatMap((one) => addressFlags(plansOf(resource, one)));
  const found = [...fieldFlags(resource), ...addresses].filter((one) => one.flag === flag);
  const names = found.flatMap(({ targets }) => targets);
  return [...new Set(names.map((name) => (name === 'principal' ? 'individual' : name)))];
}

const PEOPLE: Value = { of: ['individual'] };
const OWNERS: Value = { of: ['organization', 'individual'] };

/** The arguments of commands that are not of the contract, by their names; those of one command with it in front. */
const ARGUMENTS: Readonly<Record<string, Value>> = {
  who: PEOPLE,
  individuals: PEOPLE,
  group: { of: ['securityGroup'] },
  first: OWNERS,
  second: OWNERS,
  'dashboards show who': OWNERS,
  'dashboards report who': OWNERS,
  'permissions set who': { of: ['individual', 'securityGroup'] },
  'profiles add name': 'text',
  'sites create name': 'text',
  name: 'profile',
  job: 'job',
  jobs: 'job',
  file: 'file',
  plan: 'file',
  resource: 'command',
  'resource|file': 'command',
  resources: 'command',
  'can what': 'command',
  'commands words': 'command',
  'explain what': 'command',
  'can action': ['create', 'read', 'update', 'delete', 'delegate'],
  state: ['allow', 'deny', 'unset'],
  actions: ['create', 'read', 'update', 'delete', 'delegate'],
  method: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'],
};

function argumentValue(
  argument: Argument,
  path: string,
  resource: Resource | undefined,
  topics: readonly string[],
): Value {
  const name = argument.name();
  if (name === 'which' && resource) return { of: [resource.name] };
  if (name === 'ids' && resource)
    return path.endsWith(' undelete') ? { of: [resource.name], gone: true } : { of: [resource.name] };
  if (path === 'help') return topics;
  return argument.argChoices ?? ARGUMENTS[`${path} ${name}`] ?? ARGUMENTS[name] ?? 'text';
}

function namesOf(): readonly (readonly [string, NameColumns])[] {
  const { tables } = sqliteSchema(storedResources, computedFields);
  const names: [string, NameColumns][] = [];
  for (const table of tables) {
    const columns = columnsOf(table);
    const soft = table.marks.includes('Deleted');
    if (columns.length > 0) names.push([table.name, { table: table.name, columns, soft }]);
  }
  return names;
}

function columnsOf(table: Table): NameColumns['columns'] {
  const columns: [string, string, string?][] = [];
  for (const name of table.resource.names) {
    for (const key of table.keys) if (key.from === name) columns.push([name, key.name]);
    for (const side of sideTables(table)) if (side.field === name) columns.push([name, 'Held', side.name]);
  }
  return columns;
}
