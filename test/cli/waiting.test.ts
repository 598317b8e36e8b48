// The line that a terminal shows while a service is silent.
import { describe, expect, it, vi } from 'vitest';
import { waitingLine } from '../../src/cli/remote.ts';
import { fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { streams } from './output-printed.ts';

const pm = usingPm();
const CLEAR = '\r\u001b[K';
const URL = 'https://pm.example.org';

/** A terminal of so many columns, and a clock that only `pass` moves. */
function terminal(columns = 100) {
  let now = 0;
  let tick: (() => void) | undefined;
  const every = (_milliseconds: number, work: () => void) => {
    tick = work;
    return () => {
      tick = undefined;
    };
  };
  const io = streams({ stderrIsTerminal: true, columns });
  const watch = waitingLine(io, { now: () => now, every });
  let read = 0;
  /** What was written since it was last asked for. */
  const written = (): string => {
    const all = io.err();
    const more = all.slice(read);
    read = all.length;
    return more;
  };
  const pass = (seconds: number): string => {
    for (let n = 0; n < seconds; n++) {
      now += 1000;
      tick?.();
    }
    return written();
  };
  return { watch, pass, written, isTicking: () => tick !== undefined };
}

describe('the line of what is waited for', () => {
  it('comes after a second of silence, counts on, and is cleared at the end', () => {
    const { watch, pass, written, isTicking } = terminal();
    const request = watch(URL, 4);
    request.begin();
    expect(written()).toBe('');
    expect(pass(1)).toBe(`${CLEAR}waiting for ${URL} 1 s (try 1 of 4)`);
    request.begin();
    expect(pass(2)).toContain(`${CLEAR}waiting for ${URL} 3 s (try 2 of 4)`);
    request.end();
    expect(written()).toBe(CLEAR);
    expect(isTicking()).toBe(false);
  });

  it('shows nothing of what is answered at once', () => {
    const { watch, pass, written } = terminal();
    for (let n = 0; n < 3; n++) {
      const request = watch(URL, 4);
      request.begin();
      request.end();
    }
    expect(pass(3) + written()).toBe('');
  });

  it('shows the oldest of several, and the next one after it', () => {
    const { watch, pass } = terminal();
    const first = watch(URL, 4);
    first.begin();
    pass(2);
    watch(URL, 4).begin();
    expect(pass(1)).toContain('3 s');
    first.end();
    expect(pass(1)).toContain('2 s');
  });

  it('stays on one line of the terminal', () => {
    const { watch, pass } = terminal(20);
    watch(URL, 4).begin();
    expect(pass(1)).toBe(`${CLEAR}waiting for https:/`);
  });
});

it('says once, where there is no terminal, how long a wait is that a service asks for', async () => {
  const real = setTimeout;
  vi.stubGlobal('setTimeout', (work: () => void, wait = 0) => real(work, wait === 57_000 ? 0 : wait));
  const server = await fakeServer();
  const asked = `Waiting 57 s before ${server.url} is asked again.`;
  const busy = says(429, '', { 'retry-after': '57' });
  await pm(`profiles add prod --url ${server.url} --user ann`).says('Added');
  server.does(busy, busy, json(ME));
  const env = { PM_PASSWORD: 'secret' };
  const { err } = await pm('whoami -p prod', { env }).says(asked);
  expect(err.split(asked)).toHaveLength(2);
  server.does(busy, json(ME));
  await pm('whoami -p prod --errors json', { env }).says(`{"note":"${asked}"}`);
  server.does(busy, json(ME));
  expect((await pm('whoami -p prod --quiet', { env })).err).toBe('');
  await server.close();
  vi.unstubAllGlobals();
});
