// Questions on a terminal, on stderr since stdout is for data; and passwords, never from the command line.
import { listedCandidates, ServiceError } from '../../contract/errors.ts';
import { sanitise, sanitiseLines } from '../../text/escape.ts';
import type { Context } from '../context.ts';
import { inAscii, isAscii } from '../output/drawn.ts';
import { secretFrom } from './files.ts';

/** Asks a yes-no question; Enter means no. */
export const askYes = (message: string, signal?: AbortSignal): Promise<boolean> =>
  ask({ type: 'confirm', message, default: false }, signal);

export const askText = (
  message: string,
  check?: (text: string) => Refusal | Promise<Refusal>,
  signal?: AbortSignal,
): Promise<string> => ask({ type: 'input', message, ...(check ? { validate: shown(check) } : {}) }, signal);

type Refusal = true | string;

/** A refusal is shown on the terminal. */
const shown =
  (check: (text: string) => Refusal | Promise<Refusal>) =>
  async (text: string): Promise<Refusal> => {
    const refusal = await check(text);
    return refusal === true ? refusal : sanitiseLines(refusal);
  };

/** Asks for one of the choices; Enter means the first. */
export const askChoice = <T>(message: string, choices: readonly Choice<T>[]): Promise<T> =>
  ask({ type: 'select', message, loop: false, choices: choices.map(sanitised) });

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

const sanitised = <T>({ name, value }: Choice<T>): Choice<T> => ({ name: sanitise(name), value });

/** Asks for one of many, which are found by the typed words; at first all are offered. A search that throws says why there is none. */
export const askSearch = <T>(message: string, search: (text: string) => Promise<readonly Choice<T>[]>): Promise<T> =>
  ask({ type: 'search', message, source: (text?: string) => shownFound(search(text ?? '')) });

async function shownFound<T>(searching: Promise<readonly Choice<T>[]>): Promise<readonly Choice<T>[]> {
  try {
    return (await searching).map(sanitised);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new Error(
      [error.message, ...listedCandidates(error), ...(error.hint === undefined ? [] : [error.hint])]
        .map(sanitise)
        .join('\n  '),
    );
  }
}

/** Asks for a secret, which is not shown. */
export const askSecret = (message: string): Promise<string> => ask({ type: 'password', message, mask: '*' });

const CLOSED: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

interface Asked {
  readonly type: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** The types that inquirer has for its questions cost the compiler 11,000 instantiations. */
type Prompt = (questions: readonly object[]) => Promise<{ readonly value: unknown }>;

/** Its type follows from that of the question. A signal closes the question, which restores the terminal. */
async function ask<T>(question: Asked, signal?: AbortSignal): Promise<T> {
  const { default: inquirer } = await import('inquirer');
  const named: object = { ...question, message: sanitise(question.message), name: 'value', ...inLocale() };
  try {
    const options = { output: process.stderr, ...(signal ? { signal } : {}) };
    const prompt = inquirer.createPromptModule(options) as unknown as Prompt;
    return (await prompt([named])).value as T;
  } catch (error) {
    if (error instanceof Error && CLOSED.includes(error.name))
      throw new ServiceError('interrupted', 'interrupted; nothing was changed');
    throw error;
  }
}

/** The signs of a question. */
const inLocale = (): object =>
  isAscii(process.env)
    ? {
        theme: {
          prefix: { idle: '?', done: '+' },
          icon: { cursor: '>' },
          style: { keysHelpTip: (keys: readonly (readonly [string, string])[]) => keys.map(asTip).join(', ') },
        },
      }
    : {};

const asTip = ([key, does]: readonly [string, string]): string => `${inAscii(key)} ${does}`;

export interface PasswordOptions {
  readonly passwordStdin?: boolean;
  readonly passwordFile?: string;
}

/** The password from a flag, a variable or a question. Throws `usage` if there is none. */
export async function readPassword(context: Context, options: PasswordOptions, question: string): Promise<string> {
  const { passwordStdin, passwordFile } = options;
  const handed = await secretFrom(context, '--password', passwordStdin, passwordFile);
  const password = handed ?? (context.io.env.PM_PASSWORD || (await typedPassword(context, question)));
  if (password !== '') return password;
  throw new ServiceError('usage', 'the password is empty');
}

async function typedPassword({ settings }: Context, question: string): Promise<string> {
  if (settings.asks) return askSecret(question);
  throw new ServiceError('usage', 'the password is missing', {
    hint: 'Give it with --password-stdin, --password-file <file> or PM_PASSWORD.',
  });
}
