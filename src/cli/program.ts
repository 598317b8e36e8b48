// Builds and runs the one branch of the command tree that the arguments name.
import type { EventEmitter } from 'node:events';
import { Command, CommanderError } from 'commander';
import { resources } from '../contract/index.ts';
import { type HandwrittenCommand, type Run, WRITTEN } from './command.ts';
import { openContext } from './context.ts';
import { callingOf } from './output/calling.ts';
import type { ErrorOptions } from './output/errors.ts';
import { printText } from './output/printing.ts';
import { configHomeOf, homeOf, homeWarning } from './profiles/home.ts';
import { checkStates } from './profiles/state-file.ts';
import { colored, errorsColored, settingsOf } from './settings.ts';
import { errorsAsJson, type Streams, streamsWith } from './streams.ts';
import { helpPage } from './usage/help-page.ts';
import { unknownCommand, usageError } from './usage/usage-error.ts';
import { asCalled, globalFlagsLast } from './usage/words.ts';

/** The commands that are not resources, with their line in the list of commands. */
const HANDWRITTEN: Readonly<
  Record<string, { readonly doc: string; readonly load: () => Promise<HandwrittenCommand> }>
> = {
  demo: { doc: 'a guided walk on a throw-away site', load: () => import('./commands/demo.ts') },
  seed: { doc: 'fill a site with a sample', load: () => import('./commands/seed.ts') },
  show: { doc: 'the record that a pasted text means', load: () => import('./commands/show.ts') },
  find: { doc: 'records by a piece of a name or text', load: () => import('./commands/find.ts') },
  import: { doc: 'make and change records by the rows of a file', load: () => import('./commands/import.ts') },
  export: { doc: 'write records to files that can be imported', load: () => import('./commands/export.ts') },
  each: { doc: 'any command for each row of a file', load: () => import('./commands/each.ts') },
  plan: { doc: 'write down what an import would do, to apply it later', load: () => import('./commands/plan.ts') },
  check: { doc: 'all faults of a folder of files', load: () => import('./commands/check.ts') },
  apply: { doc: 'run a plan, or make the site as a folder declares it', load: () => import('./commands/apply.ts') },
  jobs: { doc: 'what was changed: look at it, go on with it, try again', load: () => import('./commands/jobs.ts') },
  undo: { doc: 'take a job back', load: () => import('./commands/undo.ts') },
  history: { doc: 'what happened to one record', load: () => import('./commands/history.ts') },
  log: { doc: 'what happened to the whole site', load: () => import('./commands/log.ts') },
  diff: { doc: 'what differs between two sites', load: () => import('./commands/diff.ts') },
  clone: { doc: 'copy the records of one site to another one', load: () => import('./commands/clone.ts') },
  explain: {
    doc: 'what a resource or a field is, and where it is known from',
    load: () => import('./commands/explain.ts'),
  },
  serve: { doc: 'answer the v4 interface over HTTP', load: () => import('./commands/serve.ts') },
  mcp: { doc: 'tools for an agent, which reads and plans', load: () => import('./commands/mcp.ts') },
  schema: { doc: 'the JSON Schema of the files of a site', load: () => import('./commands/schema.ts') },
  openapi: { doc: 'print the description of the interface', load: () => import('./commands/openapi.ts') },
  backup: { doc: 'copy a whole database into a file', load: () => import('./commands/backup.ts') },
  restore: {
    doc: 'bring a whole database back, or to a server',
    load: () => import('./commands/restore.ts'),
  },
  profiles: { doc: 'remote services by name', load: () => import('./commands/profiles.ts') },
  login: { doc: 'log in to a remote service', load: () => import('./commands/login.ts') },
  logout: { doc: 'forget a credential', load: () => import('./commands/logout.ts') },
  whoami: { doc: 'who is calling, and where', load: () => import('./commands/whoami.ts') },
  tokens: { doc: 'tokens that stand in for a password', load: () => import('./commands/tokens.ts') },
  api: { doc: 'one request of your own', load: () => import('./commands/api.ts') },
  doctor: { doc: 'look whether all is well', load: () => import('./commands/doctor.ts') },
  config: { doc: 'the settings in force, and where they come from', load: () => import('./commands/config.ts') },
  can: { doc: 'who may do what, and why', load: () => import('./commands/can.ts') },
  completion: { doc: 'complete commands, flags and names with Tab', load: () => import('./commands/completion.ts') },
  passwd: { doc: "set an individual's password", load: () => import('./commands/passwd.ts') },
  commands: { doc: 'every command as data, for programs', load: () => import('./commands/commands.ts') },
  help: { doc: 'help on a command or a topic', load: () => import('./commands/help.ts') },
};

export const handwrittenCommands = (): readonly (readonly [string, string])[] =>
  Object.entries(HANDWRITTEN).map(([name, { doc }]) => [name, doc]);

/** Every command, with all its verbs, to be described. None of them can be run. */
export async function commandsOfProgram(): Promise<readonly Command[]> {
  const run: Run = async () => {};
  const { resourceCommand } = await import('./resource-command.ts');
  const handmade = await Promise.all(Object.values(HANDWRITTEN).map(({ load }) => load()));
  return [
    ...(await Promise.all(resources.map((resource) => resourceCommand(resource, resource.command, run)))),
    // Streams are touched by running a command alone.
    ...handmade.map(({ build }) => build(run, {} as Streams, async () => 0, commandsOfProgram)),
  ];
}

/** Runs one command line. Answers the exit code; prints every error. */
export async function runLine(argv: readonly string[], streams: Streams, version: string): Promise<number> {
  const io = errorsAsJson(argv, streams) ? streamsWith(streams, { errorsAsJson: true }) : streams;
  let exit = 0;
  let options: ErrorOptions = {
    color: errorsColored(argv, io),
    debug: io.env.PM_DEBUG === '1',
    calling: callingOf(io),
  };
  const runAction: Run = async (values, action) => {
    const warnings = checkStates(configHomeOf(io));
    const settings = settingsOf(values, io);
    options = { ...options, calling: callingOf(io, settings) };
    const context = openContext(settings, io);
    for (const home of new Set([homeOf(io), configHomeOf(io)])) {
      const warning = homeWarning(home);
      if (warning !== undefined) context.note(warning);
    }
    for (const warning of warnings) context.note(warning);
    try {
      // A zone that is none is refused before anything is read or sent.
      await context.zone();
      exit = await action(context);
    } finally {
      await context.close();
    }
  };
  try {
    if (argv.length === 0) {
      const { printWrapped } = await import('./output/wrapped.ts');
      printWrapped(io, await (await import('./usage/first-steps.ts')).firstSteps(io));
      return 0;
    }
    const { name, args } = globalFlagsLast(argv);
    const program = await branch(name, args, runAction, io, version);
    program.hook('preAction', async (_program, command) => {
      if (WRITTEN.some((flag) => command.optsWithGlobals()[flag] !== undefined))
        (await import('./input/files.ts')).checkFiles(command, io);
    });
    await program.parseAsync(asCalled(program, args), { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { printError } = await import('./output/errors.ts');
    return printError(error, options, io);
  }
}

async function branch(
  given: string | undefined,
  words: readonly string[],
  runAction: Run,
  io: Streams,
  version: string,
): Promise<Command> {
  const isShort = given !== undefined && words.includes('-h');
  const program = configured(new Command('pm'), io, isShort).version(version, '--version', 'the version of pm');
  if (given === undefined) {
    const { describeAll } = await import('./commands/help.ts');
    return await describeAll(program, handwrittenCommands());
  }
  const name = given.toLowerCase();
  const handmade = Object.hasOwn(HANDWRITTEN, name) ? HANDWRITTEN[name] : undefined;
  if (handmade) {
    const { build } = await handmade.load();
    return program.addCommand(
      configured(
        build(runAction, io, (line, streams) => runLine(line, streams, version), commandsOfProgram),
        io,
        isShort,
      ),
    );
  }
  const { resourceCommand } = await import('./resource-command.ts');
  const resource = resources.find((one) => one.command === name || one.aliases.includes(name));
  if (!resource) throw unknownCommand(words, resources, Object.keys(HANDWRITTEN));
  return program.addCommand(configured(await resourceCommand(resource, name, runAction, verbIn(words)), io, isShort));
}

/** The verb behind a resource; empty where there is none. */
const verbIn = ([, first = '', second = '']: readonly string[]): string =>
  (first === 'help' ? second : first).toLowerCase();

/** Streams, colours, help and errors of a command and all below it. */
function configured(command: Command, io: Streams, isShort: boolean): Command {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : usageError(error, command);
  });
  command.helpCommand(false);
  command.configureOutput({
    writeOut: (text) => printText(io, text),
    writeErr: () => {},
    getOutHelpWidth: () => io.columns,
    getOutHasColors: () => colored(io.env.PM_COLOR, io),
  });
  command.configureHelp({ formatHelp: (one, helper) => helpPage(one, helper, isShort) });
  // Texts behind a page are not part of the short one.
  if (isShort) (command as Command & EventEmitter).removeAllListeners('afterHelp');
  for (const below of command.commands) configured(below, io, isShort);
  return command;
}
