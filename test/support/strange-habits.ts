// The habits in which services of the interface differ, each a switch.

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
}

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
};

/** What the members are called that only this service knows. */
export const MORE = ['BadgeNumber', 'Nickname'] as const;
