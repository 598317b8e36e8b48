// The records that the jobs of a sequence are about: how they come to be there, what a job makes of them, and what became of them.
import type { Change } from '../../../src/changes/plan/change.ts';
import type { OnError } from '../../../src/changes/run/options.ts';
import type { Session } from '../../../src/contract/call.ts';
import { contract } from '../../../src/contract/index.ts';
import type { JobRow, PlannedRow } from '../../../src/contract/jobs.ts';
import type { Row } from '../../../src/contract/resource.ts';
import { gathered } from '../job.ts';

export type Kind = 'create' | 'create twins' | 'create numbers' | 'update' | 'delete' | 'delete for good';
export const KINDS: readonly Kind[] = [
  'create',
  'create twins',
  'create numbers',
  'update',
  'delete',
  'delete for good',
];

/** Among their rows may be one that is refused. */
export const CAN_FAIL: readonly Kind[] = ['create', 'update'];

/** A record that a job is about. */
export interface Subject {
  readonly name: string;
  /** Where it is there before. */
  readonly id?: string;
  /** Somebody else has changed it. */
  foreign: boolean;
}

/** A job of the sequence. */
export interface Known {
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  readonly subjects: readonly Subject[];
  readonly onError: OnError;
  /** The same command has made a later job of its rows. */
  isRepeated: boolean;
  /** The plan that was made, as a plan file keeps it. */
  readonly planned: readonly PlannedRow[];
}

/** Values of a description: before a job, after it, and by somebody else. */
export const BEFORE = 'before';
export const AFTER = 'after';
export const FOREIGN = 'foreign';

type Body = Readonly<Record<string, unknown>>;

const color = ({ me }: Session, name: string, code: string): Body => ({
  ...{ SiteID: me.site, Rank: 1, Name: name, Code: code },
});
const accountability = ({ me }: Session, name: string, description: string): Body => ({
  ...{ AncestorID: me.id, Rank: 1, Name: name, Description: description },
});

/** A new accountability without a name, which the rules refuse. */
export const refused = (engine: Session): Change => ({
  ...{ resource: 'accountability', operation: 'create', body: accountability(engine, ' ', 'x') },
});

/** Subjects of these names; what a job of this kind changes or deletes is made. */
export async function subjectsOf(engine: Session, kind: Kind, names: readonly string[]): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  for (const name of names) {
    if (kind.startsWith('create')) {
      subjects.push({ name, foreign: false });
      continue;
    }
    const row =
      kind === 'delete for good'
        ? await engine.call(contract.color.operations.create, { body: color(engine, name, 'ff0000') })
        : await engine.call(contract.accountability.operations.create, { body: accountability(engine, name, BEFORE) });
    subjects.push({ name, foreign: false, id: String(row.ID) });
  }
  return subjects;
}

interface Records {
  readonly accountabilities: ReadonlyMap<string, readonly Row[]>;
  readonly colors: ReadonlyMap<string, readonly Row[]>;
}

/** The records by their names; colors that are gone are not there. */
export async function recordsOf(engine: Session): Promise<Records> {
  const { id, site } = engine.me;
  const mine = { by: 'individual', params: { individualid: id }, query: { deleted: 2 } };
  const ofSite = { by: 'site', params: { siteid: site } };
  return {
    accountabilities: byName(await gathered(engine.list(contract.accountability.operations.list, mine))),
    colors: byName(await gathered(engine.list(contract.color.operations.list, ofSite))),
  };
}

function byName(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) found.set(String(row.Name), [...(found.get(String(row.Name)) ?? []), row]);
  return found;
}

/** What a job of this kind would make of them now. */
export async function changesFor(engine: Session, kind: Kind, subjects: readonly Subject[]): Promise<Change[]> {
  const { accountabilities, colors } = await recordsOf(engine);
  const ofColors = kind.endsWith('numbers') || kind.endsWith('good');
  return subjects.flatMap(({ name, id }): readonly Change[] => {
    const found = (ofColors ? colors : accountabilities).get(name) ?? [];
    const row = found.find(({ Deleted }) => Deleted !== true) ?? found[0];
    if (kind.startsWith('create')) return row && row.Deleted !== true ? [] : [creation(engine, kind, name)];
    if (!row) return [];
    const own = { resource: ofColors ? 'color' : 'accountability', id: String(row.ID ?? id), now: row } as const;
    if (kind === 'update') return [{ ...own, operation: 'update', patch: { Description: AFTER } }];
    return [{ ...own, operation: 'delete' }];
  });
}

function creation(engine: Session, kind: Kind, name: string): Change {
  if (kind === 'create numbers') return { resource: 'color', operation: 'create', body: color(engine, name, '00ff00') };
  const change: Change = {
    ...{ resource: 'accountability', operation: 'create', body: accountability(engine, name, AFTER) },
  };
  return kind === 'create' ? { ...change, key: ['AncestorID', 'Name'] } : change;
}

/** What became of a row, looked up past the program. */
export async function truthOf(engine: Session, row: JobRow): Promise<{ isDone: boolean; id: string | undefined }> {
  const { accountabilities, colors } = await recordsOf(engine);
  const all = [...(row.resource === 'color' ? colors : accountabilities).values()].flat();
  const { verb } = contract[row.resource as 'color'].operations[row.operation as 'create'];
  if (verb === 'create') {
    const found = all.find(
      ({ ID, Name, Deleted }) =>
        Name === row.body?.Name && Deleted !== true && !row.result?.existing?.includes(String(ID)),
    );
    return { isDone: found !== undefined, id: found && String(found.ID) };
  }
  const now = all.find((one) => String(one.ID).toLowerCase() === row.id?.toLowerCase());
  const isDeleted = !now || now.Deleted === true;
  if (row.operation === 'delete') return { isDone: isDeleted, id: undefined };
  if (row.operation === 'undelete') return { isDone: !isDeleted, id: undefined };
  return { isDone: now?.Description === row.patch?.Description, id: undefined };
}

/** Somebody else changes the record of this subject, unless it is deleted. Answers whether it was changed. */
export async function changeOutside(engine: Session, subject: Subject): Promise<boolean> {
  const [row] = (await recordsOf(engine)).accountabilities.get(subject.name) ?? [];
  if (!row || row.Deleted === true) return false;
  subject.foreign = true;
  const { Deleted, DeletedByRef, ...rest } = row;
  await engine.call(contract.accountability.operations.update, {
    params: { id: String(subject.id) },
    body: { ...rest, Description: FOREIGN },
  });
  return true;
}
