// What a searchable list offers for a reference: by a piece of a name, or by any selector.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { candidatesFor } from '../../src/cli/input/dialog.ts';
import { fieldFlags } from '../../src/cli/names.ts';
import { type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { siteOn, type TestSite, TODAY } from '../support/site.ts';

let engine: TestEngine;
let site: TestSite;
let [jorg, sales, paint]: Row[] = [];
beforeAll(async () => {
  engine = await newEngine(new Date(TODAY));
  site = await siteOn(engine);
  sales = await site.ada.make('organization', { Name: 'Sales' });
  paint = await site.ada.make('organization', { Name: 'Paint', ParentID: sales.ID ?? null });
  const name = { FirstName: 'Jörg', LastName: 'Strauß', UserName: 'jorg.s', Email: 'js@example.org' };
  jorg = await site.ada.make('individual', name);
});
afterAll(() => engine.end());

const search = (resource: ResourceName, member: string) =>
  candidatesFor(
    site.ada.session,
    fieldFlags(resourceNamed(resource)).filter(({ name }) => name === member),
  );
const values = async (resource: ResourceName, member: string, text: string): Promise<readonly unknown[]> =>
  (await search(resource, member)(text)).map(({ value }) => value);

it.each(['strauss', 'JÖRG', 'js@', 'jorg.s', 'email:js@example.org', 'name:Jörg Strauß'])(
  'finds a person by a piece of a name without case and accents, or by a selector: %s',
  async (text) => {
    expect(await values('individual', 'PrimaryReportsTo', text)).toEqual([jorg?.ID]);
    expect(await values('individual', 'PrimaryReportsTo', String(jorg?.ID))).toEqual([jorg?.ID]);
  },
);

it('finds who asks, and departments by their path, and says whose each one is', async () => {
  expect(await values('individual', 'PrimaryReportsTo', 'me')).toEqual([site.ada.id]);
  expect(await values('organization', 'ParentID', 'Sales/Paint')).toEqual([paint?.ID]);
  const labels = (await search('organization', 'ParentID')('')).map(({ label }) => label);
  expect(labels).toEqual(['Paint – Sales', 'Sales – Test', 'Test – Test']);
});

it('finds what an owner can be among all its kinds, with the flag of that kind', async () => {
  const [found, ...more] = await search('task', 'AncestorID')('strauss');
  expect({ flag: found?.flag.flag, value: found?.value, more }).toEqual({
    flag: 'individual',
    value: jorg?.ID,
    more: [],
  });
});

it('names what is like a name that nobody has', async () => {
  await expect(search('organization', 'ParentID')('Salez')).rejects.toMatchObject({
    message: 'there is no department "Salez"',
    hint: 'Did you mean Sales?',
  });
});
