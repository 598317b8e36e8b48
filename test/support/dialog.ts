// A command on a terminal in process: questions are asked and answered as people see and type them, without a process for
// each. What is of the process itself, such as its echo and its signals, is played by terminal.ts.
import { PassThrough, Writable } from 'node:stream';
import inquirer from 'inquirer';
import { vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { type CommandResult, NOW } from './pm.ts';
import type { Step } from './terminal.ts';

/** Runs a command and types the answers; `out` is all that the terminal showed. */
export async function inDialog(
  args: readonly string[],
  home: string,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
  now = () => NOW,
): Promise<CommandResult> {
  const keys = new PassThrough();
  const screen = new Screen(steps, (typed) => keys.write(typed));
  const asking = inquirer.createPromptModule;
  const asked = vi
    .spyOn(inquirer, 'createPromptModule')
    .mockImplementation((options) => asking({ ...options, input: keys, output: screen.forQuestion() as never }));
  try {
    const exit = await main(args, {
      ...{ stdin: keys, stdout: screen, stderr: screen, columns: 80, cwd: home, now },
      ...{ stdinIsTerminal: true, stdoutIsTerminal: true, stderrIsTerminal: true },
      env: { PM_HOME: home, USER: 'admin', TERM: 'xterm', TZ: 'UTC', ...env },
    });
    return { out: screen.shown, err: '', exit };
  } finally {
    asked.mockRestore();
    keys.destroy();
  }
}

/** Types the keys of a step as soon as its question is shown, which counts from the step before it. */
class Screen extends Writable {
  shown = '';
  private from = 0;
  private at = 0;
  private readonly steps: readonly Step[];
  private readonly type: (keys: string) => void;

  constructor(steps: readonly Step[], type: (keys: string) => void) {
    super({ decodeStrings: false });
    this.steps = steps;
    this.type = type;
  }

  /** What a question writes to; it ends with it. */
  forQuestion(): Writable {
    return new Writable({ write: (text: Buffer, encoding, done) => this._write(text, encoding, done) });
  }

  // At once, so that what questions and the command write stands in its order.
  override _write(text: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.shown += text.toString().replaceAll(/(?<!\r)\n/g, '\r\n');
    this.answer();
    done();
  }

  private answer(): void {
    const [question, keys = ''] = this.steps[this.at] ?? [];
    if (question === undefined || !this.shown.includes(question, this.from)) return;
    this.at++;
    this.from = this.shown.length;
    setImmediate(() => this.type(keys));
  }
}
