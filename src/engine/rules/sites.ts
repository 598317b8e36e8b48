// Sites, records that name their site, and periods of whole days (D13, D19).
import type { Fault } from '../../contract/errors.ts';
import type { Value } from '../../contract/resource.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import { member, type Rules, type Writing } from './rule.ts';

export const siteRules: Rules = {
  prepare({ change, before }) {
    if (before && !isAdministrator(change)) throw adminOnly('sites update');
  },
};

/** Sets the site where the body leaves it out. */
export function fillSite({ values, change }: Writing): void {
  values.SiteID ??= change.site;
}

export const ownSite: Rules = { fill: fillSite };

export const periodRules: Rules = {
  fill: fillSite,
  prepare(writing) {
    const { values } = writing;
    values.StartDate = wholeDay(member(writing, 'StartDate'));
    values.EndDate = wholeDay(member(writing, 'EndDate'));
    values.DateSpan = `${dayOf(values.StartDate)} to ${dayOf(values.EndDate)}`;
  },
  check(writing): readonly Fault[] {
    const [start, end] = [dayOf(writing.values.StartDate), dayOf(writing.values.EndDate)];
    return end < start
      ? [
          {
            field: 'EndDate',
            code: 'out_of_range',
            message: `is ${end}, before the first day ${start}`,
          },
        ]
      : [];
  },
};

const wholeDay = (date: Value): Value =>
  typeof date === 'string' ? date.replace(/T\d{2}:\d{2}(:\d{2})?(\.\d+)?/, 'T00:00:00') : date;

const dayOf = (date: Value | undefined): string => String(date).slice(0, 10);
