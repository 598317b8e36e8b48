// Each route of the contract is sent by some command line: a service records the requests of all commands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { kebab, ownerFlags } from '../../src/cli/names.ts';
import { plansOf } from '../../src/cli/selectors/addresses.ts';
import { everyResource } from '../../src/contract/index.ts';
import { isGuid } from '../../src/contract/kinds.ts';
import { type Operation, sourceOf } from '../../src/contract/operation.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { matchRoute } from '../../src/wire/route.ts';
import { type FakeServer, fakeServer, json, ME, says } from '../support/fake-server.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { casesOf, filesFor, needed } from './flag-cases.ts';
import { NAMED, typedOf } from './flag-sample.ts';

const pm = usingPm();
const OTHER_SITE = '0f8fad5b-3333-469f-a165-70867728950e';
const NO_ROUTE = says(404, '{"Message":"No HTTP resource was found that matches the request URI."}');

interface SentRoute {
  readonly name: string;
  readonly isOfDocument: boolean;
}

const nameOf = ({ resource, name }: Operation, by = ''): string => `${resource}.${name}.${by}`;

const routesOf = (operation: Operation): readonly SentRoute[] =>
  Object.keys(operation.verb === 'unsupported' ? {} : operation.routes).map((by) => ({
    name: nameOf(operation, by),
    isOfDocument: sourceOf(operation, by) === 'document',
  }));

const operations = everyResource.flatMap((resource) =>
  Object.values(resource.operations).map((operation) => ({ resource, operation })),
);
const routes = operations.flatMap(({ operation }) => routesOf(operation));

let server: FakeServer;
let sent: Set<string>;
let lacking: (route: string) => boolean;
/** Since NOW. */
let minutes = 0;

/** A service whose records have all members; of a route that it lacks it says so. */
beforeEach(async () => {
  server = await fakeServer();
  onTestFinished(() => server.close());
  [sent, lacking] = [new Set(), () => false];
  server.does((request, response) => {
    const target = request.url.replace(/^\/v4/, '');
    const match = matchRoute(request.method, target);
    // pm serve has those of a login by itself.
    const ofLogin = operations.find(
      ({ operation }) => operation.routes.plain === `${request.method} ${target}`,
    )?.operation;
    const operation = match.kind === 'found' ? match.operation : ofLogin;
    if (!operation) return NO_ROUTE(request, response);
    const name = nameOf(operation, match.kind === 'found' ? match.input.by : 'plain');
    sent.add(name);
    if (name === 'individual.get.mine') return json(ME)(request, response);
    if (lacking(name)) return NO_ROUTE(request, response);
    const { fields = {} } = everyResource.find((one) => one.name === operation.resource) ?? {};
    const record = Object.fromEntries(
      Object.entries(operation.answers ?? fields).map(([member, field]) => [member, typedOf(field, field.to ?? [])]),
    );
    const isDeleted = request.method === 'DELETE';
    const whole = { ...record, ...('Deleted' in fields ? { Deleted: isDeleted, DeletedByRef: false } : {}) };
    const body = request.body === '' ? {} : (JSON.parse(request.body) as object);
    const one = { ...whole, ID: fields.ID?.kind === 'integer' ? 7 : NAMED };
    return json(operation.many ? [one] : { ...one, ...body })(request, response);
  });
  await pm(`profiles add s --url ${server.url} --user ann`).says();
});

/** A command line for each way to mean an address, at another site, too; `isWanted` chooses the routes of reads. */
function linesOf(
  resource: Resource,
  operation: Operation,
  isWanted: (by: string) => boolean,
): readonly (readonly string[])[] {
  // They take a secret from stdin, and what they have kept.
  if (resource.hidden) return [[operation.name, ...(operation.name === 'login' ? ['--password-stdin'] : [])]];
  const words = [resource.command, kebab(operation.name)];
  const id = resource.id === 'integer' ? '7' : NAMED;
  if (!operation.writes)
    return plansOf(resource, operation)
      .filter(({ route }) => isWanted(route))
      .flatMap((plan) => {
        const rest = needed(resource, plan)
          .slice(plan.own === undefined ? 0 : 1)
          .map((word) => (isGuid(word) ? NAMED : word));
        const line = [...words, ...(plan.own === undefined ? [] : [id]), ...rest];
        return [line, [...line, '--site', OTHER_SITE]];
      });
  const made = casesOf(resource).find(({ verb, flag }) => verb === words[1] && flag === '--set')?.line ?? [];
  const isNew = operation.verb === 'create' || operation.many;
  const [owner] = ownerFlags(resource).keys();
  const of = owner === undefined ? [] : [`--${owner}`, NAMED];
  const which = resource.fields.ID ? [id, ...of] : [];
  const line =
    isNew || which.length === 0 ? made.map((word) => (isGuid(word) ? NAMED : word)) : [...which, ...made.slice(1)];
  return [[...words, ...line, '--yes', '--confirm', 's:1']];
}

/** Runs the command lines of an operation; answers what was said to those that failed. */
async function run(
  resource: Resource,
  operation: Operation,
  isWanted: (by: string) => boolean = () => true,
): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(filesFor(resource))) writeFileSync(join(pm.home, name), content);
  const faults: string[] = [];
  for (const line of linesOf(resource, operation, isWanted)) {
    const env = { PM_PROFILE: 's', ...(resource.hidden ? {} : { PM_PASSWORD: 'secret' }) };
    // What was changed a moment ago is looked at again until it is shown: the records of this service stay as they are.
    const now = new Date(NOW.getTime() + ++minutes * 60_000);
    const { exit, err } = await pm(line, { env, stdin: 'secret', now: () => now });
    if (exit !== 0) faults.push(`${line.join(' ')}: ${exit} ${err}`);
  }
  return faults;
}

const missing = (wanted: readonly SentRoute[]): readonly string[] =>
  wanted.map(({ name }) => name).filter((name) => !sent.has(name));

it('each route is sent, second spellings where the service lacks those before them', async () => {
  for (const { resource, operation } of operations) {
    for (let before = -1; sent.size > before && missing(routesOf(operation)).length > 0; ) {
      before = sent.size;
      const there = new Set(sent);
      lacking = (route) => there.has(route) && routesOf(operation).some(({ name }) => name === route);
      await run(resource, operation);
    }
  }
  expect(missing(routes)).toEqual([]);
});

it('a service that has those of the document alone, and shows who calls, is served by all of their commands', async () => {
  const ofDocument = routes.filter(({ isOfDocument }) => isOfDocument);
  lacking = (route) => !ofDocument.some(({ name }) => name === route);
  const faults: string[] = [];
  for (const { resource, operation } of operations) {
    const isWanted = (by: string): boolean => sourceOf(operation, by) === 'document';
    if (routesOf(operation).some((route) => route.isOfDocument))
      faults.push(...(await run(resource, operation, isWanted)));
  }
  expect(faults.filter((fault) => !/names a site/.test(fault))).toEqual([]);
  expect(missing(ofDocument)).toEqual([]);
});

it('a new individual is sent with ParentID null, which the document requires', async () => {
  const create = operations.find(({ operation }) => nameOf(operation, 'plain') === 'individual.create.plain');
  await run(create?.resource as Resource, create?.operation as Operation);
  const { body = '' } = server.requests.find(({ method }) => method === 'POST') ?? {};
  expect(JSON.parse(body)).toMatchObject({ ParentID: null });
});
