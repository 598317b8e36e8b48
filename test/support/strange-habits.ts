// The habits in which services of the interface differ, each a switch.
import { contract } from '../../src/contract/index.ts';

export interface Habits {
  /** New records get IDs of the service. */
  readonly givesIDs: boolean;
  /** A PUT replaces the record: a member that is absent becomes null. */
  readonly replaces: boolean;
  /** Records have writable members that no document knows. */
  readonly knowsMore: boolean;
  /** A body with such a member is refused, and the answer names it. */
  readonly refusesMore: boolean;
  /** The connection closes before so many answers to requests that write. */
  readonly losesAnswers: number;
  /** Once an answer was lost, it closes the connection of reads, too. */
  readonly goesDown: boolean;
  /** What was done, and had no answer, is refused as drifted when it is sent again. */
  readonly refusesAgain: boolean;
  /** The members of XML stand in the order of the alphabet, and one that comes too late is passed over. */
  readonly heedsOrder: boolean;
  /** The numbers of Not Set, Allow and Deny. */
  readonly states: readonly [number, number, number];
  /** `undelete` deletes what is there. */
  readonly toggles: boolean;
  /** A list comes with its count. */
  readonly wraps: boolean;
  /** What is null is left out of answers. */
  readonly omitsNulls: boolean;
  /** GUIDs are spelled in capitals. */
  readonly shouts: boolean;
  /** Each third read is answered 500, once. */
  readonly stumbles: boolean;
  /** Members that stay as they are, whatever is sent: empty in new records. */
  readonly keeps: readonly string[];
  /** Members that every PUT empties. */
  readonly forgets: readonly string[];
  /** Texts lose their outer blanks. */
  readonly trims: boolean;
  /** What is answered where a record is not there. */
  readonly absent: '404' | 'null' | '204' | '[]' | '{}' | 'page';
  /** What the address of one record shows: it, nothing, its names alone, or the first record of all. */
  readonly shows: 'it' | 'nothing' | 'part' | 'the first';
  /** What the answer to a new record holds. */
  readonly creates: 'record' | 'Location' | 'nothing' | 'ID' | 'status' | 'zeros';
  /** What the answer to an update holds. */
  readonly updates: 'record' | 'nothing' | 'ID' | 'status' | 'the old record';
  /** From this request on, a proxy answers with its own page. */
  readonly pagesFrom: number;
  /** Each so many-th request that writes is carried out and answered with the status of `denies`. */
  readonly deniesEach: number;
  readonly denies: 302 | 303 | 408 | 409 | 429 | 503;
  /** Lists come in pages of two, and say in their own way that there is more; rings and empty pages have no end. */
  readonly pages:
    | 'no'
    | 'Link'
    | 'nextLink'
    | 'X-Total-Count'
    | 'Total'
    | 'HasMore'
    | '206'
    | 'twice'
    | 'ring'
    | 'empty';
  /** A deletion, and its undoing, are answered with `{}`, and nothing is done. */
  readonly pretends: boolean;
  /** Lists of live records show deleted ones, too. */
  readonly showsDeleted: boolean;
  /** The address of one record takes changes alone. */
  readonly hasNoSingles: boolean;
  /** A deletion is refused with 200 and `Success: false`. */
  readonly refusesQuietly: boolean;
  /** How GUIDs are written: with dashes, in braces, or as digits alone. */
  readonly guids: 'dashes' | 'braces' | 'digits';
  /** The connection closes before so many requests that write are carried out. */
  readonly losesRequests: number;
  /** So many reads do not show a new record yet. */
  readonly lags: number;
  /** So many reads show a record as it was before an update. */
  readonly lagsBehind: number;
  /** An undeleted record gets another ID. */
  readonly renews: boolean;
  /** New records are shown by nothing. */
  readonly hidesNew: boolean;
  /** Its addresses have no /v4. */
  readonly hasNoVersion: boolean;
  /** A request to delete must say which version it means. */
  readonly wantsVersions: boolean;
  /** How it sends what it says. */
  readonly manner: Manner;
}

export type Manner =
  | 'plain'
  | 'closes the connection'
  | 'sends seven bytes at a time'
  | 'begins with a byte order mark'
  | 'answers 202'
  | 'packs'
  | 'writes numbers as texts'
  | 'writes 1 for true'
  | 'writes first_name'
  | 'writes empty texts for null'
  | 'adds links'
  | 'turns the order of members round';

export const ORDINARY: Habits = {
  ...{
    givesIDs: false,
    replaces: false,
    knowsMore: false,
    heedsOrder: false,
    toggles: false,
    wraps: false,
    omitsNulls: false,
  },
  ...{ shouts: false, stumbles: false, states: [0, 1, 2], keeps: [] },
  ...{ forgets: [], trims: false, refusesMore: false, losesAnswers: 0, goesDown: false, refusesAgain: false },
  ...{ absent: '404', shows: 'it', creates: 'record', updates: 'record', pagesFrom: Number.POSITIVE_INFINITY },
  ...{ pretends: false, showsDeleted: false, hasNoSingles: false },
  ...{ deniesEach: 0, denies: 503, pages: 'no', refusesQuietly: false, guids: 'dashes', hasNoVersion: false },
  ...{
    wantsVersions: false,
    manner: 'plain',
    losesRequests: 0,
    hidesNew: false,
    lags: 0,
    lagsBehind: 0,
    renews: false,
  },
};

/** What the members are called that only this service knows. */
export const MORE = ['BadgeNumber', 'Callsign'] as const;
for (const name of MORE)
  if (name in contract.individual.fields || name in contract.organization.fields)
    throw new Error(`${name} is a field now: give MORE of test/support/strange-habits.ts another name`);
