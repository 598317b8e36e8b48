// Requests as texts that are equal where the requests are: JSON by its values, the query in any order, secrets hidden.
import { redactor } from '../../client/redact.ts';
import type { ReplayedRequest } from '../../server/replay.ts';

export const GUIDS = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi;

/** The GUIDs of a text in lower case, as often as they occur. */
export const guidsIn = (text: string): readonly string[] => (text.match(GUIDS) ?? []).map((one) => one.toLowerCase());

export interface RequestText extends ReplayedRequest {
  /** The whole request. */
  readonly text: string;
  /** The same without its GUIDs. */
  readonly shape: string;
  /** Its GUIDs, in the order in which the shape lacks them. */
  readonly guids: readonly string[];
}

/** `path`, `query` and `body` of the answer are in the form that is compared. */
export function requestText({ method, path, query, body }: ReplayedRequest): RequestText {
  const parts = { method, path: lowered(path), query: sorted(query), body: body === null ? null : bodyText(body) };
  const text = `${method} ${parts.path}?${parts.query}\n${parts.body ?? ''}`;
  return { ...parts, text, shape: text.replace(GUIDS, '#'), guids: guidsIn(text) };
}

/** Members that hold secrets by their names are hidden in recordings. */
const hideSecrets = redactor([]);

/** Members are compared in the order of their names, other texts as they are. */
function bodyText(body: string): string {
  try {
    return hideSecrets(lowered(JSON.stringify(JSON.parse(body), inOrder)));
  } catch {
    return hideSecrets(lowered(body));
  }
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const lowered = (text: string): string => text.replace(GUIDS, (guid) => guid.toLowerCase());

function sorted(query: string): string {
  const values = new URLSearchParams(lowered(query));
  values.sort();
  return values.toString();
}
