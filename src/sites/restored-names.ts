// The records of the files of an exported site, by their IDs and by the names that stand for IDs in other files.

import { namesOfRow } from '../changes/rows/named-records.ts';
import type { RowDraft } from '../changes/rows/row-draft.ts';
import { resourceNamed } from '../contract/index.ts';
import { idKey, isGuid } from '../contract/kinds.ts';
import type { Resource } from '../contract/resource.ts';
import { textKey } from '../text/text-key.ts';

export interface Names {
  /** The ID of a record of a kind by its name; of a principal the UserID. */
  id(target: string, name: string): string | undefined;
  /** The ID that a cell names; undefined where no file has the record. */
  resolve(targets: readonly string[], text: string): string | undefined;
}

/** Reads all files once. */
export async function namesOfFiles<F extends { readonly resource: Resource }>(
  files: readonly F[],
  draftsOf: (file: F) => AsyncIterable<RowDraft>,
): Promise<Names> {
  const ids = new Set<string>();
  const named = new Map<string, string>();
  for (const file of files) {
    for await (const draft of draftsOf(file)) {
      for (const [target, id] of idsOf(file.resource, draft)) {
        ids.add(`${target} ${idKey(id)}`);
        if (draft.values.Deleted === true || !isNamed(target)) continue;
        for (const name of namesIn(file.resource, draft)) named.set(`${target} ${textKey(name)}`, id);
      }
    }
  }
  const id: Names['id'] = (target, name) => named.get(`${target} ${textKey(name)}`);
  return {
    id,
    resolve(targets, text) {
      const bare = text.replace(/^name:/, '');
      const isID = bare === text && targets.some((target) => ids.has(`${target} ${idKey(text)}`));
      if (isID) return isGuid(text) ? text.toLowerCase() : text;
      return targets.map((target) => id(target, bare)).find((found) => found !== undefined);
    },
  };
}

const idsOf = ({ name }: Resource, { values }: RowDraft): readonly (readonly [string, string])[] => [
  ...(values.ID == null ? [] : [[name, String(values.ID)] as const]),
  ...(name === 'individual' && values.UserID != null ? [['principal', String(values.UserID)] as const] : []),
];

/** As they are exported: a user by the user name alone. */
const namesIn = (resource: Resource, draft: RowDraft): readonly string[] =>
  resource.name === 'individual' ? [String(draft.values.UserName)] : namesOfRow(resource, draft);

/** Are records of this kind named by a name in other files? */
const isNamed = (target: string): boolean => target === 'principal' || resourceNamed(target).id === 'integer';
