// Law 5: each operation has its command, and the flags of a command give the input that its address expects.
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/cli/command.ts';
import { openContext } from '../../src/cli/context.ts';
import { readBody } from '../../src/cli/input/values.ts';
import { fieldFlags, kebab } from '../../src/cli/names.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { type AddressPlan, choosePlan, inputAt, plansOf } from '../../src/cli/selectors/addresses.ts';
import { settingsOf } from '../../src/cli/settings.ts';
import type { Session } from '../../src/contract/call.ts';
import { isWritable } from '../../src/contract/field.ts';
import { resources } from '../../src/contract/index.ts';
import { addressOf, type Operation } from '../../src/contract/operation.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { streams } from '../cli/output-printed.ts';
import { havePinnedHashes } from '../support/hashes.ts';
import { usingPm } from '../support/pm.ts';
import { sampleOf, typedOf } from './flag-sample.ts';

const pm = usingPm();

/** The commands of operations that the embedded engine alone has. */
const LOCAL: Readonly<Record<string, string>> = {
  'site create': 'sites create',
  'archive take': 'archives take',
  'individual setPassword': 'passwd',
  'individual grantGlobal': 'sites grant-global',
  'securityGroup members': 'security-groups members',
  'securityGroup addMember': 'security-groups add-member',
  'securityGroup deleteMember': 'security-groups delete-member',
};
/** Fields that pm fills in by itself, or takes by a way of their own. */
const NO_FLAG = ['SiteID', 'UserEmail', 'Password'];

const SITE = '0f8fad5b-0000-469f-a165-70867728950e';
const ONE = '0f8fad5b-1111-469f-a165-70867728950e';
const session = { me: { id: ONE, userName: 'admin', site: SITE } } as Session;
const operations = resources.flatMap((resource) =>
  Object.values(resource.operations).map((operation) => ({ resource, operation })),
);

/** The commands of a resource; `heard` is told the options of each that is run. */
function commandsOf(resource: Resource, heard: (options: object) => void = () => {}): Promise<Command> {
  const run: Run = async (values) => heard(values);
  return resourceCommand(resource, resource.command, run);
}

/** The values of the flags as commander reads them off these words. */
async function given(resource: Resource, words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  let options = {};
  const group = await commandsOf(resource, (heard) => (options = heard));
  await group.parseAsync([...words], { from: 'user' });
  return options;
}

/** Is it done for whoever asks, and not only named? */
const served = ({ verb }: Operation): boolean => verb !== 'local' && verb !== 'unsupported';

describe('every operation', () => {
  it('of the service has its command', async () => {
    const missing: string[] = [];
    for (const { resource, operation } of operations.filter((one) => served(one.operation))) {
      const verbs = (await commandsOf(resource)).commands.map((command) => command.name());
      if (!verbs.includes(kebab(operation.name))) missing.push(`${resource.command} ${operation.name}`);
    }
    expect(missing).toEqual([]);
  });

  it('of the embedded engine alone has its command', async () => {
    const names = operations.filter(({ operation }) => operation.verb === 'local');
    expect(names.map(({ resource, operation }) => `${resource.name} ${operation.name}`).sort()).toEqual(
      Object.keys(LOCAL).sort(),
    );
    for (const command of Object.values(LOCAL)) await pm(`${command} --help`).prints(`Usage: pm ${command}`);
  });
});

const pathOf = (plan: AddressPlan): readonly string[] =>
  plan.flags.filter((flag) => flag.place === 'path').map((flag) => flag.flag);

describe('every address', () => {
  const addresses = operations.flatMap(({ resource, operation }) => {
    const plans = plansOf(resource, operation);
    return plans.map((plan) => ({ name: `${resource.name} ${operation.name} ${plan.route}`, operation, plans, plan }));
  });

  it.each(addresses)('is filled by its flags: $name', ({ operation, plan }) => {
    const address = addressOf(operation.routes[plan.route] as 'GET /');
    // Of several flags that fill the same place one is given.
    const flags = plan.flags.filter(({ param }, at) => plan.flags.findIndex((one) => one.param === param) === at);
    const values = new Map(flags.map((flag, at) => [flag.flag, `value ${at}`]));
    const input = inputAt(plan, session, values, plan.own && ONE);
    expect(input.by).toBe(plan.route);
    expect(Object.keys(input.params ?? {}).sort()).toEqual([...new Set(address.params)].sort());
    for (const name of plan.site) expect(input.params?.[name]).toBe(SITE);
    for (const flag of flags) {
      const place = flag.place === 'path' ? input.params : input.query;
      expect(place?.[flag.param]).toBe(values.get(flag.flag));
    }
    expect(Object.keys(input.query ?? {})).toEqual(
      flags.filter((flag) => flag.place === 'query').map((flag) => flag.param),
    );
  });

  it.each(addresses.filter(({ plan }) => plan.own === undefined))(
    'is chosen by its flags: $name',
    ({ plan, plans }) => {
      const open = plans.filter((one) => one.own === undefined);
      const flags = new Set(pathOf(plan));
      if (plan.mine) flags.add('mine');
      if (/rganizations$/.test(plan.route)) flags.add('organizations');
      const chosen = choosePlan(open, flags, 'x list');
      // An address of the site and one without it are told apart by no flag: they answer the same.
      const twins = plan.site.length > 0 || chosen.site.length > 0;
      expect(twins || chosen.route === plan.route).toBe(true);
      expect({ path: pathOf(chosen), mine: chosen.mine }).toEqual({ path: pathOf(plan), mine: plan.mine });
    },
  );
});

describe('every writable field', () => {
  const writing = resources.filter(
    ({ operations: { create, update } }) => create?.verb === 'create' || (update && served(update)),
  );

  it.each(writing)('of $command has a flag', (resource) => {
    const fields = Object.entries(resource.fields).filter(([, field]) => isWritable(field));
    const flags = fieldFlags(resource).map((flag) => flag.name);
    expect(fields.map(([name]) => name).filter((name) => !flags.includes(name) && !NO_FLAG.includes(name))).toEqual([]);
  });

  it.each(writing)('of $command is set by its flag', async (resource) => {
    const verb = resource.operations.create?.verb === 'create' ? 'create' : 'update';
    const flags = fieldFlags(resource).filter((flag, at, all) => all.findIndex((one) => one.name === flag.name) === at);
    const words = flags.flatMap((flag) => [`--${flag.flag}`, sampleOf(flag.field, flag.targets)]);
    const io = streams();
    const context = { ...openContext(settingsOf({}, io), io), session: async () => session };
    const body = await readBody(context, resource, await given(resource, [verb, ...words]));
    expect(body).toEqual(Object.fromEntries(flags.map((flag) => [flag.name, typedOf(flag.field, flag.targets)])));
  });
});

/** Ten that differ most: of pm, a resource, lists, changes, files, jobs, rights, and the flags of every command. */
const WHOLE = ['', 'individuals', 'individuals list', 'departments create', 'departments delete'].concat(
  ...['import', 'undo', 'jobs show', 'can', 'flags'],
);

describe('the help', () => {
  it('of every command has the pinned hash', () =>
    havePinnedHashes('help-hashes.txt', async (src) => {
      const { makePages }: typeof import('../../src/cli/usage/make-pages.ts') = await import(
        /* @vite-ignore */ `${src}/cli/usage/make-pages.ts`
      );
      return makePages();
    }));

  it('of ten commands is the pinned one', async () => {
    const pages = await Promise.all(WHOLE.map((line) => pm(`help ${line}`).prints()));
    const texts = pages.map((page, at) => `$ ${`pm help ${WHOLE[at]}`.trim()}\n${page}`);
    await expect(texts.join('\n')).toMatchFileSnapshot('../snapshots/help.txt');
  });

  it('is short with -h: how it is written, its flags, one example', async () => {
    const short = await pm('individuals create -h').prints('Usage: pm individuals create', '--user-name', 'Example,');
    const long = await pm('individuals create --help').prints();
    expect(short).not.toContain('Make a new individual.');
    expect(short).toContain('All of it: pm individuals create --help');
    expect((await pm('import -h').prints()).length).toBeLessThan((await pm('import --help').prints()).length);
    expect(long).toContain('Make a new individual.');
    expect(await pm('-h').prints()).toBe(await pm('--help').prints());
  });
});
