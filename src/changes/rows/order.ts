// Orders rows that refer to each other or swap unique texts, so that every state in between is valid.
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';
import type { FileFault } from '../files/input.ts';
import type { Records, RowDraft } from './row-draft.ts';

/** The fields that make a tree of the records of a resource. */
export const treeFields = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.to?.includes(resource.name) && field.rule !== 'read-only')
    .map(([name]) => name);

interface Ordered {
  readonly drafts: readonly RowDraft[];
  /** The rows nearest above a row; records between them are not in the file. */
  ancestorsOf(draft: RowDraft): readonly RowDraft[];
  readonly faults: readonly FileFault[];
}

/** Sorts rows so that ancestors come first. A loop is a fault that shows its chain. */
export async function orderRows(resource: Resource, drafts: readonly RowDraft[], records: Records): Promise<Ordered> {
  const links = linksIn(resource, drafts, records);
  const ancestors = new Map<RowDraft, readonly Link[]>();
  const state = new Map<RowDraft, 'open' | 'done'>();
  const ordered: RowDraft[] = [];
  const faults: FileFault[] = [];
  const visit = async (start: RowDraft): Promise<void> => {
    const path: Link[] = [];
    const waiting: Link[][] = [[{ to: start, between: [] }]];
    while (waiting.length > 0) {
      const link = waiting.at(-1)?.pop();
      if (!link) {
        waiting.pop();
        const left = path.pop();
        if (!left) continue;
        state.set(left.to, 'done');
        ordered.push(left.to);
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

/** From a row to its nearest ancestor in the file; `between` are records that are not in it. */
interface Link {
  readonly to: RowDraft;
  readonly between: readonly Place[];
}

/** A record on the way up: its name and its owner. */
interface Place {
  readonly name: string;
  readonly owner: Value;
}

function linksIn(
  resource: Resource,
  drafts: readonly RowDraft[],
  records: Records,
): (draft: RowDraft) => Promise<readonly Link[]> {
  const fields = treeFields(resource);
  const byID = new Map(drafts.flatMap((draft) => (draft.id === undefined ? [] : [[idKey(draft.id), draft] as const])));
  const known = new Map<string, Place>();
  const placeOf = async (field: string, id: string): Promise<Place> => {
    const key = `${field} ${id}`;
    const place =
      known.get(key) ?? placeIn(resource, field, id, (await records.find.record(resource.name, { id }, 'many')).row);
    known.set(key, place);
    return place;
  };
  const linkOf = async (draft: RowDraft, field: string): Promise<Link | undefined> => {
    const start = draft.values[field] ?? draft.found?.[field] ?? null;
    // An individual may report to itself (D14); no record owns itself.
    if (sameID(start, draft.id) && !resource.fields[field]?.owner) return undefined;
    const between: Place[] = [];
    const visited = new Set<Value>();
    for (let at: Value = start; typeof at === 'string' && !visited.has(at); at = between.at(-1)?.owner ?? null) {
      const to = byID.get(idKey(at));
      if (to) return { to, between };
      visited.add(at);
      between.push(await placeOf(field, at));
    }
    return undefined;
  };
  return async (draft) => {
    const found: Link[] = [];
    for (const field of fields) {
      const link = await linkOf(draft, field);
      if (link) found.push(link);
    }
    return found;
  };
}

const placeIn = ({ names }: Resource, field: string, id: string, row: Row | undefined): Place => ({
  name: String(names.map((name) => row?.[name]).find((one) => typeof one === 'string') ?? id),
  owner: row?.[field] ?? null,
});

/** `last` closes the chain. */
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

/** A step of the plan: a row, or the first of two steps of a row that gives up its unique text. */
interface Step {
  readonly draft: RowDraft;
  /** A temporary text, which releases the unique one. */
  readonly aside?: { readonly member: string; readonly text: string };
}

/**
 * Orders rows that exchange unique texts, such as two individuals that swap user names: a text is released before another
 * row takes it. In a ring, or where an ancestor comes later, a row first gets a temporary text.
 */
export function swapUnique(resource: Resource, { drafts, ancestorsOf }: Omit<Ordered, 'faults'>): readonly Step[] {
  const member = Object.keys(resource.fields).find((name) => resource.fields[name]?.unique);
  const holders = new Map(member === undefined ? [] : drafts.flatMap((draft) => releasedText(draft, member)));
  if (member === undefined || holders.size === 0) return drafts.map((draft) => ({ draft }));
  const steps: Step[] = [];
  const done = new Set<RowDraft>();
  const free = new Set<RowDraft>();
  const holderOf = (draft: RowDraft): RowDraft | undefined => {
    const wanted = draft.values[member];
    const holder = typeof wanted === 'string' ? holders.get(textKey(wanted)) : undefined;
    return holder === draft || (holder && free.has(holder)) ? undefined : holder;
  };
  const emit = (start: RowDraft): void => {
    const chain = [start];
    let next = holderOf(start);
    for (; next && !chain.includes(next) && ancestorsOf(next).every((one) => done.has(one)); next = holderOf(next))
      chain.push(next);
    if (next) steps.push({ draft: next, aside: { member, text: `aside-${next.id}` } });
    if (next) free.add(next);
    for (const draft of chain.reverse()) {
      done.add(draft);
      free.add(draft);
      steps.push({ draft });
    }
  };
  for (const draft of drafts) if (!done.has(draft)) emit(draft);
  return steps;
}

/** The unique text that a row releases. */
function releasedText(draft: RowDraft, member: string): readonly (readonly [string, RowDraft])[] {
  const was = draft.found?.[member];
  const will = draft.values[member];
  if (typeof was !== 'string' || typeof will !== 'string' || textKey(was) === textKey(will)) return [];
  return [[textKey(was), draft]];
}
