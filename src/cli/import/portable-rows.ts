// The rows of an exported file for a site that has records already, or a service: without what only a new site can take.
import type { Cell, FileRow, InputFile } from '../../changes/files/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { keptMembers } from '../../files/image.ts';
import { oncePer } from '../../text/once-per.ts';
import type { Entry } from '../export/folder.ts';

/** What is said once of all files. */
export const LEFT_OUT =
  'Authors, times, deleted records, members of groups and the site itself are left out: only a new site of the embedded engine takes them.';

/**
 * The file without authors, times, members of groups and unknown members. IDs go that mean nothing on another site: numbers
 * are each site's own, so that a row whose key two records have is refused and changes no other record of its number. Files
 * that hold nothing of this stay as they are.
 */
export function portable(input: InputFile, resource: Resource, { whole, ownIDs }: Partial<Entry>): InputFile {
  if (!whole) return input;
  const isOwn = ownIDs || resource.id === 'integer';
  const kept = keptMembers(resource).filter((name) => (name === 'ID' ? isOwn : name !== 'Deleted'));
  const left = new Set([...kept, 'Others', 'Members']);
  // The rows of a table share one array of names.
  const places = oncePer((names: readonly string[]) => placesOf(names, left));
  return {
    ...input,
    columns: input.columns && places(input.columns).names,
    async *rows() {
      for await (const row of input.rows()) yield { ...row, ...portableRow(row, places(row.names)) };
    },
  };
}

interface Places {
  readonly names: readonly string[];
  readonly at: readonly number[];
}

function placesOf(names: readonly string[], left: ReadonlySet<string>): Places {
  const at = names.flatMap((name, index) => (left.has(name) ? [] : [index]));
  return { names: at.map((index) => names[index] as string), at };
}

const portableRow = ({ cells }: FileRow, { names, at }: Places): Pick<FileRow, 'names' | 'cells'> => ({
  names,
  cells: at.map((index) => cells[index] as Cell),
});
