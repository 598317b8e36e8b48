// What a command asks a remote service for: no more than it needs to find a record, to read it and to change it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

let heard: string[] = [];
const { pm, remote } = usingServedCompany(
  (one) => one('core-values create --name Trust --rank 1').prints(),
  (lines) => void heard.push(...lines.split('\n').map(requestIn)),
);

const requestIn = (line: string): string => {
  const { method, path, query } = JSON.parse(line) as { method: string; path: string; query: readonly string[] };
  const words = path.replace('/v4', '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '#');
  return `${method} ${words}${query.length > 0 ? `?${query.join('&')}` : ''}`;
};

/** What one command asks for, besides who the caller is. */
async function asked(line: string): Promise<readonly string[]> {
  heard = [];
  const told = await remote(line);
  expect(told).toMatchObject({ exit: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  return heard.filter((request) => request !== 'GET /me');
}

/** Of requests at once, nobody knows which one comes first. */
const counted = (requests: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(requests)].sort().map((one) => [one, requests.filter((it) => it === one).length]));

describe('one record', () => {
  it.each([
    ['individuals get ann', ['GET /users', 'GET /individuals/#']],
    ['departments get Sales/EMEA', ['GET /departments', 'GET /departments/#']],
    ['individuals update ann --primary-title Boss', ['GET /users', 'GET /individuals/#', 'PUT /individuals/#']],
    ['departments delete Labs --yes', ['GET /departments', 'GET /departments/#', 'DELETE /departments/#']],
    [
      'accountabilities update Keep --individual ann --rank 4',
      [
        ...['GET /users', 'GET /individuals/#/accountabilities'],
        ...['GET /accountabilities/#', 'PUT /accountabilities/#'],
      ],
    ],
    ['core-values update Trust --description Z', ['GET /corevalues', 'PUT /corevalues/#']],
    ['core-values delete Trust --confirm prod:1', ['GET /corevalues', 'DELETE /corevalues/#']],
    [
      'dashboards show ann',
      [
        ...['GET /departments', 'GET /departments?deleted', 'GET /departments'],
        ...['GET /users', 'GET /individuals/#/dashboards', 'GET /colors'],
      ],
    ],
  ])('%s', async (line, wanted) => {
    expect(await asked(line)).toEqual(wanted);
  });

  it('that is deleted is read in the list that showed its name', async () => {
    await pm('departments delete Labs --yes -p local').prints();
    const wanted = ['GET /departments?deleted', 'GET /departments/#'];
    expect(await asked('departments get Labs --deleted 1')).toEqual(wanted);
    expect(await asked('departments get Labs --deleted 2')).toEqual(wanted);
    expect(await asked('departments undelete Labs')).toEqual([...wanted, 'PUT /departments/#/undelete']);
  });
});

describe('many records', () => {
  const file = (name: string, ...lines: readonly string[]): string => {
    writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`);
    return name;
  };

  it('are matched by one list, and each is read before it is changed', async () => {
    const people = file('people.csv', 'UserName,PrimaryTitle', 'ann,T1', 'bob,T2', 'admin,T3');
    expect(counted(await asked(`import individuals ${people} --yes`))).toEqual({
      'GET /users?deleted': 1,
      'GET /individuals/#': 3,
      'PUT /individuals/#': 3,
    });
  });

  it('are matched by one list of each owner', async () => {
    const lines = ['ann,Keep,5', 'ann,Sell,6', 'bob,Keep,7'];
    const work = file('work.csv', 'Individual,Name,Rank', ...lines);
    expect(counted(await asked(`import accountabilities ${work} --yes`))).toEqual({
      'GET /users': 1,
      'GET /individuals/#/accountabilities?deleted': 2,
      'GET /accountabilities/#': 3,
      'PUT /accountabilities/#': 3,
    });
  });

  it('of one export are listed once', async () => {
    expect(counted(await asked('export accountabilities'))).toEqual({
      'GET /users': 1,
      'GET /individuals/#/accountabilities': 3,
    });
  });
});
