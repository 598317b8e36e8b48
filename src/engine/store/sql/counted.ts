// Set operations: the very records that a dashboard has counted (D36).

import type { Asked, Counted, Graded, MetricKind } from '../roll-up-port.ts';
import type { Connection } from '../sqlite/connection.ts';
import * as counting from './counting.ts';
import { GRADED } from './grading.ts';
import { ask, KINDS, PARTS } from './scope.ts';

const commitments = (kind: keyof typeof KINDS, hasPeriod: boolean): string =>
  `SELECT c."ID" ${counting.commitments(hasPeriod)} AND +part.Kind = ${KINDS[kind]}`;

const projects = (which: string): string => `SELECT p."ID" ${counting.PROJECTS} AND ${which}`;

const RECORDS: Readonly<Record<Counted, (hasPeriod: boolean) => string>> = {
  'organization commitments': (hasPeriod) => commitments('organization', hasPeriod),
  'department commitments': (hasPeriod) => commitments('department', hasPeriod),
  'individual commitments': (hasPeriod) => commitments('individual', hasPeriod),
  'active projects': () => projects(counting.ACTIVE),
  'completed projects': () => projects(counting.COMPLETED),
  'active projects of departments': () => projects(`part.Dept = 1 AND ${counting.ACTIVE}`),
};

/** The IDs of the records of one kind that were counted, in any order. */
export const counted = (connection: Connection, asked: Asked, what: Counted): readonly string[] =>
  ask(connection, `${PARTS} ${RECORDS[what](asked.period !== undefined)}`, asked).map(([id]) => String(id));

const METRICS: Readonly<Record<MetricKind, string>> = {
  below: 'Level = 1',
  min: 'Level = 2',
  meets: 'Level = 3',
  exceeds: 'Level = 4',
  '8020': 'Is8020 = 1',
  '8020dept': 'Is8020 = 1 AND Dept = 1',
};

/** The metrics of one kind that were counted, in any order, each with what it was graded by. */
export function graded(connection: Connection, asked: Asked, kind: MetricKind): readonly Graded[] {
  const sql = `${PARTS} ${GRADED} SELECT MetricID, Level, Value, Date, T1, T2, T3 FROM graded WHERE ${METRICS[kind]}`;
  return ask(connection, sql, asked).map(([id, level, value, date, minimum, meets, exceeds]) => ({
    id: String(id),
    level: Number(level),
    value: Number(value),
    date: String(date),
    minimum: Number(minimum),
    meets: Number(meets),
    exceeds: Number(exceeds),
  }));
}
