// Questions on a terminal, on stderr so that stdout stays data. Loaded only when one is asked.
import inquirer from 'inquirer';
import { ServiceError } from '../contract/errors.ts';

const ask = inquirer.createPromptModule({ output: process.stderr });

/** No is the answer of whoever just presses Enter. */
export async function askYes(message: string): Promise<boolean> {
  return (await answered(ask([{ type: 'confirm', name: 'value', message, default: false }]))).value as boolean;
}

export async function askText(
  message: string,
  check?: (text: string) => true | string | Promise<true | string>,
): Promise<string> {
  return (await answered(ask([{ type: 'input', name: 'value', message, ...(check ? { validate: check } : {}) }])))
    .value as string;
}

/** A secret: what is typed is not shown. */
export async function askSecret(message: string): Promise<string> {
  return (await answered(ask([{ type: 'password', name: 'value', message, mask: '*' }]))).value as string;
}

async function answered(question: Promise<{ value?: unknown }>): Promise<{ value?: unknown }> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new ServiceError('interrupted', 'interrupted; nothing was changed');
    throw error;
  }
}
