// A service of the interface that its own authors have written: a store of its own, no codec and no contract of src. It
// counts what it receives, and every habit in which services differ is a switch.
import type { ServerResponse } from 'node:http';
import { breaks, type FakeServer, type ReceivedRequest, says } from './fake-server.ts';
import { type Habits, MORE, ORDINARY } from './strange-habits.ts';
import { ME_RECORD, strangeRecords } from './strange-records.ts';
import { type Asked, askedFor } from './strange-requests.ts';
import { type Fields, listAsXml, membersOf, recordAsXml, xmlBody } from './strange-xml.ts';

export interface StrangeService {
  /** The records of a group: `individuals`, `comments`, … */
  all(group: string): readonly Fields[];
  /** Puts a record in, past every rule. */
  put(group: string, record: Fields): void;
  /** How many requests came that write, by method and group: `POST individuals`. */
  received(): Readonly<Record<string, number>>;
  habits: Habits;
}

/** Makes a fake server behave as such a service; the administrator `ann` is there. */
export function strangeService(server: FakeServer, habits: Partial<Habits> = {}): StrangeService {
  const records = strangeRecords(() => service.habits);
  const counts = new Map<string, number>();
  let reads = 0;
  let lost = 0;
  let unanswered: string | undefined;
  const service: StrangeService = {
    habits: { ...ORDINARY, ...habits },
    all: records.all,
    put: records.put,
    received: () => Object.fromEntries([...counts].sort()),
  };
  const read: Answers = (asked, request, response) => {
    if (service.habits.stumbles && ++reads % 3 === 0) return says(500, 'Timeout expired')(request, response);
    if (service.habits.goesDown && lost > 0) return breaks(request, response);
    const found = records.read(asked);
    return found ? answer(response, asked, found, service.habits) : says(404, '')(request, response);
  };
  const write: Answers = (asked, request, response) => {
    count(counts, asked);
    const refused = service.habits.refusesMore ? MORE.find((name) => request.body.includes(name)) : undefined;
    if (refused) return says(400, JSON.stringify({ Message: `${refused} cannot be set.` }))(request, response);
    const sent = `${request.method} ${request.url} ${request.body}`;
    if (service.habits.refusesAgain && sent === unanswered) return says(412, '')(request, response);
    const done = records.write(asked, () => bodyOf(asked, request.body, service.habits));
    if (lost++ < service.habits.losesAnswers) {
      unanswered = sent;
      return breaks(request, response);
    }
    return done ? answer(response, asked, done, service.habits) : says(404, '')(request, response);
  };
  server.does((request, response) => {
    const asked = askedFor(request);
    if (!asked) return says(404, '')(request, response);
    return (request.method === 'GET' ? read : write)(asked, request, response);
  });
  service.put('individuals', ME_RECORD);
  return service;
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
  response.writeHead(200, { 'content-type': isXml ? 'application/xml' : 'application/json' }).end(text);
}

function spelled(record: Fields, { shouts, omitsNulls }: Habits): Fields {
  const members = Object.entries(record)
    .filter(([, value]) => !omitsNulls || value !== null)
    .map(([name, value]) => [name, shouts && isGuid(value) ? value.toUpperCase() : value]);
  return Object.fromEntries(members);
}

const isGuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value);
