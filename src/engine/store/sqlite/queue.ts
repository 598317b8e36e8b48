// The queue before the write connection: what waits is made durable in one commit, and one piece's failure is its own.

/** The steps of a transaction, as the write connection takes them. */
export interface Steps<W> {
  /** Begins at once as a writer, or throws `busy`. */
  begin(): W;
  savepoint(): void;
  /** Takes back what was done since the savepoint. */
  rollBackToSavepoint(): void;
  releaseSavepoint(): void;
  commit(): void;
  /** Leaves the transaction, and a connection that one cannot rely on after a failure. */
  giveUp(): void;
  /** SQLite gives the whole transaction up by itself on some errors, such as a full disk. */
  isInTransaction(): boolean;
}

export interface Queue<W> {
  add<T>(work: (writer: W) => Promise<T>): Promise<T>;
  /** Settles when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

interface QueuedWork<W> {
  run(writer: W): Promise<Answer>;
  fail(error: unknown): void;
}
/** Gives a piece's asker what it waits for. */
type Answer = () => void;

/** So that no piece waits for its commit behind an endless line of others. */
const MAX_BATCH = 256;

export function queueOf<W>(steps: Steps<W>): Queue<W> {
  const waiting: QueuedWork<W>[] = [];
  let draining: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await endOfTurn();
      await commitBatch(steps, waiting);
    }
    draining = undefined;
  };
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({
          run: async (writer) => {
            const value = await work(writer);
            return () => resolve(value);
          },
          fail: reject,
        });
        draining ??= drain();
      }),
    idle: async () => draining,
  };
}

/** What arrives in one turn of the event loop shares a commit. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs waiting pieces one after another in one transaction, and answers all of them after its commit. */
async function commitBatch<W>(steps: Steps<W>, waiting: QueuedWork<W>[]): Promise<void> {
  const pieces: QueuedWork<W>[] = [];
  const answers: Answer[] = [];
  try {
    const writer = beginOrFail(steps, waiting);
    while (waiting.length > 0 && pieces.length < MAX_BATCH) {
      const piece = waiting.shift() as QueuedWork<W>;
      pieces.push(piece);
      answers.push(await inSavepoint(steps, writer, piece));
    }
    steps.commit();
  } catch (error) {
    steps.giveUp();
    for (const piece of pieces) piece.fail(error);
    return;
  }
  for (const answer of answers) answer();
}

/** Where no transaction begins, what waits for it fails: it is not made to wait for the lock once more each. */
function beginOrFail<W>(steps: Steps<W>, waiting: QueuedWork<W>[]): W {
  try {
    return steps.begin();
  } catch (error) {
    for (const piece of waiting.splice(0)) piece.fail(error);
    throw error;
  }
}

async function inSavepoint<W>(steps: Steps<W>, writer: W, piece: QueuedWork<W>): Promise<Answer> {
  steps.savepoint();
  try {
    const answer = await piece.run(writer);
    steps.releaseSavepoint();
    return answer;
  } catch (error) {
    if (!steps.isInTransaction()) throw error;
    steps.rollBackToSavepoint();
    return () => piece.fail(error);
  }
}
