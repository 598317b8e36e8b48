// pm dashboards show, report and compare: dashboards drawn in the terminal, as a page, and side by side.
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { sanitise } from '../../text/escape.ts';
import type { Context } from '../context.ts';
import { COMPARISON, compared, type Side } from '../dashboards/compare.ts';
import { drawing } from '../dashboards/draw.ts';
import { colorsOf, type OwnerNames, ownerNamed, ownerOf, periodOf, readDashboard } from '../dashboards/owner.ts';
import { type Picture, picture } from '../dashboards/picture.ts';
import { depthOf } from '../output/color.ts';
import { shapeOf } from '../output/shape.ts';
import { choosesRecords } from '../settings.ts';

interface DashboardOptions extends OwnerNames {
  /** The ID of a period, or its days as in the list of periods. */
  readonly period?: string;
}

interface ReportOptions extends DashboardOptions {
  readonly html: string;
}

/** Draws one dashboard; with an output format it prints the record, as get does. */
export async function show(context: Context, who: string | undefined, of: DashboardOptions): Promise<number> {
  const { output, color } = context.settings;
  const asRecord = output !== undefined && output !== 'table';
  if (!asRecord) checkWhole(context, 'a drawing');
  const session = await context.session();
  const period = await periodOf(session, of.period);
  const row = await readDashboard(session, await ownerNamed(session, { ...of, who }), period);
  if (asRecord) return context.print({ shape: shapeOf(contract.dashboard), rows: [row], one: true });
  const { io } = context;
  const room = { columns: io.columns, depth: depthOf(color, io.env) };
  for (const line of drawing(picture(row, await colorsOf(session)), room)) io.stdout.write(`${line}\n`);
  return 0;
}

/** Writes a dashboard as a page, with the departments below and their individuals. */
export async function report(context: Context, who: string | undefined, of: ReportOptions): Promise<number> {
  checkWhole(context, 'a report');
  const { outputOf } = await import('../input/files.ts');
  const { writeOutput } = await import('../../files/output.ts');
  const { reportOf } = await import('../dashboards/report.ts');
  const session = await context.session();
  const period = await periodOf(session, of.period);
  const owner = await ownerNamed(session, { ...of, who });
  const count = { units: 0, individuals: new Set<string>(), unread: 0 };
  const parts = reportOf(session, owner, { period, made: context.io.now(), count });
  const bytes = await writeOutput({ ...outputOf(context, '--html', of.html), shared: true }, async (page) => {
    let size = 0;
    for await (const part of parts) {
      await page.appendFile(part);
      size += Buffer.byteLength(part);
    }
    return size;
  });
  const what = [counted(count.units, 'department'), counted(count.individuals.size, 'individual')].join(' and ');
  const wrote = context.settings.dryRun ? 'Would write' : 'Wrote';
  context.note(`${wrote} ${of.html}: the dashboards of ${what}, ${Math.ceil(bytes / 1024)} KiB.`);
  if (count.unread > 0) context.note(`Left out: ${counted(count.unread, 'dashboard')} that you may not read.`);
  return 0;
}

/** Prints two dashboards side by side: each member, both figures, and the difference. */
export async function compare(context: Context, first: string, second: string, of: DashboardOptions): Promise<number> {
  await context.checkPrint(COMPARISON);
  const session = await context.session();
  const period = await periodOf(session, of.period);
  const colors = await colorsOf(session);
  const side = async (who: string): Promise<Side> => {
    const row = await readDashboard(session, await ownerOf(session, who), period);
    return { row, picture: picture(row, colors) };
  };
  const [one, other] = [await side(first), await side(second)];
  context.note(`First: ${titleOf(one.picture)}. Second: ${titleOf(other.picture)}.`);
  return context.print({ shape: COMPARISON, rows: compared(one, other) });
}

const titleOf = ({ name, kind }: Picture): string => `${sanitise(name)} (${kind})`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Throws `usage` for flags that choose columns or records: a drawing has none. */
function checkWhole({ settings }: Context, what: string): void {
  if (!choosesRecords(settings)) return;
  throw new ServiceError('usage', `${what} takes no --fields, --where, --sort, --limit or --jmespath`, {
    hint: 'pm dashboards get takes them; so does show with -o json.',
  });
}
