// The lines of history in one table: each site, caller and resource stands there as a number, and each line has a checksum.
import { crc32 } from 'node:zlib';
import { ServiceError } from '../../../contract/errors.ts';
import { storedResources } from '../../../contract/index.ts';
import { GROUP_MEMBER, type LineWhat, type Moment, memberID } from '../../../contract/lines.ts';
import { isSoft, type Row } from '../../../contract/resource.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { LastLine, OldLines, Reads, StoredLine, Writes } from '../port.ts';
import type { Dialect, Typed } from './dialect.ts';
import { all, type Bound, eachLater, eachOnceLater, one, type Raw, run, type Stepped, type Steps } from './steps.ts';

/** `Site`, `Caller` and `Resource` are numbers of `line_name`, `Job` is one of `job`; `At` is in milliseconds. */
export const LINE_TABLES = [
  `CREATE TABLE line_name (
  Number INTEGER PRIMARY KEY AUTOINCREMENT,
  Name TEXT NOT NULL UNIQUE
) STRICT`,
  `CREATE TABLE line (
  Sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  Site INTEGER NOT NULL,
  At INTEGER NOT NULL,
  Caller INTEGER NOT NULL,
  Job INTEGER,
  Row INTEGER,
  Resource INTEGER NOT NULL,
  ID TEXT NOT NULL,
  What INTEGER NOT NULL,
  Before TEXT,
  Crc INTEGER
) STRICT`,
  'CREATE INDEX line_by_ID ON line (ID, Site)',
  'CREATE INDEX line_in_order ON line (Site, Sequence, At)',
  'CREATE INDEX line_by_Job ON line (Job, Row) WHERE Job IS NOT NULL',
];

/** By their numbers, which count from 1. */
const WHATS: readonly LineWhat[] = ['create', 'update', 'delete', 'undelete', 'remove'];
/** What a line says, as SQL. */
export const whatIs = (...whats: readonly LineWhat[]): string =>
  `What IN (${whats.map((what) => WHATS.indexOf(what) + 1).join(', ')})`;

export const numberOf = (name: string): string => `(SELECT Number FROM line_name WHERE Name = ${name})`;
const nameOf = (number: string): string => `(SELECT Name FROM line_name WHERE Number = ${number})`;

const COLUMNS: readonly Typed[] = [
  { name: 'Site', type: 'TEXT', stored: numberOf },
  { name: 'At', type: 'INTEGER' },
  { name: 'Caller', type: 'TEXT', stored: numberOf },
  { name: 'Job', type: 'TEXT', stored: (job) => `(SELECT Sequence FROM job WHERE ID = ${job})` },
  { name: 'Row', type: 'INTEGER' },
  { name: 'Resource', type: 'TEXT', stored: numberOf },
  { name: 'ID', type: 'TEXT' },
  { name: 'What', type: 'INTEGER' },
  { name: 'Before', type: 'TEXT' },
  { name: 'Crc', type: 'INTEGER' },
];

const NAMES: readonly Typed[] = [{ name: 'Name', type: 'TEXT' }];

export const lineWritesIn = (dialect: Dialect): Stepped<Pick<Writes, 'addLines' | 'deleteLines'>> => {
  const addNames = `${dialect.insertEach('line_name', NAMES)} ON CONFLICT DO NOTHING`;
  const addLines = dialect.insertEach('line', COLUMNS);
  return {
    *addLines(site, lines) {
      const names = new Set([site]);
      for (const { caller, resource } of lines) names.add(caller).add(resource);
      yield* eachOnceLater(addNames, names);
      yield* eachLater(
        addLines,
        lines.map((line) => boundOf(site, line)),
      );
    },
    deleteLines: (site, from, to) => run(`DELETE FROM line WHERE ${isOld(dialect)}`, [site, from, to]),
  };
};

function boundOf(site: string, line: Omit<StoredLine, 'sequence'>): Bound[] {
  const { at, caller, job = null, row = null, resource, id, what, before } = line;
  const text = before === undefined ? null : JSON.stringify(before);
  const values = [site, at, caller, job, row, resource, id, WHATS.indexOf(what) + 1, text];
  return [...values, sumOf(values)];
}

/** The checksum of a line; nothing before its last value holds a line end. */
const sumOf = (values: readonly Bound[]): number => crc32(values.join('\n'));

const LINES = `SELECT Sequence, ${nameOf('Site')}, At, ${nameOf('Caller')},
  (SELECT ID FROM job WHERE job.Sequence = line.Job), Row, ${nameOf('Resource')}, ID, What, Before, Crc FROM line`;
const SELECT = `${LINES} WHERE Site = ${numberOf('?')}`;
const OF_RECORD = `${SELECT} AND ID = ? AND Resource = ${numberOf('?')} ORDER BY Sequence`;
const OF_MEMBERS = `${SELECT} AND ID > ? AND ID < ? AND Resource = ${numberOf('?')} ORDER BY Sequence`;
const NEWEST = `${SELECT} ORDER BY Sequence DESC LIMIT CAST(? AS BIGINT)`;
const BEHIND = `${SELECT} AND Sequence > CAST(? AS BIGINT) AND Sequence < CAST(? AS BIGINT)
  ORDER BY Sequence DESC LIMIT CAST(? AS BIGINT)`;
/** A record that a row changed several times stands once in the answer. */
const OF_JOB = `${LINES} WHERE Sequence IN (SELECT later.Sequence FROM line AS done JOIN line AS later
    ON later.ID = done.ID AND later.Site = done.Site AND later.Resource = done.Resource AND later.Sequence >= done.Sequence
  WHERE done.Job = (SELECT Sequence FROM job WHERE ID = ?) AND done.Row BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT))
  ORDER BY Sequence`;
/** A sample has a past that is older than its site: what made the site is not where later times begin. */
const FIRST_OF_SAMPLE = `SELECT past.Sequence FROM line AS made JOIN line AS past
  ON made.Sequence = (SELECT min(Sequence) FROM line WHERE Site = entry.Site)
  AND past.Sequence = (SELECT min(Sequence) FROM line WHERE Site = entry.Site AND At <> made.At)
  WHERE past.At < made.At`;
/** Clocks jump, so that moments do not ascend: what came after the first line of that time came since. */
const SINCE = `${SELECT} AND Sequence >= (SELECT Sequence FROM line AS entry WHERE Site = ${numberOf('?')} AND At >= ?
  AND Sequence >= coalesce((${FIRST_OF_SAMPLE}), 0) ORDER BY Sequence LIMIT 1)
  ORDER BY Sequence DESC LIMIT CAST(? AS BIGINT)`;

const FIRST = `SELECT Sequence FROM line WHERE Site = ${numberOf('?')} ORDER BY Sequence LIMIT 1`;
const LAST = `SELECT Sequence FROM line WHERE Site = ${numberOf('?')} ORDER BY Sequence DESC LIMIT 1`;
/** What came before the first line of that time is older. */
const FIRST_SINCE = `SELECT Sequence FROM line WHERE Site = ${numberOf('?')} AND At >= ? ORDER BY Sequence LIMIT 1`;

/** But for what else would be lost: the date changes of projects, which figures count (D33), and last images (D8). */
const canGo = oncePer(({ json }: Dialect): string => {
  const finals = storedResources.filter((resource) => !isSoft(resource)).map(({ name }) => `'${name}'`);
  return `NOT (Resource = ${numberOf("'project'")} AND ${whatIs('update')} AND ${json('Before')} -> 'EndDateProjected' IS NOT NULL)
  AND NOT (${whatIs('delete', 'remove')} AND Resource IN (SELECT Number FROM line_name WHERE Name IN (${finals.join(', ')})))`;
});
const isOld = (dialect: Dialect): string =>
  `Site = ${numberOf('?')} AND Sequence BETWEEN ? AND ? AND ${canGo(dialect)}`;
/** Of a job that only made records an undo needs no line. */
const countsOf = (dialect: Dialect): string =>
  `SELECT count(*), count(DISTINCT CASE WHEN NOT ${whatIs('create')} THEN Job END) FROM line WHERE ${isOld(dialect)}`;
/** The oldest moment that history tells of, in milliseconds; the lines that are never deleted do not count. */
export const wholeSince = (dialect: Dialect): string => `SELECT min(At) FROM line WHERE ${canGo(dialect)}`;

/** `place` names the database in errors. */
export function lineReadsIn(
  place: string,
  dialect: Dialect,
): Stepped<Pick<Reads, 'lines' | 'jobLines' | 'siteLines' | 'oldLines' | 'laterJobs'>> {
  const decoded = (raws: readonly Raw[]): readonly StoredLine[] => raws.map((raw) => lineOf(place, raw));
  return {
    *lines(site, resource, id) {
      const own = decoded(yield* all(OF_RECORD, [site, id, resource]));
      if (resource !== 'securityGroup') return own;
      // Nothing but the digits of GUIDs comes between the two.
      const range = [memberID(id, ''), memberID(id, '~')];
      const members = decoded(yield* all(OF_MEMBERS, [site, ...range, GROUP_MEMBER]));
      return [...own, ...members].sort((one, other) => one.sequence - other.sequence);
    },
    *jobLines(job, from, to) {
      const raws = yield* all(OF_JOB, [job, from, to]);
      return raws.map((raw) => ({ ...lineOf(place, raw), site: String(raw[1]) }));
    },
    *siteLines(site, since, limit) {
      return decoded(
        since === undefined ? yield* all(NEWEST, [site, limit]) : yield* all(SINCE, [site, site, since, limit]),
      );
    },
    *laterJobs(job) {
      return (yield* all(LATER_JOBS, [job])).map(([id]) => String(id)).filter((id) => id !== job);
    },
    *oldLines(site, before): Steps<OldLines | undefined> {
      const from = yield* sequence(FIRST, site);
      if (from === undefined) return undefined;
      const since = yield* sequence(FIRST_SINCE, site, before);
      const to = since === undefined ? Number(yield* sequence(LAST, site)) : since - 1;
      const old = yield* one(countsOf(dialect), [site, from, to]);
      return { from, to, count: Number(old?.[0]), jobs: Number(old?.[1]) };
    },
  };
}

/** Lines of a site behind one of them, the newest first: at most `limit` of those below another one. Throws as `lines` does. */
export function* linesBehind(
  place: string,
  site: string,
  line: number,
  below: number,
  limit: number,
): Steps<readonly StoredLine[]> {
  return (yield* all(BEHIND, [site, line, below, limit])).map((raw) => lineOf(place, raw));
}

const OF_SITE = `FROM line WHERE Site = ${numberOf('?')}`;
const UP_TO = `SELECT max(Sequence) ${OF_SITE} AND At <= ?`;
const FIRST_OF_JOB = `SELECT Sequence, At ${OF_SITE} AND Job = (SELECT Sequence FROM job WHERE ID = ?) ORDER BY Sequence LIMIT 1`;
const JOB_AFTER = `SELECT (SELECT ID FROM job WHERE job.Sequence = line.Job) ${OF_SITE} AND Sequence > ? ORDER BY Sequence LIMIT 1`;
/** Pruning takes lines away from the beginning, and those of an older pm do not say all that they changed. */
const wholeFrom = (dialect: Dialect): string =>
  `SELECT max(coalesce((SELECT Sequence ${OF_SITE} AND ${canGo(dialect)} ORDER BY Sequence LIMIT 1), ${Number.MAX_SAFE_INTEGER}),
    coalesce((SELECT max(Sequence) ${OF_SITE} AND Crc IS NULL), 0))`;
const EARLIEST = `SELECT min(At) ${OF_SITE} AND Sequence >= ?`;

/**
 * The last line of a site at a moment: by the order of lines, since clocks jump. Throws `not_found` where lines that came
 * later are not known any more, and for a job without lines.
 */
export function* lastLineAt(dialect: Dialect, site: string, moment: Moment): Steps<LastLine> {
  const first = 'job' in moment ? yield* one(FIRST_OF_JOB, [site, moment.job]) : undefined;
  if ('job' in moment && !first) throw noLines(moment.job);
  const at = 'job' in moment ? Number(first?.[1]) : moment.at;
  const sequence = first ? Number(first[0]) - 1 : Number((yield* one(UP_TO, [site, at]))?.[0] ?? 0);
  const whole = Number((yield* one(wholeFrom(dialect), [site, site]))?.[0]);
  if (sequence < whole) throw beforeHistory((yield* one(EARLIEST, [site, whole]))?.[0] ?? undefined);
  const before = (yield* one(JOB_AFTER, [site, sequence]))?.[0] ?? undefined;
  return { sequence, at, before: before === undefined ? undefined : String(before) };
}

const noLines = (job: string): ServiceError =>
  new ServiceError('not_found', `the history of this site has no change of the job ${job}`, {
    hint: 'It changed nothing here, or its changes are forgotten. Name a time instead.',
  });

function beforeHistory(earliest: unknown): ServiceError {
  const why = 'how the site was then is not known: its history';
  if (earliest === undefined)
    return new ServiceError('not_found', `${why} was forgotten`, { hint: 'What changes from now on is known later.' });
  const at = new Date(Number(earliest)).toISOString();
  return new ServiceError('not_found', `${why} begins at ${at}`, { next: { do: 'look-back', at } });
}

/** A job, and those that changed records of it later, or records of those. */
const LATER_JOBS = `WITH RECURSIVE behind(Job) AS (
  SELECT Sequence FROM job WHERE ID = ?
  UNION
  SELECT later.Job FROM behind JOIN line AS changed ON changed.Job = behind.Job
  JOIN line AS later ON later.ID = changed.ID AND later.Site = changed.Site AND later.Resource = changed.Resource
    AND later.Sequence > changed.Sequence
  WHERE later.Job IS NOT NULL AND later.Job <> behind.Job
)
SELECT job.ID FROM behind JOIN job ON job.Sequence = behind.Job ORDER BY job.Sequence DESC`;

function* sequence(sql: string, ...params: Bound[]): Steps<number | undefined> {
  const first = yield* one(sql, params);
  return first && Number(first[0]);
}

/** Throws `storage` where the checksum is wrong. An older pm wrote none. */
function lineOf(place: string, [sequence, ...raw]: Raw): StoredLine {
  const values = raw.slice(0, -1) as Bound[];
  const [, at, caller, job, row, resource, id, what, before] = values;
  const sum = raw.at(-1);
  if (sum !== null && sum !== sumOf(values)) throw damaged(place, `${resource} ${id}`);
  return {
    sequence: Number(sequence),
    at: Number(at),
    caller: String(caller),
    ...(job === null ? {} : { job: String(job), row: Number(row) }),
    resource: String(resource),
    id: String(id),
    what: WHATS[Number(what) - 1] as LineWhat,
    before: before === null ? undefined : (JSON.parse(String(before)) as Row),
  };
}

const damaged = (place: string, record: string): ServiceError =>
  new ServiceError('storage', `The history in ${place} is damaged: a line of ${record} is not as it was written`, {
    hint: 'The records themselves are not damaged. Copy the file, then put a backup in its place.',
  });
