// Values that XML cannot encode are refused before the request is sent.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { refuses } from '../support/refuses.ts';
import { aSession } from './client-session.ts';

const { create } = contract.accountability.operations;

it('a character that XML does not have is named, with its place', async () => {
  const { server, session } = await aSession({ wire: 'xml' });
  const refused = refuses(session.call(create, { body: { Name: 'ab\u001bc', Description: '\ufffe' } }));
  const error = await refused.with('invalid', 'Name holds the character U+001B at position 3', 'Description');
  expect(error.faults.map(({ field, code }) => [field, code])).toEqual([
    ['Name', 'malformed'],
    ['Description', 'malformed'],
  ]);
  expect(server.requests).toEqual([]);
});

it.each([[['a']], [{ a: 'b' }]])('a structure in place of a text is refused: %j', async (Name) => {
  const { server, session } = await aSession({ wire: 'xml' });
  await refuses(session.call(create, { body: { Name } })).with('invalid', 'Name is', 'not a text');
  expect(server.requests).toEqual([]);
});

it('a member of an unknown member is looked at too', async () => {
  const { server, session } = await aSession({ wire: 'xml' });
  const body = { Name: 'Fine', Unheard: { of: ['fine', 'b\u0000d'] } };
  await refuses(session.call(create, { body })).with('invalid', 'Unheard holds the character U+0000');
  expect(server.requests).toEqual([]);
});
