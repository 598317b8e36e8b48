// The README's commands are run, and must print what the README says.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { NOW, words } from '../support/pm.ts';

const README = join(import.meta.dirname, '../../README.md');
const readme = readFileSync(README, 'utf8');
const home = mkdtempSync(join(tmpdir(), 'pm-readme-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of every console block, each with what stands below it. */
function shownIn(text: string): readonly Shown[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...output] = part.trimEnd().split('\n');
        return { command, output: output.join('\n') };
      }),
  );
}

/** What a person sees on a terminal: stdout and stderr in the order in which they are written. */
async function seen(line: string): Promise<string> {
  const screen = new PassThrough();
  const parts: Buffer[] = [];
  screen.on('data', (part: Buffer) => parts.push(part));
  const [name, ...args] = words(line);
  expect(name).toBe('pm');
  await main(args, {
    stdin: Readable.from([]),
    stdout: screen,
    stderr: screen,
    stdinIsTerminal: false,
    stdoutIsTerminal: true,
    stderrIsTerminal: false,
    columns: 100,
    env: { PM_HOME: home, USER: 'ann', PM_COLOR: 'never' },
    now: () => NOW,
    cwd: home,
  });
  return Buffer.concat(parts).toString('utf8').replaceAll(home, '~/.local/share/pm').trimEnd();
}

for (const { command, output } of shownIn(readme)) {
  it(`prints what the README shows for: ${command}`, async () => {
    expect(await seen(command)).toBe(output);
  });
}

it('shows five commands and more', () => {
  expect(shownIn(readme).length).toBeGreaterThanOrEqual(5);
});
