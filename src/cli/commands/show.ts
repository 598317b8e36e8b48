// pm show: the record that a pasted text means; and the pages of individuals, departments and projects, all about one of them.
import type { Command } from 'commander';
import type { Session } from '../../contract/call.ts';
import { type ErrorCode, orNone, ServiceError } from '../../contract/errors.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { isGone, type Resource, type Row } from '../../contract/resource.ts';
import { quoted } from '../../text/escape.ts';
import { planCommand } from '../changes/journal.ts';
import { actionOf, type Run, reading, withAt } from '../command.ts';
import type { Context } from '../context.ts';
import { fieldCalled } from '../output/fields.ts';
import { type Format, shapeFrom, shapeOf, texts } from '../output/result.ts';
import { recordNames } from '../search/record-names.ts';
import { ownPlan, readOne } from '../selectors/records.ts';
import { NOT_THERE, notYet, oneOf, resolve } from '../selectors/selectors.ts';
import { checkShownWhole, type Settings } from '../settings.ts';
import { membersOf, objectOf, type Page, printPage } from '../show/page.ts';
import { PAGES } from '../show/pages.ts';
import { readSections } from '../show/section.ts';

export function build(run: Run): Command {
  return withAt(reading('show', 'Show the record that a pasted text means, whatever kind it is.'))
    .argument('<text...>', 'an ID, a user name, an e-mail, a name, or an address of the service with an ID in it')
    .addHelpText('after', HELP)
    .action(actionOf(run, showMeant));
}

const HELP = `
A person, a department and a project are found by a name, too, and have a page;
any other record is shown whole, by its ID. A piece of a name: pm find`;

async function showMeant(context: Context, words: readonly string[]): Promise<number> {
  const only = await recordMeant(context, words.join(' ').trim(), 'show');
  if (!only.isDeleted) return showOne(context, only);
  const back = planCommand(context, [only.resource.command, 'undelete', only.id]);
  context.note(`It is deleted. To bring it back: ${back}`);
  return showOne({ ...context, settings: { ...context.settings, deleted: 2 } }, only);
}

/** The one record that a text means. Throws `not_found`, and `ambiguous` with the command for each. */
export async function recordMeant(context: Context, text: string, command: 'show' | 'history'): Promise<Meant> {
  const session = await context.session();
  const id = GUID_IN.exec(text.replace(WITHOUT_DASHES, '$1-$2-$3-$4-$5'))?.[0];
  const close: string[] = [];
  const meant = id === undefined ? await calledSo(session, text, close) : await withID(session, id, text);
  const [only, ...others] = meant;
  const kinds = id === undefined ? Object.keys(PAGES) : storedResources.map(({ name }) => name);
  const later = only ? undefined : await notYet(session, id ?? text, kinds);
  if (later) throw later;
  if (!only) {
    const hint =
      id === undefined
        ? `Look for a piece of it: ${planCommand(context, ['find', text])}`
        : 'It may be of another site or profile: pm whoami says where you are.';
    const message = `no record that you may read is meant by ${quoted(text)}`;
    throw new ServiceError('not_found', message, oneOf(close) ?? { hint });
  }
  if (others.length > 0)
    throw new ServiceError('ambiguous', `several records are called ${quoted(text)}`, {
      candidates: meant.map(({ resource, id: one }) => `pm ${command} ${resource.command} ${one}`),
      hint: 'Type one of these.',
    });
  return only;
}

async function showOne(context: Context, { resource, id, row }: Meant): Promise<number> {
  if (Object.hasOwn(PAGES, resource.name)) return show(resource.name as keyof typeof PAGES)(context, id);
  return context.print({ shape: shapeOf(resource), rows: [row ?? (await readOne(context, resource, id))], one: true });
}

const WITHOUT_DASHES = /\b([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\b/gi;
const GUID_IN = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\s\S]*[0-9a-f]{8}-[0-9a-f]{4}-)/i;

interface Meant {
  readonly resource: Resource;
  readonly id: string;
  readonly row?: Row;
  readonly isDeleted: boolean;
}

/**
 * Those who are called so among the kinds that have a page, deleted ones only where no other is; `close` gets the names that
 * are like it. Throws `ambiguous`.
 */
async function calledSo(session: Session, text: string, close: string[]): Promise<readonly Meant[]> {
  for (const deleted of [0, 1] as const) {
    const found: Meant[] = [];
    for (const name of Object.keys(PAGES)) {
      const id = await resolve(session, text, { targets: [name], deleted }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || !UNKNOWN.includes(error.code)) throw error;
        if (deleted === 0) close.push(...error.candidates);
        return undefined;
      });
      if (id !== undefined) found.push({ resource: resourceNamed(name), id, isDeleted: deleted === 1 });
    }
    if (found.length > 0) return found;
  }
  return [];
}

const UNKNOWN: readonly ErrorCode[] = [...NOT_THERE, 'usage', 'invalid'];

/** The record with this ID; kinds of which the text speaks are asked first, and a service for those that it shows by their ID alone. */
async function withID(session: Session, id: string, text: string): Promise<readonly Meant[]> {
  const isSpokenOf = ({ command, aliases }: Resource): boolean =>
    [command, ...aliases].some((word) => text.toLowerCase().includes(`/${word}/`));
  const isPage = ({ name }: Resource): boolean => Object.hasOwn(PAGES, name);
  const kinds = storedResources.filter((one) => one.id === 'guid' && (session.local || ownPlan(one, 'get')));
  const rank = (one: Resource): number => (isSpokenOf(one) ? 0 : isPage(one) ? 1 : 2);
  for (const resource of kinds.toSorted((one, other) => rank(one) - rank(other))) {
    const found = await orNone(session.find.record(resource.name, { id }, 'deleted'), HIDDEN);
    if (found?.row && sameID(found.row.ID, id)) return [{ resource, id, row: found.row, isDeleted: isGone(found.row) }];
  }
  const [owner] = (await orNone(session.find.byMembers('individual', { UserID: id }), HIDDEN)) ?? [];
  return owner ? [{ resource: resourceNamed('individual'), id: String(owner.ID), isDeleted: isGone(owner) }] : [];
}

const HIDDEN: readonly ErrorCode[] = [...NOT_THERE, 'forbidden', 'admin_only', 'unsupported', 'usage', 'invalid'];

/** Prints the page of one record. Throws `usage` for a format that only lists rows. */
export const show =
  (resource: keyof typeof PAGES) =>
  async (context: Context, ref: string): Promise<number> => {
    const { settings } = context;
    const { head, sections } = PAGES[resource];
    const format = pageFormat(settings);
    if (format) checkShownWhole(settings, 'a page is shown whole: it', 'With -o json, --fields chooses sections.');
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

/** The formats that write an object with lists in it. */
const NESTED: readonly Format[] = ['json', 'ndjson', 'yaml', 'none'];

/** The format of a page for people; undefined if one object is printed. Throws `usage` for one that holds no lists. */
function pageFormat({ output = 'table', jmespath }: Settings): 'table' | 'md' | undefined {
  if (jmespath !== undefined || NESTED.includes(output)) return undefined;
  if (output === 'table' || output === 'md') return output;
  throw new ServiceError('usage', `-o ${output}: a page has sections, and no rows`, {
    hint: 'Use -o json, ndjson, yaml or md.',
  });
}
