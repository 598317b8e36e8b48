// Two dashboards side by side, member by member.
import { decimal } from '../../contract/field.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Shape } from '../output/index.ts';
import { shapeFrom, texts } from '../output/shape.ts';
import { AREAS } from './areas.ts';
import { numberOf, type Picture } from './picture.ts';

const FIELDS = {
  ...texts('Area', 'Label', 'Member'),
  First: decimal('read-only'),
  Second: decimal('read-only'),
  Difference: decimal('read-only'),
  ...texts('Direction'),
};

/** A comparison's records: the figures are numbers, null without data. */
export const COMPARISON: Shape = {
  ...shapeFrom('DashboardComparison', FIELDS, ['Member', 'First', 'Second', 'Difference', 'Direction']),
  id: 'Member',
};

export interface Side {
  readonly row: Row;
  readonly picture: Picture;
}

/** One record for each member that either dashboard shows, in drawing order. */
export function compared(first: Side, second: Side): readonly Row[] {
  const shown = new Set([first, second].flatMap(({ picture }) => membersIn(picture)));
  return AREAS.flatMap(({ title, lines }) =>
    lines.flatMap((line) =>
      [line.value, line.of, line.percent]
        .filter((member) => member !== undefined && shown.delete(member))
        .map((member = '') => ({
          Area: title,
          Label: line.label,
          Member: member,
          ...difference(first.row[member], second.row[member]),
        })),
    ),
  );
}

const membersIn = ({ sections }: Picture): readonly string[] =>
  sections.flatMap(({ bars }) => bars.flatMap(({ members }) => members));

/** The second minus the first, to one decimal; null without data. */
function difference(first: Value | undefined, second: Value | undefined): Row {
  const [before, after] = [numberOf(first), numberOf(second)];
  const change = before === null || after === null ? null : Math.round((after - before) * 10) / 10;
  const Direction = change === null ? null : change > 0 ? '▲' : change < 0 ? '▼' : '=';
  return { First: before, Second: after, Difference: change, Direction };
}
