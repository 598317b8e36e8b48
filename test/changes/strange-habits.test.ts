// Services that other people have written, with one habit or with all of them: whatever pm does there, no member is lost,
// no row is called done that is not, and an undo brings everything back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { isLong } from '../support/long.ts';
import { type Member, NOW, usingPm } from '../support/pm.ts';
import type { Habits } from '../support/strange-habits.ts';
import { type StrangeService, strangeService } from '../support/strange-service.ts';
import { HABITS, individual, MANNERS, PEOPLE, strangeSite } from '../support/strange-site.ts';

// What a service asks to wait for is not waited for.
vi.mock(import('../../src/client/index.ts'), async (original) => {
  const { openClient, ...others } = await original();
  return { ...others, openClient: (options) => openClient({ ...options, pause: async () => undefined }) };
});

const pm = usingPm();

const serviceWith = (habits: Partial<Habits>): Promise<StrangeService> => strangeSite(pm, habits);

/** Over XML the suite tries those in which it differs, and all at once. */
const habitsOver = (wire: string) =>
  Object.entries({ ...HABITS, ...MANNERS }).filter(
    ([what]) => isLong || wire === 'json' || /order of members|all of these/.test(what),
  );

describe.each(['json', 'xml'])('over %s, a service that', (wire) => {
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_WIRE: wire } });
  const file = (name: string, lines: readonly string[]): string => {
    const path = join(pm.home, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const people = Array.from({ length: PEOPLE }, (_, at) => `user${at + 10}`);
  const state = (service: StrangeService) =>
    ['departments', 'individuals', 'accountabilities'].map((group) =>
      structuredClone(service.all(group)).map(withoutNulls),
    );

  describe.each(habitsOver(wire))('%s', (_, habits) => {
    it('loses no member by an update, an import and an each, and an undo brings all of it back', async () => {
      const service = await serviceWith(habits);
      const before = state(service);
      await run(['individuals', 'update', 'user10', '--suffix', 'PhD']).says('Undo');
      const rows = file('suffixes.csv', ['UserName,Suffix', ...people.map((name) => `${name},MA`)]);
      await run(['import', 'individuals', rows, '--key', 'UserName', '--mode', 'update', '--yes']).says('Undo');
      const each = file('each.csv', ['User', ...people]);
      await run(['each', '--yes', each, '--', 'individuals', 'update', '{User}', '--prefix', 'Dr']).says('Undo');
      for (const one of service.all('individuals').slice(1)) expect(one).toMatchObject({ Suffix: 'MA', Prefix: 'Dr' });
      expect(service.received()).toEqual({ 'PUT individuals': 1 + 2 * PEOPLE });
      for (let turn = 0; turn < 3; turn++) await run(['undo', '--yes']).prints('ended');
      expect(state(service)).toEqual(before);
    });

    it('brings back what was cleared', async () => {
      const service = await serviceWith(habits);
      const before = state(service);
      await run(['individuals', 'update', 'user10', '--clear', 'HireDate']).says('Undo');
      expect(service.all('individuals')[1]?.HireDate ?? null).toBeNull();
      await run(['undo', '--yes']).prints('ended');
      expect(state(service)).toEqual(before);
    });

    it('makes each new record once, and takes it back', async () => {
      const service = await serviceWith(habits);
      const lines = people.map((name, at) => `${name},${at + 1},Work of ${name},All of it.`);
      const rows = file('new.csv', ['AncestorID,Rank,Name,Description', ...lines]);
      await run(['import', 'accountabilities', rows, '--yes']).says('Undo');
      const names = service.all('accountabilities').map(({ Name }) => Name);
      expect(names.toSorted()).toEqual(people.map((name) => `Work of ${name}`));
      expect(service.received()).toEqual({ 'POST accountabilities': PEOPLE });
      await run(['import', 'accountabilities', rows, '--yes']).prints();
      expect(service.all('accountabilities')).toHaveLength(PEOPLE);
      await run(['undo', '--yes']).prints('ended');
      expect(service.all('accountabilities').every(({ Deleted }) => Deleted === true)).toBe(true);
      await run(['undo', '--yes']).fails(7);
      const jobs = await run(['jobs', 'list', '-o', 'json']).rows();
      await run(['undo', String(jobs[0]?.Job), '--yes']).prints('ended');
      expect(service.all('accountabilities').every(({ Deleted }) => Deleted === false)).toBe(true);
    });
  });
});

/** Null and absent mean the same, and so do GUIDs in any case. */
const withoutNulls = (record: Member): Member =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, /ID$|To$/.test(name) ? String(value).toLowerCase() : value]),
  );

describe('a service that gives IDs of its own', () => {
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

  it('is asked for its list twice for each owner, before and after, however many records are made', async () => {
    const server = await fakeServer();
    onTestFinished(() => server.close());
    const service = strangeService(server, { givesIDs: true });
    await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann', '--overwrite']).says();
    const path = join(pm.home, 'many.csv');
    const lines = Array.from({ length: 40 }, (_, at) => `${at % 2 ? 'ann' : 'user10'},${at},Work ${at},x`);
    service.put('individuals', individual(10));
    writeFileSync(path, ['AncestorID,Rank,Name,Description', ...lines, ''].join('\n'));
    await run(['import', 'accountabilities', path, '--mode', 'create', '--yes']).says('Undo');
    expect(service.all('accountabilities')).toHaveLength(40);
    const lists = server.requests.filter(({ method, url }) => method === 'GET' && url.includes('accountabilities'));
    expect(lists.length).toBeLessThanOrEqual(4);
  });
});

describe('a service that gives IDs of its own, and loses the answer to the first record', () => {
  const env = { PM_PASSWORD: 'secret', PM_PROFILE: 's' };

  it('gets that record once, also where later rows were answered before it is looked for', async () => {
    const service = await strangeSite(pm, { givesIDs: true, losesAnswers: 1 });
    const path = join(pm.home, 'three.csv');
    const lines = [1, 2, 3].map((n) => `user10,${n},Work ${n},x`);
    writeFileSync(path, ['AncestorID,Rank,Name,Description', ...lines, ''].join('\n'));
    await pm(['import', 'accountabilities', path, '--mode', 'create', '--yes'], { env }).fails(9, 'not known');
    const [job] = await pm(['jobs', 'list', '-o', 'json'], { env }).rows();
    const now = () => new Date(NOW.getTime() + 3_600_000);
    await pm(['jobs', 'resume', String(job?.Job)], { env, now }).prints('ended');
    expect(service.all('accountabilities').map(({ Name }) => Name)).toEqual(['Work 1', 'Work 2', 'Work 3']);
    await pm(['undo', '--yes'], { env }).prints('ended');
    expect(service.all('accountabilities').every(({ Deleted }) => Deleted)).toBe(true);
  });

  it('gets somebody at the top once, too, and names the record that it may be', async () => {
    const service = await strangeSite(pm, { givesIDs: true, losesAnswers: 1 });
    const path = join(pm.home, 'top.csv');
    const head = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
    writeFileSync(path, `${head}\ntop,To,Pp,top@example.com,Head,Operations,itself\n`);
    await pm(['import', 'individuals', path, '--yes'], { env }).fails(9, 'not known');
    const [job] = await pm(['jobs', 'list', '-o', 'json'], { env }).rows();
    const now = () => new Date(NOW.getTime() + 3_600_000);
    await pm(['jobs', 'resume', String(job?.Job)], { env, now }).fails(9, 'a record like it with another ID');
    const [top, ...twins] = service.all('individuals').filter(({ UserName }) => UserName === 'top');
    expect(twins).toEqual([]);
    await pm(['jobs', 'settle', String(job?.Job), '--row', '1', '--done', '--yes', '--id', String(top?.ID)], {
      env,
    }).says('Row 1 counts as done.');
  });

  it('has made a record that is settled by its ID alone, which an undo takes back', async () => {
    const service = await strangeSite(pm, { givesIDs: true, losesAnswers: 1 });
    const line = [
      'accountabilities',
      'create',
      '--individual',
      'user10',
      '--rank',
      '1',
      '--name',
      'Work',
      '--description',
      'x',
    ];
    await pm(line, { env }).fails(9, 'not known');
    const [job] = await pm(['jobs', 'list', '-o', 'json'], { env }).rows();
    const made = String(service.all('accountabilities')[0]?.ID);
    await pm(['jobs', 'resume', String(job?.Job)], { env }).fails(9, 'with another ID', `--row 1 --done --id ${made}`);
    const settle = ['jobs', 'settle', String(job?.Job), '--row', '1', '--done', '--yes'];
    await pm(settle, { env }).fails(2, 'made a new accountability: which one is it?');
    await pm([...settle, '--id', made], { env }).says('Row 1 counts as done.');
    await pm(['undo', '--yes'], { env }).prints('ended');
    expect(service.all('accountabilities')).toMatchObject([{ Deleted: true }]);
  });
});

it('a row of which it is not known whether it was done is in no file to be imported again', async () => {
  const env = { PM_PASSWORD: 'secret', PM_PROFILE: 's' };
  await strangeSite(pm, { givesIDs: true, losesAnswers: 1, goesDown: true });
  const path = join(pm.home, 'one.csv');
  writeFileSync(path, 'AncestorID,Rank,Name,Description\nuser10,1,Work 1,x\n');
  const { out } = await pm(['import', 'accountabilities', path, '--mode', 'create', '--yes', '-o', 'json'], {
    env,
  }).fails(9);
  expect(JSON.parse(out)).toMatchObject({ Unknown: 1, FailedFile: null });
});

describe('a service that loses the answer to a change of a record that only lists show', () => {
  const VALUE = 'c0000000-0000-4000-8000-00000000000c';
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

  it('has made the new record, which is shown and goes back', async () => {
    const service = await strangeSite(pm, { losesAnswers: 1 });
    const { out } = await run(['comments', 'create', '--individual', 'user10', '--body', 'Hello']).says(
      'Undo: pm undo',
    );
    expect(out).toContain('Hello');
    expect(service.received()).toEqual({ 'POST comments': 1 });
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('comments')).toMatchObject([{ Body: 'Hello', Deleted: true }]);
  });

  it('has made the update, which goes back, also where it is refused when it is sent again', async () => {
    const service = await strangeSite(pm, { losesAnswers: 1, refusesAgain: true });
    service.put('core-values', { ID: VALUE, SiteID: ME.SiteID, Rank: 1, Name: 'Safe home', Description: 'Old' });
    await run(['core-values', 'update', 'Safe home', '--description', 'New']).says('Undo: pm undo');
    expect(service.all('core-values')).toMatchObject([{ Description: 'New' }]);
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('core-values')).toMatchObject([{ Description: 'Old' }]);
  });
});

describe('a service that does not store what it is sent', () => {
  const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });
  const rows = (): string => {
    const path = join(pm.home, 'rows.csv');
    writeFileSync(path, ['UserName,Suffix,Prefix', 'user10,MA,Dr', 'user11,MA,Dr', 'user12,MA,Dr', ''].join('\n'));
    return path;
  };
  const SAID = 'was not changed as asked: the service did not set Suffix as wanted';

  it('is told by name in a change of one record, also where little is said, and goes back', async () => {
    const service = await serviceWith({ keeps: ['Suffix'] });
    await run(['individuals', 'update', 'user10', '--suffix', 'MA', '--prefix', 'Dr', '-q']).fails(3, SAID, 'pm undo');
    expect(service.all('individuals')[1]).toMatchObject({ Prefix: 'Dr' });
    await run(['jobs', 'list', '-o', 'json']).prints('"Altered": 1');
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ Prefix: null });
  });

  it('gets all of it back with --on-error rollback', async () => {
    const service = await serviceWith({});
    service.habits = { ...service.habits, keeps: ['Suffix'] };
    const line = ['import', 'individuals', rows(), '--key', 'UserName', '--mode', 'update', '--on-error', 'rollback'];
    await run([...line, '--yes']).fails(3, SAID, 'Taken back: ');
    for (const one of service.all('individuals').slice(1)) expect(one.Prefix ?? null).toBeNull();
    await run(['jobs', 'list', '-o', 'json']).prints('"Kind": "undo"');
  });

  it('stops a job at its first row', async () => {
    const service = await serviceWith({ keeps: ['Suffix'] });
    const line = ['import', 'individuals', rows(), '--key', 'UserName', '--mode', 'update', '--yes'];
    await run(line).fails(3, SAID, 'stopped at row 1');
    expect(service.received()).toEqual({ 'PUT individuals': 1 });
    await run(['jobs', 'list', '-o', 'json']).prints('"State": "stopped"', '"Altered": 1');
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals').map(({ Prefix }) => Prefix ?? null)).not.toContain('Dr');
  });

  it('and gives IDs of its own: what names the new record is made when the job goes on', async () => {
    const service = await serviceWith({ givesIDs: true, keeps: ['Focus'] });
    const path = join(pm.home, 'departments.csv');
    writeFileSync(path, 'Name,Rank,ParentID,Focus\nNorth,2,Operations,Ships\nFjord,1,North,\n');
    await run(['import', 'departments', path, '--mode', 'create', '--yes']).fails(
      3,
      'did not set Focus',
      'stopped at row 1',
    );
    const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
    await run(['jobs', 'resume', String(job?.Job)]).fails(3, '1 create');
    const [, north, fjord] = service.all('departments');
    expect(fjord).toMatchObject({ Name: 'Fjord', ParentID: north?.ID });
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('departments').map(({ Deleted }) => Deleted)).toEqual([false, true, true]);
  });

  it('and gives IDs of its own: somebody at the top, and does not report to itself, is told and goes back', async () => {
    const service = await serviceWith({ givesIDs: true, keeps: ['PrimaryReportsTo'] });
    const path = join(pm.home, 'top.csv');
    const head = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
    writeFileSync(path, `${head}\ntop,To,Pp,top@example.com,Head,Operations,itself\n`);
    const line = ['import', 'individuals', path, '--mode', 'create', '--yes'];
    await run(line).fails(3, 'did not set PrimaryReportsTo as wanted');
    expect(service.received()).toEqual({ 'POST individuals': 1, 'PUT individuals': 1 });
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals').at(-1)).toMatchObject({ UserName: 'top', Deleted: true });
  });

  it('that loses what was to stay is told, and the loss goes back once it keeps it', async () => {
    const service = await serviceWith({});
    service.habits = { ...service.habits, forgets: ['FirstName'] };
    await run(['individuals', 'update', 'user10', '--suffix', 'MA']).fails(
      3,
      'changed FirstName, which should have stayed',
    );
    service.habits = { ...service.habits, forgets: [] };
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ FirstName: 'First 10', Suffix: null });
  });

  it('that loses the answers, too, is told what it lost, and the loss goes back', async () => {
    const service = await serviceWith({});
    service.habits = { ...service.habits, forgets: ['FirstName'], losesAnswers: 9 };
    await run(['individuals', 'update', 'user10', '--suffix', 'MA']).fails(
      3,
      'changed FirstName, which should have stayed',
    );
    service.habits = { ...service.habits, forgets: [], losesAnswers: 0 };
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ FirstName: 'First 10', Suffix: null });
  });

  it('that goes down with the answer is told what it lost when it is asked again', async () => {
    const service = await serviceWith({});
    service.habits = { ...service.habits, forgets: ['FirstName'], losesAnswers: 99, goesDown: true };
    await run(['individuals', 'update', 'user10', '--suffix', 'MA']).fails(9);
    service.habits = { ...service.habits, forgets: [], losesAnswers: 0, goesDown: false };
    const [job] = await run(['jobs', 'list', '-o', 'json']).rows();
    await run(['jobs', 'resume', String(job?.Job)]).fails(3, 'changed FirstName, which should have stayed');
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ FirstName: 'First 10', Suffix: null });
  });

  it('that undeletes nothing is told', async () => {
    const service = await serviceWith({});
    await run(['individuals', 'delete', 'user10', '--yes']).says('Undo');
    service.habits = { ...service.habits, keeps: ['Deleted'] };
    await run(['individuals', 'undelete', String(service.all('individuals')[1]?.ID)]).fails(3, 'did not set Deleted');
    expect(service.all('individuals')[1]).toMatchObject({ Deleted: true });
  });

  it.each([0, 1])('that writes a value in its own way is no failure, with %i answers lost', async (losesAnswers) => {
    const service = await serviceWith({ trims: true, losesAnswers, refusesAgain: true });
    await run(['individuals', 'update', 'user10', '--user-defined1', ' x ']).says('The service writes UserDefined1');
    expect(service.all('individuals')[1]).toMatchObject({ UserDefined1: 'x' });
    await run(['undo', '--yes']).prints('ended');
    expect(service.all('individuals')[1]?.UserDefined1 ?? null).toBeNull();
  });
});
