// pm find: records by a piece of a name or of another text, whatever its case and accents.
import type { Command } from 'commander';
import type { Session } from '../../contract/call.ts';
import { isUnanswered, orNone, ServiceError } from '../../contract/errors.ts';
import { boolean, guid } from '../../contract/field.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone, plural, type Resource, type Row } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { quoted } from '../../text/escape.ts';
import { foundBy } from '../../text/names.ts';
import { counted } from '../../text/thousands.ts';
import { planCommand } from '../changes/journal.ts';
import { actionOf, collectValues, type Run, reading, withAt } from '../command.ts';
import { type Context, formatOf } from '../context.ts';
import { isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import { compareHits, type Hit, hitOf, resourcesToSearch, textsOf } from '../search/hit.ts';
import { ownerName, recordNames } from '../search/record-names.ts';
import { similar } from '../selectors/selectors.ts';
import { PAGES } from '../show/pages.ts';

const FIELDS = { ...texts('Resource', 'Name', 'Field', 'Text', 'Of'), ID: guid('read-only') };
/** Where only live records are looked into, none is marked. */
const MARKED = { ...FIELDS, Deleted: boolean('read-only') };

export function build(run: Run): Command {
  return withAt(reading('find', 'Find records by a piece of a name or text, whatever its accents.'))
    .argument('<text...>', 'the text to look for; several words are one text')
    .option('--resource <name>', 'only among these: individuals, comments; may be given several times', collectValues)
    .addHelpText('after', HELP)
    .action(actionOf(run, find));
}

const HELP = `
It looks into names, user names, e-mails, titles, descriptions, comments and
all other texts that you may read. Case, accents and apostrophes do not count,
and ss finds ß, l finds ł, o finds ø: "strauss" finds Strauß. Where nothing has
it, oe finds ö, ae finds ä, ue finds ü: "joerg" finds Jörg. Names come first,
then other texts; in each what is the text as a whole, then what begins with
it, then what has a word that does.`;

async function find(
  context: Context,
  words: readonly string[],
  options: { resource?: readonly string[] },
): Promise<number> {
  const given = words.join(' ').trim();
  const forms = foundBy(given);
  const [text] = forms;
  if (text === undefined)
    throw new ServiceError('usage', `${quoted(given)} cannot be looked for`, {
      hint: 'Write a piece of a name or of another text: a letter or a digit at least.',
    });
  const resources = resourcesToSearch(options.resource ?? []);
  const { deleted = 0 } = context.settings;
  const fields = deleted === 0 ? FIELDS : MARKED;
  const columns = Object.keys(fields).filter((name) => name !== 'ID');
  const shape: Shape = {
    ...shapeFrom('Found', fields, columns),
    whole: ['Resource'],
    marked: { columns: ['Name', 'Text'], text },
  };
  await context.checkPrint(shape);
  const session = await context.session();
  const hits = await hitsIn(context, resources, { forms, deleted });
  await context.print({
    shape: isRead(context) && !hits.some(({ resource }) => ownersOf(resource).length > 0) ? withoutOwner(shape) : shape,
    rows: rowsFor(session, hits),
    none: `Nothing has ${quoted(given)} in it.`,
  });
  if (hits.length > 0 || deleted !== 0) return 0;
  // The lists that are refused have been named.
  const silent = { ...context, note: () => undefined };
  const gone = (await orNone(hitsIn(silent, resources, { forms, deleted: 1 }))) ?? [];
  const only = options.resource?.flatMap((name) => ['--resource', name]) ?? [];
  const command = planCommand(context, ['find', given, ...only, '--deleted', 'only']);
  if (gone.length > 0)
    context.note(`${counted(gone.length, 'deleted record')} ${gone.length === 1 ? 'has' : 'have'} it: ${command}`);
  else await noteNames(context, session, given, resources);
  return 0;
}

/** Names that are like a text which nothing has, of the kinds that have a page. */
async function noteNames(context: Context, session: Session, given: string, resources: readonly Resource[]) {
  for (const resource of resources.filter(({ name }) => Object.hasOwn(PAGES, name))) {
    const [name] = (await orNone(similar(session, resource, given, { deleted: 0 }))) ?? [];
    if (name !== undefined) context.note(`Did you mean: ${planCommand(context, ['find', name])}?`);
  }
}

const isRead = (context: Context): boolean =>
  isForPeople(formatOf(context)) && !context.settings.fields && context.settings.where.length === 0;

function withoutOwner(shape: Shape): Shape {
  const { Of: _, ...fields } = shape.fields;
  return { ...shape, fields, columns: shape.columns.filter((name) => name !== 'Of') };
}

type Wanted = { readonly forms: readonly string[]; readonly deleted: 0 | 1 | 2 };

/** All that is found, the best first. A list that a service refuses is named on stderr; throws where it refuses all. */
async function hitsIn(context: Context, resources: readonly Resource[], wanted: Wanted): Promise<readonly Hit[]> {
  const session = await context.session();
  const hits: Hit[] = [];
  const refused: { readonly resource: Resource; readonly error: ServiceError }[] = [];
  const look = async (resource: Resource) => {
    try {
      return await hitsOf(session, resource, wanted);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      refused.push({ resource, error });
      return [];
    }
  };
  for await (const found of ahead(resources, session.readsAtOnce ?? 1, look)) for (const hit of found) hits.push(hit);
  const [first] = refused;
  if (first && refused.length === resources.length) throw first.error;
  for (const { resource, error } of refused) context.note(`Not looked into ${plural(resource)}: ${error.message}`);
  return hits.sort(compareHits);
}

async function hitsOf(session: Session, resource: Resource, { forms, deleted }: Wanted): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (const text of forms) {
    for await (const row of session.find.holding(resource.name, { fields: textsOf(resource), text, deleted })) {
      const hit = isTwin(resource, row) ? undefined : hitOf(resource, row, text);
      if (hit) hits.push(hit);
    }
    if (hits.length > 0) break;
  }
  return hits;
}

/** The individual has the title of its primary membership, too (D14). */
const isTwin = ({ name }: Resource, { Primary }: Row): boolean => name === 'organizationMember' && Primary === true;

async function* rowsFor(session: Session, hits: readonly Hit[]): AsyncGenerator<Row> {
  const names = recordNames(session);
  for (const { resource, row, name, field, piece } of hits) {
    yield {
      Resource: resource.command,
      Name: name ?? null,
      Field: field,
      Text: piece,
      Of: await ownerName(names, resource, row),
      Deleted: isGone(row),
      ID: row.ID === undefined ? null : String(row.ID),
    };
  }
}
