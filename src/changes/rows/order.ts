// Orders rows that refer to each other or hand a unique text on, so that every state in between satisfies the rules.
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';
import type { FileFault } from '../files/input.ts';
import type { Records, RowDraft } from './row-draft.ts';

/** The fields by which records of a resource stand below each other. */
export const treeFields = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.to?.includes(resource.name) && field.rule !== 'read-only')
    .map(([name]) => name);

interface Ordered {
  readonly drafts: readonly RowDraft[];
  /** The rows of the file that a row will stand below, next to it or past records that the file leaves alone. */
  aboveOf(draft: RowDraft): readonly RowDraft[];
  readonly faults: readonly FileFault[];
}

/**
 * What stands above comes first: when a row runs, all that it will stand below is in its place already. A loop is a
 * fault that shows its chain.
 */
export async function inOrder(resource: Resource, drafts: readonly RowDraft[], records: Records): Promise<Ordered> {
  const links = linksIn(resource, drafts, records);
  const above = new Map<RowDraft, readonly Link[]>();
  const state = new Map<RowDraft, 'open' | 'done'>();
  const ordered: RowDraft[] = [];
  const faults: FileFault[] = [];
  const visit = async (start: RowDraft): Promise<void> => {
    const path: Link[] = [];
    const waiting: Link[][] = [[{ to: start, past: [] }]];
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
        above.set(link.to, next);
        waiting.push([...next]);
      }
    }
  };
  for (const draft of drafts) await visit(draft);
  return { drafts: ordered, aboveOf: (draft) => above.get(draft)?.map(({ to }) => to) ?? [], faults };
}

/** From a row to one above it, past records that the file leaves alone. */
interface Link {
  readonly to: RowDraft;
  readonly past: readonly Place[];
}

/** A record on the way up: what it is called, and what it stands below. */
interface Place {
  readonly name: string;
  readonly above: Value;
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
    // One may report to oneself (D14), and nothing owns itself.
    if (sameID(start, draft.id) && !resource.fields[field]?.owner) return undefined;
    const past: Place[] = [];
    const passed = new Set<Value>();
    for (let at: Value = start; typeof at === 'string' && !passed.has(at); at = past.at(-1)?.above ?? null) {
      const to = byID.get(idKey(at));
      if (to) return { to, past };
      passed.add(at);
      past.push(await placeOf(field, at));
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
  above: row?.[field] ?? null,
});

/** `last` closes the chain: it leads from its end to its beginning. */
function loopFault(resource: Resource, chain: readonly Link[], last: Link): FileFault {
  const steps = [...chain, last].flatMap(({ to, past }, at) => [
    ...(at === 0 ? [] : past.map(({ name }) => name)),
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

/** A step of the plan: a row, or the first of two of a row that lends its unique text away. */
interface Step {
  readonly draft: RowDraft;
  /** A text that nobody has, while others take the row's place. */
  readonly aside?: { readonly member: string; readonly text: string };
}

/**
 * Orders rows that hand a unique text on, as two individuals that swap user names: whoever has it gives it up before
 * another takes it. One that cannot, in a ring or because something above it has yet to come, steps aside first.
 */
export function handingOn(resource: Resource, { drafts, aboveOf }: Omit<Ordered, 'faults'>): readonly Step[] {
  const member = Object.keys(resource.fields).find((name) => resource.fields[name]?.unique);
  const holders = new Map(member === undefined ? [] : drafts.flatMap((draft) => givenUp(draft, member)));
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
    for (; next && !chain.includes(next) && aboveOf(next).every((one) => done.has(one)); next = holderOf(next))
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

/** The text that a row takes away from its record. */
function givenUp(draft: RowDraft, member: string): readonly (readonly [string, RowDraft])[] {
  const was = draft.found?.[member];
  const will = draft.values[member];
  if (typeof was !== 'string' || typeof will !== 'string' || textKey(was) === textKey(will)) return [];
  return [[textKey(was), draft]];
}
