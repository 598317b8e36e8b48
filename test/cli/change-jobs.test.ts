// Every change of the command line is a job: journaled with what it needs to be taken back.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Member, usingPm } from '../support/pm.ts';

const pm = usingPm(async (fresh) => {
  await fresh('departments create --name Sales --rank 1 --parent Local').prints();
  await fresh('departments create --name Labs --rank 2 --parent Local').prints();
});

const jobs = (): readonly Member[] => (pm.dump().job ?? []) as readonly Member[];
const newest = (): Member => jobs().at(-1) ?? {};

describe('a change', () => {
  it('is one job, and says how to undo it', async () => {
    const before = jobs().length;
    const { err } = await pm('departments update Sales --focus money').says(/Undo: pm undo [0-9a-f]{8}\n/);
    expect(jobs()).toHaveLength(before + 1);
    expect(newest()).toMatchObject({ Kind: 'change', Counts: '{"done":1}', Profile: 'local', Caller: 'admin' });
    expect(err).toContain(String(newest().ID).slice(0, 8));
  });

  it('names the profile in the undo where it was named', () =>
    pm('departments update Sales --focus money -p local').says(/Undo: pm undo \w{8} -p local/));

  it('says nothing of an undo with --quiet, or where nothing changed', async () => {
    expect((await pm('departments update Sales --focus money --quiet').says()).err).toBe('');
    expect((await pm('departments update Sales --focus money').says()).err).not.toContain('Undo');
  });

  it('that fails alone leaves no job behind', async () => {
    const before = pm.dump();
    await pm('departments update Sales --rank 9999999999').fails(7);
    await pm("departments update Sales --name ' '").fails(7);
    expect(pm.dump()).toEqual(before);
  });

  it('of several records is one job, whose rows fail each for itself', async () => {
    await pm(
      'individuals create --user-name ann --first-name A --last-name B --email a@x --primary-title T ' +
        '--primary-organization Sales --primary-reports-to admin',
    ).prints();
    const before = jobs().length;
    await pm('individuals update ann admin --user-name both').fails(3, 'UserName');
    expect(jobs()).toHaveLength(before + 1);
    expect(newest()).toMatchObject({ Kind: 'change', Total: 2 });
  });

  it('is not journaled with -n', async () => {
    const before = jobs().length;
    await pm('departments update Sales --focus money -n').prints();
    expect(jobs()).toHaveLength(before);
  });

  it('keeps a password neither in its plan nor in its journal', async () => {
    await pm(
      'individuals create --user-name eve --first-name A --last-name B --email e@x --primary-title T ' +
        '--primary-organization Sales --primary-reports-to admin --new-password-stdin',
      { stdin: 'Canary-pass-4711' },
    ).prints();
    const files = readdirSync(pm.home).filter((name) => name.includes('.db'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) expect(readFileSync(join(pm.home, name)).includes('Canary-pass-4711')).toBe(false);
  });
});
