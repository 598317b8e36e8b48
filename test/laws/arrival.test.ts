// Law 5, its other half: what a flag is given arrives in a call. Every flag of every operation's command is tried.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WRITTEN } from '../../src/cli/command.ts';
import { GLOBAL_FLAGS, longName } from '../../src/cli/globals.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { resources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { answersFor, casesOf, type FlagCase, filesFor, SECRET } from './flag-cases.ts';
import { recorder } from './recording.ts';

let home = '';
let pm: Awaited<ReturnType<typeof recorder>>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pm-arrival-'));
  pm = await recorder(home);
});
afterAll(async () => {
  await pm.close();
  rmSync(home, { recursive: true, force: true });
});

/** What went wrong with the flag; undefined where its value arrived. */
async function lost(resource: Resource, one: FlagCase): Promise<string | undefined> {
  const line = [one.verb, ...one.line, '--confirm', 'local:1', '--yes', '-q'];
  const said = `${resource.command} ${[one.verb, ...one.line].join(' ')}`;
  try {
    const heard = await pm.run(resource, line, answersFor(resource, one), SECRET);
    if (one.arrives === 'refused') return `${said}: ${one.flag} is passed over`;
    return heard.some(one.arrives) ? undefined : `${said}: ${one.flag} is lost`;
  } catch (error) {
    if (one.arrives === 'refused' && error instanceof ServiceError && error.code === 'usage') return undefined;
    return `${said}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Flags that are no part of one call, and the tests that try them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '--at': 'test/cli/at.test.ts',
  '--out': 'test/cli/plan-out.test.ts',
  '--edit': 'test/cli/edit.test.ts',
  '--on-site': 'test/cli/permission-object.test.ts',
  '--below': 'test/cli/departments-below.test.ts',
  '--reassign-to': 'test/cli/reassign.test.ts',
};

/** The flags that name a file to be written are tried by the law of output files. */
const isOfCall = (option: Option): boolean =>
  !WRITTEN.includes(option.attributeName()) && ELSEWHERE[option.long ?? ''] === undefined;

describe('every flag', () => {
  it.each(resources)('of $command has its value arrive in a call', async (resource) => {
    for (const [name, content] of Object.entries(filesFor(resource))) writeFileSync(join(home, name), content);
    const faults: string[] = [];
    for (const one of casesOf(resource)) {
      const fault = await lost(resource, one);
      if (fault !== undefined) faults.push(fault);
    }
    expect(faults).toEqual([]);
  });

  it.each(resources)('of $command is tried here', async (resource) => {
    const cases = casesOf(resource);
    const verbs = new Set(cases.map(({ verb }) => verb));
    const group = await resourceCommand(resource, resource.command, async () => {});
    const untried = group.commands
      .filter((command) => verbs.has(command.name()))
      .flatMap((command) => command.options.filter(isOfCall).map(({ long }) => [command.name(), long ?? '']))
      .filter(([, long]) => !GLOBAL_FLAGS.some((flag) => longName(flag) === long))
      .filter(([verb, long]) => !cases.some((one) => one.verb === verb && one.flag === long));
    expect(untried).toEqual([]);
  });
});
