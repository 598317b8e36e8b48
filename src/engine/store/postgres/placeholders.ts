// Statements in the form that the server takes: `$1` for each `?`, and a name under which a connection keeps them prepared.
import { codeOf } from './failure.ts';

interface Numbered {
  readonly text: string;
  /** Does it change rows, or may a part of it? */
  readonly writes: boolean;
}

/** A quoted text or name, which is left as it is, or a placeholder. */
const MARKS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;
const MAX_KNOWN = 2_000;
const known = new Map<string, Numbered>();

/** Each text is read once. */
export function numbered(sql: string): Numbered {
  const found = known.get(sql);
  if (found) return found;
  let count = 0;
  const text = sql.replace(MARKS, (mark) => (mark === '?' ? `$${++count}` : mark));
  const writes = /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);
  const statement = { text, writes };
  if (known.size < MAX_KNOWN) known.set(sql, statement);
  return statement;
}

const MAX_NAMED = 400;

/**
 * Names of texts on one connection. The many that come up once get none: the server would keep each of them. No other connection
 * gives the same names: behind a pooler that mixes them up, another statement would else be run.
 */
export function namesOfTexts(): (text: string) => string | undefined {
  const connection = crypto.randomUUID().slice(0, 13);
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_NAMED) return known;
    const name = `pm_${connection}_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

const NEVER_PREPARED = '26000';

/**
 * The error to throw for an error of a prepared statement. If the server refused the first statement of a name, the later
 * ones of that name throw the error of the first.
 */
export function firstErrors(): (name: string | undefined, error: unknown) => unknown {
  const last = new Map<string | undefined, unknown>();
  return (name, error) => {
    if (codeOf(error) === NEVER_PREPARED) return last.get(name) ?? error;
    last.set(name, error);
    return error;
  };
}
