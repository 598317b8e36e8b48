// Help: of every command, and the topics that are shipped with the program.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import { resources } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const SOURCES = new URL('../../src/cli/', import.meta.url);
const TOPICS = readdirSync(new URL('../../src/cli/help', import.meta.url)).map((file) => file.replace('.md', ''));

/** Their tables are wider. */
const WIDE = ['benchmarks', 'coverage'];

describe('pm', () => {
  it('--help shows everything in less than 50 lines, as help does', async () => {
    const all = await pm('--help').prints('Commands:', 'By name:', 'Topics (pm help <topic>):', '  demo ');
    expect(all.split('\n').length).toBeLessThanOrEqual(50);
    expect(await pm('help').prints()).toBe(all);
  });

  it('has every command and resource', async () => {
    const all = await pm('--help').prints();
    const names = [...handwrittenCommands().map(([name]) => name), ...resources.map(({ command }) => command)];
    expect(names.filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(all))).toEqual([]);
  });

  it('has a sentence for every topic, those of developers in a topic of their own', async () => {
    const names = (text: string) =>
      text.match(/^ {2}(?:pm help )?[a-z-]+(?= {2,}\S)/gm)?.map((one) => one.trim()) ?? [];
    const [, listed = ''] = (await pm('--help').prints()).split('Topics (pm help <topic>):\n');
    const ofUsers = names(listed);
    const ofDevelopers = names(await pm('help developers').prints()).map((one) => one.replace('pm help ', ''));
    expect(ofUsers).toContain('developers');
    expect([...ofUsers, ...ofDevelopers].sort()).toEqual([...TOPICS].sort());
  });

  it('--version prints a version', () => pm('--version').prints(/^\d+\.\d+\.\d+\n$/));
});

describe('pm help', () => {
  it.each(TOPICS)('shows the topic %s', async (topic) => {
    await pm(`help ${topic}`).prints(/^[A-Z]+/);
  });

  it.each(TOPICS.filter((topic) => !WIDE.includes(topic)))('fits 80 columns in the topic %s', async (topic) => {
    const lines = (await pm(`help ${topic}`).prints()).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
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
  it('shows the same under every name of the resource', async () => {
    await pm('organization get --help').prints(
      'Usage: pm organization get',
      'pm departments get "Hull Design" -o yaml',
    );
  });

  it('shows what values a flag takes', async () => {
    await pm('permissions create --help').prints('--read-state <not-set|allow|deny>');
    await pm('individuals create --help').prints(/--hire-date <yyyy-mm-dd> +The day of joining\./);
    await pm('import --help').prints('--blank <leave|clear> ');
  });

  it('shows which of several flags is needed', async () => {
    await pm('accountabilities list --help').prints(
      'Usage: pm accountabilities list (--individual <ref> | --mine) [flags]\n',
    );
    await pm('individuals list --help').prints(
      'Usage: pm individuals list [--department <ref> | --organization <ref> |\n  --project <ref>] [flags]\n',
    );
    await pm('comments create --help').prints(/--task <ref> +What it is a remark on\. \(one of these is\s+required\)/);
  });

  it('shows -n, -y and --confirm where something is changed, and nowhere else', async () => {
    await pm('individuals delete --help').prints('More: --where, --sort, --limit, -n, -y, --confirm, -o');
    expect(await pm('individuals list --help').prints()).not.toContain('-n, ');
  });

  it('fits the terminal', async () => {
    const page = (await pm('individuals create --help', { columns: 50 }).prints()).split('\nExample')[0] ?? '';
    expect(page.split('\n').filter((line) => line.length > 50)).toEqual([]);
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
