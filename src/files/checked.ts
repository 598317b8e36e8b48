// Values that were read from a file of ours, checked member by member.
import type { core, ZodMiniType } from 'zod/mini';

export type Zod = typeof import('zod/mini');

/** The fault of a value, in words that begin with the member; undefined of a good one. */
export type Check = (value: unknown) => string | undefined;

/** A check by a schema of zod, which is loaded by the first one. */
export async function checkBy(schemaOf: (z: Zod) => ZodMiniType): Promise<Check> {
  const schema = schemaOf(await import('zod/mini'));
  return (value) => {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    return issue && [issue.path.join('.'), inWords(issue)].filter(Boolean).join(' ');
  };
}

const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Values are not shown: they may be secrets. */
function inWords(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `holds what pm does not know: ${issue.keys.join(', ')}`;
    default:
      return 'is not as it should be';
  }
}

/** The value of a text; undefined if it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
