// Services that say nothing, a part, or something else where a record was asked for: what is read counts only with the ID that was
// asked for, so nothing is called done that is not, and nothing is emptied.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Member, NOW, usingPm } from '../support/pm.ts';
import type { Habits } from '../support/strange-habits.ts';
import { PEOPLE, strangeSite } from '../support/strange-site.ts';

// What a service asks to wait for is not waited for.
vi.mock(import('../../src/client/index.ts'), async (original) => {
  const { openClient, ...others } = await original();
  return { ...others, openClient: (options) => openClient({ ...options, pause: async () => undefined }) };
});

const pm = usingPm();
const env = { PM_PASSWORD: 'secret', PM_PROFILE: 's' };
const run = (line: readonly string[], now?: () => Date) => pm(line, { env, ...(now && { now }) });
const NAMES = Array.from({ length: 8 }, (_, at) => `Work ${at + 1}`);

/** Null and absent mean the same. */
const withoutNulls = (record: Member = {}): Member =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));

const accountabilities = (): string => {
  const path = join(pm.home, 'new.csv');
  const lines = NAMES.map((name, at) => `user${10 + (at % PEOPLE)},${at + 1},${name},All of it.`);
  writeFileSync(path, ['AncestorID,Rank,Name,Description', ...lines, ''].join('\n'));
  return path;
};

const ABSENT: readonly Habits['absent'][] = ['null', '204', '[]', '{}'];

describe.each(ABSENT)('a service that answers %s for a record that is not there', (absent) => {
  it('has none of that ID', async () => {
    await strangeSite(pm, { absent });
    await run(['individuals', 'get', 'b0000000-0000-4000-8000-00000000000b']).fails(6);
    await run(['accountabilities', 'get', 'b0000000-0000-4000-8000-00000000000b']).fails(6);
  });

  it.each([false, true])(
    'has no new record whose answer was lost before it was made (own IDs: %s)',
    async (givesIDs) => {
      const service = await strangeSite(pm, { absent, givesIDs, losesRequests: 3 });
      await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']);
      const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
      if (job?.State !== 'ended')
        await run(['jobs', 'resume', String(job?.Job), '--yes'], () => new Date(NOW.getTime() + 3_600_000)).prints();
      const names = service.all('accountabilities').map(({ Name }) => Name);
      expect(names.toSorted()).toEqual(NAMES);
    },
  );
});

describe.each(['nothing', 'part', 'the first'] as const)('a service whose single read shows %s', (shows) => {
  it.each(['404', 'null', '{}'] as const)(
    'loses no member by an update, and an undo brings it back (absent: %s)',
    async (absent) => {
      const service = await strangeSite(pm, { shows, absent, replaces: true });
      const before = structuredClone(service.all('individuals'));
      await run(['individuals', 'update', 'user12', '--suffix', 'PhD']).says('Undo');
      expect(withoutNulls(service.all('individuals')[3])).toEqual({ ...withoutNulls(before[3]), Suffix: 'PhD' });
      await run(['undo', '--yes']).prints('ended');
      expect(service.all('individuals').map(withoutNulls)).toEqual(before.map(withoutNulls));
    },
  );
});

it.each(['nothing', 'the first'] as const)(
  'a service whose single read shows %s gets its new records deleted by an undo, which finds them in lists',
  async (shows) => {
    const service = await strangeSite(pm, { shows });
    await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('accountabilities').map(({ Deleted }) => Deleted)).toEqual(NAMES.map(() => true));
  },
);

it('a service that shows a part of what no list shows whole is asked for no update of it, and the reason is told', async () => {
  const service = await strangeSite(pm, {});
  await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
  service.habits = { ...service.habits, shows: 'part', replaces: true };
  const before = structuredClone(service.all('accountabilities'));
  const line = ['accountabilities', 'update', String(before[0]?.ID), '--description', 'x'];
  await run(line).fails(8, 'shows only a part of the accountability');
  expect(service.all('accountabilities')).toEqual(before);
});

describe.each([false, true])('a service that says little of a new record (own IDs: %s)', (givesIDs) => {
  it.each(['Location', 'nothing', 'ID', 'status', 'zeros'] as const)(
    'that is, %s, has each one once, and takes it back',
    async (creates) => {
      const service = await strangeSite(pm, { creates, givesIDs });
      await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
      expect(service.received()).toEqual({ 'POST accountabilities': NAMES.length });
      await run(['undo', '--yes']).prints('ended');
      expect(service.all('accountabilities').map(({ Deleted }) => Deleted)).toEqual(NAMES.map(() => true));
    },
  );

  it('and shows it nowhere: it is not known which one it is, and it is not made twice', async () => {
    const service = await strangeSite(pm, { creates: 'nothing', givesIDs, hidesNew: true, absent: 'null' });
    const words = ['--individual', 'user10', '--rank', '1', '--name', 'Work', '--description', 'x'];
    await run(['accountabilities', 'create', ...words]).fails(9, 'not known', 'pm jobs settle');
    const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
    await run(['jobs', 'resume', String(job?.Job)]).fails(9);
    expect(service.received()).toEqual({ 'POST accountabilities': 1 });
    await run(['undo', '--yes']).fails(7);
  });
});

describe('a service behind a proxy that answers with a page of its own', () => {
  it('has its records: an undo stops, and goes on when the service is there again', async () => {
    const service = await strangeSite(pm, {});
    await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
    service.habits = { ...service.habits, pagesFrom: service.requests() + 9 };
    await run(['undo', '--yes']).fails(3, 'page comes from something in front of the service');
    service.habits = { ...service.habits, pagesFrom: Number.POSITIVE_INFINITY };
    const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
    await run(['jobs', 'resume', String(job?.Job), '--yes']).prints('ended');
    expect(service.all('accountabilities').every(({ Deleted }) => Deleted)).toBe(true);
  });

  it('gets no further requests of an import', async () => {
    const service = await strangeSite(pm, {});
    service.habits = { ...service.habits, pagesFrom: 13 };
    await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).fails(3, 'in front of');
    const made = service.all('accountabilities').length;
    expect(service.received()['POST accountabilities'] ?? 0).toBe(made);
    service.habits = { ...service.habits, pagesFrom: Number.POSITIVE_INFINITY };
    const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
    await run(['jobs', 'resume', String(job?.Job), '--yes']).prints('ended');
    expect(
      service
        .all('accountabilities')
        .map(({ Name }) => Name)
        .toSorted(),
    ).toEqual(NAMES);
  });
});

describe.each(['nothing', 'ID', 'status', 'the old record'] as const)(
  'a service that answers an update with %s',
  (updates) => {
    it('has made it: nothing counts as lost, and all of it goes back', async () => {
      const service = await strangeSite(pm, { updates, replaces: true });
      const before = structuredClone(service.all('individuals'));
      const path = join(pm.home, 'suffixes.csv');
      const people = Array.from({ length: PEOPLE }, (_, at) => `user${at + 10},MA`);
      writeFileSync(path, ['UserName,Suffix', ...people, ''].join('\n'));
      await run(['import', 'individuals', path, '--key', 'UserName', '--mode', 'update', '--yes']).says('Undo');
      expect(
        service
          .all('individuals')
          .slice(1)
          .map(({ Suffix }) => Suffix),
      ).toEqual(people.map(() => 'MA'));
      await run(['undo', '--yes']).prints('ended');
      expect(service.all('individuals').map(withoutNulls)).toEqual(before.map(withoutNulls));
    });
  },
);

it.each([302, 303, 408, 429, 503] as const)(
  'a service that answers %i to what it has carried out gets each record once, and says what is not certain',
  async (denies) => {
    for (const givesIDs of [false, true]) {
      const service = await strangeSite(pm, { denies, deniesEach: 3, givesIDs });
      await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']);
      for (let turn = 0; turn < 9; turn++) {
        const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
        if (job?.State === 'ended') break;
        await run(['jobs', 'resume', String(job?.Job), '--yes'], () => new Date(NOW.getTime() + 3_600_000 * turn));
      }
      const names = service.all('accountabilities').map(({ Name }) => Name);
      expect(names.toSorted()).toEqual(NAMES);
      expect(service.received()).toEqual({ 'POST accountabilities': NAMES.length });
    }
  },
);

it('a service that refuses a deletion with 200 keeps its records, and that is told', async () => {
  const service = await strangeSite(pm, { refusesQuietly: true });
  await run(['individuals', 'delete', 'user12', '--yes']).fails(7, 'This one is in use.');
  expect(service.all('individuals')[3]).toMatchObject({ Deleted: false });
});

it('a service that answers a deletion with {} and keeps the record is told of, and so is one that keeps it deleted', async () => {
  const service = await strangeSite(pm, { pretends: true });
  await run(['individuals', 'delete', 'user12', '--yes']).fails(3, 'did not set Deleted as wanted');
  expect(service.all('individuals')[3]).toMatchObject({ Deleted: false });
  service.habits = { ...service.habits, pretends: false };
  await run(['individuals', 'delete', 'user12', '--yes']).says('Undo');
  service.habits = { ...service.habits, pretends: true };
  await run(['undo', '--yes']).fails(3, 'did not set Deleted as wanted');
});

it('a service that answers 409 to a record that it has just made has it, and an undo takes it back', async () => {
  const service = await strangeSite(pm, { denies: 409, deniesEach: 3 });
  await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
  service.habits = { ...service.habits, deniesEach: 0 };
  await run(['undo', '--yes']).prints('ended');
  expect(service.all('accountabilities').map(({ Deleted }) => Deleted)).toEqual(NAMES.map(() => true));
});

it('a service whose lists show deleted records has none of them listed, unless they are asked for', async () => {
  await strangeSite(pm, { showsDeleted: true });
  await run(['individuals', 'delete', 'user12', '--yes']).says('Undo');
  expect(await run(['individuals', 'list', '-o', 'json']).rows()).toHaveLength(PEOPLE);
  expect(await run(['individuals', 'list', '--deleted', 'include', '-o', 'json']).rows()).toHaveLength(PEOPLE + 1);
});

it('a service that wants the version of what is deleted gets it', async () => {
  const service = await strangeSite(pm, { wantsVersions: true });
  await run(['individuals', 'delete', 'user12', '--yes']).says('Undo');
  expect(service.all('individuals')[3]).toMatchObject({ Deleted: true });
});

it.each(['Link', 'nextLink', 'twice', 'empty'] as const)(
  'a service whose lists name their next page (%s) is exported as a whole, each record once',
  async (pages) => {
    await strangeSite(pm, { pages });
    const rows = await run(['individuals', 'list', '-o', 'json']).rows();
    expect(rows).toHaveLength(PEOPLE + 1);
  },
);

it('a service whose pages come round again is not asked for ever, and its list is not used', async () => {
  await strangeSite(pm, { pages: 'ring' });
  await run(['individuals', 'list']).fails(8, '7 records, and the same ones again');
});

it.each(['X-Total-Count', 'Total', 'HasMore', '206'] as const)(
  'a service whose lists say by %s that there is more gets no second import of what is there',
  async (pages) => {
    const service = await strangeSite(pm, { pages });
    const path = join(pm.home, 'people.csv');
    const people = Array.from({ length: PEOPLE }, (_, at) => `user${at + 10},First,Last,Member,Operations,ann`);
    writeFileSync(
      path,
      ['UserName,FirstName,LastName,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo', ...people, ''].join('\n'),
    );
    await run(['import', 'individuals', path, '--key', 'UserName', '--yes']).fails(
      8,
      'it names no address for the others',
    );
    await run(['individuals', 'list']).fails(8, 'it names no address for the others');
    expect(service.received()).toEqual({});
  },
);

describe.each(['braces', 'digits'] as const)('a service that writes GUIDs with %s', (guids) => {
  it.each(['json', 'xml'])('takes an import with names, and an undo, over %s', async (wire) => {
    const service = await strangeSite(pm, { guids });
    const over = (line: readonly string[]) => pm(line, { env: { ...env, PM_WIRE: wire } });
    await over(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
    expect(service.all('accountabilities')).toHaveLength(NAMES.length);
    await over(['undo', '--yes']).prints('ended');
    expect(service.all('accountabilities').every(({ Deleted }) => Deleted)).toBe(true);
  });
});

it('a service without /v4 in its addresses is used as any other', async () => {
  const service = await strangeSite(pm, { hasNoVersion: true });
  await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
  await run(['undo', '--yes']).prints('ended');
  expect(service.all('accountabilities')).toHaveLength(NAMES.length);
});

it('a service that shows new records late has none left after an undo', async () => {
  const service = await strangeSite(pm, { lags: 1_000 });
  await run(['import', 'accountabilities', accountabilities(), '--mode', 'create', '--yes']).says('Undo');
  await run(['undo', '--yes']).prints('ended');
  expect(service.all('accountabilities').map(({ Deleted }) => Deleted)).toEqual(NAMES.map(() => true));
});

it('a service that shows changes late has them taken back: a record that seems to be so already is looked at again', async () => {
  const service = await strangeSite(pm, { lagsBehind: 20 });
  const before = structuredClone(service.all('individuals'));
  const path = join(pm.home, 'suffixes.csv');
  const people = Array.from({ length: PEOPLE }, (_, at) => `user${at + 10},MA`);
  writeFileSync(path, ['UserName,Suffix', ...people, ''].join('\n'));
  await run(['import', 'individuals', path, '--key', 'UserName', '--mode', 'update', '--yes']).says('Undo');
  await run(['undo', '--yes']).prints('ended');
  expect(service.all('individuals').map(withoutNulls)).toEqual(before.map(withoutNulls));
});

it.each([1, 4])(
  'a service whose next %i reads are old has each change taken back, the newest first',
  async (lagsBehind) => {
    const service = await strangeSite(pm, { lagsBehind });
    const states = () => service.all('individuals').map(withoutNulls);
    const id = String(service.all('individuals')[3]?.ID);
    const seen = [structuredClone(states())];
    for (const words of [
      ['update', '--suffix', 'MA'],
      ['update', '--suffix', 'BA'],
      ['delete'],
      ['undelete'],
      ['delete'],
    ]) {
      const [verb = '', ...flags] = words;
      await run(['individuals', verb, id, ...flags, '--yes']).says('Undo');
      seen.push(structuredClone(states()));
    }
    for (const before of seen.slice(0, -1).reverse()) {
      await run(['undo', '--yes']).prints('ended');
      expect(states()).toEqual(before);
    }
  },
);

it('a service that gives IDs of its own, and shows new records late, has none twice where the first answer is lost', async () => {
  const service = await strangeSite(pm, { givesIDs: true });
  const words = ['--individual', 'user10', '--rank', '1', '--description', 'x'];
  await run(['accountabilities', 'create', ...words, '--name', 'One']).says('Undo');
  service.habits = { ...service.habits, hidesNew: true, losesAnswers: 2 };
  await run(['accountabilities', 'create', ...words, '--name', 'Two']).fails(9, 'not known');
  expect(service.all('accountabilities').map(({ Name }) => Name)).toEqual(['One', 'Two']);
});

it('a service that spells a part of a change in its own way is brought back to what was there before the first try', async () => {
  const service = await strangeSite(pm, {});
  await run(['individuals', 'update', 'user12', '--prefix', 'Dr', '--suffix', 'BA']).says('Undo');
  const before = structuredClone(service.all('individuals').map(withoutNulls));
  service.habits = { ...service.habits, keeps: ['Prefix'], losesAnswers: 2 };
  const path = join(pm.home, 'rows.csv');
  writeFileSync(path, 'UserName,Prefix,Suffix\nuser12,DR,MA\n');
  const once = { env: { ...env, PM_RETRIES: '0' } };
  await pm(['import', 'individuals', path, '--mode', 'update', '--yes'], once).fails(9);
  const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
  await run(['jobs', 'resume', String(job?.Job), '--yes']);
  expect(service.all('individuals')[3]).toMatchObject({ Prefix: 'Dr', Suffix: 'MA' });
  await run(['undo', String(job?.Job), '--yes']).prints('ended');
  expect(service.all('individuals').map(withoutNulls)).toEqual(before);
});

it('a service that gives what is brought back another ID has that record deleted by an undo', async () => {
  const service = await strangeSite(pm, { renews: true });
  await run(['individuals', 'delete', 'user12', '--yes']).says('Undo');
  await run(['undo', '--yes']).prints('ended');
  const [undo] = await run(['jobs', 'list', '-o', 'json']).rows();
  expect(service.all('individuals')[3]).toMatchObject({ Deleted: false });
  await run(['undo', String(undo?.Job), '--yes']).prints('ended');
  expect(service.all('individuals')[3]).toMatchObject({ Deleted: true });
});

describe('a service that shows new records late', () => {
  const departments = (name: string, ...lines: readonly string[]): string => {
    const path = join(pm.home, name);
    writeFileSync(path, ['ParentID,Rank,Name', ...lines, ''].join('\n'));
    return path;
  };
  const later = (): Date => new Date(NOW.getTime() + 120_000);

  it.each([false, true])(
    'makes none of them twice, nor misses one that others name (own IDs: %s)',
    async (givesIDs) => {
      const service = await strangeSite(pm, { lags: 1_000, givesIDs });
      const file = departments('one.csv', 'Operations,1,Yard', 'Yard,1,Hull');
      await run(['import', 'departments', file, '--yes']).says('Undo');
      await run(['import', 'departments', file, '--yes']).says('unchanged');
      await run(['import', 'departments', departments('two.csv', 'Yard,2,Paint'), '--yes']).says('Undo');
      const names = service.all('departments').map(({ Name }) => Name);
      expect(names).toEqual(['Operations', 'Yard', 'Hull', 'Paint']);
    },
  );

  it('takes none for there under the name that it had', async () => {
    const service = await strangeSite(pm, {});
    const file = departments('one.csv', 'Operations,1,Yard');
    await run(['import', 'departments', file, '--yes']).says('Undo');
    await run(['departments', 'update', 'Yard', '--name', 'Dock']).says('Undo');
    await run(['import', 'departments', file, '--yes']).says('1 create');
    expect(service.all('departments').map(({ Name }) => Name)).toEqual(['Operations', 'Dock', 'Yard']);
  });

  it('makes them again where they went in the meantime', async () => {
    const service = await strangeSite(pm, { lags: 1_000 });
    const file = departments('one.csv', 'Operations,1,Yard');
    await run(['import', 'departments', file, '--yes']).says('Undo');
    await run(['undo', '--yes']).prints('ended');
    await run(['import', 'departments', file, '--yes']).says('Undo');
    await run(['import', 'departments', file, '--yes'], later).says('Undo');
    expect(service.received()).toMatchObject({ 'POST departments': 3 });
  });
});
