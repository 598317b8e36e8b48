// Resources whose body names their site: it is the site of the call, and never another.
import type { Rules, Writing } from './rule.ts';

/** Fills in the site where the body leaves it out and may. */
export function fillSite({ values, change }: Writing): void {
  values.SiteID ??= change.site;
}

export const ownSite: Rules = { fill: fillSite };
