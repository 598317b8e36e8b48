// Stdout of a process: short output goes out without a stream, and whatever the reader does, no byte is lost or doubled.
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { programIn } from '../support/program.ts';

/** Writes texts of these sizes; says on stderr what it wrote, whether a stream was made, and how it ended. */
const PROGRAM = `
  import { writeSync } from 'node:fs';
  import { openStdout } from './src/cli/streams.ts';
  const stdout = openStdout();
  stdout.on('error', ({ code }) => writeSync(2, code + ' '));
  for (const size of process.argv.slice(2).map(Number)) {
    const written = new Promise((done) => stdout.write(String(size % 10).repeat(size), done));
    writeSync(2, size + ' ');
    if (await written) writeSync(2, 'failed ');
  }
  const streams = ['net', 'internal/fs/sync_write_stream'].map((name) => 'NativeModule ' + name);
  const isMade = process.moduleLoadList.some((name) => streams.includes(name));
  writeSync(2, isMade ? 'by a stream' : 'without a stream');
`;

const folder = mkdtempSync(join(tmpdir(), 'pm-stdout-'));
let program: string;
beforeAll(async () => {
  program = await programIn(folder, PROGRAM);
});

const textOf = (sizes: readonly number[]): string => sizes.map((size) => String(size % 10).repeat(size)).join('');

function begun(sizes: readonly number[], stdout: 'pipe' | number) {
  const stdio: SpawnOptions['stdio'] = ['ignore', stdout, 'pipe'];
  const child = spawn(process.execPath, [program, ...sizes.map(String)], { stdio });
  let said = '';
  child.stderr?.on('data', (part: Buffer) => {
    said += part.toString();
  });
  return { child, ended: once(child, 'close').then(() => said) };
}

async function read(sizes: readonly number[]): Promise<{ readonly out: string; readonly said: string }> {
  const { child, ended } = begun(sizes, 'pipe');
  let out = '';
  child.stdout?.on('data', (part: Buffer) => {
    out += part.toString();
  });
  return { said: await ended, out };
}

it('is written without a stream where it is short', async () => {
  expect(await read([3, 60_000])).toEqual({ out: textOf([3, 60_000]), said: '3 60000 without a stream' });
});

it.each([[[70_001]], [[3, 65_000, 600, 7]], [[40_001, 40_002, 300_003]]])(
  'goes through a stream where it is longer than a pipe takes, in its order: %j',
  async (sizes) => {
    expect(await read(sizes)).toEqual({ out: textOf(sizes), said: `${sizes.join(' ')} by a stream` });
  },
);

/** Runs a program on a pipe that takes 4 KiB, waits for nobody and holds some bytes; reads it once the program has written. */
const ON_SMALL_PIPE = `
import fcntl, os, subprocess, sys
held, argv = int(sys.argv[1]), sys.argv[2:]
out, into = os.pipe2(os.O_NONBLOCK)
fcntl.fcntl(into, 1031, 4096)
os.write(into, b"x" * held)
child = subprocess.Popen(argv, stdout=into, stderr=subprocess.PIPE)
os.close(into)
said = child.stderr.read(len("60000 "))
os.set_blocking(out, True)
with open(out, "rb") as pipe: text = pipe.read()
sys.stdout.buffer.write(text + b" " + said + child.stderr.read())
`;

it.skipIf(process.platform !== 'linux').each([
  ['a part of it', 0],
  ['nothing of it', 4096],
])('is written whole to a pipe that takes %s at once', { tags: 'terminal' }, (_, held) => {
  const words = [process.execPath, program, '60000', '3'];
  const out = execFileSync('python3', ['-c', ON_SMALL_PIPE, String(held), ...words], { encoding: 'utf8' });
  expect(out).toBe(`${'x'.repeat(held)}${textOf([60_000, 3])} 60000 3 by a stream`);
});

it('is written to a file without a stream, behind what is there', async () => {
  const file = join(folder, 'file');
  const descriptor = openSync(file, 'a');
  writeSync(descriptor, 'before ');
  const sizes = [5, 200_001];
  expect(await begun(sizes, descriptor).ended).toBe('5 200001 without a stream');
  closeSync(descriptor);
  expect(readFileSync(file, 'utf8')).toBe(`before ${textOf(sizes)}`);
});

it('tells that the reader has gone', async () => {
  const { child, ended } = begun([5], 'pipe');
  child.stdout?.destroy();
  expect(await ended).toMatch(/^5 (EPIPE failed|failed EPIPE) by a stream$/);
});
