// pm find on a remote service: in its lists, as far as it shows them.
import { beforeEach, describe, expect, it } from 'vitest';
import { individual } from './company.ts';
import { usingServedCompany } from './served-company.ts';

const requests: string[] = [];
const { pm, remote } = usingServedCompany(
  async (one) => {
    await one(individual('jorg', 'Jörg Strauß', 'Labs', 'ann')).prints();
    await one('comments create --individual jorg --body "Keeps the cables short"').prints();
  },
  (line) => void requests.push(line),
);

beforeEach(() => void requests.splice(0));

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
