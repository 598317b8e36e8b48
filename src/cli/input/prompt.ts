// Questions on a terminal, on stderr so that stdout stays data. Loaded only when one is asked.
import inquirer from 'inquirer';
import { ServiceError } from '../../contract/errors.ts';

/** No is the answer of whoever just presses Enter. */
export async function askYes(message: string, signal?: AbortSignal): Promise<boolean> {
  const question = { type: 'confirm', name: 'value', message, default: false } as const;
  return (await answered(asker(signal)([question]))).value as boolean;
}

export async function askText(
  message: string,
  check?: (text: string) => true | string | Promise<true | string>,
  signal?: AbortSignal,
): Promise<string> {
  const question = { type: 'input', name: 'value', message, ...(check ? { validate: check } : {}) } as const;
  return (await answered(asker(signal)([question]))).value as string;
}

/** One of these, by the arrow keys or the beginning of its name; the first is the answer of whoever just presses Enter. */
export async function askChoice<T>(
  message: string,
  choices: readonly { readonly name: string; readonly value: T }[],
): Promise<T> {
  const question = { type: 'select', name: 'value', message, choices: [...choices], loop: false } as const;
  return (await answered(asker()([question]))).value as T;
}

/** A secret: what is typed is not shown. */
export async function askSecret(message: string): Promise<string> {
  return (await answered(asker()([{ type: 'password', name: 'value', message, mask: '*' }]))).value as string;
}

/** A signal closes the question, so that the terminal is as it was. */
const asker = (signal?: AbortSignal) =>
  inquirer.createPromptModule({ output: process.stderr, ...(signal ? { signal } : {}) });

const ENDED: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

async function answered(question: Promise<{ value?: unknown }>): Promise<{ value?: unknown }> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Error && ENDED.includes(error.name))
      throw new ServiceError('interrupted', 'interrupted; nothing was changed');
    throw error;
  }
}
