// pm's own small files in its folder: read as plain JSON, written whole or not at all, for their owner alone.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { parsedJson } from '../../files/checked.ts';
import { replaceOutput } from '../../files/output.ts';
import { isObject } from '../../text/defined.ts';
import { nearest } from '../../text/spelling.ts';
import { systemCode } from '../../text/system-code.ts';
import { makeHome } from './home.ts';

type StateName = 'config' | 'credentials';
type State = Readonly<Record<string, unknown>>;

export const stateFile = (home: string, name: StateName): string => join(home, `${name}.json`);

/** The content of the file; nothing where there is none. Throws `usage` for a file that is not a JSON object. */
export function readState(home: string, name: StateName): State {
  const file = stateFile(home, name);
  const text = textIn(file);
  if (text === undefined) return {};
  const value = parsedJson(text);
  if (isObject(value)) return value;
  // Its words are not shown: they may be a secret.
  throw new ServiceError('usage', `${file} cannot be understood: it is not a JSON object`, {
    hint: 'Correct it, or move it away; pm then makes a new one.',
  });
}

/**
 * Replaces the file: conf writes a draft beside it, and moves that into place. Throws `usage` for a file that cannot be
 * understood, and as `replaceOutput`.
 */
export async function writeState(home: string, name: StateName, state: State): Promise<void> {
  makeHome(home);
  check(home, name, state);
  const { default: Conf } = await import('conf');
  readState(home, name);
  const path = stateFile(home, name);
  replaceOutput({ name: path, path, overwrite: true }, () => {
    const file = new Conf<State>({
      cwd: home,
      configName: name,
      configFileMode: 0o600,
      // Members are addresses, such as https://pm.example.com: a dot in them is a dot.
      accessPropertiesByDotNotation: false,
      serialize: (members) => `${JSON.stringify(members, null, 2)}\n`,
    });
    file.store = state;
  });
}

/** Checks the members of each file; answers warnings of those that it does not know. Throws `usage` with the file and the member. */
export const checkStates = (home: string): readonly string[] =>
  (['config', 'credentials'] as const).flatMap((name) => {
    const others = check(home, name, readState(home, name));
    const what = `holds what this pm does not know: ${others.join(', ')}. It is kept, and has no effect`;
    return others.length > 0 ? [`warning: ${stateFile(home, name)} ${what}`] : [];
  });

/** Answers the members that a newer pm may have written. */
function check(home: string, name: StateName, state: State): readonly string[] {
  const others: string[] = [];
  const wrong = faultIn(state, SHAPES[name], { path: '', others });
  if (wrong === undefined) return others;
  throw new ServiceError('usage', `${stateFile(home, name)} cannot be used: ${wrong}`, {
    hint: 'Correct it, or move it away; pm then makes a new one.',
  });
}

/** The members of an object by their names, `*` for all; a word of `KINDS` for other values. */
type Shape = string | { readonly [name: string]: Shape };

const TEXT = 'a string';
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  [TEXT]: (value) => typeof value === 'string',
  'a list of strings': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a number': (value) => typeof value === 'number',
  'json or xml': (value) => value === 'json' || value === 'xml',
  true: (value) => value === true,
};

const PROFILE: Shape = {
  url: TEXT,
  user: TEXT,
  wire: 'json or xml',
  tz: TEXT,
  protected: 'true',
  caFile: TEXT,
  allowHttp: 'true',
  namespace: TEXT,
  routes: { '*': TEXT },
  dropUnknown: 'true',
  probed: TEXT,
  habits: 'a list of strings',
  states: { '*': 'a number' },
};

/** Credentials are secrets by user name, by origin. `__internal__` is conf's own. */
const SHAPES: Readonly<Record<StateName, Shape>> = {
  config: { profile: TEXT, profiles: { '*': PROFILE }, databases: { '*': TEXT }, __internal__: 'left out' },
  credentials: { '*': { '*': TEXT } },
};

/** Its words never hold a value, which may be a secret. A name that is nearly one of ours is a slip, such as `protectd`. */
function faultIn(
  value: unknown,
  shape: Shape,
  { path, others }: { readonly path: string; readonly others: string[] },
): string | undefined {
  if (typeof shape === 'string') return KINDS[shape]?.(value) ? undefined : `${path} must be ${shape}`;
  if (!isObject(value)) return `${path} must be an object`;
  const required = 'url' in shape ? { url: undefined } : {};
  for (const [name, one] of Object.entries({ ...required, ...value })) {
    const at = path === '' ? name : `${path}.${name}`;
    const of = shape['*'] ?? (Object.hasOwn(shape, name) ? shape[name] : undefined);
    if (of === undefined && nearest(name, Object.keys(shape)))
      return `${path} holds what pm does not know: ${name}`.trim();
    if (of === undefined) others.push(at);
    const wrong = of && (one !== undefined || name in required) ? faultIn(one, of, { path: at, others }) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function textIn(file: string): string | undefined {
  try {
    // The file is mostly missing, and an error costs more than this look.
    return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCode(error) ?? '';
    // A folder that cannot be read counts as empty here: the command that needs it reports why.
    if (code === 'ENOENT' || code === 'ENOTDIR' || !isKnown(dirname(file))) return undefined;
    throw new ServiceError('storage', `${file} cannot be read: ${code}`, {
      hint: 'Name another folder: PM_HOME=<folder> pm …',
      cause: error,
    });
  }
}

function isKnown(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
