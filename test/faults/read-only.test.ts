// A database, or settings, that may not be written: it says which file it is that refuses, and what to do, so that doing
// it helps.
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AS_NOBODY, NOBODY } from '../support/needs.ts';
import { PM, spawned } from '../support/terminal.ts';
import { usingGround } from './ground.ts';

const isRoot = process.geteuid?.() === 0;
const [command = '', ...words] = [...(isRoot ? AS_NOBODY : []), process.execPath, PM];

const ground = usingGround();
let home = '';
const file = (): string => join(home, 'local.db');

beforeEach(() => {
  chmodSync(ground.root, 0o755);
  home = ground.home();
  for (const path of [home, ...readdirSync(home).map((name) => join(home, name))])
    if (isRoot) chownSync(path, NOBODY, NOBODY);
});
afterEach(() => chmodSync(home, 0o755));

const pm = (...args: readonly string[]) => spawned(command, [...words, ...args], home);
const write = () => pm('colors', 'create', '--name', 'Teal', '--code', '008080', '--rank', '9');

describe('refuses to write, in words', { tags: 'nobody' }, () => {
  it('a read-only file, which can be read', async () => {
    chmodSync(file(), 0o444);
    expect(await pm('colors', 'list')).toMatchObject({ exit: 0 });
    const { exit, err } = await write();
    expect(exit).toBe(10);
    expect(err).toMatch(/local\.db cannot be written: it and .*local\.db-shm are read-only/);
    expect(err).toContain(`chmod u+w '${file()}' `);
  });

  it('what is still read-only beside it, when the file is not any more', async () => {
    chmodSync(file(), 0o444);
    await pm('colors', 'list');
    chmodSync(file(), 0o644);
    const { exit, err } = await write();
    expect(exit).toBe(10);
    expect(err).toContain(`${file()} cannot be written: ${file()}-shm is read-only`);
    chmodSync(`${file()}-shm`, 0o644);
    expect(await write()).toMatchObject({ exit: 0 });
  });

  it('a read-only folder', async () => {
    chmodSync(home, 0o555);
    const { exit, err } = await write();
    expect(exit).toBe(10);
    expect(err).toContain(`cannot be written: ${home} is read-only`);
    expect(err).toContain(`chmod u+w '${home}'`);
  });

  it('settings in a read-only folder, which can be read', async () => {
    const add = ['profiles', 'add', 'prod', '--url', 'https://pm.example.org'];
    expect(await pm(...add)).toMatchObject({ exit: 0 });
    const config = join(home, 'config.json');
    const text = readFileSync(config, 'utf8');
    chmodSync(home, 0o555);
    const { exit, err } = await pm(...add, '--user', 'ann');
    expect(exit).toBe(2);
    expect(err).toContain(`${config} cannot be written: you may not write in its folder`);
    expect(readFileSync(config, 'utf8')).toBe(text);
    expect(await pm('profiles', 'list')).toMatchObject({ exit: 0 });
  });
});
