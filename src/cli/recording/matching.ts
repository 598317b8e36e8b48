// Finds the recorded answer to a request. Requests are compared as values; IDs that the client chose may differ.
import { ServiceError } from '../../contract/errors.ts';
import type { ReplayedAnswer, ReplayedRequest } from '../../server/replay.ts';
import { unknownRequest } from './nearest-request.ts';
import type { Recorded } from './recording.ts';
import { GUIDS, guidsIn, type RequestText, requestText } from './request-text.ts';

interface Entry {
  readonly recorded: Recorded;
  readonly request: RequestText;
  /** GUIDs that occur nowhere before this request, which writes: the client chose them. */
  readonly chosen: ReadonlySet<string>;
  used: boolean;
}

/**
 * Answers requests as they were recorded. Equal requests are answered in the recorded order, the last of them from then
 * on. Where all but chosen GUIDs agree, those of the request stand for the recorded ones from then on. The function
 * throws `not_found` for a request that is not recorded, and for an answer that is not.
 */
export function replayOf(exchanges: readonly Recorded[]): (asked: ReplayedRequest) => ReplayedAnswer {
  const { entries, known } = entriesOf(exchanges);
  const [byText, byShape] = [grouped(entries, ({ text }) => text), grouped(entries, ({ shape }) => shape)];
  const toRecorded = new Map<string, string>();
  const toAsked = new Map<string, string>();

  /** An entry whose chosen GUIDs alone differ; their counterparts are learned. */
  const learn = (request: RequestText): Entry | undefined => {
    const alike = (byShape.get(request.shape) ?? []).flatMap((entry) => {
      const pairs = counterparts(entry, request, known);
      return pairs ? [{ entry, pairs }] : [];
    });
    const found = alike.find(({ entry }) => !entry.used) ?? alike.at(-1);
    for (const [recorded, asked] of found?.pairs ?? []) {
      toRecorded.set(asked, recorded);
      toAsked.set(recorded, asked);
    }
    return found?.entry;
  };
  return (asked) => {
    const request = requestText(mapGuids(asked, toRecorded));
    const equal = byText.get(request.text);
    const entry = equal ? (equal.find(({ used }) => !used) ?? equal.at(-1)) : learn(request);
    if (!entry)
      throw unknownRequest(
        asked,
        request,
        entries.map((one) => one.request),
      );
    entry.used = true;
    return answerOf(entry.recorded, toAsked);
  };
}

function entriesOf(exchanges: readonly Recorded[]): { entries: readonly Entry[]; known: ReadonlySet<string> } {
  const known = new Set<string>();
  const entries = exchanges.map((recorded): Entry => {
    const request = requestText(recorded);
    const isNew = (guid: string): boolean => recorded.method !== 'GET' && !known.has(guid);
    const chosen = new Set(request.guids.filter(isNew));
    for (const guid of [...request.guids, ...guidsIn(recorded.answer ?? '')]) known.add(guid);
    return { recorded, request, chosen, used: false };
  });
  return { entries, known };
}

function grouped(entries: readonly Entry[], key: (request: RequestText) => string): ReadonlyMap<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(key(entry.request));
    if (group) group.push(entry);
    else groups.set(key(entry.request), [entry]);
  }
  return groups;
}

/** The differing GUIDs, by the recorded one; undefined unless each was chosen, and stands for one other alone. */
function counterparts(
  { request, chosen }: Entry,
  asked: RequestText,
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const [at, recorded] of request.guids.entries()) {
    const other = asked.guids[at] ?? '';
    if ((pairs.get(recorded) ?? other) !== other) return undefined;
    if (other === recorded) continue;
    if (!chosen.has(recorded) || known.has(other)) return undefined;
    pairs.set(recorded, other);
  }
  return new Set(pairs.values()).size === pairs.size ? pairs : undefined;
}

function mapGuids({ method, path, query, body }: ReplayedRequest, guids: ReadonlyMap<string, string>): ReplayedRequest {
  const [mappedPath, mappedQuery] = [withGuids(path, guids), withGuids(query, guids)];
  return { method, path: mappedPath, query: mappedQuery, body: body === null ? null : withGuids(body, guids) };
}

/** Each GUID as the map has it, in capitals where it was. */
const withGuids = (text: string, guids: ReadonlyMap<string, string>): string =>
  guids.size === 0
    ? text
    : text.replace(GUIDS, (guid) => {
        const other = guids.get(guid.toLowerCase());
        if (other === undefined) return guid;
        return guid === guid.toLowerCase() ? other : other.toUpperCase();
      });

function answerOf(
  { status, headers, answer, broken, unread, ...request }: Recorded,
  toAsked: ReadonlyMap<string, string>,
) {
  if (unread !== undefined)
    throw new ServiceError('not_found', `the answer to ${request.method} ${request.path} is not recorded: ${unread}`);
  return { status, headers, body: withGuids(answer ?? '', toAsked), broken: broken === true };
}
