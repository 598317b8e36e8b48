// pm can --who: everybody who may do one thing, each with the reason.
import { ServiceError } from '../../contract/errors.ts';
import { guid } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import type { RightsHolder, RightsWish } from '../../contract/rights.ts';
import { type Context, formatOf } from '../context.ts';
import { choose } from '../output/index.ts';
import { print } from '../output/printing.ts';
import { isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import type { Ask } from './question.ts';
import { filled, REASON, reasonOf } from './reason.ts';
import { printReport } from './report.ts';

const NAMES = ['UserName', 'FullName'];
const FIELDS = { ...texts(...NAMES), ...REASON, ...texts('Except'), ID: guid('read-only') };
const COLUMNS = [...NAMES, ...Object.keys(REASON), 'Except'];

/** Columns that no row fills are left out where people read. */
export function whoShape(context: Context, rows: readonly Row[]): Shape {
  const columns = isForPeople(formatOf(context)) && rows.length > 0 ? [...filled(COLUMNS, rows)] : COLUMNS;
  return { ...shapeFrom('RightsHolder', FIELDS, columns), whole: [...NAMES, 'Through', 'On'] };
}

/** Prints a table, or with `why` the whole walk for each of them. */
export async function showWhoMay(context: Context, ask: Ask, wish: RightsWish, why: boolean): Promise<number> {
  await context.checkPrint(whoShape(context, []));
  if (why) checkReport(context);
  const holders = await ask((local) => local.whoMay(wish));
  const rows = holders.map(holderRow);
  const shape = whoShape(context, rows);
  if (!why) return context.print({ shape, rows, none: 'Nobody of this site may.' });
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
