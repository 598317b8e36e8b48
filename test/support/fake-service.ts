// A small service that keeps accountabilities and colors, and lets single requests fail.
import type { ServerResponse } from 'node:http';
import { breaks, type FakeServer, type Handler, json, type ReceivedRequest, says } from './fake-server.ts';

export type Fault = 'before' | 'after' | number;

export interface FakeService {
  /** The records by ID. */
  readonly records: Map<string, Record<string, unknown>>;
  /** The requests that change something. */
  readonly writes: () => readonly ReceivedRequest[];
  /** The faults of the next writes: a connection lost before or after the change, or a status. */
  fails(...faults: readonly (Fault | undefined)[]): void;
  /** Runs before the next write is carried out. */
  meanwhile(work: () => void): void;
  /** The most concurrent writes so far. */
  mostAtOnce(): number;
}

interface FakeOptions {
  /** New records get IDs of the service. */
  readonly gives?: boolean;
  /** The answer to GET /me. */
  readonly me?: Readonly<Record<string, unknown>>;
}

export function fakeService(server: FakeServer, { gives = false, me }: FakeOptions = {}): FakeService {
  const records = new Map<string, Record<string, unknown>>();
  let faults: (Fault | undefined)[] = [];
  let given = 0;
  let meanwhile = (): void => undefined;
  let running = 0;
  let most = 0;
  const newID = (kind: string): string | number =>
    kind === 'colors' ? ++given : `f0000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;

  const change = (
    request: ReceivedRequest,
    kind: string,
    id: string | undefined,
    verb: string | undefined,
  ): Handler => {
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    if (request.method === 'POST') {
      const ID = gives || kind === 'colors' ? newID(kind) : String(body.ID ?? newID(kind));
      const made = { ...body, ID, Deleted: false, DeletedByRef: false };
      if (records.has(String(ID))) return says(409, '{"code":"conflict"}');
      records.set(String(ID), made);
      return json(made);
    }
    const record = records.get(id ?? '');
    if (!record || (record.Deleted && request.method === 'PUT' && !verb)) return says(404, '');
    const changes = verb ? { Deleted: false } : request.method === 'DELETE' ? { Deleted: true } : body;
    const now = { ...record, ...changes };
    if (request.method === 'DELETE' && kind === 'colors') records.delete(id ?? '');
    else records.set(id ?? '', now);
    return json(now);
  };

  const write = (
    request: ReceivedRequest,
    response: ServerResponse,
    ...place: readonly [string, string?, string?]
  ): void => {
    const fault = faults.shift();
    if (fault === 'before') {
      breaks(request, response);
      return;
    }
    if (typeof fault === 'number') {
      says(fault, '', { 'retry-after': '0' })(request, response);
      return;
    }
    meanwhile();
    meanwhile = () => undefined;
    most = Math.max(most, ++running);
    const answer = change(request, place[0], place[1], place[2]);
    setImmediate(() => {
      running--;
      (fault === 'after' ? breaks : answer)(request, response);
    });
  };

  const read = (kind: string, id: string | undefined): Handler => {
    if (id === undefined) return json([...records.values()].filter((one) => (kind === 'colors') === !isGuid(one.ID)));
    const record = records.get(id);
    return record && record.Deleted !== true ? json(record) : says(404, '');
  };

  server.does((request, response) => {
    const [, kind = '', id, verb] =
      /\/(accountabilities|colors)(?:\/([^/?]+))?(?:\/(undelete))?/.exec(request.url) ?? [];
    if (me && request.url.endsWith('/me')) json(me)(request, response);
    else if (request.method === 'GET') read(kind, id)(request, response);
    else write(request, response, kind, id, verb);
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
