// Passwords come from stdin or a file, and are never seen again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandResult, usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const SECRET = 'Canary-7c1f-Secret';
const silent = ({ out, err }: CommandResult): void => expect(out + err).not.toContain(SECRET);

describe('pm passwd', () => {
  it('reads the password from stdin', async () => {
    const told = await pm('passwd ann --new-password-stdin', { stdin: `${SECRET}\n` }).says('ann', 'is set');
    silent(told);
    expect(told.out).toBe('');
    expect(readFileSync(join(pm.home, 'local.db')).includes(SECRET)).toBe(false);
  });

  it('reads the password from a file, for yourself where nobody is named', async () => {
    writeFileSync(join(pm.home, 'secret.txt'), `${SECRET}\r\n`);
    silent(await pm('passwd --new-password-file secret.txt').says('admin', 'is set'));
    await pm.refuses('passwd --new-password-file no.txt', 2, '--new-password-file no.txt cannot be read');
  });

  it('needs one', async () => {
    await pm.refuses('passwd ann', 2, 'the new password is missing', '--new-password-stdin');
    await pm('passwd ann --new-password-stdin', { stdin: '\n' }).fails(2, 'empty');
    await pm('passwd nobody --new-password-stdin', { stdin: SECRET }).fails(6, '"nobody"');
  });

  it('has at least 12 characters, or as many as PM_MIN_PASSWORD says', async () => {
    const line = 'passwd ann --new-password-stdin';
    await pm(line, { stdin: 'eleven char' }).fails(7, 'at least 12');
    await pm(line, { stdin: 'eleven char', env: { PM_MIN_PASSWORD: '11' } }).says('is set');
    await pm(line, { stdin: SECRET, env: { PM_MIN_PASSWORD: '40' } }).fails(7, 'at least 40');
    await pm(line, { stdin: SECRET, env: { PM_MIN_PASSWORD: 'x' } }).fails(2, 'PM_MIN_PASSWORD', '1 to 1024');
  });

  it('is of a global administrator only for global ones', async () => {
    await pm('individuals update bob --is-admin true').prints();
    await pm('passwd admin --new-password-stdin --as bob', { stdin: SECRET }).fails(5, 'global administrator', '--as');
    silent(await pm('passwd ann --new-password-stdin --as bob', { stdin: SECRET }).says('is set'));
  });

  it('changes nothing with -n', async () => {
    const before = pm.dump();
    silent(await pm('passwd ann --new-password-stdin -n', { stdin: SECRET }).says('dry run: nothing is changed'));
    expect(pm.dump()).toEqual(before);
  });
});

describe('a password of an individual', () => {
  it('is set with the record, and not shown', async () => {
    for (const format of ['json', 'yaml', 'xml', 'csv', 'table']) {
      const line = `individuals update ann --new-password-stdin -o ${format}`;
      silent(await pm(line, { stdin: SECRET }).says());
      silent(await pm(`individuals get ann -o ${format}`).says());
    }
    silent(await pm('individuals update ann --new-password-stdin -n -o json', { stdin: SECRET }).says());
    expect(readFileSync(join(pm.home, 'local.db')).includes(SECRET)).toBe(false);
  });

  it('is set by oneself, or by administrators', async () => {
    const line = 'individuals update bob --new-password-stdin';
    await pm('permissions set ann allow update individual bob').prints();
    await pm(`${line} --as ann`, { stdin: SECRET }).fails(5, 'administrator');
    await pm(`${line} --as bob`, { stdin: SECRET }).says('1 update');
  });

  it('is no field that can be shown', () => pm.refuses('individuals get ann --fields Password', 2, '--fields'));

  it('is never taken from the command line, nor repeated by the error', async () => {
    const lines = [
      `passwd ann --new-password ${SECRET}`,
      `individuals update ann --password ${SECRET}`,
      `individuals update ann --password=${SECRET}`,
      `individuals update ann --new-password=${SECRET}`,
      `individuals update ann --new-password-stdin=${SECRET}`,
      `individuals update ann --set Password=${SECRET}`,
      `individuals create --password ${SECRET}`,
      `departments list --token ${SECRET}`,
      `--password ${SECRET} individuals list`,
    ];
    for (const line of lines) silent(await pm.refuses(line, 2));
    await pm.refuses(`individuals update ann --password ${SECRET}`, 2, 'never written on the command line', '-stdin');
  });
});
