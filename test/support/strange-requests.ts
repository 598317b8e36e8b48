// What a request asks of a strange service, by the table of operations.
import type { ReceivedRequest } from './fake-server.ts';
import { operations } from './strange-xml.ts';

interface Operation {
  readonly group: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly type: string;
}

export const isParameter = (segment = ''): boolean => segment.startsWith('{');
const fixedIn = ({ segments }: Operation): number => segments.filter((segment) => !isParameter(segment)).length;

const BODIES = new Map(operations().flatMap(([group = '', , , , body = '-']) => (body === '-' ? [] : [[group, body]])));
const OPERATIONS: readonly Operation[] = operations()
  .map(([group = '', method = '', path = '', , , output = '']) => {
    const segments = path.split('/').slice(1);
    return { group, method, segments, type: BODIES.get(group) ?? output };
  })
  .sort((one, other) => fixedIn(other) - fixedIn(one));

export interface Asked extends Operation {
  /** The parameters of the path. */
  readonly params: readonly string[];
  readonly isXml: boolean;
  readonly deleted: string;
}

/** The operation at the address of a request, with what its address says; undefined where there is none. */
export function askedFor({ method, url, headers }: ReceivedRequest): Asked | undefined {
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

export const hasUndelete = (group: string): boolean =>
  OPERATIONS.some((one) => one.group === group && one.segments.at(-1) === 'undelete');
