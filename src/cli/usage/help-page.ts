// The help of a command: how it is written, its own flags, one line for those of every command, examples that run.
import type { Argument, Command, Help, Option } from 'commander';
import { isGlobalOption } from '../command.ts';
import { examplesOf } from './examples.ts';
import { ownFlags, visibleFlags } from './flags-of.ts';
import { pathOf } from './usage-error.ts';
import { PAGE_WIDTH } from './written-pages.ts';

/** The page of `--help`; with `short` that of `-h`: how it is written, its own flags, one example. */
export function helpPage(command: Command, helper: Help, short: boolean): string {
  const width = Math.min(helper.helpWidth ?? PAGE_WIDTH, PAGE_WIDTH);
  const examples = examplesOf(pathOf(command));
  const own = ownFlags(command);
  const argumentsOf = helper.visibleArguments(command);
  const below = helper.visibleCommands(command);
  const parts = [
    usageOf(command, width),
    short ? '' : filled(command.description().split(' '), width).join('\n'),
    short
      ? ''
      : table(
          'Arguments',
          argumentsOf.map((one) => [one.name(), one.description]),
          width,
        ),
    table(
      'Flags',
      own.map((option) => [flagTerm(option), flagDoc(option)]),
      width,
    ),
    table(
      'Commands',
      below.map((one) => [commandTerm(one), one.description()]),
      width,
    ),
    moreFlags(visibleFlags(command).filter(isGlobalOption), width),
    examplesIn(short ? examples.slice(-1) : examples),
    short ? `All of it: ${pathOf(command)} --help` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A longer term has a line of its own. */
const WIDEST_TERM = 30;

/** A flag stays with its value. */
const USAGE_WORDS = /[([]?--[\w-]+ (?:<[^<>]*>|\[[^\]]*\])[)\]]?|\S+/g;

function usageOf(command: Command, width: number): string {
  const written = command.usage();
  const usage = written.startsWith('[options]') ? ownUsage(command) : written;
  const words = usage.match(USAGE_WORDS) ?? [];
  return filled([`Usage: ${pathOf(command)}`, ...words], width, '  ').join('\n');
}

const ownUsage = (command: Command): string =>
  [
    ...command.registeredArguments.map(argumentTerm),
    ...command.options.filter((option) => option.mandatory).map(flagTerm),
    '[flags]',
  ].join(' ');

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const commandTerm = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ');

/** The flag with the words that it takes. */
const flagTerm = ({ flags, argChoices }: Option): string =>
  argChoices ? flags.replace(/<[^<>]*>/, `<${argChoices.join('|')}>`) : flags;

function flagDoc({ description, defaultValue }: Option): string {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return isShown ? `${description} (${defaultValue})` : description;
}

/** Those of every command that most people look for. */
const PROMINENT = '--where --sort --limit --deleted --dry-run --yes --confirm --output --fields'.split(' ');

function moreFlags(options: readonly Option[], width: number): string {
  if (options.length === 0) return '';
  const names = PROMINENT.flatMap((long) => {
    const option = options.find((one) => one.long === long);
    return option ? [option.short ?? long] : [];
  });
  return filled(`More: ${names.join(', ')} … (pm help flags)`.split(' '), width, '  ').join('\n');
}

function examplesIn(examples: readonly string[]): string {
  if (examples.length === 0) return '';
  const heading = `Example${examples.length > 1 ? 's' : ''}, with the names of pm seed --sample small:`;
  return [heading, ...examples.map(exampleText)].join('\n');
}

/** What is in quotes stays together, and a flag with its value. */
const SHELL_WORDS = /(?:--[\w-]+ (?!-))?(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** A long line is continued as shells continue it. */
const exampleText = (line: string): string =>
  filled(['  pm', ...(line.match(SHELL_WORDS)?.slice(1) ?? [])], PAGE_WIDTH - 2, '      ').join(' \\\n');

/** Terms and their meanings in two columns below a heading; empty without any. */
export function table(heading: string, rows: readonly (readonly [string, string])[], width: number): string {
  if (rows.length === 0) return '';
  const column = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length))) + 2;
  const indent = ' '.repeat(column + 2);
  const lines = rows.flatMap(([term, meaning]) => {
    const meanings = filled(meaning.split(' '), width - indent.length);
    const [first = '', ...rest] = meanings;
    const fits = term.length <= column - 2;
    const begin = fits ? [`  ${term.padEnd(column)}${first}`.trimEnd()] : [`  ${term}`, indent + first];
    return [...begin, ...rest.map((line) => indent + line)];
  });
  return [`${heading}:`, ...lines].join('\n');
}

/** Words in lines of at most `width` signs, all but the first one indented. */
function filled(words: readonly string[], width: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of words) {
    if (line === undefined) line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line ?? ''];
}
