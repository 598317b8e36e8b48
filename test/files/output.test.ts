// A file that is written: over no other one unasked, over no input at all, whole or not at all, with nothing left behind.
import * as fs from 'node:fs';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { beginOutput, checkOutput, isStream, type Output, writeOutput, writeStream } from '../../src/files/output.ts';
import { refuses } from '../support/refuses.ts';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'pm-output-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
});

const at = (name: string): string => join(folder, name);
const to = (name: string, more: Partial<Output> = {}): Output => ({
  ...{ name: `--out ${name}`, path: at(name), overwrite: false },
  ...more,
});
const over = (name: string): Output => to(name, { overwrite: true });
const write = (output: Output, text = 'new'): Promise<void> => writeOutput(output, (draft) => draft.appendFile(text));
const content = (name: string): string => readFileSync(at(name), 'utf8');

it('is written whole, for its owner alone', async () => {
  await write(to('a'));
  expect([content('a'), statSync(at('a')).mode & 0o777, readdirSync(folder)]).toEqual(['new', 0o600, ['a']]);
});

it('is written for others too where it is to be shared', async () => {
  await write(to('a', { shared: true }));
  expect(statSync(at('a')).mode & 0o777).toBe(0o666 & ~process.umask());
});

it.each([
  ['/dev/stdout', true],
  ['/dev/null', true],
  ['/proc/self/fd/1', true],
  ['/dev/shm/a', false],
  ['/home/dev/a', false],
])('%s is a stream: %s', (path, is) => {
  expect(isStream(path)).toBe(is);
});

it('leaves a file alone that is there, and takes its place where that is asked for', async () => {
  writeFileSync(at('a'), 'mine');
  await refuses(write(to('a'))).with('usage', '--out a', 'the file exists already', '--overwrite');
  expect([content('a'), readdirSync(folder)]).toEqual(['mine', ['a']]);
  await write(over('a'));
  expect([content('a'), readdirSync(folder)]).toEqual(['new', ['a']]);
});

it('leaves a file alone that another program makes meanwhile', async () => {
  const writing = writeOutput(to('a'), async () => writeFileSync(at('a'), 'theirs'));
  await refuses(writing).with('usage', 'the file exists already');
  expect([content('a'), readdirSync(folder)]).toEqual(['theirs', ['a']]);
});

it('is never an input of the same command, by whatever name', () => {
  writeFileSync(at('in'), 'rows');
  fs.linkSync(at('in'), at('hard'));
  fs.symlinkSync(at('in'), at('soft'));
  for (const name of ['in', 'hard', 'soft'])
    for (const input of ['in', 'hard', 'soft'])
      expect(() => checkOutput(over(name), [at(input)])).toThrow('this command reads it');
  expect(() => checkOutput(over('in'), [at('missing'), folder])).not.toThrow();
});

it('goes where a link leads, and the link stays', async () => {
  writeFileSync(at('a'), 'old');
  fs.symlinkSync(at('a'), at('link'));
  await refuses(write(to('link'))).with('usage', 'the file exists already');
  await write(over('link'));
  expect([content('a'), fs.lstatSync(at('link')).isSymbolicLink()]).toEqual(['new', true]);
});

it('leaves a link alone that leads nowhere', async () => {
  fs.symlinkSync(at('gone'), at('link'));
  await refuses(write(to('link'))).with('usage', 'the file exists already');
  expect(readdirSync(folder)).toEqual(['link']);
});

it.each([
  ['a folder', '.', 'it is a folder'],
  ['below no folder', 'nowhere/a', 'there is no such folder'],
  ['below a file', 'file/a', 'there is no such folder'],
  ['a link that leads to itself', 'loop', 'ELOOP'],
])('is refused before anything is done: %s', async (_what, name, why) => {
  writeFileSync(at('file'), '');
  fs.symlinkSync(at('loop'), at('loop'));
  let begun = false;
  for (const output of [to(name), over(name)]) {
    const writing = writeOutput(output, async () => {
      begun = true;
    });
    await refuses(writing).with('usage', name, why);
  }
  expect(begun).toBe(false);
});

it('is no device', async () => {
  await refuses(write({ ...over('x'), path: '/dev/null' })).with('usage', 'not an ordinary file');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

it('leaves nothing behind where the work fails', async () => {
  writeFileSync(at('a'), 'mine');
  const failing = writeOutput(over('a'), async (draft) => {
    await draft.appendFile('half');
    throw new Error('no more rows');
  });
  await expect(failing).rejects.toThrow('no more rows');
  expect([content('a'), readdirSync(folder)]).toEqual(['mine', ['a']]);
});

it('leaves nothing behind where it is interrupted', async () => {
  const stop = new AbortController();
  const writing = writeOutput(to('a', { stopped: stop.signal }), async (draft) => {
    await draft.appendFile('half');
    stop.abort();
    await new Promise(() => {});
  });
  await refuses(writing).with('interrupted', '--out a was not written');
  expect(readdirSync(folder)).toEqual([]);
});

it('is written in spite of a stop that came before it', async () => {
  await write(to('a', { stopped: AbortSignal.abort() }));
  expect(content('a')).toBe('new');
});

it('is not written in a dry run, while the work is done', async () => {
  let seen = '';
  await writeStream(to('a', { dryRun: true }), async (stream) => {
    seen = 'rows';
    stream.write(seen);
  });
  expect([seen, readdirSync(folder)]).toEqual(['rows', []]);
});

it('says where there is no room', async () => {
  const writing = writeStream(to('a'), async (stream) => {
    stream.write('x');
    throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
  });
  await refuses(writing).with('disk_full', '--out a cannot be written: ENOSPC', 'Make room');
  expect(readdirSync(folder)).toEqual([]);
});

it('grows in the open where it is begun, for its owner alone', () => {
  writeFileSync(at('a'), 'mine', { mode: 0o644 });
  expect(() => beginOutput(to('a'))).toThrow('the file exists already');
  beginOutput(over('a'));
  expect([content('a'), statSync(at('a')).mode & 0o777]).toEqual(['', 0o600]);
});
