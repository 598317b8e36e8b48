// What the labels Admin, GA and PM of an operation demand of the caller and the site (D3).
import { describe, expect, it } from 'vitest';
import { type ResourceName, resources } from '../../src/contract/index.ts';
import { addressOf, type Label, type Operation } from '../../src/contract/operation.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, newSite } from '../support/site.ts';

const NOWHERE = '0f8fad5b-d9cb-469f-a165-70867728950e';

const labelled = (label: Label): readonly { what: string; operation: Operation }[] =>
  resources
    .flatMap((resource) => Object.values<Operation>(resource.operations))
    .filter(({ labels }) => labels.includes(label))
    .map((operation) => ({ what: `${operation.resource} ${operation.name}`, operation }));

/** Parameters that are words. */
const WORDS: Readonly<Record<string, string>> = { type: 'individual', metricType: 'below' };

/** Calls an operation on records that are not there: the label is asked first. */
async function attempt(asker: Asker, operation: Operation, site: string): Promise<unknown> {
  const [by = '', route] = Object.entries(operation.routes)[0] ?? [];
  const { params = [], segments = [] } = route ? addressOf(route) : {};
  const value = (name: string) =>
    segments[0] === 'sites' ? site : (WORDS[name] ?? (isInteger(operation) ? '999' : NOWHERE));
  const input = { by, params: Object.fromEntries(params.map((name) => [name, value(name)])) };
  if (operation.writes) return asker.session.call(operation, { ...input, body: {} });
  for await (const row of asker.session.list(operation, input)) return row;
  return 'an empty list';
}

const isInteger = ({ resource, many }: Operation): boolean =>
  !many && resources.find(({ name }) => name === resource)?.id === 'integer';

describe.each(labelled('Admin'))('$what', ({ what, operation }) => {
  it('is for administrators of the site', async () => {
    const { ada, as, id } = await newSite();
    const ines = await as((await ada.make('individual')).UserName);
    await refuses(attempt(ines, operation, id)).with('admin_only', `${what} is for administrators`, /--as/);
  });
});

describe.each(labelled('GA'))('$what', ({ what, operation }) => {
  it('is for global administrators', async () => {
    const { ada, as, id } = await newSite();
    const ines = await as((await ada.make('individual', { IsAdmin: true })).UserName);
    await refuses(attempt(ines, operation, id)).with('global_admin_only', `${what} is for global administrators`);
    expect(await attempt(ada, operation, id)).toBeDefined();
  });
});

describe.each(labelled('PM'))('$what', ({ what, operation }) => {
  it('needs performance management', async () => {
    const { ada, id } = await newSite();
    await ada.change('site', id, { FeaturePerformance: false });
    await refuses(attempt(ada, operation, id)).with(
      'feature_off',
      `${what} needs performance management`,
      /switches it on/,
    );
  });
});

it('asks nothing of operations without a label', async () => {
  const { ada, as, id } = await newSite();
  await ada.change('site', id, { FeaturePerformance: false });
  const ines = await as((await ada.make('individual')).UserName);
  expect(await ines.make('accountability')).toMatchObject({ AncestorID: ines.id });
});

it('takes a global administrator for an administrator of every site, and another one for their own only', async () => {
  const { ada, as } = await newSite();
  await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  const there = await as('ada', 'Wharf');
  const made: readonly ResourceName[] = ['color', 'securityGroup', 'coreValue'];
  for (const resource of made) expect(await there.make(resource)).toHaveProperty('ID');
});

it('switches performance management for one site alone', async () => {
  const { ada, as, id } = await newSite();
  await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  await ada.change('site', id, { FeaturePerformance: false });
  const wanda = await as('wanda');
  expect(await wanda.list('coreValue')).toEqual([]);
  await ada.change('site', id, { FeaturePerformance: true });
  expect(await ada.list('coreValue')).toEqual([]);
});
