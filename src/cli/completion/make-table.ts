// Makes the table of completion of the commands and the contract; scripts/build.js writes it to a file.
import { readdirSync } from 'node:fs';
import { resources, storedResources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { computedFields } from '../../engine/index.ts';
import type { Table } from '../../engine/store/schema/tables.ts';
import { sideTables } from '../../engine/store/sql/side-tables.ts';
import { sqliteSchema } from '../../engine/store/sqlite/dialect.ts';
import { METHODS } from '../commands/api.ts';
import { fieldFlags, kindFlag, targetResource } from '../names.ts';
import { commandsOfProgram } from '../program.ts';
import { ACTIONS } from '../rights/grant.ts';
import { addressFlags, plansOf } from '../selectors/addresses.ts';
import { type ArgumentEntry, type CommandEntry, entryOf, program } from '../usage/command-list.ts';
import { treeOf } from '../usage/flags-of.ts';
import type { CommandWords, NameColumns, Value, WordsTable } from './complete.ts';

/** The table of all commands. `topics` is the folder of the topics of help. */
export async function makeTable(topics: string): Promise<WordsTable> {
  const visible = resources.filter(({ hidden }) => !hidden);
  const files = readdirSync(topics).map((file) => file.replace(/\.md$/, ''));
  const commands = (await commandsOfProgram()).flatMap((command) => treeOf(command));
  const entries = [['', program()] as const, ...commands].map(([path, command]) => entryOf(path, command));
  return {
    commands: Object.fromEntries(entries.map((entry) => wordsOf(entry, files))),
    aliases: Object.fromEntries(visible.flatMap(({ command, aliases }) => aliases.map((alias) => [alias, command]))),
    names: Object.fromEntries(namesOf()),
  };
}

function wordsOf(entry: CommandEntry, topics: readonly string[]): readonly [path: string, words: CommandWords] {
  const [, ...words] = entry.Command.split(' ');
  const path = words.join(' ');
  const resource = resources.find((one) => one.command === words[0]);
  const own: CommandWords = {
    Doc: entry.Doc,
    Flags: entry.Flags.map(({ Flag, Short, Value, Values, Doc }) => {
      // --deleted takes numbers too.
      const value = Values?.filter((one) => !/^\d$/.test(one)) ?? valueNamed(Value ?? '', Flag.slice(2), resource);
      return [Flag, Short, Value === null ? null : value, Doc];
    }),
    Arguments: entry.Arguments.map((argument) => argumentValue(argument, path, resource, topics)),
    Several: entry.Arguments.at(-1)?.Several ?? false,
    Globals: entry.GlobalFlags.length > 0,
  };
  return [path, own];
}

function valueNamed(form: string, flag: string, resource: Resource | undefined): Value {
  if (/^@?(file|folder)$/.test(form)) return 'file';
  if (flag === 'profile') return 'profile';
  if (form === 'site') return { of: ['site'] };
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
  return [...new Set(names.map((name) => targetResource(name).name))];
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
  'resource|file': 'command or file',
  'plan resource': 'command or file',
  resources: 'command',
  'can what': 'command',
  'commands words': 'command',
  'explain what': 'command',
  'can action': ACTIONS,
  state: ['allow', 'deny', 'unset'],
  actions: ACTIONS,
  method: METHODS,
};

function argumentValue(
  { Argument: name, Values }: ArgumentEntry,
  path: string,
  resource: Resource | undefined,
  topics: readonly string[],
): Value {
  if (name === 'which' && resource) return { of: [resource.name] };
  if (name === 'ids' && resource)
    return path.endsWith(' undelete') ? { of: [resource.name], gone: true } : { of: [resource.name] };
  if (path === 'help') return topics;
  return Values ?? ARGUMENTS[`${path} ${name}`] ?? ARGUMENTS[name] ?? 'text';
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
