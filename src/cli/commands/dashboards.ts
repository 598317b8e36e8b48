// pm dashboards show, report and compare: dashboards drawn in the terminal, as a page, and side by side.
import type { Session } from '../../contract/call.ts';
import { decimal } from '../../contract/field.ts';
import { contract } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { counted } from '../../text/thousands.ts';
import { type Context, formatOf } from '../context.ts';
import { MEMBERS } from '../dashboards/areas.ts';
import { drawing } from '../dashboards/draw.ts';
import { colorsOf, type OwnerNames, ownerNamed, ownerOf, periodOf, readDashboard } from '../dashboards/owner.ts';
import type { Origin } from '../dashboards/page.ts';
import { numberOf, type Picture, picture } from '../dashboards/picture.ts';
import { listed } from '../dashboards/unmet.ts';
import { depthOf } from '../output/color.ts';
import { drawn, isAscii } from '../output/drawn.ts';
import { printPainted } from '../output/printing.ts';
import { isForPeople, type Shape, shapeFrom, shapeOf, texts } from '../output/result.ts';
import { systemUser } from '../profiles/home.ts';
import { knownFor } from '../profiles/profiles.ts';
import { asRecords, checkShownWhole } from '../settings.ts';

interface DashboardOptions extends OwnerNames {
  /** The ID of a period, or its days as in the list of periods. */
  readonly period?: string;
}

const CHOOSING = 'pm dashboards get takes them; so does show with -o json.';

/** Draws one dashboard; with an output format it prints the record, as get does. */
export async function show(context: Context, who: string | undefined, of: DashboardOptions): Promise<number> {
  const { settings, io } = context;
  if (!asRecords(settings)) checkShownWhole(settings, 'a drawing', CHOOSING);
  const session = await context.session();
  const period = await periodOf(session, of.period);
  const row = await readDashboard(session, await ownerNamed(session, { ...of, who }), period);
  if (asRecords(settings)) return context.print({ shape: shapeOf(contract.dashboard), rows: [row], one: true });
  const room = { columns: io.columns, depth: depthOf(settings.color, io.env), ascii: isAscii(io.env) };
  printPainted(io, [...drawing(picture(row, await colorsOf(session)), room)]);
  return 0;
}

/** Writes a dashboard as a page, with the departments below and their individuals. */
export async function report(
  context: Context,
  who: string | undefined,
  of: DashboardOptions & { html: string },
): Promise<number> {
  checkShownWhole(context.settings, 'a report', CHOOSING);
  const { outputOf } = await import('../input/files.ts');
  const { writeOutput } = await import('../../files/output.ts');
  const { reportPage } = await import('../dashboards/page.ts');
  const { readReport } = await import('../dashboards/read-report.ts');
  const session = await context.session();
  const period = await periodOf(session, of.period);
  const owner = await ownerNamed(session, { ...of, who });
  const now = context.io.now();
  const origin = await originOf(context, session, now);
  const { found, bytes } = await writeOutput(
    { ...outputOf(context, '--html', of.html), shared: true },
    async (page) => {
      const found = await readReport({ session, period, now }, owner);
      let bytes = 0;
      for (const part of reportPage(found, origin)) {
        await page.appendFile(part);
        bytes += Buffer.byteLength(part);
      }
      return { found, bytes };
    },
  );
  const what = [counted(found.departments, 'department'), counted(found.individuals, 'individual')].join(' and ');
  const wrote = context.settings.dryRun ? 'Would write' : 'Wrote';
  context.note(`${wrote} ${of.html}: the dashboards of ${what}, ${Math.ceil(bytes / 1024)} KiB.`);
  if (found.unread > 0) context.note(`Left out: ${counted(found.unread, 'dashboard')} that you may not read.`);
  return 0;
}

/** Who makes a report, and of which site. */
async function originOf({ settings, io }: Context, session: Session, made: Date): Promise<Origin> {
  const { remote, as } = settings;
  const { me } = session;
  const sites = await listed({ session }, contract.site.operations.list, { by: 'plain' });
  const caller = remote ? knownFor(remote, io).user : systemUser(io);
  return {
    made,
    by: as === undefined ? me.userName : (caller ?? me.userName),
    as: me.userName,
    site: String(sites?.find(({ ID }) => sameID(String(ID), me.site))?.Name ?? me.site),
    place: remote?.url ?? 'the local file',
  };
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
  return context.print({
    shape: COMPARISON,
    rows: compared(one, other, isForPeople(formatOf(context)) ? (sign) => drawn(context.io.env, sign) : String),
  });
}

const titleOf = ({ name, kind }: Picture): string => `${name} (${kind})`;

const FIELDS = {
  ...texts('Area', 'Label', 'Member'),
  First: decimal('read-only'),
  Second: decimal('read-only'),
  Difference: decimal('read-only'),
  ...texts('Direction'),
};

/** A comparison's records: the figures are numbers, null without data. */
const COMPARISON: Shape = {
  ...shapeFrom('DashboardComparison', FIELDS, ['Member', 'First', 'Second', 'Difference', 'Direction']),
  id: 'Member',
};

interface Side {
  readonly row: Row;
  readonly picture: Picture;
}

/** A sign as the reader's locale can show it. */
type Sign = (sign: string) => string;

/** One record for each member that either dashboard shows, in drawing order. */
function compared(first: Side, second: Side, sign: Sign): readonly Row[] {
  const shown = new Set([first, second].flatMap(({ picture }) => membersIn(picture)));
  return MEMBERS.filter(({ Member }) => shown.has(Member)).map((figure) => ({
    ...figure,
    ...difference(first.row[figure.Member], second.row[figure.Member], sign),
  }));
}

const membersIn = ({ sections }: Picture): readonly string[] =>
  sections.flatMap(({ bars }) => bars.flatMap(({ members }) => members));

/** The second minus the first, to one decimal; null without data. */
function difference(first: Value | undefined, second: Value | undefined, sign: Sign): Row {
  const [before, after] = [numberOf(first), numberOf(second)];
  const change = before === null || after === null ? null : Math.round((after - before) * 10) / 10;
  const Direction = change === null ? null : change > 0 ? sign('▲') : change < 0 ? sign('▼') : '=';
  return { First: before, Second: after, Difference: change, Direction };
}
