// Progress on stderr: a bar on a terminal, now and then a line elsewhere.
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { progress } from '../../src/cli/output/progress.ts';
import { NOW, streams } from './output-printed.ts';

const TASK = { title: 'Seeding', total: 100, quiet: false };
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

test('without a terminal there is one line every ten seconds, and one at the end', () => {
  let now = at(0);
  const io = streams({ now: () => now });
  const shown = progress(io, TASK);
  for (const seconds of [1, 9, 10, 11, 19, 25]) {
    now = at(seconds);
    shown.tick(10);
  }
  shown.tick(5);
  shown.done();
  expect(io.err()).toBe('Seeding: 30 of 100\nSeeding: 60 of 100\nSeeding: 65 of 100\n');
});

test('no line is said twice', () => {
  let now = at(0);
  const io = streams({ now: () => now });
  const shown = progress(io, TASK);
  now = at(10);
  shown.tick(100);
  shown.done();
  expect(io.err()).toBe('Seeding: 100 of 100\n');
});

test('the number expected can change', () => {
  let now = at(0);
  const io = streams({ now: () => now });
  const shown = progress(io, TASK);
  now = at(10);
  shown.expect(240);
  shown.tick(30);
  shown.done();
  expect(io.err()).toBe('Seeding: 30 of 240\n');
});

test('what is done within ten seconds needs no line', () => {
  const io = streams();
  const shown = progress(io, TASK);
  shown.tick(100);
  shown.done();
  expect(io.err()).toBe('');
});

test.each([
  ['quiet', { ...TASK, quiet: true }, {}],
  ['under CI', TASK, { CI: 'true' }],
])('a terminal shows no bar when %s', (_when, task, env) => {
  const io = streams({ stderrIsTerminal: true, env });
  const shown = progress(io, task);
  shown.tick();
  shown.done();
  expect(io.err()).toBe('');
});

test('a terminal shows a bar, and clears it at the end', async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let text = '';
  stderr.on('data', (part) => {
    text += part;
  });
  const shown = progress(streams({ stderr, stderrIsTerminal: true }), TASK);
  shown.tick(40);
  await vi.waitFor(() => expect(text).toContain('40/100'));
  expect(text).toContain('Seeding');
  shown.done();
  expect(text).toContain('\x1b[?25h');
});

test('a bar says the pace of the last seconds, and nothing before it is known', async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let text = '';
  stderr.on('data', (part) => {
    text += part;
  });
  let now = at(0);
  const shown = progress(streams({ stderr, stderrIsTerminal: true, now: () => now }), { ...TASK, total: 30_000 });
  shown.tick(5_000);
  await vi.waitFor(() => expect(text).toContain('5000/30000'));
  const lastLine = (): string => text.slice(text.lastIndexOf('Seeding'));
  expect(text).not.toContain('left');
  // A terminal draws ten times a second at most.
  const ticked = async (seconds: number, count: number, wanted: string): Promise<void> => {
    now = at(seconds);
    await new Promise((resolve) => setTimeout(resolve, 120));
    shown.tick(count);
    await vi.waitFor(() => expect(lastLine()).toContain(wanted));
  };
  await ticked(10, 10_000, '15000/30000, 1000/s, 15 s left');
  await ticked(15, 500, '15500/30000, 100/s, 2 min left');
  await ticked(25, 100, '15600/30000, 10/s, 24 min left');
  shown.done();
});
