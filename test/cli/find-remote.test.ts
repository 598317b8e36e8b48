// pm find on a remote service: in its lists, as far as it shows them.
import { beforeEach, describe, expect, it } from 'vitest';
import { openServing, type Serving } from '../../src/cli/serving.ts';
import { openServer, type Served } from '../../src/server/index.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one(individual('jorg', 'Jörg Strauß', 'Labs', 'ann')).prints();
  await one('comments create --individual jorg --body "Keeps the cables short"').prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
let serving: Serving;
let served: Served;
const requests: string[] = [];

beforeEach(async () => {
  serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  requests.length = 0;
  const log = (line: string): void => void requests.push(line);
  served = await openServer({ backend: serving.backend, clock: () => NOW, log });
  await pm(`profiles add prod --url ${served.url} --user admin`).says('Added');
  return async () => {
    await served.close();
    await serving.close();
  };
});

const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: PASSWORD } });

describe('a remote service', () => {
  it.each(['strauss', 'cables', 'keep --deleted 2'])('shows what the embedded engine finds: %s', async (line) => {
    await pm('accountabilities delete Keep --individual bob --yes -p local').prints();
    const here = await pm(`find ${line} -o json -p local`).rows();
    expect(await remote(`find ${line} -o json`).rows()).toEqual(here);
  });

  it('has all of these lists', async () => {
    expect((await remote('find zzz')).err).toBe('Nothing has "zzz" in it.\n');
  });

  it('is asked for the lists that are named, and for no record by itself', async () => {
    await remote('find strauss --resource individuals').prints('Jörg Strauß');
    expect(requests.length).toBeLessThan(5);
  });
});

describe('a list that is refused', () => {
  it('is named, and the others are looked into', async () => {
    await pm('sites update Local --feature-performance false -p local').prints();
    await remote('find strauss').prints('Jörg Strauß');
    const { err } = await remote('find strauss').says('Not looked into commitments: ');
    expect(err).not.toContain('individuals');
  });

  it('is the error where it is the only one', async () => {
    await pm('sites update Local --feature-performance false -p local').prints();
    await remote('find strauss --resource commitments').fails(5, 'performance');
  });
});
