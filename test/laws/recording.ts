// A session that answers every operation with the same record, and remembers what it was asked; and commands run on it.
import { Readable } from 'node:stream';
import { openContext } from '../../src/cli/context.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { settingsOf } from '../../src/cli/settings.ts';
import type { Input, Local, Session } from '../../src/contract/call.ts';
import type { JobStore } from '../../src/contract/jobs.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Resource, Row } from '../../src/contract/resource.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { streams } from '../cli/output-printed.ts';

/** One call of an operation, or one list. */
export interface Heard {
  /** None where a record is read in the file. */
  readonly operation: Operation | undefined;
  readonly input: Input;
}

export const SITE = '0f8fad5b-0000-469f-a165-70867728950e';
const ME = '0f8fad5b-2222-469f-a165-70867728950e';

/** What the session answers: the record that is meant, and in lists another one that must not be taken for it. */
export interface Answers {
  readonly record: Row;
  readonly other: Row;
}

function recording({ record, other }: Answers, heard: Heard[], jobs: JobStore): Session {
  const hear = (operation: Operation | undefined, input: Input): void => void heard.push({ operation, input });
  const session: Session = {
    me: { id: ME, userName: 'admin', site: SITE },
    async call(operation, input = {}) {
      hear(operation, input);
      return record;
    },
    async *list(operation, input = {}) {
      hear(operation, input);
      yield record;
      yield other;
    },
    find: {
      async record(_resource, { id, place = {} }) {
        const members = Object.entries({ id, ...place }).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        );
        hear(undefined, { params: Object.fromEntries(members) });
        return { state: 'live', row: record };
      },
      byName: async (_resource, _field, _text, { within = {} } = {}) =>
        [record, other].filter((row) => Object.entries(within).every(([name, value]) => row[name] === value)),
      byMembers: async () => [record],
      async *all() {
        yield record;
      },
      async *holding() {
        yield record;
      },
      forget: () => undefined,
    },
    get local() {
      return local;
    },
  };
  // What no command of the contract asks for is not there.
  const whole: Local['transaction'] = (work) => work({ ...session, local });
  const local = { jobs, transaction: whole, savepoint: whole } as Partial<Local> as Local;
  return session;
}

type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Runs commands of resources in `home`; answers what was asked. */
export async function recorder(home: string) {
  const journal: Journal = await openJournal(`${home}/journal.db`);
  return {
    close: () => journal.close(),
    /** Throws what the command throws. */
    async run(
      resource: Resource,
      words: readonly string[],
      answers: Answers,
      stdin: string,
    ): Promise<readonly Heard[]> {
      const heard: Heard[] = [];
      const io = streams({ env: { PM_HOME: home }, cwd: home, stdin: Readable.from([stdin]) });
      const group = await resourceCommand(
        resource,
        resource.command,
        async (values, action) => {
          const session = async (): Promise<Session> => recording(answers, heard, journal);
          const context = { ...openContext(settingsOf(values, io), io), session, jobs: async () => journal };
          await action(context);
        },
        words[0],
      );
      for (const command of [group, ...group.commands])
        command.exitOverride().configureOutput({ writeErr: () => undefined });
      await group.parseAsync([...words], { from: 'user' });
      return heard;
    },
  };
}
