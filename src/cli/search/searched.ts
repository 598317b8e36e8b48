// Which texts of which resources pm find looks into.
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { storedResources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { resourceCalled } from '../names.ts';

/** Colors and formats: no words. */
const CODES: readonly string[] = ['Color', 'TColor1', 'TColor2', 'TColor3', 'TColor4', 'Code', 'Format'];

/** The texts of a record in which words are found: its names first, then what people write. No text of another record. */
export const textsOf = oncePer(({ names, fields }: Resource): readonly string[] => {
  const written = Object.entries(fields)
    .filter(([name, field]) => field.kind === 'text' && isWritable(field) && !field.deprecated && !CODES.includes(name))
    .map(([name]) => name);
  return [...new Set([...names, ...written])];
});

const searchable = storedResources.filter((resource) => textsOf(resource).length > 0);

/** The resources of these names, or all that have such texts. Throws `usage` for one that has none. */
export function resourcesToSearch(names: readonly string[]): readonly Resource[] {
  if (names.length === 0) return searchable;
  return [...new Set(names.map((name) => resourceCalled(name, 'pm find … --resource ')))].map((resource) => {
    if (searchable.includes(resource)) return resource;
    throw new ServiceError('usage', `${resource.command} have no texts to look into`, {
      hint: `These have some: ${searchable.map(({ command }) => command).join(', ')}.`,
    });
  });
}
