// Makes the departments that the cells of a file name and that are not there, each once, before the rows that name them.
import { adviceIn, type ErrorCode, orNone, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { looksLikeGuid } from '../../contract/kinds.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { validate } from '../../contract/validate.ts';
import { quoted } from '../../text/escape.ts';
import { oneLine } from '../../text/names.ts';
import { valueAt } from '../../text/once-per.ts';
import { cellValue } from '../files/bad-file.ts';
import type { FileFault } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import { defaultsFor } from '../plan/required-fields.ts';
import { SITE } from './cells.ts';
import { nameKey } from './named-records.ts';
import { SLASH } from './projected-records.ts';
import type { Making, Work } from './reader.ts';
import type { Records, RowDraft } from './row-draft.ts';

/** Records with departments that are planned already, and the changes that make those which rows name besides. */
export function makingDepartments(given: Records) {
  /** The IDs of departments that are there or planned, by the texts that name them. */
  const ids = new Map<string, string>();
  /** Those that are planned, by the one above and the name, and by the ends of their paths: an end names one that is there, too. */
  const children = new Map<string, string>();
  const ends = new Map<string, Set<string>>();
  const refused = new Map<string, Omit<FileFault, 'line' | 'column'>>();
  const there = async (text: string): Promise<string | undefined> =>
    ids.get(nameKey(text)) ??
    (await orNone(given.resolve(['organization'], oneLine(text), true), ['not_found'])) ??
    onlyOne(ends.get(nameKey(text)));
  /** A row that names only such an end would not say which of them, as the same file would not once they are there. */
  const addEnds = (path: string, id: string): void => {
    for (const end of endsOf(path)) {
      const other = ids.get(nameKey(end));
      if (other !== undefined && ends.get(nameKey(end))?.has(other))
        throw severalNew(`is new, and another row says only ${quoted(end)}`);
      valueAt(ends, nameKey(end), () => new Set()).add(id);
    }
  };
  const below = async (place: string | undefined): Promise<string> => {
    if (place !== undefined) return place === SITE ? given.me.site : given.resolve(['organization'], place);
    const all = (await given.find.byMembers('organization', { ParentID: given.me.site })) ?? [];
    const tops = all.filter((one) => !isGone(one));
    if (tops.length === 1) return String(tops[0]?.ID);
    const flags = tops.slice(0, 3).map(({ Name }) => `--below '${String(Name)}'`);
    const hint = `Name what is above it: ${flags.join(', ')} or --below ${SITE}`;
    throw new ServiceError('usage', 'is new, and nothing says where it belongs', { hint });
  };
  /** Those that are brought back, and those that come back with them. */
  const back = new Set<string>();
  /** The deleted department of this name. Throws `deleted` where nothing says which, or it is hidden with another one. */
  const goneOf = async (path: string, Name: string, above: string | undefined): Promise<Row | undefined> => {
    const all = await given.find.byMembers('organization', above === undefined ? { Name } : { Name, ParentID: above });
    const [gone, other] = (all ?? []).filter(isGone);
    if (!gone || other || !(gone.Deleted === true || back.has(String(gone.ParentID)))) return void (await there(path));
    back.add(String(gone.ID));
    return gone;
  };
  const chain = async (text: string, line: number, { options, ranks, sha256 }: Work): Promise<readonly Change[]> => {
    const changes: Change[] = [];
    const resource = resourceNamed('organization');
    const isBack = options.onDeleted === 'undelete';
    const live = (name: string): Promise<string | undefined> =>
      isBack ? orNone(there(name), ['deleted']) : there(name);
    let above = await live(text);
    const steps = above === undefined ? await stepsOf(text, options.make, live) : [];
    let path = '';
    for (const Name of steps) {
      path += `${path && '/'}${Name.replaceAll('/', '\\/')}`;
      const placeIn = (parent: unknown): string => `${parent} ${nameKey(Name)}`;
      let id = (above === undefined ? undefined : children.get(placeIn(above))) ?? (await live(path));
      const gone = id === undefined && isBack ? await goneOf(path, Name, above) : undefined;
      if (gone) {
        id = String(gone.ID);
        children.set(placeIn(gone.ParentID), id);
      }
      if (gone?.Deleted === true && id)
        changes.push({ resource: resource.name, operation: 'undelete', id, line, sha256, now: gone });
      const values = id === undefined ? { Name, ParentID: above ?? (await below(options.below)) } : undefined;
      id ??= children.get(placeIn(values?.ParentID));
      if (values && id === undefined) {
        id = options.newID();
        addEnds(path, id);
        children.set(placeIn(values.ParentID), id);
        const Rank = await ranks(resource, values);
        const body = { ...defaultsFor(resource, given.me.site, values), ...values, Rank };
        validate({ fields: resource.fields, what: 'the department' }, body, 'create');
        changes.push({ resource: resource.name, operation: 'create', id, line, sha256, body });
      }
      above = id;
    }
    if (above !== undefined) ids.set(nameKey(text), above);
    return changes;
  };
  return {
    records: {
      ...given,
      resolve: async (targets, text, isQuiet) =>
        (targets.includes('organization') ? ids.get(nameKey(text)) : undefined) ??
        given.resolve(targets, text, isQuiet),
    } satisfies Records,
    async changesFor(work: Work, rows: readonly RowDraft[]): Promise<readonly Change[]> {
      const changes: Change[] = [];
      for (const { line, references, faults } of rows)
        for (const { binding, texts } of references.filter(isOfDepartment))
          for (const text of texts.filter((one) => !looksLikeGuid(one) && !/^(?:id|name|path):/.test(one))) {
            const key = nameKey(text);
            if (!ids.has(key) && !refused.has(key))
              await chain(text, line, work).then(
                (made) => changes.push(...made),
                (error: unknown) => refused.set(key, faultIn(error, text, work.options.onDeleted === 'undelete')),
              );
            const fault = refused.get(key);
            if (fault) faults.push({ line, column: binding.column, ...fault });
          }
      const undeletes = changes.filter(({ operation }) => operation === 'undelete').length;
      work.counts.undeletes += undeletes;
      work.counts.creates += changes.length - undeletes;
      return changes;
    },
  };
}

/** The path itself, and what is left of it without the departments at its beginning. */
const endsOf = (path: string): readonly string[] => path.split(SLASH).map((_, at, steps) => steps.slice(at).join('/'));

const severalNew = (message: string): ServiceError =>
  new ServiceError('ambiguous', message, { hint: 'Write its whole path in each row.' });

function onlyOne(ids: ReadonlySet<string> = new Set()): string | undefined {
  if (ids.size > 1) throw severalNew('fits several departments that the file makes');
  return [...ids][0];
}

const isOfDepartment = ({ binding: { targets, by } }: RowDraft['references'][number]): boolean =>
  !by && targets.join() === 'organization';

/** The department, with those above it where its name is a path. */
async function stepsOf(
  text: string,
  making: Making | undefined,
  there: (text: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const steps = oneLine(text)
    .split(SLASH)
    .map((step) => step.replaceAll('\\/', '/').trim())
    .filter(Boolean);
  const [first = '', ...more] = steps;
  if (making === 'names' || first === '') return [oneLine(text).replaceAll('\\/', '/')];
  if (making === 'paths' || more.length === 0 || text.startsWith('/') || (await there(first))) return steps;
  const hint = 'Say which: --make names or --make paths';
  throw new ServiceError('usage', `can be one department, or a path that begins with ${first}`, { hint });
}

const OF_ONE_NAME: readonly ErrorCode[] = ['usage', 'invalid', 'ambiguous', 'deleted', 'not_found'];

function faultIn(error: unknown, text: string, isBack: boolean): Omit<FileFault, 'line' | 'column'> {
  // Other errors, such as that of a service that does not answer, concern every row.
  if (!(error instanceof ServiceError) || !OF_ONE_NAME.includes(error.code)) throw error;
  const message = error.faults.map((fault) => `${fault.field} ${fault.message}`).join(', ') || error.message;
  const hint = { hint: '--on-deleted undelete brings it back.' };
  const advice = error.code === 'deleted' && !isBack ? hint : adviceIn(error);
  return { value: cellValue(text), message, ...advice, cause: error.code };
}
