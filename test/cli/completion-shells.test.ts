// Completion in real shells, on a terminal: what Tab puts there reaches a command as it is meant, and nothing else is shown.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PM, playedOnTerminal, spawned, spawnPm } from '../support/terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'pm-shells-'));
const bin = join(home, 'bin');
const env = {
  ...{ PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: home, LC_ALL: 'C.UTF-8', PS1: '$ ' },
  ...{ NODE: process.execPath, PM },
};

beforeAll(async () => {
  mkdirSync(bin);
  writeFileSync(join(bin, 'pm'), '#!/bin/sh\nexec "$NODE" "$PM" "$@"\n');
  chmodSync(join(bin, 'pm'), 0o755);
  const { exit, err } = await spawnPm(['seed', '--sample', 'small'], home);
  expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What is typed up to Tab, and the last word that a command then gets. */
const TYPED: readonly (readonly [typed: string, word: string])[] = [
  ['departments get Ser', 'Service | Spare Parts'],
  ['individuals get ylva.sandstrom@', 'ylva.sandstrom@example.com'],
  ['individuals get ylva.sandstrom@ex', 'ylva.sandstrom@example.com'],
  ['departments get name:Ser', 'name:Service | Spare Parts'],
  ['departments get "Serv', 'Service | Spare Parts'],
  ["departments get 'Sal", 'Sales & Service'],
  ['individuals get Annika\\ W', 'Annika Weiß'],
  ['projects get Fer', 'Ferry 12: Silent Crossing'],
  ['individuals list --department=Hull\\ D', '--department=Hull Design'],
  ['permissions create --read-state al', 'allow'],
];

const SETUP: Readonly<Record<string, string>> = {
  bash: `source <(pm completion bash); complete -F _pm show`,
  zsh: `autoload -U compinit; compinit -u -D; source <(pm completion zsh); compdef _pm show`,
};
const INTERACTIVE: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
};

describe.each(['bash', 'zsh'] as const)('in %s', { tags: 'terminal' }, (shell) => {
  it('every word is completed as it is meant', { tags: shell }, async () => {
    // The words of a command stand between < and > on the screen.
    const begin = `show() { printf '<%s>' "$@"; echo; }; ${SETUP[shell]}; echo rea""dy\n`;
    const lines = TYPED.map(([typed]) => `show ${typed}\t\n`);
    const waits = ['ready\r\n', ...TYPED.map(([, word]) => `<${word}>`)];
    const steps = [...lines, 'exit\n'].map((keys, at): [string, string] => [waits[at] ?? '', keys]);
    const { out } = await playedOnTerminal(INTERACTIVE[shell] ?? [], home, [['$ ', begin], ...steps], env);
    for (const [, word] of TYPED) expect(out).toContain(`<${word}>`);
    expect(out).not.toMatch(/error|warning|not found/i);
  });
});

describe('in fish', { tags: ['terminal', 'fish'] }, () => {
  it('every word is offered as it is meant', async () => {
    for (const [typed, word] of TYPED) {
      const script = 'pm completion fish | source; complete -C "$argv[1]"';
      const told = await spawned('fish', ['--no-config', '-c', script, `pm ${typed}`], home, '', env);
      expect({ typed, ...told }).toEqual({ typed, exit: 0, err: '', out: `${word}\n` });
    }
  });
});
