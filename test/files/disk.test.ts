// A finished draft gets its name: on file systems without hard links too, and where Windows holds a file for a moment.
import * as fs from 'node:fs';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Disk, flush, linkInto, moveInto } from '../../src/files/disk.ts';

function draftIn() {
  const folder = mkdtempSync(join(tmpdir(), 'pm-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [draft, file] = [join(folder, 'draft'), join(folder, 'file')];
  writeFileSync(draft, 'whole');
  const content = (): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  return { folder, draft, file, content };
}

const saying = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code, syscall: 'any' });
};

const like = (more: Partial<Disk>): Disk => ({ ...fs, platform: process.platform, ...more }) as Disk;

/** Says these codes, one at each call, before it does what it should. */
function held(...codes: readonly string[]): Disk['renameSync'] {
  const left = [...codes];
  return (from, to) => {
    const code = left.shift();
    if (code !== undefined) saying(code)();
    fs.renameSync(from, to);
  };
}

/** Windows flushes a file only through a handle that may write, and no folder at all. */
const windows = (more: Partial<Disk> = {}): Disk => {
  const flags = new Map<number, string>();
  return like({
    platform: 'win32',
    openSync: (path, how, mode) => {
      const descriptor = fs.openSync(path, how, mode);
      flags.set(descriptor, how);
      return descriptor;
    },
    fsyncSync: (descriptor) => (flags.get(descriptor) === 'r' ? saying('EPERM')() : fs.fsyncSync(descriptor)),
    ...more,
  });
};

test('a draft is moved over the file that is there', () => {
  const { draft, file, content, folder } = draftIn();
  writeFileSync(file, 'old');
  flush(draft);
  moveInto(draft, file);
  expect(content()).toBe('whole');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a draft is linked where there is no file, and leaves the one that is there', () => {
  const { draft, file, content } = draftIn();
  expect(linkInto(draft, file)).toBe('created');
  writeFileSync(draft, 'another', { flag: 'w' });
  rmSync(file);
  writeFileSync(file, 'theirs');
  expect(linkInto(draft, file)).toBe('existed');
  expect(content()).toBe('theirs');
});

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EISDIR', 'EMLINK'])(
  'where links are refused with %s, the file is created all the same, and only once',
  (code) => {
    const { draft, file, content } = draftIn();
    const disk = like({ linkSync: saying(code) });
    expect(linkInto(draft, file, disk)).toBe('created');
    expect(content()).toBe('whole');
    writeFileSync(draft, 'another');
    expect(linkInto(draft, file, disk)).toBe('existed');
    expect(content()).toBe('whole');
  },
);

test('without links, a move that fails leaves no empty file behind', () => {
  const { draft, file, folder } = draftIn();
  const disk = like({ linkSync: saying('EPERM'), renameSync: saying('EIO') });
  expect(() => linkInto(draft, file, disk)).toThrow('EIO');
  expect(readdirSync(folder)).toEqual(['draft']);
});

test('a file is flushed and moved on Windows', () => {
  const { draft, file, content } = draftIn();
  flush(draft, windows());
  moveInto(draft, file, windows());
  expect(content()).toBe('whole');
});

test('what Windows holds for a moment is moved a little later', () => {
  const { draft, file, content } = draftIn();
  moveInto(draft, file, windows({ renameSync: held('EPERM', 'EBUSY', 'EACCES') }));
  expect(content()).toBe('whole');
});

test('on other systems a refused move is refused at once', () => {
  const { draft, file } = draftIn();
  const disk = like({ platform: 'linux', renameSync: held('EPERM') });
  expect(() => moveInto(draft, file, disk)).toThrow('EPERM');
  expect(existsSync(draft)).toBe(true);
});

test('a folder that cannot be flushed takes nothing back, and one whose disk fails is told', () => {
  const unflushable = (code: string): Disk =>
    like({
      platform: 'linux',
      openSync: (path, how, mode) => (how === 'r' ? saying(code)() : fs.openSync(path, how, mode)),
    });
  const one = draftIn();
  moveInto(one.draft, one.file, unflushable('EACCES'));
  expect(one.content()).toBe('whole');
  const other = draftIn();
  expect(() => moveInto(other.draft, other.file, unflushable('EIO'))).toThrow('EIO');
});
