// Help: of every command, and the topics that are shipped with the program.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const SOURCES = new URL('../../src/cli/', import.meta.url);
const TOPICS = readdirSync(new URL('../../src/cli/help', import.meta.url)).map((file) => file.replace('.md', ''));

describe('pm', () => {
  it('alone shows the list of commands', async () => {
    const all = await pm([]).prints('Resources:', 'Other commands:', 'pm demo');
    expect(await pm('--help').prints()).toBe(all);
    expect(await pm('help').prints()).toBe(all);
  });

  it('names every topic', async () => {
    const [, topics = ''] = /Topics: pm help ([^.]+)\./.exec(await pm('--help').prints()) ?? [];
    expect(topics.split(/,\s+/)).toEqual(expect.arrayContaining(TOPICS));
  });

  it('--version prints a version', () => pm('--version').prints(/^\d+\.\d+\.\d+\n$/));
});

describe('pm help', () => {
  it.each(TOPICS)('shows the topic %s', async (topic) => {
    await pm(`help ${topic}`).prints(/^[A-Z]+/);
  });

  it('shows the help of a command', async () => {
    expect(await pm('help individuals list').prints()).toBe(await pm('individuals list --help').prints());
  });

  it('refuses what it does not know, with the nearest topic', async () => {
    await pm.refuses('help exit-code', 2, 'no help on "exit-code"', 'pm help exit-codes?');
    await pm.refuses('help nonsense', 2, 'no help on "nonsense"', 'exit-codes');
  });

  it('names every error code with its exit code', async () => {
    const text = await pm('help exit-codes').prints();
    for (const [code, { exit }] of Object.entries(ERRORS))
      expect(text).toMatch(new RegExp(`^ +${code} +${exit} `, 'm'));
  });
});

describe('the help of a resource', () => {
  it('shows examples with this resource', async () => {
    await pm('accountabilities --help').prints(
      'pm accountabilities list --individual <ref>',
      'pm accountabilities create --individual <ref> --rank <value> --name <value> --description <value>',
      'pm accountabilities delete <id or name>',
      'pm explain accountabilities',
    );
    await pm('colors --help').prints('pm colors delete <id or name> --confirm local:1');
  });
});

describe('pm help environment', () => {
  it('names every variable that is read, and no other', async () => {
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const read = sources.flatMap((file) => readFileSync(new URL(file, SOURCES), 'utf8').match(/\bPM_[A-Z_]+/g) ?? []);
    const told = (await pm('help environment').prints()).match(/\bPM_[A-Z_]+/g) ?? [];
    const BUILT_IN = 'PM_VERSION';
    expect([...new Set(told)].sort()).toEqual([...new Set(read)].filter((name) => name !== BUILT_IN).sort());
  });
});
