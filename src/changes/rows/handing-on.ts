// Orders rows that hand a unique text on, so that no two records have it at once.
import type { Resource } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';
import type { Ordered } from './order.ts';
import type { RowDraft } from './row-draft.ts';

/** A step of the plan: a row, or the first of two of a row that lends its unique text away. */
export interface Step {
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
