// Law: what errors say to do next is data; its command is one that the program understands, and its link one that the endpoint has.
import { describe, expect, it } from 'vitest';
import { argvOf } from '../../src/cli/output/next.ts';
import { handmadeCommands } from '../../src/cli/program.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { EXIT } from '../../src/contract/exit.ts';
import { resources } from '../../src/contract/index.ts';
import type { Next } from '../../src/contract/next.ts';
import { linkOf } from '../../src/server/next.ts';
import { matchRoute } from '../../src/wire/route.ts';
import { usingPm } from '../support/pm.ts';
import { filesUnder, textOf } from './imports.ts';

const id = '0f8fad5b-1111-469f-a165-70867728950e';
const metric = { resource: 'metric', id };
const records = resources.filter(({ operations }) => operations.get?.routes.plain);
const listed = resources.filter(({ operations }) => operations.list?.routes.plain);

/** Of each way at least one. */
const SAMPLES: Readonly<Record<Next['do'], readonly Next[]>> = {
  undelete: records
    .filter(({ operations }) => operations.undelete)
    .map(({ name }) => ({ do: 'undelete', resource: name, id: idOf(name) })),
  get: records.map(({ name }) => ({ do: 'get', resource: name, id: idOf(name) })),
  list: [
    ...listed.map(({ name }) => ({ do: 'list' as const, resource: name })),
    { do: 'list', resource: 'token' },
    { do: 'list', resource: 'metricValue', within: metric },
  ],
  'list-users': [{ do: 'list-users' }],
  'grant-global': [{ do: 'grant-global' }],
  'name-administrator': [{ do: 'name-administrator' }],
  'make-primary': [{ do: 'make-primary' }],
  'log-in': [{ do: 'log-in', profile: 'far' }],
  'explain-rights': [
    { do: 'explain-rights', who: "o'neil x", action: 'update', resource: 'project', id },
    { do: 'explain-rights', who: 'admin', action: 'create', resource: 'metricValue', within: metric },
  ],
  'act-as': [
    { do: 'act-as', role: 'user' },
    { do: 'act-as', role: 'administrator' },
    { do: 'act-as', role: 'global administrator' },
  ],
  'switch-on': [
    { do: 'switch-on', feature: 'FeatureApi' },
    { do: 'switch-on', feature: 'FeaturePerformance' },
  ],
  'take-archive': [{ do: 'take-archive' }],
  'list-jobs': [{ do: 'list-jobs' }],
  'show-job': [{ do: 'show-job', job: id }],
  'take-over-job': [{ do: 'take-over-job', job: id }],
  'prune-job': [{ do: 'prune-job', job: id }],
};
const samples = Object.values(SAMPLES).flat();

function idOf(name: string): string {
  return resources.find((one) => one.name === name)?.id === 'integer' ? '7' : id;
}

describe('what to do next', () => {
  const env = { PM_RETRIES: '0', PM_PASSWORD: 'secret' };
  const pm = usingPm(async (filling) => {
    await filling('profiles add far --url http://127.0.0.1:9 --user admin').prints();
  });

  it.each(samples)('is a command that is understood: %j', async (next) => {
    const argv = (argvOf(next) ?? []).map((word) => (typeof word === 'string' ? word : 'nobody'));
    const whole = argv[0]?.startsWith('--') ? ['individuals', 'list', ...argv] : argv;
    const { exit, err } = await pm(whole, { env });
    expect(err).not.toContain('hint: Did you mean');
    expect(exit, err).not.toBe(EXIT.usage);
  });

  it.each(samples)('is an address that the endpoint has, or none: %j', (next) => {
    const link = linkOf(new ServiceError('conflict', 'x', { next }));
    const isThere = link === undefined || link.href === '/v4/login' || matchRoute(link.method, link.href.slice(3));
    expect(isThere).toMatchObject(isThere === true ? {} : { kind: 'found' });
  });
});

describe('the places below the command line', () => {
  const PLACES = ['engine', 'contract'];
  const commands = [...resources.flatMap(({ command, aliases }) => [command, ...aliases])].concat(
    handmadeCommands().map(([name]) => name),
  );
  const COMMAND = new RegExp(`\\bpm (${commands.join('|')})\\b`);
  const FLAG = /(^|[\s'"`(])--[a-z]/;

  /** The code without its comments. */
  const spoken = (file: string): readonly string[] =>
    textOf(file)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .map((line) => line.replace(/(^|\s)\/\/ .*$/, ''))
      // The flags of npm are no flags of ours.
      .filter((line) => !line.includes('npm '));

  it.each(PLACES)('src/%s names no command and no flag', (place) => {
    const files = filesUnder(`src/${place}`).filter((file) => file.endsWith('.ts'));
    const found = files.flatMap((file) =>
      spoken(file)
        .filter((line) => COMMAND.test(line) || FLAG.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});
