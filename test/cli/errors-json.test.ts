// With --errors json a program reads stderr: each of its lines is one object, whatever is said there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { progress } from '../../src/cli/output/progress.ts';
import { openServing } from '../../src/cli/serving.ts';
import { settingsOf } from '../../src/cli/settings.ts';
import { openServer } from '../../src/server/index.ts';
import { type CommandResult, type Member, NOW, usingPm } from '../support/pm.ts';
import { company } from './company.ts';
import { streams } from './output-printed.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await company(run);
  await run('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

beforeEach(() => {
  // ü as Windows writes it.
  writeFileSync(join(pm.home, 'teams.csv'), Buffer.from('Name,Parent,Rank\nK\xfcche,Sales,7\n', 'latin1'));
  writeFileSync(join(pm.home, 'wrong.csv'), 'Name,Parent,Rank\nHall,Nowhere,1\nYard,Sales,one\n');
});

/** The objects on stderr. Every line must be one: a note, or an error. */
function told({ err }: Pick<CommandResult, 'err'>): readonly Member[] {
  const lines = err.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const object = JSON.parse(line) as Member;
    expect(typeof object.note === 'string' || typeof object.code === 'string', line).toBe(true);
    return object;
  });
}

const notesOf = (result: CommandResult): string =>
  told(result)
    .flatMap(({ note }) => (typeof note === 'string' ? [note] : []))
    .join('\n');

describe('stderr holds nothing but JSON', () => {
  it.each([
    ['a dry run', 'departments update Sales --rank 3 -n', 0, 'dry run'],
    ['a dry run of nothing', 'departments update Sales --rank 1 -n', 0, 'Nothing would change.'],
    ['what an import finds out', 'import departments teams.csv -n', 0, 'windows-1252'],
    ['an import and its undo', 'import departments teams.csv --yes', 0, 'Undo: pm undo'],
    ['faults of a file', 'import departments wrong.csv --yes', 7, ''],
    ['a list that is cut', 'individuals list --limit 1', 0, 'Only the first one is shown'],
    ['a list of nothing', 'individuals list --where "UserName = \'x\'"', 0, ''],
    ['a change and its undo', 'departments update Sales --rank 3', 0, 'Undo: pm undo'],
    ['a question that is not asked', 'departments delete Sales', 12, ''],
    ['an undo of what nothing takes back', 'undo -n', 7, ''],
    ['a history', 'log --limit 1', 0, ''],
    ['an explanation', 'explain individuals', 0, 'known from'],
    ['a comparison', 'dashboards compare Sales Labs', 0, 'First: Sales'],
    ['a report', 'dashboards report Sales --html sales.html', 0, 'Wrote sales.html'],
    ['an export', 'export --dir site', 0, ''],
    ['a group that has somebody already', 'security-groups members Nobody', 6, ''],
    ['several errors', 'individuals get nobody noone', 6, ''],
    ['an unknown flag', 'individuals list --nonsense', 2, ''],
    ['an unknown command', 'nonsense', 2, ''],
    ['a service that is down', 'profiles add prod --url http://127.0.0.1:9', 0, ''],
    ['a command for each row', 'each teams.csv -n -- departments create --name {Name} --parent Sales --rank 9', 0, ''],
  ])('%s', async (_what, line, exit, note) => {
    const result = await pm(`${line} --errors json`);
    expect({ exit: result.exit, err: result.err }).toEqual({ exit, err: result.err });
    expect(notesOf(result)).toContain(note);
  });

  it('by the variable too, and not with --errors text', async () => {
    const env = { PM_ERRORS: 'json' };
    expect(told(await pm('individuals list --limit 1', { env }))).toHaveLength(1);
    await pm('individuals list --limit 1 --errors text', { env }).says(/^Only the first one/);
  });

  it('where notes are left out, as before', async () => {
    expect((await pm('individuals list --limit 1 --errors json -q')).err).toBe('');
  });

  it('for the protected profile of a service', async () => {
    const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
    const served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
    try {
      await pm(`profiles add prod --url ${served.url} --user admin --protected`).says('Added');
      const env = { PM_PASSWORD: PASSWORD };
      const result = await pm('departments update Sales --rank 4 -p prod --curl --errors json', { env });
      expect(notesOf(result)).toMatch(/▲ prod .* as admin – 1 update/);
      expect(notesOf(result)).toContain('curl');
    } finally {
      await served.close();
      await serving.close();
    }
  });

  it('for a defect, whose stack is a member', async () => {
    const now = (): Date => {
      throw new TypeError('the clock has stopped');
    };
    const result = await pm('individuals list --errors json', { now, env: { PM_DEBUG: '1' } });
    expect(told(result)).toMatchObject([{ code: 'internal', stack: expect.stringContaining('errors-json.test.ts') }]);
  });

  it('and a name in it steers no terminal', async () => {
    const result = await pm(['individuals', 'get', 'x\u202e\u001b[2J', '--errors', 'json']);
    expect(result.err).not.toMatch(/\u202e|\u001b/);
    expect(String(told(result)[0]?.message)).toContain('x');
  });
});

describe('on a terminal', () => {
  const terminal = { stdinIsTerminal: true, stderrIsTerminal: true, stdoutIsTerminal: true };

  it('nobody is asked', () => {
    expect(settingsOf({}, streams(terminal)).asks).toBe(true);
    expect(settingsOf({}, streams({ ...terminal, errorsAsJson: true })).asks).toBe(false);
  });

  it('progress is a note now and then, and no bar', () => {
    let now = NOW;
    const io = streams({ ...terminal, errorsAsJson: true, now: () => now });
    const shown = progress(io, { title: 'Importing', total: 10, quiet: false });
    now = new Date(NOW.getTime() + 10_000);
    shown.tick(5);
    shown.done();
    expect(told({ err: io.err() })[0]).toEqual({ note: 'Importing: 5 of 10' });
  });
});

describe('what is near a name that is not there', () => {
  const errorOf = async (line: string) =>
    told(await pm(`${line} --errors json`)).find(({ code }) => code !== undefined);

  it('is among the candidates also where it is one alone', async () => {
    expect(await errorOf('departments get Salez')).toMatchObject({
      hint: 'Did you mean Sales?',
      candidates: ['Sales'],
    });
    const { err } = await pm('departments get Salez').fails(6, 'hint: Did you mean Sales?\n');
    expect(err).not.toContain('  Sales');
  });

  it('is a list where there are several', async () => {
    await pm('departments create --name Sale --rank 4 --parent Labs').prints();
    expect(await errorOf('departments get Sal')).toMatchObject({ candidates: ['Sale', 'Sales'] });
    await pm('departments get Sal').fails(6, '  Sale\n  Sales\n', 'hint: Did you mean one of these?\n');
  });
});
