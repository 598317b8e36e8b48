// pm's own small files in its folder: read as plain JSON, written whole or not at all, for their owner alone.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { checkBy, parsedJson, type Zod } from '../../files/checked.ts';
import { type Output, replaceOutput, writeOutput } from '../../files/output.ts';
import { nearest } from '../../text/spelling.ts';
import { systemCode } from '../../text/system-code.ts';
import { makeHome } from './home.ts';

type StateName = 'config' | 'credentials';
type State = Readonly<Record<string, unknown>>;

export const stateFile = (home: string, name: StateName): string => join(home, `${name}.json`);

/** The content of the file; nothing where there is none. Throws `usage` for a file that is no JSON object. */
export function readState(home: string, name: StateName): State {
  const file = stateFile(home, name);
  const text = textIn(file);
  if (text === undefined) return {};
  const value = parsedJson(text);
  if (isState(value)) return value;
  // Its words are not shown: they may be a secret.
  throw new ServiceError('usage', `${file} cannot be understood: it is no JSON object`, {
    hint: 'Mend it, or move it away; pm then begins with a new one.',
  });
}

/**
 * Replaces the file: conf writes a draft beside it, and moves that into place. Throws `usage` for a file that cannot be
 * understood, and as `replaceOutput`.
 */
export async function writeState(home: string, name: StateName, state: State): Promise<void> {
  makeHome(home);
  await checked(home, name, state);
  const { default: Conf } = await import('conf');
  readState(home, name);
  replaceOutput(outputTo(stateFile(home, name)), () => {
    const file = new Conf<State>({
      cwd: home,
      configName: name,
      configFileMode: 0o600,
      // Members are addresses, such as https://pm.example.com: a dot in them is a dot.
      accessPropertiesByDotNotation: false,
      serialize: jsonOf,
    });
    file.store = state;
  });
}

const outputTo = (path: string): Output => ({ name: path, path, overwrite: true });

const jsonOf = (state: State): string => `${JSON.stringify(state, null, 2)}\n`;

/** The SHA-256 of each file as it was when it was last found to be right. */
const CHECKED = 'checked.json';

/**
 * Checks the members of each file that is not the one that this version of pm has checked last; answers warnings of members that
 * it does not know, each time. Throws `usage` with the file and the member, and as `readState`.
 */
export async function checkStates(home: string, version: string): Promise<readonly string[]> {
  const hashes = new Map<StateName, string>();
  for (const name of Object.keys(SCHEMAS) as StateName[]) {
    const text = textIn(stateFile(home, name));
    if (text !== undefined) hashes.set(name, createHash('sha256').update(text).digest('hex'));
  }
  if (hashes.size === 0) return [];
  const path = join(home, CHECKED);
  const known = parsedJson(textIn(path) ?? '');
  const anew = [...hashes].filter(([name, hash]) => !isState(known) || known.pm !== version || known[name] !== hash);
  if (anew.length === 0) return [];
  const others: string[] = [];
  for (const [name] of anew) others.push(...(await checked(home, name, readState(home, name))));
  if (others.length > 0)
    return [
      `warning: ${stateFile(home, 'config')} holds what this pm does not know: ${others.join(', ')}. It is kept, and has no effect`,
    ];
  const text = jsonOf({ pm: version, ...Object.fromEntries(hashes) });
  // In a folder that cannot be written to, they are checked each time.
  await writeOutput(outputTo(path), (draft) => draft.writeFile(text)).catch(() => undefined);
  return [];
}

/**
 * Answers the members that a newer pm may have written. One that is nearly called as one of ours is a slip, such as `protectd`: it
 * is refused, and so is the one that conf itself uses.
 */
async function checked(home: string, name: StateName, state: State): Promise<readonly string[]> {
  const others: string[] = [];
  const members: string[] = [];
  const isOther = (path: readonly PropertyKey[]): boolean =>
    path[0] !== '__internal__' &&
    nearest(String(path.at(-1)), members) === undefined &&
    others.push(path.join('.')) > 0;
  const check = await checkBy((z) => {
    members.push(...Object.keys({ ...configMembers(z), ...profileMembers(z) }));
    return SCHEMAS[name](z);
  });
  const wrong = check(state, isOther);
  if (wrong === undefined) return others;
  throw new ServiceError('usage', `${stateFile(home, name)} cannot be used: ${wrong}`, {
    hint: 'Mend it, or move it away; pm then begins with a new one.',
  });
}

/** Credentials are secrets by user name, by origin. */
const SCHEMAS = {
  config: (z: Zod) => z.strictObject(configMembers(z)),
  credentials: (z: Zod) => z.record(z.string(), z.record(z.string(), z.string())),
};

function profileMembers(z: Zod) {
  const [text, yes] = [z.optional(z.string()), z.optional(z.literal(true))];
  return {
    url: z.string(),
    user: text,
    wire: z.optional(z.enum(['json', 'xml'])),
    tz: text,
    protected: yes,
    caFile: text,
    allowHttp: yes,
    namespace: text,
    routes: z.optional(z.record(z.string(), z.string())),
    dropUnknown: yes,
    probed: text,
    habits: z.optional(z.array(z.string())),
    states: z.optional(z.record(z.string(), z.number())),
  };
}

const configMembers = (z: Zod) => ({
  profile: z.optional(z.string()),
  profiles: z.optional(z.record(z.string(), z.strictObject(profileMembers(z)))),
  databases: z.optional(z.record(z.string(), z.string())),
});

/** Is this an object with members, and no list? */
const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
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
