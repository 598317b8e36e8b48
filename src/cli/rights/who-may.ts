// pm can --who: everybody who may do one thing, each with the reason.
import { ServiceError } from '../../contract/errors.ts';
import { guid } from '../../contract/field.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { RightsHolder, RightsWish } from '../../contract/rights.ts';
import { type Context, formatOf } from '../context.ts';
import { choose } from '../output/index.ts';
import { print } from '../output/printing.ts';
import { isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import type { Ask } from './question.ts';
import { filled, REASON, reasonOf } from './reason.ts';
import { printReport } from './report.ts';

const NAMES = ['UserName', 'FullName'];

/** Columns that no row fills are left out where people read. `more`: columns behind the names. */
export function whoShape(context: Context, rows: readonly Row[], ...more: readonly string[]): Shape {
  const fields = { ...texts(...NAMES, ...more), ...REASON, ...texts('Except') };
  const columns = Object.keys(fields);
  const shown = isForPeople(formatOf(context)) && rows.length > 0 ? [...filled(columns, rows)] : columns;
  return { ...shapeFrom('RightsHolder', { ...fields, ID: guid('read-only') }, shown), whole: [...NAMES, 'By'] };
}

/** Prints a table of who may do it to the record of this wish, or with `why` the whole walk for each of them. */
export async function showWhoMay(context: Context, ask: Ask, wish: RightsWish, why: boolean): Promise<number> {
  await context.checkPrint(whoShape(context, []));
  if (why) checkReport(context);
  const holders = await ask((local) => local.whoMay(wish));
  const rows = holders.map(holderRow);
  const shape = whoShape(context, rows);
  if (!why) return context.print({ shape, rows, none: NONE_MAY });
  const { where, sort, limit } = context.settings;
  const verdicts = new Map(holders.map(({ individual, verdict }) => [individual.ID, verdict]));
  for await (const { ID = null } of choose({ shape, rows }, { where, sort, limit }, context.io.now())) {
    const verdict = verdicts.get(ID);
    if (!verdict) continue;
    await printReport(context, verdict, wish.action);
    print(context.io, ['']);
  }
  return 0;
}

const NONE_MAY = 'Nobody of this site may.';

/** Prints who may do it to these records, all of one owner: to how many of them, and by what to the first. */
export async function showWhoMayEach(context: Context, ask: Ask, wishes: readonly RightsWish[]): Promise<number> {
  await context.checkPrint(whoShape(context, [], 'Records'));
  const found = new Map<Value, { readonly row: Row; readonly count: number }>();
  await ask(async (local) => {
    for (const wish of wishes)
      for (const holder of await local.whoMay(wish)) {
        const { ID = null } = holder.individual;
        const { row = holderRow(holder), count = 0 } = found.get(ID) ?? {};
        found.set(ID, { row, count: count + 1 });
      }
  });
  const rows = [...found.values()].map(({ row, count }) => ({ ...row, Records: `${count} of ${wishes.length}` }));
  const none = wishes.length === 0 ? 'There are none to ask about.' : NONE_MAY;
  return context.print({ shape: whoShape(context, rows, 'Records'), rows, none });
}

/** Throws `usage` for a format that only lists rows. */
function checkReport({ settings: { output, jmespath } }: Context): void {
  if (jmespath === undefined && (output === undefined || output === 'table')) return;
  throw new ServiceError('usage', `--why is a text for people, and no ${output ?? 'result for --jmespath'}`, {
    hint: 'Without --why the reason is in the columns By, Through, On and About.',
  });
}

function holderRow({ individual, verdict }: RightsHolder): Row {
  const { ID = null, UserName = null, FullName = null } = individual;
  return { UserName, FullName, ...reasonOf(verdict), Except: verdict.except.join(', ') || null, ID };
}
