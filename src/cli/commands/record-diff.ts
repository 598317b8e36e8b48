// pm individuals diff, and of departments and projects: the differences of two records.
import { isSame } from '../../changes/plan/drift.ts';
import { EXIT } from '../../contract/errors.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { sentMembers } from '../../sites/state/layout.ts';
import { unknownIn } from '../../sites/state/state.ts';
import { type Context, formatOf } from '../context.ts';
import { isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import { readOne } from '../selectors/records.ts';
import { referenceNames } from '../selectors/reference-names.ts';

const SHAPE: Shape = { ...shapeFrom('Difference', texts('Field', 'One', 'Other')), whole: ['Field', 'One', 'Other'] };

/** Compares members that can be set; the ID and the site are no differences. Where people read, references are names. */
export const diff =
  (resource: Resource) =>
  async (context: Context, one: string, other: string, { exitCode }: { exitCode?: boolean }): Promise<number> => {
    await context.checkPrint(SHAPE);
    const session = await context.session();
    const [left, right] = [await readOne(context, resource, one), await readOne(context, resource, other)];
    const names = isForPeople(formatOf(context)) ? referenceNames(session) : undefined;
    const shown = async (name: string, row: Row): Promise<string | null> => {
      const value = row[name] ?? null;
      const named = await names?.of(resource.fields[name], value);
      return named ?? (value === null ? null : String(value));
    };
    const rows: Row[] = [];
    const unknown = new Set([left, right].flatMap((row) => unknownIn(resource, row)));
    for (const Field of [...sentMembers(resource), ...unknown])
      if (!isSame(resource, Field, left[Field], right[Field]))
        rows.push({ Field, One: await shown(Field, left), Other: await shown(Field, right) });
    await context.print({ shape: SHAPE, rows, none: 'They do not differ.' });
    return exitCode && rows.length > 0 ? EXIT.different : 0;
  };
