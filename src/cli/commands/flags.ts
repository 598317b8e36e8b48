// The topic flags: the flags of every command, by what they are about.
import { type FlagGroup, GLOBAL_FLAGS } from '../globals.ts';
import { table } from '../usage/help-page.ts';

const HEADINGS: Readonly<Record<FlagGroup, string>> = {
  choosing: 'Which records are listed, or changed',
  output: 'What is printed, and how',
  changing: 'Before something is changed',
  place: 'Where, and as whom',
  service: 'How a remote service is asked',
};

/** The text of the topic, for a terminal of 80 columns. */
export function flagsTopic(): string {
  const parts = Object.entries(HEADINGS).map(([group, heading]) => {
    const flags = GLOBAL_FLAGS.filter((flag) => flag.group === group);
    return table(
      heading,
      flags.map(({ flags, doc, variable }) => [flags, variable ? `${doc} [${variable}]` : doc]),
      80,
    );
  });
  return [HEAD, ...parts, TAIL].join('\n\n');
}

const HEAD = `FLAGS OF EVERY COMMAND

They stand in front of the command or behind it. What a command has besides is
in its own help: pm <command> -h is short, pm <command> --help is all of it.`;

const TAIL = `What stands in brackets is the environment variable with the same effect:
pm help environment. A command that changes something takes of the first ones
only those by which it chooses what it changes. A value that begins with - is
written behind =, as in --sort=-Name.
`;
