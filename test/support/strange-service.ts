// A service of the interface that its own authors have written: a store of its own, no codec and no contract of src. It
// counts what it receives, and every habit in which services differ is a switch.
import type { ServerResponse } from 'node:http';
import { breaks, type FakeServer, ME, type ReceivedRequest, says } from './fake-server.ts';
import { type Fields, listAsXml, membersOf, operations, readOnlyMembers, recordAsXml, xmlBody } from './strange-xml.ts';

export interface Habits {
  /** New records get IDs of the service. */
  readonly givesIDs: boolean;
  /** A PUT replaces the record: a member that is absent becomes null. */
  readonly replaces: boolean;
  /** Records have writable members that no document knows. */
  readonly knowsMore: boolean;
  /** A body with such a member is refused, and the answer names it. */
  readonly refusesMore: boolean;
  /** The connection closes before so many answers to requests that write. */
  readonly losesAnswers: number;
  /** The members of XML stand in the order of the alphabet, and one that comes too late is passed over. */
  readonly heedsOrder: boolean;
  /** The numbers of Not Set, Allow and Deny. */
  readonly states: readonly [number, number, number];
  /** `undelete` deletes what is there. */
  readonly toggles: boolean;
  /** A list comes with its count. */
  readonly wraps: boolean;
  /** GUIDs are spelled in capitals. */
  readonly shouts: boolean;
  /** Each third read is answered 500, once. */
  readonly stumbles: boolean;
  /** Members that stay as they are, whatever is sent. */
  readonly keeps: readonly string[];
  /** Members that every PUT empties. */
  readonly forgets: readonly string[];
  /** Texts lose their outer blanks. */
  readonly trims: boolean;
}

export const ORDINARY: Habits = {
  ...{ givesIDs: false, replaces: false, knowsMore: false, heedsOrder: false, toggles: false, wraps: false },
  ...{ shouts: false, stumbles: false, states: [0, 1, 2], keeps: [] },
  ...{ forgets: [], trims: false, refusesMore: false, losesAnswers: 0 },
};

export interface StrangeService {
  /** The records of a group: `individuals`, `comments`, … */
  all(group: string): readonly Fields[];
  /** Puts a record in, past every rule. */
  put(group: string, record: Fields): void;
  /** How many requests came that write, by method and group: `POST individuals`. */
  received(): Readonly<Record<string, number>>;
  habits: Habits;
}

/** What the members are called that only this service knows. */
export const MORE = ['BadgeNumber', 'Nickname'] as const;

interface Operation {
  readonly group: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly type: string;
}

const isParameter = (segment = ''): boolean => segment.startsWith('{');
const fixedIn = ({ segments }: Operation): number => segments.filter((segment) => !isParameter(segment)).length;

const BODIES = new Map(operations().flatMap(([group = '', , , , body = '-']) => (body === '-' ? [] : [[group, body]])));
const OPERATIONS: readonly Operation[] = operations()
  .map(([group = '', method = '', path = '', , , output = '']) => {
    const segments = path.split('/').slice(1);
    return { group, method, segments, type: BODIES.get(group) ?? output };
  })
  .sort((one, other) => fixedIn(other) - fixedIn(one));

interface Asked extends Operation {
  /** The parameters of the path. */
  readonly params: readonly string[];
  readonly isXml: boolean;
  readonly deleted: string;
}

function askedFor({ method, url, headers }: ReceivedRequest): Asked | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = pathname.split('/').slice(2);
  const isAt = ({ segments }: Operation): boolean =>
    segments.length === path.length &&
    segments.every((segment, at) => isParameter(segment) || segment.toLowerCase() === path[at]?.toLowerCase());
  const operation = OPERATIONS.find((one) => one.method === method && isAt(one));
  if (!operation) return undefined;
  const params = path.filter((_, at) => isParameter(operation.segments[at])).map(decodeURIComponent);
  const isXml = /xml/.test(`${headers['content-type'] ?? ''}${headers.accept ?? ''}`.replace(/json.*/, ''));
  return { ...operation, params, isXml, deleted: searchParams.get('deleted') ?? '0' };
}

const sameText = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase();

/** Makes a fake server behave as such a service; the administrator `ann` is there. */
export function strangeService(server: FakeServer, habits: Partial<Habits> = {}): StrangeService {
  const groups = new Map<string, Record<string, unknown>[]>();
  const counts = new Map<string, number>();
  let given = 0;
  let reads = 0;
  let lost = 0;
  const service: StrangeService = {
    habits: { ...ORDINARY, ...habits },
    all: (group) => groups.get(group) ?? [],
    put: (group, record) => void of(group).push({ ...more(), ...record }),
    received: () => Object.fromEntries([...counts].sort()),
  };
  const of = (group: string): Record<string, unknown>[] => {
    const records = groups.get(group) ?? [];
    groups.set(group, records);
    return records;
  };
  const more = (): Fields =>
    service.habits.knowsMore ? Object.fromEntries(MORE.map((name) => [name, `${name} ${++given}`])) : {};
  const orderOf = (type: string): readonly string[] | undefined =>
    service.habits.heedsOrder ? membersOf(type, Object.fromEntries(MORE.map((name) => [name, ''])), true) : undefined;

  const bodyOf = (asked: Asked, text: string): Fields =>
    asked.isXml ? xmlBody(asked.type, text, orderOf(asked.type)) : (JSON.parse(text || '{}') as Fields);

  const stored = (value: unknown): unknown =>
    service.habits.trims && typeof value === 'string' ? value.trim() : value;

  const created = ({ group, type }: Asked, body: Fields): Fields => {
    const numbered = of(group).some(({ ID }) => typeof ID === 'number') || ['colors', 'commitments'].includes(group);
    const own = numbered ? ++given : `f0000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;
    const ID = service.habits.givesIDs || numbered ? own : (body.ID ?? own);
    const writable = Object.entries(body)
      .filter(([name]) => !readOnlyMembers(type).has(name))
      .map(([name, value]) => [name, stored(value)]);
    const record = {
      ...more(),
      ...Object.fromEntries(writable),
      ID,
      SiteID: ME.SiteID,
      Deleted: false,
      DeletedByRef: false,
    };
    of(group).push(record);
    return record;
  };

  const updated = ({ type }: Asked, record: Record<string, unknown>, body: Fields): Fields => {
    const fixed = new Set([...readOnlyMembers(type), 'ID', 'SiteID', ...service.habits.keeps]);
    for (const name of membersOf(type, record, false)) {
      if (fixed.has(name)) continue;
      if (service.habits.forgets.includes(name)) record[name] = null;
      else if (name in body) record[name] = stored(body[name]);
      else if (service.habits.replaces) record[name] = null;
    }
    return record;
  };

  const carriedOut = (asked: Asked, request: ReceivedRequest): Fields | undefined => {
    const { method, group, segments, params } = asked;
    if (method === 'POST') return created(asked, bodyOf(asked, request.body));
    const isUndelete = segments.at(-1) === 'undelete';
    const record = of(group).find(({ ID }) => sameText(ID, params.at(-1)));
    if (!record || (record.Deleted === true && method === 'PUT' && !isUndelete)) return undefined;
    if (method === 'DELETE') {
      if (hasUndelete(group)) record.Deleted = true;
      else of(group).splice(of(group).indexOf(record), 1);
      return record;
    }
    if (!isUndelete) return updated(asked, record, bodyOf(asked, request.body));
    if (!service.habits.keeps.includes('Deleted')) record.Deleted = service.habits.toggles && record.Deleted !== true;
    return record;
  };

  const spelled = (record: Fields): Fields =>
    service.habits.shouts
      ? Object.fromEntries(
          Object.entries(record).map(([name, value]) => [name, isGuid(value) ? value.toUpperCase() : value]),
        )
      : record;

  const answers = (response: ServerResponse, asked: Asked, found: Fields | readonly Fields[]): void => {
    const { type, isXml } = asked;
    const { heedsOrder, wraps } = service.habits;
    const isList = Array.isArray(found);
    const records = (isList ? (found as readonly Fields[]) : [found as Fields]).map(spelled);
    const wrapped = wraps ? { Count: records.length, Items: records } : records;
    const [first = {}] = records;
    const xml = isList ? listAsXml(type, records, heedsOrder, wraps) : recordAsXml(type, first, heedsOrder);
    const text = isXml ? xml : JSON.stringify(isList ? wrapped : first);
    response.writeHead(200, { 'content-type': isXml ? 'application/xml' : 'application/json' }).end(text);
  };

  const reading = (asked: Asked): Fields | readonly Fields[] | undefined => {
    const { group, segments, params, deleted } = asked;
    const last = segments.at(-1);
    if (segments.join() === 'me') return ME_RECORD;
    const isShown = ({ Deleted }: Fields): boolean => deleted === '2' || (Deleted === true) === (deleted === '1');
    if (isParameter(last) && last !== '{childtype}' && last !== '{type}')
      return of(group).find((record) => record.Deleted !== true && sameText(record.ID, params.at(-1)));
    const owner = segments[0] === 'me' ? ME.ID : params[0];
    const isOf = (record: Fields): boolean =>
      owner === undefined ||
      sameText(owner, ME.SiteID) ||
      Object.values(record).some((value) => sameText(value, owner));
    return of(group).filter((record) => isShown(record) && isOf(record));
  };

  server.does((request, response) => {
    const asked = askedFor(request);
    if (!asked) return says(404, '')(request, response);
    if (request.method === 'GET') {
      const isStumble = service.habits.stumbles && ++reads % 3 === 0;
      const found = isStumble ? undefined : reading(asked);
      if (isStumble) return says(500, 'Timeout expired')(request, response);
      return found ? answers(response, asked, found) : says(404, '')(request, response);
    }
    const what = `${asked.segments.at(-1) === 'undelete' ? 'undelete' : request.method} ${asked.group}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
    const refused = service.habits.refusesMore ? MORE.find((name) => request.body.includes(name)) : undefined;
    if (refused) return says(400, JSON.stringify({ Message: `${refused} cannot be set.` }))(request, response);
    const done = carriedOut(asked, request);
    if (lost++ < service.habits.losesAnswers) return breaks(request, response);
    return done ? answers(response, asked, done) : says(404, '')(request, response);
  });
  service.put('individuals', ME_RECORD);
  return service;
}

const ME_RECORD: Fields = {
  ...ME,
  ...{ FirstName: 'Ann', LastName: 'Lee', Email: 'ann@example.com', UserEmail: 'ann@example.com', IsAdmin: true },
  ...{ UserID: ME.ID, PrimaryTitle: 'Head', Deleted: false, DeletedByRef: false },
};

const isGuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value);

const hasUndelete = (group: string): boolean =>
  OPERATIONS.some((one) => one.group === group && one.segments.at(-1) === 'undelete');
