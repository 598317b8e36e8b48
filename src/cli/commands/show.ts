// pm individuals show, departments show and projects show: all about one record on one page.
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { fieldCalled } from '../output/fields.ts';
import type { Format } from '../output/result.ts';
import { shapeFrom, texts } from '../output/result.ts';
import { recordNames } from '../search/record-names.ts';
import { readOne } from '../selectors/records.ts';
import { checkShownWhole, type Settings } from '../settings.ts';
import { membersOf, objectOf, type Page, printPage } from '../show/page.ts';
import { PAGES } from '../show/pages.ts';
import { readSections } from '../show/section.ts';

/** Prints the page of one record. Throws `usage` for a format that only lists rows. */
export const show =
  (resource: keyof typeof PAGES) =>
  async (context: Context, ref: string): Promise<number> => {
    const { settings } = context;
    const { head, sections } = PAGES[resource];
    const format = pageFormat(settings);
    if (format) checkShownWhole(settings, 'a page is shown whole: it', 'With -o json, --fields chooses sections.');
    else checkObject(settings);
    const fields = texts(...membersOf(sections));
    const wanted = settings.fields?.map((name) => fieldCalled(fields, name, '--fields')) ?? Object.keys(fields);
    const { command } = resourceNamed(resource);
    const session = await context.session();
    const row = await readOne(context, resourceNamed(resource), ref);
    const subject = { context, session, resource, id: String(row.ID), row, names: recordNames(session) };
    const read = sections.filter(({ name }) => wanted.includes(name));
    const page: Page = { subject, head, sections: await readSections(subject, read) };
    if (format) {
      await printPage(page, format);
      return 0;
    }
    // These formats write more than a Value can hold.
    return context.print({ shape: shapeFrom(`${command} page`, fields), rows: [objectOf(page) as Row], one: true });
  };

/** The format of a page for people; undefined where one object is printed. */
function pageFormat({ output, jmespath }: Settings): 'table' | 'md' | undefined {
  if (jmespath !== undefined) return undefined;
  return output === undefined ? 'table' : output === 'table' || output === 'md' ? output : undefined;
}

/** The formats that write an object with lists in it. */
const NESTED: readonly (Format | undefined)[] = ['json', 'ndjson', 'yaml', 'none'];

function checkObject({ output, jmespath }: Settings): void {
  if (NESTED.includes(output) || jmespath !== undefined) return;
  throw new ServiceError('usage', `-o ${output}: a page has sections, and no rows`, {
    hint: 'Use -o json, ndjson, yaml or md.',
  });
}
