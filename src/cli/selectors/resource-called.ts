// The resource that a word of the command line names.
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';

/** By its command, an alias, or the document's name of its type. `before` stands before the name in a hint. Throws `usage`. */
export function resourceCalled(name: string, before = ''): Resource {
  const wanted = name.toLowerCase();
  const found = resources.find(
    (one) =>
      one.command === wanted ||
      one.aliases.includes(wanted) ||
      one.name.toLowerCase() === wanted ||
      one.type.toLowerCase() === wanted,
  );
  if (found) return found;
  const close = nearest(
    name,
    resources.flatMap((one) => [one.command, ...one.aliases]),
  );
  throw new ServiceError('usage', `there is no resource "${name}"`, {
    hint: close ? `Did you mean: ${before}${close}?` : 'pm --help lists the resources.',
  });
}
