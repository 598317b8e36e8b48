// The commands of one resource, from the contract: a verb for each operation, a flag for each field and address.
import { Command } from 'commander';
import { backAgain } from '../changes/plan/cautions.ts';
import { contract } from '../contract/index.ts';
import { type Operation, takesBody, type Verb } from '../contract/operation.ts';
import { isSoft, plural, type Resource, singular } from '../contract/resource.ts';
import { type Instead, PLAN_OUT, REASSIGN_DOC, type Run, withAt, withGlobals, withoutChoosing } from './command.ts';
import { extraCommands } from './commands/extra.ts';
import type { Context } from './context.ts';
import type { GlobalValues } from './globals.ts';
import { demandedFlags } from './input/required.ts';
import { withFields } from './input/values.ts';
import { flagText, kebab, ownerFlags } from './names.ts';
import { type AddressFlag, type AddressPlan, addressFlags, plansOf, waysOf } from './selectors/addresses.ts';
import { endFlags } from './selectors/owner-flags.ts';

type Options = Readonly<Record<string, unknown>> & GlobalValues;
type Action = (context: Context, ids: readonly string[], options: Options) => Promise<number>;

/**
 * Builds the commands of one resource, which the user called `name`. A command has dozens of flags: if `verb` is given, only
 * the command of that verb gets them, and without such a verb the others are there for the page that lists them.
 */
export async function resourceCommand(resource: Resource, name: string, run: Run, verb?: string): Promise<Command> {
  const group = new Command(name).description(resource.doc);
  group.usage('<verb> [ids...] [flags]').addHelpText('after', `\nWhat its fields are: pm explain ${resource.command}`);
  const verbs = verbsOf(resource, run);
  const only = verbs.get(verb ?? '');
  for (const make of only ? [only] : verbs.values()) {
    const { command, addFlags } = make();
    if (only || verb === undefined) addFlags();
    group.addCommand(command);
  }
  if (!only) for (const extra of extraCommands(resource, run)) group.addCommand(extra);
  return group;
}

/** The command of a verb, and the function that gives it its flags and action. */
interface VerbCommand {
  readonly command: Command;
  readonly addFlags: () => void;
}

/** Local operations have hand-written commands; unsupported ones have none. */
const NO_COMMAND: readonly Verb[] = ['local', 'unsupported'];

/** By the words of the command line. */
function verbsOf(resource: Resource, run: Run): ReadonlyMap<string, () => VerbCommand> {
  const operations = Object.values(resource.operations).filter(
    ({ verb, name }) => !NO_COMMAND.includes(verb) && name !== 'get',
  );
  const commandOf = (one: Operation) => () => (one.writes ? writeCommand : readCommand)(resource, one, run);
  return new Map([
    ...operations.map((one) => [kebab(one.name), commandOf(one)] as const),
    ['get', () => getCommand(resource, run)],
  ]);
}

function readCommand(resource: Resource, operation: Operation, run: Run): VerbCommand {
  const command = verb(operation.name, operation.doc ?? `List ${plural(resource)}.`);
  const addFlags = (): void => {
    withAddresses(command, resource, operation);
    if (operation === contract.individual.operations.list)
      command.option('--below', 'with --department: those of the departments below it, too');
    finish(withGlobals(reads(command, resource)), run, async (context, _ids, options) => {
      const { read } = await import('./commands/read.ts');
      return read(context, resource, operation, options);
    });
  };
  return { command, addFlags };
}

function getCommand(resource: Resource, run: Run): VerbCommand {
  const operation = resource.operations.get;
  const doc = operation?.doc ?? `Show one ${singular(resource)}, or several.`;
  const command = withIds(verb('get', doc), resource);
  const addFlags = (): void => {
    if (operation) withAddresses(command, resource, operation);
    withOwners(command, resource);
    finish(withGlobals(reads(command, resource)), run, async (context, ids, options) => {
      const { get } = await import('./commands/read.ts');
      return get(context, resource, ids, options);
    });
  };
  return { command, addFlags };
}

/** The past is kept for each site, so the list of sites takes no --at. */
function reads(command: Command, { name }: Resource): Command {
  command.option('--out <file>', 'write it to this file, in the form that its name says');
  return name === 'site' ? command : withAt(command);
}

function writeCommand(resource: Resource, operation: Operation, run: Run): VerbCommand {
  const hasBody = takesBody(operation);
  const namesRecords = !hasBody || operation.verb === 'update';
  const command = verb(operation.name, operation.doc ?? docOf(resource, operation));
  if (namesRecords) withIds(command, resource);
  const addFlags = (): void => {
    const isNew = hasBody && !namesRecords;
    if (hasBody) withFields(command, resource, isNew);
    else withOwners(command, resource);
    if (operation.verb === 'delete' && resource.name === 'individual')
      command.option('--reassign-to <ref>', REASSIGN_DOC);
    if (isNew) command.usage(creation(resource));
    const instead = namesRecords ? chosenFirst(resource, operation) : undefined;
    const choosing = namesRecords && canChoose(resource, operation) ? CHOOSING : [];
    finish(withoutChoosing(command.addOption(PLAN_OUT), choosing, instead), run, async (context, given, options) => {
      const { write } = await import('./commands/write.ts');
      return write(context, { resource, operation, given, options });
    });
  };
  return { command, addFlags };
}

function docOf(resource: Resource, { verb }: Operation): string {
  const one = singular(resource);
  if (verb === 'create') return `Make a new ${one}.`;
  if (verb === 'update') return `Change one ${one}, or several; what is not named stays as it is.`;
  if (verb === 'undelete') return `Bring back one ${one}, or several.`;
  return `Delete one ${one}, or several.${isSoft(resource) ? '' : ` ${backAgain(resource)}`}`;
}

const verb = (name: string, doc: string): Command => new Command(kebab(name)).description(doc);

function withIds(command: Command, resource: Resource): Command {
  if (!resource.fields.ID || resource.unstored) return command;
  const what = resource.names.length > 0 ? 'IDs or names' : 'IDs';
  return command.argument('[ids...]', `${what}; - reads IDs from stdin`);
}

/** Adds flags that name the owner of a record, or the two ends of a membership. */
function withOwners(command: Command, resource: Resource): void {
  const flags = new Set([...ownerFlags(resource).keys(), ...endFlags(resource)]);
  for (const flag of [...flags].filter((one) => !command.options.some((option) => option.long === `--${one}`)))
    command.option(`--${flag} <ref>`, `of this ${flag.replaceAll('-', ' ')}`);
}

const CHOOSING = ['--where', '--sort', '--limit'];

/** Is there a list of the records, from which a filter can choose? Of deleted ones for an undelete. */
function canChoose(resource: Resource, { verb }: Operation): boolean {
  const { list } = resource.operations;
  const fits = ({ query }: AddressPlan): boolean => verb !== 'undelete' || query.has('deleted');
  return list !== undefined && resource.fields.ID !== undefined && plansOf(resource, list).some(fits);
}

/** The hint to list the records first, and to pass their IDs. */
function chosenFirst(resource: Resource, operation: Operation): Instead {
  if (!canChoose(resource, operation)) return () => undefined;
  const which = operation.verb === 'undelete' ? 'deleted ones' : 'undeleted ones';
  return (flag) => (flag === '--deleted' ? `It changes ${which} only.` : undefined);
}

/** Sets the action of a command: it gets the IDs and the options. */
function finish(command: Command, run: Run, action: Action): void {
  command.action((...collected: readonly unknown[]) => {
    const options = command.opts<Options>();
    const ids = Array.isArray(collected[0]) ? (collected[0] as readonly string[]) : [];
    return run(options, (context) => action(context, ids, options));
  });
}

function withAddresses(command: Command, resource: Resource, operation: Operation): void {
  const plans = plansOf(resource, operation);
  for (const flag of addressFlags(plans)) command.option(flagText(flag), flag.field.doc ?? meaning(flag));
  if (plans.some((plan) => plan.mine)) command.option('--mine', 'yours');
  if (plans.some((plan) => plan.route === 'organizations'))
    command.option('--organizations', 'organizations only, no departments');
  if (command.registeredArguments.length === 0) command.usage(`${oneOf(waysOf(plans))}[flags]`);
}

/** The ways to name an address, of which one is given; in brackets where none has to be. */
function oneOf(ways: readonly string[]): string {
  const given = ways.filter((way) => way !== '');
  if (given.length === 0) return '';
  const all = given.join(' | ');
  if (given.length < ways.length) return `[${all}] `;
  return given.length > 1 ? `(${all}) ` : `${all} `;
}

/** A new record needs these flags. */
const creation = (resource: Resource): string =>
  `${demandedFlags(resource)
    .map((group) => oneOf(group.map(flagText)))
    .join('')}[flags]`;

const meaning = (flag: AddressFlag): string =>
  flag.flag === 'of'
    ? 'of this organization, department or individual'
    : flag.targets.length === 0
      ? `the ${flag.flag}`
      : `of this ${flag.flag.replaceAll('-', ' ')}`;
