// Statements in the form that the server takes: `$1` for each `?`, and a name under which it keeps them prepared.

interface Numbered {
  readonly text: string;
  /** Undefined for the many texts that come up once: the server would keep each of them. */
  readonly name: string | undefined;
  /** Does it change rows, or may a part of it? */
  readonly writes: boolean;
}

/** A quoted text or name, which is left as it is, or a placeholder. */
const MARKS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;
const MAX_NAMED = 400;
const MAX_KNOWN = 2_000;
const known = new Map<string, Numbered>();
let named = 0;

/** Each text is read once. */
export function numbered(sql: string): Numbered {
  const found = known.get(sql);
  if (found) return found;
  let count = 0;
  const text = sql.replace(MARKS, (mark) => (mark === '?' ? `$${++count}` : mark));
  const writes = /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);
  const statement = { text, name: named < MAX_NAMED ? `pm_${++named}` : undefined, writes };
  if (known.size < MAX_KNOWN) known.set(sql, statement);
  return statement;
}
