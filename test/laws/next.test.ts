// Law: what errors say to do next is data; its command is one that the program understands, and its link one that the endpoint has.
import { describe, expect, it } from 'vitest';
import { argvOf } from '../../src/cli/output/next.ts';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { EXIT, ServiceError } from '../../src/contract/errors.ts';
import { resources } from '../../src/contract/index.ts';
import type { Next } from '../../src/contract/next.ts';
import { linkOf } from '../../src/server/problem-answer.ts';
import { matchRoute } from '../../src/wire/route.ts';
import { usingPm } from '../support/pm.ts';
import { filesUnder, textOf } from './imports.ts';

const id = '0f8fad5b-1111-469f-a165-70867728950e';
const metric = { resource: 'metric', id };
/** The resources whose operation of this name has an address of its own. */
const having = (name: 'get' | 'undelete' | 'list'): readonly string[] =>
  resources.filter(({ operations }) => operations[name]?.routes.plain).map((one) => one.name);

/** Of each way at least one. */
const SAMPLES: Readonly<Record<Next['do'], readonly Next[]>> = {
  undelete: having('undelete').map((resource): Next => ({ do: 'undelete', resource, id: idOf(resource) })),
  get: having('get').map((resource): Next => ({ do: 'get', resource, id: idOf(resource) })),
  'get-deleted': having('get').map((resource): Next => ({ do: 'get-deleted', resource, id: idOf(resource) })),
  list: [
    ...having('list').map((resource): Next => ({ do: 'list', resource })),
    { do: 'list', resource: 'token' },
    { do: 'list', resource: 'metricValue', within: metric },
    { do: 'list', resource: 'metricValue' },
    { do: 'list', resource: 'dashboard' },
  ],
  move: [{ do: 'move', resource: 'organization', id, below: id }],
  'name-owner': [
    { do: 'name-owner', owners: ['organization'] },
    { do: 'name-owner', owners: ['project', 'organization'], orID: true },
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
  'look-back': [{ do: 'look-back', at: '2026-03-01T09:00:00.000Z' }],
  'take-archive': [{ do: 'take-archive' }],
  'list-jobs': [{ do: 'list-jobs' }],
  'undo-job': [{ do: 'undo-job', job: id }],
  'settle-row': [
    { do: 'settle-row', job: id, row: 2 },
    { do: 'settle-row', job: id, row: 2, id },
  ],
  'check-address': [{ do: 'check-address', name: 'far' }],
  'set-address': [{ do: 'set-address', name: 'far' }],
  'set-route': [{ do: 'set-route', name: 'far', route: 'individual.get.plain', is: 'GET /individuals/{id}' }],
  'allow-http': [{ do: 'allow-http' }, { do: 'allow-http', name: 'far' }],
  'trust-authority': [{ do: 'trust-authority', name: 'far' }],
  'drop-unknown': [{ do: 'drop-unknown', name: 'far' }],
  'find-trouble': [{ do: 'find-trouble', profile: 'far' }],
  'slow-down': [{ do: 'slow-down' }],
  'use-engine': [{ do: 'use-engine' }],
  'use-profile': [{ do: 'use-profile', name: 'local' }],
  'use-database': [{ do: 'use-database', address: 'postgres://ann@127.0.0.1:5432/pm' }],
  request: [{ do: 'request', profile: 'far' }],
  'switch-wire': [{ do: 'switch-wire', wire: 'xml' }],
  backup: [{ do: 'backup', from: '/data/local.db', to: '/data/monday.db', anew: true }],
  restore: [
    { do: 'restore', from: '/data/local.db', to: 'postgres://pm@127.0.0.1:9/pm' },
    { do: 'restore', from: undefined, to: undefined, anew: true },
  ],
  'show-job': [{ do: 'show-job', job: id }],
  'retry-job': [{ do: 'retry-job', job: id }],
  'take-over-job': [{ do: 'take-over-job', job: id }],
  'resume-job': [{ do: 'resume-job', job: id }],
  'agree-to-job': [{ do: 'agree-to-job', job: id }],
  'settle-job': [{ do: 'settle-job', job: id }],
  'take-back-job': [{ do: 'take-back-job', job: id }],
  'redo-job': [{ do: 'redo-job', job: id }],
  'prune-job': [{ do: 'prune-job', job: id }],
  'make-plan': [{ do: 'make-plan' }],
  'overwrite-drift': [{ do: 'overwrite-drift' }],
};
const samples: Next[] = [];
for (const some of Object.values(SAMPLES)) samples.push(...some);

function idOf(name: string): string {
  return resources.find((one) => one.name === name)?.id === 'integer' ? '7' : id;
}

/** What people might write; somebody who is not there elsewhere. */
const BLANKS: Readonly<Record<string, string>> = {
  from: 'local',
  to: './copy.db',
  url: 'https://pm.example.org',
  n: '2',
};

/** The command that a flag belongs to, where not every command that reads has it. */
const GIVEN: { readonly [D in Next['do']]?: readonly string[] } = { 'overwrite-drift': ['undo'] };

describe('what to do next', () => {
  const env = { PM_RETRIES: '0', PM_PASSWORD: 'secret' };
  const pm = usingPm(async (filling) => {
    await filling('profiles add far --url http://127.0.0.1:9 --user admin').prints();
  });

  it.each(samples)('is a command that is understood: %j', async (next) => {
    const argv = (argvOf(next) ?? []).map((word) =>
      typeof word === 'string' ? word : (BLANKS[word.blank] ?? 'nobody'),
    );
    const whole = argv[0]?.startsWith('-') ? [...(GIVEN[next.do] ?? ['individuals', 'list']), ...argv] : argv;
    const { exit, err } = await pm(whole, { env });
    expect(err).not.toContain('hint: Did you mean');
    expect(exit, err).not.toBe(EXIT.usage);
  });

  it.each(samples)('is an address that the endpoint has, or none: %j', (next) => {
    const link = linkOf(new ServiceError('conflict', 'x', { next }));
    // The login is no operation of a session, and has its own place.
    if (link === undefined || link.href === '/v4/login') return;
    expect(matchRoute(link.method, link.href.slice('/v4'.length))).toMatchObject({ kind: 'found' });
  });
});

describe('the places below the command line', () => {
  const PLACES = ['engine', 'contract', 'client', 'changes'];
  const commands = [...resources.flatMap(({ command, aliases }) => [command, ...aliases])].concat(
    handwrittenCommands().map(([name]) => name),
  );
  const COMMAND = new RegExp(`\\bpm (${commands.join('|')})\\b`);
  const FLAG = /(^|[\s'"`(])--[a-z]/;
  /**
   * A file that cannot be taken as it is can be mended, or be read otherwise: one sentence says both, and the flags that
   * say how a file is read are all that is named there. As data each would be the flag under another name.
   */
  const OF_FILES =
    /--(?:form|encoding|header-row|key|mode|map|ref|make|below|ignore-unknown|on-deleted|date-format|null|top|set|short-rows|last-row|sheet|tz)\b/g;
  const READS_FILES = /^src\/changes\/(?:files|rows)\//;

  /** The code without its comments. */
  const spoken = (file: string): readonly string[] =>
    textOf(file)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .map((line) => line.replace(/(^|\s)\/\/ .*$/, ''))
      // The flags of npm are no flags of ours.
      .filter((line) => !line.includes('npm '))
      .map((line) => (READS_FILES.test(file) ? line.replace(OF_FILES, '') : line));

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
