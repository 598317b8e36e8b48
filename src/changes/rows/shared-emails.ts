// Finds e-mails that other individuals have already, and texts that are no e-mail address. Both are allowed, and mostly a mistake.
import type { Finder, Session } from '../../contract/call.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { quoted, sanitise } from '../../text/escape.ts';
import { compareText, textKey } from '../../text/text-key.ts';
import type { Change } from '../plan/change.ts';
import { type KeyLines, newKeyLines } from './keys.ts';

type Looked = Pick<Change, 'resource' | 'operation' | 'id' | 'line' | 'body' | 'patch'>;

type Finding = Pick<Finder, 'byMembers' | 'record'>;

export type SharedEmails = ReturnType<typeof sharedEmails>;

/** The sentences about these changes. On a remote service all people would have to be read to find who has an e-mail, too. */
export async function emailWarnings(session: Session, rows: readonly Looked[]): Promise<readonly string[]> {
  const emails = sharedEmails(session.local ? session.find : UNREAD);
  for (const row of rows) await emails.look(row);
  return emails.sentences();
}

const UNREAD: Finding = { byMembers: async () => [], record: async () => ({ state: 'unseen' }) };

const MOST_SHOWN = 20;
const MOST_NAMED = 3;

/** For the changes of one request. `isAlone`: they are rows of one file, which --key may match by their e-mails. */
export function sharedEmails(find: Finding, isAlone = false) {
  const found: string[] = [];
  const notAddresses: string[] = [];
  const given = newKeyLines();
  let count = 0;
  let total = 0;
  let wrong = 0;
  return {
    /**
     * Looks whether a change gives an individual the e-mail that another one has, or gets by an earlier change. A new one may
     * be a person who was here before.
     */
    async look(change: Looked): Promise<void> {
      const email = await emailIn(find, change);
      if (email === undefined) return;
      if (!isAddress(email) && ++wrong <= MOST_NAMED)
        notAddresses.push(`${quoted(email)}${change.line === undefined ? '' : ` (line ${change.line})`}`);
      const others = [...(await ownersOf(find, email, change, isAlone)), ...earlier(given, email, change, ++count)];
      if (others.length > 0 && ++total <= MOST_SHOWN) found.push(sentence(change, email, others));
    },
    /** Sentences about the first of them, and how many more there are. */
    sentences: (): readonly string[] => [
      ...(total > found.length ? [...found, `… and ${total - found.length} more`] : found),
      ...(notAddresses.length > 0 ? [`Warning: not an e-mail address: ${listed(notAddresses, wrong)}.`] : []),
    ],
  };
}

/** One sign @ with something on both sides, no blank, and no sign that ends an address in a list. */
const isAddress = (text: string): boolean => /^[^@\s<>,;:]+@[^@\s<>,;:]*[^@\s<>,;:.]$/.test(text);

const listed = (first: readonly string[], all: number): string =>
  [...first, ...(all > first.length ? [`${all - first.length} more`] : [])].join(', ');

/** The e-mail that a change sets or brings back; undefined if it does neither. */
async function emailIn(find: Finding, { resource, operation, id, body, patch }: Looked): Promise<string | undefined> {
  if (resource !== 'individual') return undefined;
  const isBack = operation === 'undelete' && id !== undefined;
  const { Email: email } = (isBack ? (await find.record(resource, { id }, 'many')).row : (patch ?? body)) ?? {};
  return typeof email === 'string' && email !== '' ? email : undefined;
}

async function ownersOf(find: Finding, email: string, { id, operation }: Looked, isAlone: boolean) {
  const found = (await find.byMembers('individual', { Email: email })) ?? [];
  const isMeant = ({ ID, Deleted }: Row): boolean => !sameID(ID, id) && (operation === 'create' || Deleted !== true);
  const others = found.filter(isMeant).toSorted(goneLast);
  const way = isAlone && operation === 'create' ? ' (--key Email changes that one instead of making another)' : '';
  return others.map(
    ({ UserName, Deleted }) => `${sanitise(String(UserName))}${Deleted === true ? CAN_COME_BACK : way}`,
  );
}

const goneLast = (one: Row, other: Row): number =>
  Number(one.Deleted) - Number(other.Deleted) || compareText(String(one.UserName), String(other.UserName));

const CAN_COME_BACK = ' (deleted: an undelete brings that one back)';

/** The change before this one that sets the same e-mail: by its line, or by its number where there is no file. */
function earlier(given: KeyLines, email: string, { line }: Looked, number: number): readonly string[] {
  const before = given.add(textKey(email), line ?? number);
  if (!before) return [];
  return [line === undefined ? 'another one who gets it now' : `line ${before.line}`];
}

function sentence({ line }: Looked, email: string, others: readonly string[]): string {
  const where = line === undefined ? 'the' : `line ${line}, the`;
  return `Warning: ${where} e-mail ${quoted(email)} is also that of ${listed(others.slice(0, MOST_NAMED), others.length)}.`;
}
