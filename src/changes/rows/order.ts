// Orders rows that refer to each other or swap unique texts, so that the site is valid after each of them.
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';
import type { FileFault } from '../files/input.ts';
import type { Records, RowDraft } from './row-draft.ts';

/** The fields by which a record names another one of its own resource as the one above it. */
export const treeFields = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.to?.includes(resource.name) && field.rule !== 'read-only')
    .map(([name]) => name);

interface Ordered {
  readonly drafts: readonly RowDraft[];
  /** The nearest row above, by each tree field; records between the two rows are not in the file. */
  ancestorsOf(draft: RowDraft): readonly RowDraft[];
  readonly faults: readonly FileFault[];
}

/** Sorts rows so that ancestors come first. Where rows stand below themselves, the fault shows the chain. */
export async function orderRows(resource: Resource, drafts: readonly RowDraft[], records: Records): Promise<Ordered> {
  const links = await linksIn(resource, drafts, records);
  const ancestors = new Map<RowDraft, readonly Link[]>();
  const state = new Map<RowDraft, 'open' | 'done'>();
  const ordered: RowDraft[] = [];
  const faults: FileFault[] = [];
  const visit = async (start: RowDraft): Promise<void> => {
    // Depth first: `path` leads to the row that is open; `waiting` holds, by depth, the links still to be followed.
    const path: Link[] = [];
    const waiting: Link[][] = [[{ to: start, between: [] }]];
    while (waiting.length > 0) {
      const link = waiting.at(-1)?.pop();
      if (!link) {
        waiting.pop();
        const finished = path.pop();
        if (!finished) continue;
        state.set(finished.to, 'done');
        ordered.push(finished.to);
      } else if (state.get(link.to) === 'open') {
        faults.push(loopFault(resource, path.slice(path.findIndex(({ to }) => to === link.to)), link));
      } else if (!state.has(link.to)) {
        state.set(link.to, 'open');
        path.push(link);
        const next = await links(link.to);
        ancestors.set(link.to, next);
        waiting.push([...next]);
      }
    }
  };
  for (const draft of drafts) await visit(draft);
  return { drafts: ordered, ancestorsOf: (draft) => ancestors.get(draft)?.map(({ to }) => to) ?? [], faults };
}

/** Leads from a row to its nearest ancestor in the file, past the records `between`, which are not in the file. */
interface Link {
  readonly to: RowDraft;
  readonly between: readonly RecordBetween[];
}

interface RecordBetween {
  readonly name: string;
  /** The ID of the record above it. */
  readonly above: Value;
}

async function linksIn(
  resource: Resource,
  drafts: readonly RowDraft[],
  records: Records,
): Promise<(draft: RowDraft) => Promise<readonly Link[]>> {
  const fields = treeFields(resource);
  const byID = new Map(drafts.flatMap((draft) => (draft.id === undefined ? [] : [[idKey(draft.id), draft] as const])));
  const known = new Map<string, Promise<RecordBetween>>();
  const recordBetween = (field: string, id: string): Promise<RecordBetween> =>
    valueAt(known, `${field} ${id}`, async () =>
      betweenOf(resource, field, id, (await records.find.record(resource.name, { id }, 'many')).row),
    );
  const linkOf = async (draft: RowDraft, field: string): Promise<Link | undefined> => {
    const start = firstAbove(draft, field);
    // To report to oneself is allowed (D14), and is no link; to own oneself is a loop.
    if (sameID(start, draft.id) && !resource.fields[field]?.owner) return undefined;
    const between: RecordBetween[] = [];
    const visited = new Set<Value>();
    for (let at: Value = start; typeof at === 'string' && !visited.has(at); at = between.at(-1)?.above ?? null) {
      const to = byID.get(idKey(at));
      if (to) return { to, between };
      visited.add(at);
      between.push(await recordBetween(field, at));
    }
    return undefined;
  };
  const starts = drafts.flatMap((draft) => fields.map((field) => [field, firstAbove(draft, field)] as const));
  await lookUpAbove(records, starts, async (field, id) =>
    byID.has(idKey(id)) || known.has(`${field} ${id}`) ? undefined : (await recordBetween(field, id)).above,
  );
  return async (draft) =>
    (await Promise.all(fields.map((field) => linkOf(draft, field)))).filter((link) => link !== undefined);
}

/** A row may take its record to the top: null is a value. One with a fault may name another one than its record has. */
const firstAbove = ({ values, found, faults }: RowDraft, field: string): Value =>
  (values[field] === undefined && faults.length === 0 ? found?.[field] : values[field]) ?? null;

/** On the embedded engine records of the same height are looked up together, from the rows upwards. */
async function lookUpAbove(
  { gathered }: Records,
  starts: readonly (readonly [field: string, id: Value])[],
  above: (field: string, id: string) => Promise<Value | undefined>,
): Promise<void> {
  if (!gathered) return;
  const look = async ([field, id]: readonly [field: string, id: Value]) =>
    [field, typeof id === 'string' ? await above(field, id) : null] as const;
  for (let all = starts; all.length > 0; ) {
    const ids = new Map(all.map((one) => [one.join(' '), one]));
    const found = await gathered.together(() => Promise.all([...ids.values()].map(look)));
    all = found.filter((one): one is readonly [string, string] => typeof one[1] === 'string');
  }
}

const betweenOf = ({ names }: Resource, field: string, id: string, row: Row | undefined): RecordBetween => ({
  name: String(names.map((name) => row?.[name]).find((one) => typeof one === 'string') ?? id),
  above: row?.[field] ?? null,
});

/** `last` leads from the end of the chain back to its first row. */
function loopFault(resource: Resource, chain: readonly Link[], last: Link): FileFault {
  const steps = [...chain, last].flatMap(({ to, between }, at) => [
    ...(at === 0 ? [] : between.map(({ name }) => name)),
    `${nameOf(resource, to)} (line ${to.line})`,
  ]);
  return {
    line: last.to.line,
    message: `stands below itself: ${steps.join(' → ')}`,
    hint: 'Let one of them stand below another record.',
  };
}

function nameOf(resource: Resource, { values, found, id }: RowDraft): string {
  const name = resource.names.map((field) => values[field] ?? found?.[field]).find((one) => typeof one === 'string');
  return String(name ?? id ?? '');
}

type Swapped = Pick<RowDraft, 'id' | 'values' | 'found'>;

/** A row; or with `aside` a step before it, in which the row gives up its unique text for a temporary one. */
interface Step<T> {
  readonly draft: T;
  /** The temporary text, and the member that holds it. */
  readonly aside?: { readonly member: string; readonly text: string };
}

/**
 * Orders rows that exchange unique texts, such as two individuals that swap user names: the row that gives up a text
 * comes before the one that takes it. Where it cannot, in a ring or before its own ancestors, it first gets a temporary
 * text.
 */
export function swapUnique<T extends Swapped>(
  resource: Resource,
  drafts: readonly T[],
  ancestorsOf: (draft: T) => readonly T[],
): readonly Step<T>[] {
  const member = Object.keys(resource.fields).find((name) => resource.fields[name]?.unique);
  const holders = new Map(member === undefined ? [] : drafts.flatMap((draft) => releasedText(draft, member)));
  if (member === undefined || holders.size === 0) return drafts.map((draft) => ({ draft }));
  const steps: Step<T>[] = [];
  const done = new Set<T>();
  /** The rows that have given up their text. */
  const released = new Set<T>();
  /** The other row that still has the text that this one takes. */
  const holderOf = (draft: T): T | undefined => {
    const wanted = draft.values[member];
    const holder = typeof wanted === 'string' ? holders.get(textKey(wanted)) : undefined;
    return holder === draft || (holder && released.has(holder)) ? undefined : holder;
  };
  /** Adds the row, after the rows that it must wait for. */
  const addSteps = (start: T): void => {
    const chain = [start];
    let next = holderOf(start);
    for (; next && !chain.includes(next) && ancestorsOf(next).every((one) => done.has(one)); next = holderOf(next))
      chain.push(next);
    if (next) steps.push({ draft: next, aside: { member, text: `aside-${next.id}` } });
    if (next) released.add(next);
    for (const draft of chain.reverse()) {
      done.add(draft);
      released.add(draft);
      steps.push({ draft });
    }
  };
  for (const draft of drafts) if (!done.has(draft)) addSteps(draft);
  return steps;
}

/** The key of the unique text that the row gives up, and the row; empty where it keeps its text. */
function releasedText<T extends Swapped>(draft: T, member: string): readonly (readonly [string, T])[] {
  const before = draft.found?.[member];
  const after = draft.values[member];
  if (typeof before !== 'string' || typeof after !== 'string' || textKey(before) === textKey(after)) return [];
  return [[textKey(before), draft]];
}
