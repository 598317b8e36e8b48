// The tools of pm mcp that read.
import { ServiceError } from '../../contract/errors.ts';
import { z } from '../../files/schemas.ts';
import { resourceCalled } from '../names.ts';
import { ACTIONS } from '../rights/grant.ts';
import { addressFlags, plansOf } from '../selectors/addresses.ts';
import { ARGS, LineFailed, MOST_RECORDS, printed, type Tool, toolOf } from './tool.ts';

const { resource, ref, fields, limit } = ARGS;

const list = toolOf({
  name: 'list',
  title: 'List records',
  description: 'Lists records of one kind.',
  args: z.object({
    resource: ARGS.listed,
    of: z.record(z.string(), ref).optional().describe('whose records: {"individual": "ann"}; some kinds need it'),
    where: z.array(z.string()).optional().describe(`conditions that all hold: "LastName ~ '^Mc' and HireDate >= -30d"`),
    fields,
    limit,
    sort: z.string().optional().describe('members to sort by, - in front of one for the reverse: -Updated,Name'),
    deleted: z.enum(['exclude', 'only', 'include']).default('exclude'),
  }),
  call: ({ resource: name, of = {}, deleted, ...more }, desk) => {
    checkOwners(name, Object.keys(of));
    const chosen = deleted === 'exclude' ? more : { ...more, deleted };
    return printed(desk, name, 'list', ...flagsOf(of), ...flagsOf(chosen));
  },
});

/** Arguments as flags of the same names. Conditions are a flag each. */
const flagsOf = (args: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(args)
    .flatMap(([name, value]) => (name === 'where' && Array.isArray(value) ? value : [value]).map((one) => [name, one]))
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));

/** Throws `usage` for a kind of owner by which the records are not listed: other flags are not for agents. */
function checkOwners(name: string, given: readonly string[]): void {
  const found = resourceCalled(name);
  const { list: listing } = found.operations;
  const known = listing ? addressFlags(plansOf(found, listing)).map(({ flag }) => flag) : [];
  const other = given.find((flag) => !known.includes(flag));
  if (other === undefined) return;
  throw new ServiceError('usage', `${name} are not listed by "${other}"`, {
    hint: known.length === 0 ? 'Leave "of" out.' : `They are listed by ${known.join(', ')}.`,
  });
}

const get = toolOf({
  name: 'get',
  title: 'Show a record',
  description: 'Shows one record.',
  args: z.object({ resource, ref, fields }),
  call: (args, desk) => printed(desk, args.resource, 'get', ...flagsOf({ fields: args.fields }), '--', args.ref),
});

const find = toolOf({
  name: 'find',
  title: 'Find records',
  description: 'Finds records of any kind by a piece of a name or text, whatever its case and accents.',
  args: z.object({
    text: z.string().min(1),
    resource: ARGS.listed.optional().describe('only among these'),
    limit,
  }),
  call: ({ text, ...flags }, desk) => printed(desk, 'find', ...flagsOf(flags), '--', text),
});

const explain = toolOf({
  name: 'explain',
  title: 'Explain a kind of record',
  description: 'Says what a kind of record is: its members, and who may do what. Ask it before you plan.',
  args: z.object({ what: z.string().min(1).describe('individuals, or individuals.UserName') }),
  call: ({ what }, desk) => printed(desk, 'explain', '--', what),
});

const history = toolOf({
  name: 'history',
  title: 'History of a record',
  description: 'Says what happened to one record: when, by whom, from what to what.',
  args: z.object({ resource, ref }),
  call: (args, desk) => printed(desk, 'history', '--', args.resource, args.ref),
});

const log = toolOf({
  name: 'log',
  title: 'Log',
  description: 'Says what happened to the site, the newest first.',
  args: z.object({ since: z.string().optional().describe('2026-11-01, or -7d for a week ago'), limit }),
  call: (args, desk) => printed(desk, 'log', ...flagsOf(args)),
});

const jobs = toolOf({
  name: 'jobs',
  title: 'Jobs',
  description: 'Lists what pm has changed, the newest first.',
  args: z.object({ limit }),
  call: (args, desk) => printed(desk, 'jobs', 'list', ...flagsOf(args)),
});

/** pm can ends with it where the answer is no. */
const NO = 5;

const can = toolOf({
  name: 'can',
  title: 'Rights',
  description: 'Says whether somebody may do something, and why; without who, everybody who may.',
  args: z.object({ who: ref.optional(), action: z.enum(ACTIONS), resource, ref }),
  async call({ who, action, ...object }, desk) {
    const asked = [action, object.resource, object.ref];
    if (who === undefined) return printed(desk, 'can', '--who', `--limit=${MOST_RECORDS}`, '--', ...asked);
    const outcome = await desk.run({ words: ['can', '--why', '--', who, ...asked] });
    if (outcome.exit === 0 || (outcome.exit === NO && outcome.data !== '')) return outcome;
    throw new LineFailed(outcome);
  },
});

export const READING: readonly Tool[] = [list, get, find, explain, history, log, jobs, can];
