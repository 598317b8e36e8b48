// The last changes of a record: from the history of the engine, or what pm itself did on a remote service.
import { date } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { journalEntries } from '../history/journal.ts';
import { type HistoryLine, recordHistory } from '../history/lines.ts';
import { byName, historyRows } from '../history/shown.ts';
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
    const shown = byName(subject.names);
    for await (const line of newest(subject)) {
      // What a record began with stands above already.
      const said = line.what === 'create' ? { ...line, changes: [] } : line;
      lines.push(...(await historyRows(said, shown)));
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
