// A service of the interface that its own authors have written: a store of its own, no codec and no contract of src. It
// counts what it receives, and every habit in which services differ is a switch.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { breaks, type FakeServer, type Handler, json, type ReceivedRequest, says } from './fake-server.ts';
import { type Habits, type Manner, MORE, ORDINARY } from './strange-habits.ts';
import { ME_RECORD, strangeRecords } from './strange-records.ts';
import { type Asked, askedFor, isParameter } from './strange-requests.ts';
import { type Fields, listAsXml, membersOf, recordAsXml, xmlBody } from './strange-xml.ts';

export interface StrangeService {
  /** The records of a group: `individuals`, `comments`, … */
  all(group: string): readonly Fields[];
  /** Puts a record in, past every rule. */
  put(group: string, record: Fields): void;
  /** How many requests came that write, by method and group: `POST individuals`. */
  received(): Readonly<Record<string, number>>;
  /** How many requests came. */
  requests(): number;
  habits: Habits;
}

/** Makes a fake server behave as such a service; the administrator `ann` is there. */
export function strangeService(server: FakeServer, habits: Partial<Habits> = {}): StrangeService {
  const records = strangeRecords(() => service.habits);
  const counts = new Map<string, number>();
  let reads = 0;
  let lost = 0;
  let denied = 0;
  let swallowed = 0;
  let requests = 0;
  let unanswered: string | undefined;
  const service: StrangeService = {
    habits: { ...ORDINARY, ...habits },
    all: records.all,
    put: records.put,
    requests: () => requests,
    received: () => Object.fromEntries([...counts].sort()),
  };
  const read: Answers = (asked, request, response) => {
    if (service.habits.stumbles && ++reads % 3 === 0) return says(500, 'Timeout expired')(request, response);
    if (service.habits.goesDown && lost > 0) return breaks(request, response);
    if (service.habits.hasNoSingles && isOne(asked)) return says(405, '')(request, response);
    const found = records.read(asked);
    if (!found) return ABSENT[service.habits.absent](request, response);
    if (!Array.isArray(found) && isOne(asked))
      return showOne(asked, found as Fields, records.all(asked.group), service.habits)(request, response);
    if (!Array.isArray(found) || service.habits.pages === 'no') return answer(response, asked, found, service.habits);
    return page(request, asked, found, service.habits)(request, response);
  };
  const write: Answers = (asked, request, response) => {
    if (swallowed < service.habits.losesRequests) {
      swallowed++;
      return breaks(request, response);
    }
    count(counts, asked);
    const refused = service.habits.refusesMore ? MORE.find((name) => request.body.includes(name)) : undefined;
    if (refused) return says(400, JSON.stringify({ Message: `${refused} cannot be set.` }))(request, response);
    const sent = `${request.method} ${request.url} ${request.body}`;
    if (service.habits.refusesAgain && sent === unanswered) return says(412, '')(request, response);
    const { refusesQuietly, wantsVersions, deniesEach, denies, pretends } = service.habits;
    if (pretends && (request.method === 'DELETE' || asked.segments.at(-1) === 'undelete'))
      return json({})(request, response);
    if (refusesQuietly && request.method === 'DELETE') return json(QUIET_REFUSAL)(request, response);
    if (wantsVersions && request.method === 'DELETE' && request.headers['if-match'] !== VERSION)
      return says(428, '')(request, response);
    const old = { ...records.all(asked.group).find(({ ID }) => sameText(ID, asked.params.at(-1))) };
    const done = records.write(asked, () => bodyOf(asked, request.body, service.habits));
    if (done === 'taken') return says(409, JSON.stringify({ Message: 'The ID is taken.' }))(request, response);
    if (done && deniesEach > 0 && ++denied % deniesEach === 0)
      return says(denies, '', { location: '/v4/individuals' })(request, response);
    if (lost++ < service.habits.losesAnswers) {
      unanswered = sent;
      return breaks(request, response);
    }
    return done ? answerWrite(response, asked, done, old, service.habits) : says(404, '')(request, response);
  };
  server.does((request, response) => {
    if (++requests >= service.habits.pagesFrom) return PROXY_PAGE(request, response);
    const { hasNoVersion } = service.habits;
    if (hasNoVersion && request.url.startsWith('/v4')) return says(404, '')(request, response);
    const asked = askedFor(hasNoVersion ? { ...request, url: `/v4${request.url}` } : request);
    if (!asked) return says(404, '')(request, response);
    return (request.method === 'GET' ? read : write)(asked, request, response);
  });
  service.put('individuals', ME_RECORD);
  return service;
}

const VERSION = '"one"';
const ZEROS = '00000000-0000-0000-0000-000000000000';
const QUIET_REFUSAL = { Success: false, Message: 'This one is in use.' };
const PROXY_PAGE = says(404, '<html><h1>404 Not Found</h1><hr>nginx</html>', { 'content-type': 'text/html' });

const ABSENT: Readonly<Record<Habits['absent'], Handler>> = {
  '404': says(404, ''),
  null: says(200, 'null'),
  '204': says(204, ''),
  '[]': says(200, '[]'),
  '{}': says(200, '{}'),
  page: PROXY_PAGE,
};

const sameText = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase();

const isOne = ({ segments }: Asked): boolean => segments.length === 2 && isParameter(segments[1]);

/** The answer to the read of one record. */
function showOne(asked: Asked, found: Fields, all: readonly Fields[], habits: Habits): Handler {
  if (habits.shows === 'nothing') return ABSENT[habits.absent];
  const { ID, UserName, Name } = found;
  const shown = { it: found, part: { ID, UserName, Name }, 'the first': all[0] ?? found }[habits.shows];
  return (_, response) => answer(response, asked, shown, habits);
}

/** A page of two records: which one, `page` of the address says. */
function page(request: ReceivedRequest, asked: Asked, all: readonly Fields[], habits: Habits): Handler {
  const url = new URL(request.url, 'http://localhost');
  const at = Number(url.searchParams.get('page') ?? 0);
  const from = habits.pages === 'ring' ? (2 * at) % all.length : 2 * at;
  const some = all
    .slice(habits.pages === 'twice' ? Math.max(0, from - 1) : from, from + 2)
    .map((one) => spelled(one, habits));
  const isEndless = habits.pages === 'ring' || habits.pages === 'empty';
  const more = isEndless || all.length > 2 * at + 2;
  url.searchParams.set('page', String(at + 1));
  const next = `${url.pathname}${url.search}`;
  const members = {
    ...{ Total: { Total: all.length, Items: some }, HasMore: { HasMore: more, Items: some } },
    nextLink: { value: some, ...(more && { '@odata.nextLink': next }) },
  };
  const body = (members as Record<string, unknown>)[habits.pages] ?? some;
  const status = habits.pages === '206' && more ? 206 : 200;
  const header = {
    ...(asked.isXml && { 'content-type': 'application/xml' }),
    ...((isEndless || habits.pages === 'Link' || habits.pages === 'twice') &&
      more && { link: `<${next}>; rel="next"` }),
    ...(habits.pages === 'X-Total-Count' && { 'x-total-count': String(all.length) }),
  };
  return says(
    status,
    asked.isXml ? listAsXml(asked.type, some, habits.heedsOrder, false) : JSON.stringify(body),
    header,
  );
}

/** The answer to a change, as much as the service says. */
function answerWrite(response: ServerResponse, asked: Asked, done: Fields, old: Fields, habits: Habits): void {
  const says = { POST: habits.creates, PUT: habits.updates }[asked.method] ?? 'record';
  const { ID } = spelled(done, habits);
  const location = habits.creates === 'Location' ? { location: `/v4/${asked.group}/${ID}` } : {};
  const status = asked.method === 'POST' ? 201 : 200;
  if (says === 'record' || says === 'the old record' || says === 'zeros') {
    answer(response, asked, { record: done, 'the old record': old, zeros: { ...done, ID: ZEROS } }[says], habits);
    return;
  }
  const text = { ID: { ID }, status: { Status: 'OK' } }[says as string];
  response.writeHead(status, { 'content-type': 'application/json', ...location });
  response.end(text && JSON.stringify(text));
}

type Answers = (asked: Asked, request: ReceivedRequest, response: ServerResponse) => void;

function count(counts: Map<string, number>, { segments, method, group }: Asked): void {
  const what = `${segments.at(-1) === 'undelete' ? 'undelete' : method} ${group}`;
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function bodyOf({ isXml, type }: Asked, text: string, { heedsOrder }: Habits): Fields {
  if (!isXml) return JSON.parse(text || '{}') as Fields;
  const more = Object.fromEntries(MORE.map((name) => [name, '']));
  return xmlBody(type, text, heedsOrder ? membersOf(type, more, true) : undefined);
}

function answer(response: ServerResponse, asked: Asked, found: Fields | readonly Fields[], habits: Habits): void {
  const { type, isXml } = asked;
  const { heedsOrder, wraps } = habits;
  const isList = Array.isArray(found);
  const records = (isList ? (found as readonly Fields[]) : [found as Fields]).map((one) => spelled(one, habits));
  const wrapped = wraps ? { Count: records.length, Items: records } : records;
  const [first = {}] = records;
  const xml = isList ? listAsXml(type, records, heedsOrder, wraps) : recordAsXml(type, first, heedsOrder);
  const text = isXml ? xml : JSON.stringify(isList ? wrapped : first);
  const etag = habits.wantsVersions && !isList ? { etag: VERSION } : {};
  send(response, text, { 'content-type': isXml ? 'application/xml' : 'application/json', ...etag }, habits);
}

const PIECE = 7;

function send(response: ServerResponse, text: string, headers: Record<string, string>, { manner }: Habits): void {
  const status = manner === 'answers 202' && response.req.method !== 'GET' ? 202 : 200;
  const packs = manner === 'packs';
  const bytes = Buffer.from(manner === 'begins with a byte order mark' ? `\ufeff${text}` : text);
  response.writeHead(status, {
    ...headers,
    ...(manner === 'closes the connection' && { connection: 'close' }),
    ...(packs && { 'content-encoding': 'gzip' }),
  });
  if (manner === 'sends seven bytes at a time')
    for (let at = 0; at < bytes.length; at += PIECE) response.write(bytes.subarray(at, at + PIECE));
  response.end(manner === 'sends seven bytes at a time' ? undefined : packs ? gzipSync(bytes) : bytes);
}

function inManner(members: (readonly [string, unknown])[], manner: Manner): (readonly [string, unknown])[] {
  switch (manner) {
    case 'writes numbers as texts':
      return members.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]);
    case 'writes 1 for true':
      return members.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]);
    case 'writes first_name':
      return members.map(([name, value]) => [name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(), value]);
    case 'writes empty texts for null':
      return members.map(([name, value]) => [name, value ?? '']);
    case 'adds links':
      return [...members, ['_links', { self: { href: '/here' } }]];
    case 'turns the order of members round':
      return members.toReversed();
    default:
      return members;
  }
}

function spelled(record: Fields, { shouts, omitsNulls, guids, manner }: Habits): Fields {
  const members = Object.entries(record)
    .filter(([, value]) => !omitsNulls || value !== null)
    .map(([name, value]) => [name, shouts && isGuid(value) ? value.toUpperCase() : value] as const)
    .map(([name, value]) => [name, isGuid(value) ? GUIDS[guids](value) : value] as const);
  return Object.fromEntries(inManner(members, manner));
}

const GUIDS: Readonly<Record<Habits['guids'], (guid: string) => string>> = {
  dashes: (guid) => guid,
  braces: (guid) => `{${guid}}`,
  digits: (guid) => guid.replaceAll('-', ''),
};

const isGuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value);
