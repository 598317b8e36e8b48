// The queue of the write connection: waiting work shares one durable commit, and one that fails is rolled back alone.

/** The steps of a transaction, as the write connection takes them. */
interface Steps<W> {
  /** Resolves when a transaction may begin. */
  ready(): Promise<void>;
  /** Begins a write transaction and its first piece, or throws `busy`. */
  begin(): W;
  /** Begins a further piece, in a savepoint: SQLite copies each page that it changes there. */
  savepoint(): void;
  /** Keeps the piece for the commit. */
  keep(): void;
  /** Takes the piece back; with the first one the transaction ends. */
  rollBack(): void;
  commit(): void;
  /** Closes the connection, which cannot be relied on after a failure; that ends its transaction. */
  giveUp(): void;
  /** SQLite itself rolls back the whole transaction on some errors, such as a full disk. */
  isInTransaction(): boolean;
}

export interface Queue<W> {
  add<T>(work: (writer: W) => Promise<T>): Promise<T>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

interface QueuedWork<W> {
  run(writer: W): Promise<Answer>;
  fail(error: unknown): void;
}
/** Resolves or rejects the promise of queued work. */
type Answer = () => void;

/** Bounds how long work waits for its commit. */
const MAX_BATCH = 256;

export function queueOf<W>(steps: Steps<W>): Queue<W> {
  const waiting: QueuedWork<W>[] = [];
  let draining: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await endOfTurn();
      await steps.ready();
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

/** Work that arrives in one turn of the event loop shares a commit. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs waiting work one after another in one transaction, and answers all of it after the commit. */
async function commitBatch<W>(steps: Steps<W>, waiting: QueuedWork<W>[]): Promise<void> {
  const batch: QueuedWork<W>[] = [];
  const answers: Answer[] = [];
  try {
    const writer = beginOrFail(steps, waiting);
    while (waiting.length > 0 && batch.length < MAX_BATCH) {
      const queued = waiting.shift() as QueuedWork<W>;
      batch.push(queued);
      if (batch.length > 1) steps.savepoint();
      answers.push(await runPiece(steps, writer, queued));
      if (!steps.isInTransaction()) break;
    }
    if (steps.isInTransaction()) steps.commit();
  } catch (error) {
    steps.giveUp();
    for (const queued of batch) queued.fail(error);
    return;
  }
  for (const answer of answers) answer();
}

/** Where no transaction begins, all waiting work fails, instead of waiting for the lock again one by one. */
function beginOrFail<W>(steps: Steps<W>, waiting: QueuedWork<W>[]): W {
  try {
    return steps.begin();
  } catch (error) {
    for (const queued of waiting.splice(0)) queued.fail(error);
    throw error;
  }
}

async function runPiece<W>(steps: Steps<W>, writer: W, queued: QueuedWork<W>): Promise<Answer> {
  try {
    const answer = await queued.run(writer);
    steps.keep();
    return answer;
  } catch (error) {
    if (!steps.isInTransaction()) throw error;
    steps.rollBack();
    return () => queued.fail(error);
  }
}
