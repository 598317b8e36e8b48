// Lists in pages: the next page is read within the service, and a list that says that there is more is never taken for all of it.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { type Handler, json, says } from '../support/fake-server.ts';
import { refuses } from '../support/refuses.ts';
import { aSession, rowsOf } from './client-session.ts';

const { list } = contract.organization.operations;
const [ONE, TWO, THREE] = ['One', 'Two', 'Three'].map((Name, at) => ({ ID: `id-${at}`, Name }));
const NEXT = '/v4/departments?page=2';
const inXml = ({ ID, Name } = { ID: '', Name: '' }): string =>
  `<Organization><ID>${ID}</ID><Name>${Name}</Name></Organization>`;
const xml = (text: string): Handler => says(200, text, { 'content-type': 'application/xml' });

it.each<[string, Handler]>([
  ['Link', json([ONE, TWO], { link: `</other>; rel="prev", <${NEXT}>; title="more"; rel="next"` })],
  ['Link of a query', json([ONE, TWO], { link: '<?page=2>; rel=next' })],
  ['nextLink', json({ value: [ONE, TWO], nextLink: NEXT })],
  ['@odata.nextLink', json({ '@odata.count': 3, value: [ONE, TWO], '@odata.nextLink': NEXT })],
  ['next', json({ count: 3, next: NEXT, previous: null, results: [ONE, TWO] })],
  ['_links', json({ _links: { self: { href: '/v4/departments' }, next: { href: NEXT } }, items: [ONE, TWO] })],
  ['links', json({ data: [ONE, TWO], links: { next: NEXT } })],
  ['pagination', json({ data: [ONE, TWO], pagination: { next_url: NEXT, total: 3, pages: 2 } })],
  ['NextLink in XML', xml(`<Page><Items>${inXml(ONE)}${inXml(TWO)}</Items><NextLink>${NEXT}</NextLink></Page>`)],
  ['a link in XML', xml(`<Page><link rel="next" href="${NEXT}"/><Items>${inXml(ONE)}${inXml(TWO)}</Items></Page>`)],
])('a page that names the next one by %s is followed', async (_, page) => {
  const { server, session } = await aSession();
  server.does(page, json([THREE]));
  expect(await rowsOf(session.list(list))).toEqual([ONE, TWO, THREE]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/v4/departments', NEXT]);
  expect(server.requests[1]?.headers.authorization).toBe(server.requests[0]?.headers.authorization);
});

it.each<[string, Handler]>([
  ['X-Total-Count', json([ONE], { 'x-total-count': '3' })],
  ['Content-Range', json([ONE], { 'content-range': 'items 0-0/3' })],
  ['206', says(206, JSON.stringify([ONE]))],
  ['Total', json({ Total: 3, Items: [ONE] })],
  ['totalElements', json({ content: [ONE], totalElements: 3, number: 0, last: false })],
  ['HasMore', json({ HasMore: true, Items: [ONE] })],
  ['last', json({ content: [ONE], number: 0, size: 1, last: false })],
  ['meta', json({ data: [ONE], meta: { total: 3 } })],
  ['page', json({ content: [ONE], page: { size: 1, totalElements: 3 } })],
  ['totalPages', json({ items: [ONE], page: 1, totalPages: 3 })],
  ['pages', json({ items: [ONE], pagination: { page: 1, pages: 3 } })],
  ['TotalCount in XML', xml(`<Page><TotalCount>3</TotalCount><Items>${inXml(ONE)}</Items></Page>`)],
  ['HasMore in XML', xml(`<Page><Items>${inXml(ONE)}</Items><HasMore>true</HasMore></Page>`)],
  ['an attribute in XML', xml(`<ArrayOfOrganization total="3">${inXml(ONE)}</ArrayOfOrganization>`)],
  ['an attribute of a list without records', xml('<ArrayOfOrganization total="3"/>')],
  ['a token', json({ items: [ONE], nextPageToken: 'abc' })],
  ['a number', json({ items: [ONE], next: 2 })],
  ['another origin', json([ONE], { link: '<https://elsewhere.example/v4/departments?page=2>; rel="next"' })],
  ['itself', json([ONE], { link: '</v4/departments>; rel="next"' })],
])('a page that says by %s that there is more, and not where, is refused', async (_, page) => {
  const { server, session } = await aSession();
  server.does(page);
  await refuses(rowsOf(session.list(list))).with('bad_answer', 'it names no address for the others');
  expect(server.requests).toHaveLength(1);
});

it.each<[string, Handler]>([
  ['counts what is there', json({ Count: 2, Total: 2, HasMore: false, next: null, Items: [ONE, TWO] })],
  ['has a total in its headers', json([ONE, TWO], { 'x-total-count': '2' })],
  [
    'counts what is there, in XML',
    xml(`<Page total="2"><Items>${inXml(ONE)}${inXml(TWO)}</Items><Count>2</Count></Page>`),
  ],
  ['has one page', json({ items: [ONE, TWO], page: 1, totalPages: 1, last: true })],
  ['links to itself', json([ONE, TWO], { link: '</v4/departments>; rel="self"' })],
])('a list that %s is all of it', async (_, page) => {
  const { server, session } = await aSession();
  server.does(page);
  expect(await rowsOf(session.list(list))).toEqual([ONE, TWO]);
});

it.each<[string, unknown]>([
  ['an object of OData', { d: { results: [ONE] } }],
  ['HAL', { _embedded: { departments: [ONE] } }],
  ['two arrays', { items: [ONE], warnings: [] }],
  ['a page of none that failed', { Success: false, Items: [], Message: 'No.' }],
  ['an error', { error: { message: 'No.' } }],
  ['a record of something else', [{ Code: 7 }]],
])('%s is no list of records', async (_, answer) => {
  const { server, session } = await aSession();
  server.does(json(answer));
  await refuses(rowsOf(session.list(list))).with('bad_answer');
});

it('as many records as are wanted are enough, whatever else there is', async () => {
  const { server, session } = await aSession();
  server.does(json([ONE, TWO], { 'x-total-count': '9' }));
  expect(await rowsOf(session.list(list, {}, { limit: 2 }))).toEqual([ONE, TWO]);
});
