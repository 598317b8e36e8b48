// A command that changes something takes no flag that would choose only what it prints: every command is asked.
import { beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS, longName } from '../../src/cli/globals.ts';
import { kebab } from '../../src/cli/names.ts';
import { resources } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';
import { BARE, everyCommand, READING, reads } from './every-command.ts';

const pm = usingPm();

const FLAGS = ['--where', '--sort', '--limit', '--group-by'];

let every: readonly string[] = [];
beforeAll(async () => {
  every = await everyCommand();
});

/** They change the records that a filter chooses, where a list shows them. */
const changingRecords = resources.flatMap(({ command, fields, operations }) =>
  fields.ID && operations.list
    ? Object.values(operations).flatMap(({ name, verb }) =>
        ['update', 'delete', 'undelete'].includes(verb) || name === 'toggleCompleted'
          ? [`${command} ${kebab(name)}`]
          : [],
      )
    : [],
);

/** It takes back the rows of a job that --where chooses. */
const UNDOING = ['undo'];

describe('a flag that chooses among records', () => {
  it('is one of those that are asked about here, or chooses deleted ones', () => {
    expect(GLOBAL_FLAGS.filter(({ group }) => group === 'choosing').map(longName)).toEqual([...FLAGS, '--deleted']);
  });

  it.each(FLAGS)('%s is refused by every command that changes something', async (flag) => {
    const taking = flag === '--group-by' ? [] : [...changingRecords, ...(flag === '--where' ? UNDOING : [])];
    const changing = every.filter((line) => ![...READING, ...BARE, ...reads, ...taking].includes(line));
    const taken: string[] = [];
    for (const line of changing) {
      const { exit, err } = await pm(`${line} ${flag} 1`);
      if (exit !== 2 || !err.includes(`takes no ${flag}`)) taken.push(`${line}: ${exit} ${err}`);
    }
    expect(changing.length).toBeGreaterThan(50);
    expect(taken).toEqual([]);
  });

  it('is refused in front of the command too, and with a dry run', async () => {
    await pm.refuses('--limit 1 departments create --name X -n', 2, 'pm departments create takes no --limit');
    await pm.refuses('departments create --name X --limit=1 -n', 2, 'takes no --limit');
  });

  it('is taken by all others', async () => {
    expect(READING.filter((line) => !every.includes(line))).toEqual([]);
    const refusing: string[] = [];
    for (const line of [...READING, ...reads]) {
      const help = await pm(`${line} --help`).prints();
      if (!FLAGS.every((flag) => help.includes(flag))) refusing.push(line);
    }
    expect(refusing).toEqual([]);
  });
});
