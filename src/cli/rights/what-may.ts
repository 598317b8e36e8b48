// pm can --what: all that one individual may do, by resource and action; of one resource by the reasons; of one record.
import { boolean } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { RecordNamed } from '../../contract/next.ts';
import { type Action, plural, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { createdIn, judged, type KindRights, type RightsSource } from '../../contract/rights.ts';
import { type Context, formatOf } from '../context.ts';
import { integers, isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import { ACTIONS, titleOf } from './grant.ts';
import type { Ask, Asked } from './question.ts';
import { filled, REASON, reasonOf, reasonRow } from './reason.ts';

const ORDER: readonly Action[] = ['read', 'create', 'update', 'delete', 'delegate'];

/** One row for each resource: where people read, all or how many of how many; else numbers. */
function kindsShape(context: Context): Shape {
  const actions = ORDER.map(titleOf);
  const isRead = isForPeople(formatOf(context));
  const counts = isRead ? texts(...actions) : integers('Records', 'Owners', ...actions);
  return { ...shapeFrom('KindRights', { ...texts('Resource'), ...counts, ...texts('By') }), whole: ['Resource'] };
}

/** People do not see resources of which nothing is allowed. */
export async function showKinds(context: Context, ask: Ask, who: string): Promise<number> {
  const shape = kindsShape(context);
  await context.checkPrint(shape);
  const isRead = isForPeople(formatOf(context));
  const names = judged.map(({ name }) => name);
  const kinds = await ask((local) => local.whatMay(who, names));
  const shown = isRead ? kinds.filter(({ sources }) => sources.length > 0) : kinds;
  await context.print({ shape, rows: shown.map((kind) => kindRow(kind, isRead)), none: 'Nothing is allowed.' });
  if (shown.length < kinds.length) context.note('Of all other resources there are no records, or nothing is allowed.');
  return 0;
}

function kindRow({ resource, records, owners, actions, sources }: KindRights, isRead: boolean): Row {
  const cells = ORDER.map((action): readonly [string, Value] => {
    if (!actions.includes(action)) return [titleOf(action), null];
    const count = countOf(sources, action);
    return [titleOf(action), isRead ? inWords(count, action === 'create' ? owners : records) : count];
  });
  return {
    Resource: resourceNamed(resource).command,
    ...(isRead ? {} : { Records: records, Owners: owners }),
    ...Object.fromEntries(cells),
    By: shortReasons(sources).join(', ') || null,
  };
}

const countOf = (sources: readonly RightsSource[], action: Action): number =>
  sources.reduce((sum, source) => sum + (source.action === action ? source.count : 0), 0);

const inWords = (count: number, of: number): string | null =>
  count === 0 ? null : count === of ? 'all' : `${count}/${of}`;

/** `everybody` comes last: a narrow table cuts it first. */
function shortReasons(sources: readonly RightsSource[]): readonly Value[] {
  const reasons = sources.map(reasonRow).map(({ By = null, Through }) => Through ?? By);
  const isCommon = (reason: Value): number => Number(reason === 'everybody');
  return [...new Set(reasons)].sort((one, other) => isCommon(one) - isCommon(other));
}

const SOURCE: Shape = shapeFrom('RightsSource', { ...texts('Action'), ...integers('Allowed', 'Of'), ...REASON });

/** One row for each action, and each thing that allows it on some records. */
export async function showSources(context: Context, ask: Ask, who: string, resource: Resource): Promise<number> {
  await context.checkPrint(SOURCE);
  const [kind] = await ask((local) => local.whatMay(who, [resource.name]));
  const rows = kind?.actions.flatMap((action) => sourceRows(kind, action)) ?? [];
  return context.print({ shape: narrowed(context, SOURCE, rows), rows });
}

function sourceRows({ records, owners, sources }: KindRights, action: Action): readonly Row[] {
  const Of = action === 'create' ? owners : records;
  const found = sources.filter((source) => source.action === action);
  if (found.length === 0) return [{ Action: action, Allowed: 0, Of }];
  return found.map((source) => ({ Action: action, Allowed: source.count, Of, ...reasonRow(source) }));
}

/** Columns of the reason that no row fills are left out where people read. */
function narrowed(context: Context, shape: Shape, rows: readonly Row[]): Shape {
  if (!isForPeople(formatOf(context))) return shape;
  const others = shape.columns.filter((name) => !(name in REASON));
  return { ...shape, columns: [...others, ...filled(Object.keys(REASON), rows)] };
}

const RECORD: Shape = shapeFrom('RecordRights', { ...texts('Action'), Allowed: boolean('read-only'), ...REASON });

/** One row for each action on a record, and for each resource that could be created in it. */
export async function showRecord(context: Context, ask: Ask, who: string, record: RecordNamed): Promise<number> {
  await context.checkPrint(RECORD);
  const rows = await ask((local) => recordRows(local, who, record));
  return context.print({ shape: narrowed(context, RECORD, rows), rows });
}

async function recordRows(local: Asked, who: string, record: RecordNamed): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const action of ACTIONS.filter((one) => one !== 'create')) {
    const verdict = await local.rights({ who, action, ...record });
    rows.push({ Action: action, Allowed: verdict.allowed, ...reasonOf(verdict) });
  }
  for (const kind of judged.filter((one) => createdIn(one).includes(record.resource))) {
    const verdict = await local.rights({ who, action: 'create', resource: kind.name, in: record });
    rows.push({ Action: `create ${plural(kind)}`, Allowed: verdict.allowed, ...reasonOf(verdict) });
  }
  return rows;
}
