// The rows of a file, each as the changes that a command would make of it.
import { BadFile, type FileFault, type FileRow, type InputFile } from '../../changes/files/index.ts';
import { type Change, find } from '../../changes/plan/change.ts';
import { unfound } from '../../changes/plan/current-record.ts';
import type { Session } from '../../contract/call.ts';
import { adviceIn, EXIT, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { turnChanges } from '../commands/delete.ts';
import { createChanges, updateChanges, writeChanges } from '../commands/write.ts';
import type { Context } from '../context.ts';
import type { Asked } from '../selectors/owner-flags.ts';
import { checkPlaceholders, filled, type Template } from './template.ts';

/** Throws `BadFile` behind the last one, with what is wrong in any row. */
export async function* changesOf(
  context: Context,
  session: Session,
  input: InputFile,
  file: string,
  template: Template,
): AsyncGenerator<Change> {
  const faults: FileFault[] = [];
  const { resource, operation } = template;
  const sha256 = await input.hash();
  let checked: readonly string[] | undefined;
  for await (const row of input.rows()) {
    if (checked !== row.names) checkPlaceholders(template, row.names);
    checked = row.names;
    try {
      const { ids, options } = filled(template, (column) => valueIn(row, column));
      for (const change of await wantedOf(context, session, { resource, operation, given: ids, options }))
        yield await standing(session, change, row.line, sha256);
    } catch (error) {
      if (!(error instanceof ServiceError) || !isOfRow(error)) throw error;
      faults.push({ line: row.line, message: error.message, ...adviceIn(error) });
    }
  }
  if (faults.length > 0) throw new BadFile(file, faults);
}

/** What another row may not have. */
const isOfRow = ({ exit }: ServiceError): boolean => OF_ROW.includes(exit);
const OF_ROW: readonly number[] = [EXIT.usage, EXIT.notFound, EXIT.rejected];

function valueIn({ names, cells }: FileRow, column: string): string {
  const at = names.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  const cell = cells[at];
  return cell === undefined || cell === null ? '' : String(cell);
}

function wantedOf(context: Context, session: Session, asked: Asked): Promise<readonly Change[]> {
  switch (asked.operation.verb) {
    case 'create':
      return createChanges(context, session, asked);
    case 'update':
      return updateChanges(context, session, asked);
    case 'delete':
    case 'undelete':
      return turnChanges(context, session, asked);
    default:
      return writeChanges(context, session, asked);
  }
}

/** With the record as it stands, so that a change meanwhile is seen. */
async function standing(session: Session, change: Change, line: number, sha256: string): Promise<Change> {
  const found = await find(session, change);
  if (found && change.patch && found.state !== 'live') throw unfound(resourceNamed(change.resource), change.id, found);
  return { ...change, line, sha256, ...(found?.row ? { now: found.row } : {}) };
}
