// Says of a request that is not recorded how the nearest recorded one differs.
import { ServiceError } from '../../contract/errors.ts';
import type { ReplayedRequest } from '../../server/replay.ts';
import { cutTo } from '../../text/columns.ts';
import { nearest } from '../../text/spelling.ts';
import type { RequestText } from './request-text.ts';

/** The error `not_found`: what was asked, and the nearest of what was recorded. */
export function unknownRequest(
  { method, path, query }: ReplayedRequest,
  asked: RequestText,
  recorded: readonly RequestText[],
): ServiceError {
  const what = `${method} ${path}${query === '' ? '' : `?${query}`}`;
  return new ServiceError('not_found', `${what} is not recorded: ${nearestTo(asked, recorded)}`);
}

function nearestTo(asked: RequestText, recorded: readonly RequestText[]): string {
  const same = recorded.filter(({ method }) => method === asked.method);
  const path = [
    asked.path,
    nearest(
      asked.path,
      same.map((one) => one.path),
    ),
  ].find((one) => same.some((other) => other.path === one));
  const near = same.filter((one) => one.path === path);
  const [one] = [...near.filter(({ query }) => query === asked.query), ...near];
  if (!one) return `no request by ${asked.method} is near it`;
  if (one.path !== asked.path) return `the nearest path with ${asked.method} is ${one.path}`;
  if (one.query !== asked.query)
    return `the nearest request has ${one.query === '' ? 'no query' : `the query ${one.query}`}`;
  return `the nearest request has another body: ${bodyDifference(one.body, asked.body)}`;
}

function bodyDifference(recorded: string | null, asked: string | null): string {
  if (recorded === null || asked === null) return recorded === null ? 'it has none' : 'this one has none';
  const [before, now] = [membersOf(recorded), membersOf(asked)];
  if (!before || !now) return textDifference(recorded, asked);
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return differing.map((name) => `${name} is ${shown(before[name])} there and ${shown(now[name])} here`).join(', ');
}

const SHOWN = 40;

function textDifference(recorded: string, asked: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === asked[at]) at++;
  const from = Math.max(0, at - SHOWN / 2);
  const [there, here] = [recorded, asked].map((text) => JSON.stringify(text.slice(from, from + SHOWN)));
  return `from character ${at + 1} on it is ${there} there and ${here} here`;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : cutTo(JSON.stringify(value), SHOWN));

function membersOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
