// Looks up side by side what the rows of a batch name on the embedded engine, so that it is read in a few queries. What is
// found is kept, and each row is then matched in its turn.
import type { Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import type { Binding } from './columns.ts';
import { type FileNames, resolvedBefore, rowsNamed } from './named-records.ts';
import type { Matcher, Work } from './reader.ts';
import type { Reference, RowDraft } from './row-draft.ts';

/** The keys of the rows: the records that they name, and then those that have them. */
export async function lookUpKeys(
  work: Work,
  { key, find, isNone, spare }: Matcher,
  rows: readonly RowDraft[],
  names: FileNames,
): Promise<void> {
  if (!work.records.gathered || key.length === 0) return;
  const members = [...key, ...(spare?.key ?? [])];
  if (await isNone())
    return sideBySide(work, firstToName(work, rows, names), (row) => namedIn(work, row, names, members));
  const values = new Map<RowDraft, Readonly<Record<string, Value>>>();
  await sideBySide(work, rows, async (row) => {
    values.set(row, { ...row.values, ...(await namedIn(work, row, names, members)) });
  });
  const look = async (row: RowDraft, by: Pick<Matcher, 'key' | 'find'>): Promise<unknown> => {
    const own = values.get(row);
    return own && by.key.every((name) => own[name] != null) ? by.find(own) : undefined;
  };
  // In the order of the rows, as they will be matched.
  await sideBySide(work, rows, (row) => look(row, { key, find }), 'kept');
  if (spare) await sideBySide(work, rows, (row) => look(row, spare), 'kept');
}

/** The other records that they name, and those who have an e-mail that they give. */
export function lookUpOthers(work: Work, rows: readonly RowDraft[], names: FileNames): Promise<void> {
  const { resource } = work.options;
  const asking = resource.name === 'individual' ? rows : firstToName(work, rows, names);
  return sideBySide(work, asking, async (row) => {
    await namedIn(work, row, names);
    const { Email } = row.values;
    if (resource.name === 'individual' && typeof Email === 'string')
      await work.records.find.byMembers('individual', { Email });
  });
}

/** The rows with a name that is not resolved yet, and that no row before them has in this column. */
function firstToName({ records }: Work, rows: readonly RowDraft[], names: FileNames): readonly RowDraft[] {
  const named = new Set<string>();
  const isFirst = ({ column }: Binding, text: string): boolean => {
    const name = `${column} ${text}`;
    return !named.has(name) && named.add(name).size > 0;
  };
  const asks = ({ binding, texts }: Reference): boolean =>
    texts.some((text) => resolvedBefore(binding, text, names, records) === undefined && isFirst(binding, text));
  return rows.filter(({ references }) => references.some(asks));
}

/** Errors come again in the turn of the row. */
async function sideBySide(
  { records: { gathered } }: Work,
  rows: readonly RowDraft[],
  look: (row: RowDraft) => Promise<unknown>,
  before?: 'kept',
): Promise<void> {
  if (!before) gathered?.forget();
  await gathered?.together(() => collect(rows.map((row) => look(row).catch(() => undefined))));
}

/** The IDs of single records that the row names, of all members or of `only` these; without other rows of the file. */
async function namedIn(
  { records }: Work,
  row: RowDraft,
  names: FileNames,
  only?: readonly string[],
): Promise<Readonly<Record<string, Value>>> {
  const found: Record<string, Value> = {};
  const looking = row.references.map(async ({ binding, texts: [text, ...more] }) => {
    const { member, targets } = binding;
    const isOpen = row.values[member] == null && (!only || only.includes(member));
    if (text === undefined || more.length > 0 || !isOpen || rowsNamed(row, names, [member]).length > 0) return;
    found[member] = await records.resolve(targets, text);
  });
  await Promise.all(looking);
  return found;
}
