// The small sample: two years of a company of sixty people. It is a recording, and its days are moved to today.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDsByResource } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isDate } from '../../contract/field.ts';
import { everyResource, type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { parsedJson } from '../../files/checked.ts';
import { chunks, grouped } from '../../text/batches.ts';
import { fridayBefore, type Shift, shiftFrom } from './calendar.ts';
import { periodOf } from './commitments.ts';
import { idNamed, membershipOf, roleNamed, setUpSite, userIDOf } from './founding.ts';
import { guidOf } from './random.ts';
import type { Timeline, Visit, Writer } from './timeline.ts';

const SEED = 'small';
/** Lines between two reports of progress. */
const BATCH = 100;

/** One call. In `id` and `with`, a text that begins with `@` names a record. */
interface Line {
  readonly at: string;
  /** The user name of who calls; without it, the administrator who seeds. */
  readonly by?: string;
  /** A verb and a resource. */
  readonly do: string;
  readonly id?: string;
  /** A name for the new record, for lines further down: its ID is given by the site. */
  readonly as?: string;
  readonly with?: Row;
}

/** Reads the recording. Throws `invalid` where it is missing or damaged. */
export async function smallSample() {
  const { recorded, lines } = await readRecording();
  const people = lines.filter((line) => line.do === 'add individual').map(({ with: row }) => String(row?.UserName));
  const [first = '', last = ''] = [people[0], people.at(-1)];
  // An individual is added together with its membership.
  const total = people.length + lines.filter((line) => /^(add|note|take) /.test(line.do)).length;
  return {
    sample: { seed: SEED, pace: 4 * 60_000, first, people: { first: idOf(first), last: idOf(last), next: undefined } },
    async write(timeline: Timeline, onProgress: (done: number, total: number) => void): Promise<void> {
      const { today } = timeline;
      const replay: Replay = { today, shift: shiftFrom(recorded, today), named: new Map() };
      for await (const some of chunks(lines, BATCH)) {
        const visits = some.map((line) => visitOf(line, replay));
        await timeline.write(visits, newIDsOf(some));
        onProgress(timeline.records(), Math.max(timeline.records(), total));
      }
      onProgress(timeline.records(), timeline.records());
    },
  };
}

const idOf = (user: string): string => guidOf(SEED, 'individual', user);

/** The recording lies beside the sources, and in a folder beside the bundle. */
async function readRecording() {
  const places = ['small.jsonl', 'samples/small.jsonl'].map((file) => join(import.meta.dirname, file));
  for (const file of places) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return recordingIn(text, file);
  }
  return refuse(`there is no file ${places[1]}`);
}

function recordingIn(text: string, file: string) {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((row, index) => parsed(row) ?? refuse(`line ${index + 1} of ${file} is not a JSON object`));
  const [begin, ...lines] = rows;
  const recorded = String(begin?.recorded);
  if (!DAY.test(recorded)) refuse(`line 1 of ${file} does not tell the day on which it was recorded`);
  // A file that was cut off would give a smaller company.
  if (lines.pop()?.end !== true) refuse(`${file} does not end with {"end":true}`);
  lines.forEach((line, index) => {
    if (!isLine(line)) refuse(`line ${index + 2} of ${file} is not a call`);
  });
  return { recorded, lines: lines as unknown as readonly Line[] };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function parsed(row: string): Record<string, unknown> | undefined {
  const value = parsedJson(row);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

const isLine = (line: Record<string, unknown>): boolean =>
  !Number.isNaN(Date.parse(String(line.at))) && typeof line.do === 'string' && partsOf(line.do) !== undefined;

/** The verb and the resource of a line; undefined if there is no such one. */
function partsOf(call: string): readonly [verb: string, resource: ResourceName] | undefined {
  const [verb = '', resource = ''] = call.split(' ');
  const isKnown = Object.hasOwn(VERBS, verb) && everyResource.some(({ name }) => name === resource);
  return isKnown ? [verb, resource as ResourceName] : undefined;
}

function refuse(why: string): never {
  throw new ServiceError('invalid', `the small sample cannot be read: ${why}`, {
    hint: 'Install pm again: the file belongs to the program.',
  });
}

/** What a line does. */
interface Call {
  readonly today: Date;
  readonly resource: ResourceName;
  readonly id: Value;
  readonly members: Row;
}

const VERBS: Readonly<Record<string, (writer: Writer, call: Call) => Promise<unknown>>> = {
  setUp: (writer, { today, members }) => setUpSite(writer, today, String(members.Comment)),
  add: (writer, { resource, members }) => writer.add(resource, members),
  change: (writer, { resource, id, members }) => writer.change(resource, id, members),
  delete: (writer, { resource, id }) => writer.delete(resource, id),
  undelete: (writer, { resource, id }) => writer.undelete(resource, id),
  note: (writer, { members }) => writer.note(members.BasicRoleID, members.DialogID, String(members.Description)),
  take: (writer, { members }) => writer.archive(String(members.Item), String(members.Name)),
};

function newIDsOf(lines: readonly Line[]): IDsByResource {
  const added = lines.filter((line) => line.do.startsWith('add ') && line.with?.ID !== undefined);
  const idIn = ({ with: row }: Line): string => idInSample(...kindAndName(String(row?.ID)));
  const byResource = grouped(added, (line) => partsOf(line.do)?.[1] ?? '');
  return new Map([...byResource].map(([resource, some]) => [resource, new Set(some.map(idIn))]));
}

/** What all lines share. */
interface Replay {
  readonly today: Date;
  readonly shift: Shift;
  /** The IDs of records that have a name by `as`. */
  readonly named: Map<string, Value>;
}

function visitOf(line: Line, replay: Replay): Visit {
  const [verb, resource] = partsOf(line.do) ?? refuse(`there is no ${line.do}`);
  return {
    at: Date.parse(moved(line.at, (day) => fridayBefore(replay.shift(day)))),
    ...(verb === 'setUp' ? {} : { isExact: true }),
    ...(line.by === undefined ? {} : { user: line.by }),
    async work(writer) {
      const id = await resolved(writer, line.id ?? null, replay);
      const members = await membersOf(writer, resource, line.with ?? {}, replay);
      const answer = await VERBS[verb]?.(writer, { today: replay.today, resource, id, members });
      if (line.as !== undefined) replay.named.set(line.as, (answer as Row).ID ?? null);
    },
  };
}

async function membersOf(writer: Writer, resource: ResourceName, row: Row, replay: Replay): Promise<Row> {
  const members: Record<string, Value> = {};
  for (const [member, value] of Object.entries(row)) {
    const field = resourceNamed(resource).fields[member];
    if (field?.kind === 'text' || value === null) members[member] = value;
    else if (field && isDate(field)) members[member] = movedMember(member, String(value), replay.shift);
    else members[member] = await resolved(writer, value, replay);
  }
  return members;
}

async function resolved(writer: Writer, value: Value, { named, shift }: Replay): Promise<Value> {
  if (typeof value !== 'string' || !value.startsWith('@')) return value;
  return named.get(value.slice(1)) ?? idNamedBy(writer, value, shift);
}

const moved = (text: string, shift: Shift): string => `${shift(text.slice(0, 10))}${text.slice(10)}`;

/** A commitment is due when a quarter ends; other date-times are of working days. */
const movedMember = (member: string, value: string, shift: Shift): string =>
  moved(value, (day) => {
    if (member === 'DueDate') return shift(day, true);
    return value.length > 10 ? fridayBefore(shift(day)) : shift(day);
  });

/** The IDs of records that the site has, by the kind of their names. */
const SITE_IDS: Readonly<Record<string, (writer: Writer, name: string, shift: Shift) => Promise<Value> | string>> = {
  site: ({ site }) => site,
  user: (writer, name) => userIDOf(writer, idOf(name)),
  phase: (writer, name) => idNamed(writer, 'phase', name),
  status: (writer, name) => idNamed(writer, 'status', name),
  group: (writer, name) => idNamed(writer, 'securityGroup', name),
  role: roleNamed,
  period: (writer, name, shift) => periodOf(writer, shift(name)),
  membership(writer, name) {
    const [user = '', department = ''] = name.split(' ');
    return membershipOf(writer, idOf(user), guidOf(SEED, 'organization', department));
  },
};

/** The ID of a record that the site has, or of one of the sample. */
function idNamedBy(writer: Writer, name: string, shift: Shift): Promise<Value> | string {
  const [kind, rest] = kindAndName(name);
  return SITE_IDS[kind]?.(writer, rest, shift) ?? idInSample(kind, rest);
}

/** `@individual ann.smith` in its parts; the kind of an ID is none. */
function kindAndName(text: string): readonly [kind: string, name: string] {
  const [, kind = '', name = ''] = /^@(\w+)(?: (.*))?$/.exec(text) ?? [];
  return kind === '' ? ['', text] : [kind, name];
}

/** The name may have steps, each of two words: `individual ann.smith/basicRole/1` is her first role. */
function idInSample(kind: string, name: string): string {
  if (kind === '') return name;
  const [first = '', ...steps] = name.split('/');
  let id = guidOf(SEED, kind, first);
  for (let at = 0; at < steps.length; at += 2) id = guidOf(id, steps[at] ?? '', steps[at + 1] ?? '');
  return id;
}
