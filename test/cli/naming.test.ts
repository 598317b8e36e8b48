// Names of departments: a whole name may hold slashes, a path leads to one, and where both fit pm asks what is meant.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async (run) => {
  await run('departments create --name Acme --rank 1').prints();
  await run('departments create --name Sales --rank 1 --parent Acme').prints();
  await run(['departments', 'create', '--name', 'R&D / Labs', '--rank', '2']).prints();
  await run('departments create --name me --rank 3').prints();
});

const named = async (text: string): Promise<unknown> =>
  (await pm(['departments', 'get', text, '-o', 'json']).row()).Name;

it('finds a name with a slash, a path, and a name that means something else', async () => {
  for (const [text, name] of [
    ['R&D / Labs', 'R&D / Labs'],
    ['r&d / labs', 'R&D / Labs'],
    ['Acme/Sales', 'Sales'],
    ['path:Acme/Sales', 'Sales'],
    ['name:R&D / Labs', 'R&D / Labs'],
    ['path:R&D \\/ Labs', 'R&D / Labs'],
    ['name:me', 'me'],
  ] as const)
    expect(await named(text), text).toBe(name);
});

it('asks where a text is the name of one department and the path of another', async () => {
  await pm('departments create --name Acme/Sales --rank 9').prints();
  const hint = 'write name:<name>, or path:Sales/EMEA';
  await pm.refuses('departments get Acme/Sales', 7, '"Acme/Sales" fits 2 departments', hint);
  expect(await named('name:Acme/Sales')).toBe('Acme/Sales');
  expect(await named('path:Acme/Sales')).toBe('Sales');
});

it('has a topic that tells of the prefixes', async () => {
  await pm('help naming').prints('name:<name>', 'path:<path>', 'email:<address>', 'id:<id>');
});
