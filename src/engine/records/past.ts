// The record of the past as the engine's owner reads it: the contract's members, without what the store keeps for itself.
import type { History, Past } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { writeDate } from '../context.ts';
import type { HistoryLine, Reader } from '../store/port.ts';

/** The past of one site; `siteOf` tells under which site a record's past is kept. */
export const pastOn = (reader: Reader, siteOf: (resource: string, id: string) => string, site: string): History => ({
  of: async (resource, id) => (await reader.history(siteOf(resource, id), resource, id)).map(shown),
  since: async (at, limit) => (await reader.past(site, at === undefined ? undefined : moment(at), limit)).map(shown),
});

function shown(line: HistoryLine): Past {
  return { ...line, before: line.before && membersOf(line.resource, line.before) };
}

/** Members of the contract, and unknown ones where the resource is open (D11). */
function membersOf(name: string, stored: Row): Row {
  const { fields, open } = resourceNamed(name);
  const members: Record<string, Value> = {};
  for (const member in stored) if (member in fields) members[member] = stored[member] ?? null;
  if (open && typeof stored.Others === 'string') Object.assign(members, JSON.parse(stored.Others));
  return members;
}

/** A moment as stored dates are written. */
function moment(at: string): string {
  const instant = new Date(at);
  if (!Number.isNaN(instant.getTime())) return writeDate(instant);
  throw new ServiceError('invalid', `"${at}" is no moment`, { hint: 'Write it like 2026-05-14T09:30:00Z.' });
}
