// A service that answers dashboards written by hand, and a command's context on it.
import { PassThrough, Readable } from 'node:stream';
import { type Context, openContext } from '../../src/cli/context.ts';
import type { GlobalValues } from '../../src/cli/globals.ts';
import { settingsOf } from '../../src/cli/settings.ts';
import type { Input, Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Row } from '../../src/contract/resource.ts';
import { NOW } from '../support/pm.ts';
import { COLORS } from './dashboards-rows.ts';

export interface Company {
  readonly organizations: readonly Row[];
  readonly individuals: readonly Row[];
  /** By the ID of whose they are; the others may not be read. */
  readonly dashboards: ReadonlyMap<string, Row>;
  /** Those of the period before, by the ID of that. */
  readonly before?: ReadonlyMap<string, ReadonlyMap<string, Row>>;
  /** Further lists, as of periods and metrics, by the resource; the others may not be read. */
  readonly lists?: Readonly<Record<string, readonly Row[]>>;
}

export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Only what these commands ask for; a call of anything else fails the test. */
export function serviceOf(company: Company, calls: Input[] = []): Session {
  const { organizations: organization, individuals: individual, lists } = company;
  const all: Readonly<Record<string, readonly Row[]>> = { ...lists, organization, individual, color: COLORS };
  const listed = (operation: Operation & { resource?: string }, input?: Input): readonly Row[] => {
    const rows = all[`${operation.resource} ${operation.name}`] ?? all[operation.resource ?? ''];
    if (!rows) throw new ServiceError('forbidden', 'you may not read this list');
    return input?.by === 'department' ? rows.filter((row) => row.PrimaryOrganizationID === input.params?.id) : rows;
  };
  return {
    me: { id: idOf(901), userName: 'ann', site: idOf(1) },
    async call(_operation, input = {}) {
      calls.push(input);
      const { period } = input.query ?? {};
      const dashboards = company.before?.get(String(period)) ?? company.dashboards;
      const row = dashboards.get(String(input.params?.id));
      if (!row) throw new ServiceError('forbidden', 'you may not read this dashboard');
      return row;
    },
    async *list(operation, input) {
      yield* listed(operation, input);
    },
    find: {
      record: async (name, { id }) => {
        const row = all[name]?.find((one) => one.ID === id);
        return row ? { state: 'live', row } : { state: 'absent' };
      },
      byName: async (name, field, text) =>
        all[name]?.filter((row) => String(row[field]).toLowerCase() === text.toLowerCase()) ?? [],
      byMembers: () => Promise.reject(new Error('nothing is matched')),
      all: () => {
        throw new Error('nothing is exported');
      },
      holding: () => {
        throw new Error('nothing is looked for');
      },
      forget: () => undefined,
    },
  };
}

export interface Told {
  readonly context: Context;
  readonly out: () => string;
  readonly err: () => string;
}

/** A command's context on such a service; `columns` makes stdout a terminal. */
export function contextOn(session: Session, values: GlobalValues = {}, columns?: number, cwd = '/'): Told {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { out: '', err: '' };
  stdout.on('data', (part) => (texts.out += String(part)));
  stderr.on('data', (part) => (texts.err += String(part)));
  const io = {
    ...{ stdin: Readable.from([]), stdout, stderr, stdinIsTerminal: false, stderrIsTerminal: false },
    ...{ stdoutIsTerminal: columns !== undefined, columns: columns ?? 80, env: {}, now: () => NOW, cwd },
  };
  const context = { ...openContext(settingsOf(values, io), io), session: async () => session };
  return { context, out: () => texts.out, err: () => texts.err };
}
