// Lists that are read of a remote service side by side: for an export, and for the rows of an import.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, json, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const PEOPLE = Array.from({ length: 12 }, (_, n) => `a0000000-0000-4000-8000-0000000000${n + 10}`);
const person = (ID: string, n: number) => ({ ...ME, ID, UserName: `user${n}`, FirstName: 'A', LastName: `B${n}` });
const accountability = (AncestorID: string, n: number) => ({
  ...{ ID: `b0000000-0000-4000-8000-0000000000${n + 10}`, AncestorID, Name: `Keep ${n}`, Rank: n },
  ...{ Deleted: false, DeletedByRef: false },
});

/** Answers the lists of individuals only when as many are asked for as `together`; counts the most at one time. */
async function serviceOf(together: number): Promise<FakeServer & { most(): number }> {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const held: (() => void)[] = [];
  let left = PEOPLE.length;
  let most = 0;
  server.does((request, response) => {
    const owner = PEOPLE.findIndex((id) => request.url.includes(`${id}/accountabilities`));
    if (request.url === '/v4/me') return json(ME)(request, response);
    if (owner < 0) return json(PEOPLE.map(person))(request, response);
    held.push(() => json([accountability(PEOPLE[owner] ?? '', owner)])(request, response));
    most = Math.max(most, held.length);
    if (held.length < Math.min(together, left)) return;
    left -= held.length;
    for (const answer of held.splice(0)) answer();
  });
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann', '--overwrite']).says();
  return { ...server, most: () => most };
}

const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

describe('the lists of many owners', () => {
  it.each([
    ['four at a time', 4, []],
    ['one after the other where the user says so', 1, ['--concurrency', '1']],
  ] as const)('are read %s for an export, whose rows keep their order', async (_, most, flags) => {
    const service = await serviceOf(most);
    const out = await run(['export', 'accountabilities', ...flags]).prints('Keep 0');
    expect(out.match(/Keep \d+/g)).toEqual(PEOPLE.map((_id, n) => `Keep ${n}`));
    expect(service.most()).toBe(most);
  });

  it.each([
    ['four at a time', 4, []],
    ['one after the other where the user says so', 1, ['--concurrency', '1']],
  ] as const)('are read %s for the rows of an import', async (_, most, flags) => {
    const service = await serviceOf(most);
    const file = join(pm.home, 'rows.csv');
    const rows = PEOPLE.map((id, n) => `${id},Keep ${n},${n}`);
    writeFileSync(file, `AncestorID,Name,Rank\n${rows.join('\n')}\n`);
    await run(['import', 'accountabilities', file, '--key', 'AncestorID,Name', ...flags, '--yes']).says('12 unchanged');
    expect(service.most()).toBe(most);
  });
});
