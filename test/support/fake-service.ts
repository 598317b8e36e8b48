// A small service that keeps accountabilities and colors, and does to single requests what a test wants it to.
import type { ServerResponse } from 'node:http';
import { breaks, type FakeServer, type Handler, json, type ReceivedRequest, says } from './fake-server.ts';

export type Fault = 'before' | 'after' | number;

export interface FakeService {
  /** What it keeps, by ID. */
  readonly records: Map<string, Record<string, unknown>>;
  /** The requests that change something. */
  readonly writes: () => readonly ReceivedRequest[];
  /** What happens to the next writes, in this order: lost before or after it was done, or answered so. */
  fails(...faults: readonly (Fault | undefined)[]): void;
  /** Happens with the next write that is done. */
  meanwhile(work: () => void): void;
  /** How many writes were on their way at once at most. */
  mostAtOnce(): number;
}

interface FakeOptions {
  /** It gives new records IDs of its own. */
  readonly gives?: boolean;
  /** Who is asked for at the beginning of other sessions. */
  readonly me?: Readonly<Record<string, unknown>>;
}

export function fakeService(server: FakeServer, { gives = false, me }: FakeOptions = {}): FakeService {
  const records = new Map<string, Record<string, unknown>>();
  let faults: (Fault | undefined)[] = [];
  let given = 0;
  let meanwhile = (): void => undefined;
  let flying = 0;
  let most = 0;
  const newID = (kind: string): string | number =>
    kind === 'colors' ? ++given : `f0000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;

  const change = (heard: ReceivedRequest, kind: string, id: string | undefined, verb: string | undefined): Handler => {
    const body = heard.body === '' ? {} : (JSON.parse(heard.body) as Record<string, unknown>);
    if (heard.method === 'POST') {
      const ID = gives || kind === 'colors' ? newID(kind) : String(body.ID ?? newID(kind));
      const made = { ...body, ID, Deleted: false, DeletedByRef: false };
      if (records.has(String(ID))) return says(409, '{"code":"conflict"}');
      records.set(String(ID), made);
      return json(made);
    }
    const record = records.get(id ?? '');
    if (!record || (record.Deleted && heard.method === 'PUT' && !verb)) return says(404, '');
    const changes = verb ? { Deleted: false } : heard.method === 'DELETE' ? { Deleted: true } : body;
    const now = { ...record, ...changes };
    if (heard.method === 'DELETE' && kind === 'colors') records.delete(id ?? '');
    else records.set(id ?? '', now);
    return json(now);
  };

  const write = (
    heard: ReceivedRequest,
    response: ServerResponse,
    ...place: readonly [string, string?, string?]
  ): void => {
    const fault = faults.shift();
    if (fault === 'before') {
      breaks(heard, response);
      return;
    }
    if (typeof fault === 'number') {
      says(fault, '', { 'retry-after': '0' })(heard, response);
      return;
    }
    meanwhile();
    meanwhile = () => undefined;
    most = Math.max(most, ++flying);
    const deed = change(heard, place[0], place[1], place[2]);
    setImmediate(() => {
      flying--;
      (fault === 'after' ? breaks : deed)(heard, response);
    });
  };

  const read = (kind: string, id: string | undefined): Handler => {
    if (id === undefined) return json([...records.values()].filter((one) => (kind === 'colors') === !isGuid(one.ID)));
    const record = records.get(id);
    return record && record.Deleted !== true ? json(record) : says(404, '');
  };

  server.does((heard, response) => {
    const [, kind = '', id, verb] = /\/(accountabilities|colors)(?:\/([^/?]+))?(?:\/(undelete))?/.exec(heard.url) ?? [];
    if (me && heard.url.endsWith('/me')) json(me)(heard, response);
    else if (heard.method === 'GET') read(kind, id)(heard, response);
    else write(heard, response, kind, id, verb);
  });
  return {
    records,
    writes: () => server.requests.filter(({ method }) => method !== 'GET'),
    fails: (...wanted) => {
      faults = [...wanted];
    },
    meanwhile: (work) => {
      meanwhile = work;
    },
    mostAtOnce: () => most,
  };
}

const isGuid = (id: unknown): boolean => String(id).includes('-');
