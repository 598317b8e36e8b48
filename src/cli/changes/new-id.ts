// IDs of many new records: in the order in which they are made, since an index takes what comes in order many times faster.

/** Makes GUIDs of version 7 (RFC 9562): the moment in front, 62 random bits behind. `now` is in milliseconds. */
export function orderedIDs(now: () => number): () => string {
  let moment = 0;
  let count = 0;
  return () => {
    const clock = now();
    // A clock that stands still or goes back does not turn the order round.
    if (clock > moment) {
      moment = clock;
      count = 0;
    } else if (++count > MOST_IN_ONE) {
      moment++;
      count = 0;
    }
    const time = moment.toString(16).padStart(12, '0');
    const random = crypto.randomUUID().slice(RANDOM);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${random}`;
  };
}

/** Twelve bits count the IDs of one moment. */
const MOST_IN_ONE = 0xfff;
/** Where the variant and what follows it begin in a GUID. */
const RANDOM = '00000000-0000-4000-'.length;
