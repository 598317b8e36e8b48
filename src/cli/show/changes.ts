// The last changes of a record: from the history of the engine, or what pm itself did on a remote service.
import { date } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { journalEntries } from '../history/journal.ts';
import { type HistoryLine, recordHistory } from '../history/lines.ts';
import { texts } from '../output/result.ts';
import type { SectionPlan, Subject } from './section.ts';

/** The most lines of the section. */
const NEWEST = 10;

/** The newest first. */
export const lastChanges: SectionPlan = {
  name: 'Changes',
  title: 'Last changes',
  fields: { ...texts('Who', 'What', 'Field', 'Before', 'After'), At: date('read-only') },
  async read(subject) {
    const lines: Row[] = [];
    for await (const line of newest(subject)) {
      lines.push(...(await rowsFor(line, subject)));
      if (lines.length >= NEWEST) break;
    }
    return lines.slice(0, NEWEST);
  },
};

async function* newest({ context, session, resource, id }: Subject): AsyncGenerator<HistoryLine> {
  const wanted = { resource: resourceNamed(resource), id };
  if (!session.local) return yield* journalEntries(await context.jobs(), context.settings.profile, session, wanted);
  yield* await recordHistory(session, wanted.resource, id);
}

/** One line for each member; references by name. */
async function rowsFor({ at, who, what, changes, resource }: HistoryLine, { names }: Subject): Promise<readonly Row[]> {
  const head = { Who: who, What: what, At: at };
  // What a record began with stands above already.
  if (changes.length === 0 || what === 'create') return [{ ...head, Field: null, Before: null, After: null }];
  const shown = async (field: string, value: Value): Promise<Value> => {
    const name = await names.of(resource.fields[field], value);
    return name ?? (value === null ? null : String(value));
  };
  return Promise.all(
    changes.map(async ({ field, before, after }) => ({
      ...head,
      Field: field,
      Before: await shown(field, before),
      After: await shown(field, after),
    })),
  );
}
