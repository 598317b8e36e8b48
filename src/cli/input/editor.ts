// The user's editor: which one, and how it is started.
import { spawn } from 'node:child_process';
import { ServiceError } from '../../contract/errors.ts';
import { systemCode } from '../../text/system-code.ts';
import type { Context } from '../context.ts';

/** The command of the editor. Throws `usage` without a terminal to show it on, or without an editor. */
export function editorOf({ io, settings }: Context): string {
  if (!settings.asks)
    throw new ServiceError('usage', '--edit needs a terminal', {
      hint: 'Give the fields as flags, or in a file: --from <file>',
    });
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (editor) return editor;
  throw new ServiceError('usage', '--edit needs an editor, and neither VISUAL nor EDITOR names one', {
    hint: 'Name one, as in: export EDITOR=nano. Or give the fields as flags, or in a file: --from <file>',
  });
}

/**
 * Runs the editor on a file until it is closed. What it draws goes to stderr: stdout may be a pipe. Throws `usage` where it
 * cannot be started or fails, `interrupted` where the process was asked to end meanwhile.
 */
export async function runEditor({ io }: Context, editor: string, file: string): Promise<void> {
  const [command, args, shell] = callOf(editor, file, process.platform);
  // With a listener Ctrl-C, which the terminal sends to both, ends the editor first.
  io.stopped?.addEventListener('abort', () => {});
  const ended = await new Promise<number | string | null>((resolve) => {
    const child = spawn(command, [...args], { stdio: ['inherit', 2, 'inherit'], shell });
    child.on('error', (error) => resolve(systemCode(error) ?? error.message));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  if (io.stopped?.aborted) throw new ServiceError('interrupted', 'interrupted; nothing was changed');
  if (ended === 0) return;
  const why = ended === 'ENOENT' ? 'there is no such program' : `it ended with ${String(ended)}`;
  throw new ServiceError('usage', `the editor ${editor} failed: ${why}`, {
    hint: 'VISUAL and EDITOR name the editor.',
  });
}

type Call = readonly [command: string, args: readonly string[], shell: boolean];

/**
 * How the editor is started, as git does it: words in quotes stay together, and only what a shell must read goes to one,
 * with the file as its argument. Windows starts .cmd files by its shell alone.
 */
export function callOf(editor: string, file: string, platform: string): Call {
  if (platform === 'win32') return [`${editor} "${file}"`, [], true];
  const [command, ...args] = wordsOf(editor) ?? [];
  return command === undefined
    ? ['sh', ['-c', `${editor} "$@"`, editor, file], false]
    : [command, [...args, file], false];
}

/** A part of a word: in quotes of either kind, escaped, or plain; or the blanks between words. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|\\(.)|([^\s'"\\|&;<>()$`*?[\]#~]+)|\s+/gsy;

/** The words of a command; undefined where it has more of a shell's language than quotes. */
function wordsOf(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const part of command.matchAll(PART)) {
    end = part.index + part[0].length;
    const [, single, double, escaped, plain] = part;
    const text = single ?? double?.replace(/\\(.)/gs, '$1') ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? '') + text;
    else if (word !== undefined) words.push(word);
    if (text === undefined) word = undefined;
  }
  if (word !== undefined) words.push(word);
  const isPlain = end === command.length && words[0] !== undefined && !words[0].includes('=');
  return isPlain ? words : undefined;
}
