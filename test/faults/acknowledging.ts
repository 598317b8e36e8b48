// A program that runs a job of colors and says each name once it is kept; one that says how many are done; and one that keeps
// the journal outside of the transaction, as none of ours may.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Change } from '../../src/changes/plan/change.ts';

/** The first word is `inside`, `counted` or `outside`; then the database, its administrator and the job. */
export const PROGRAM = `
  import { resumeJob } from './src/changes/run/job.ts';
  import { contract, resources } from './src/contract/index.ts';
  import { computedFields, openEngine } from './src/engine/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [where = '', file = '', owner = '', job = ''] = process.argv.slice(2);
  const parts = { clock: () => new Date(), newID: () => crypto.randomUUID() };
  const store = await openSqlite({ file, resources, computed: computedFields });
  const session = await openEngine({ ...parts, store, owner }).open({ user: owner });
  const jobs = session.local!.jobs;
  const say = (row) => process.stdout.write(row.body.Name + '\\n');
  const count = ({ done }) => process.stdout.write(done + '\\n');
  const run = (heard) => resumeJob(session, jobs, job, { ...parts, rowsPerCommit: 5, ...heard });
  if (where === 'inside') await run({ onDone: say });
  else if (where === 'counted') await run({ onProgress: count });
  else
    for await (const row of jobs.rows(job, { states: ['pending'] })) {
      await session.call(contract.color.operations.create, { body: row.body });
      say(row);
      await jobs.mark(job, [{ from: row.number, to: row.number, state: 'done' }]);
    }
`;

/** What a job wants that makes colors of these names. */
export const drafts = (SiteID: string, names: readonly string[]): readonly Change[] =>
  names.map((Name, at) => ({
    resource: 'color',
    operation: 'create',
    body: { SiteID, Rank: at + 10, Name, Code: 'ff0000' },
  }));

export interface Running {
  readonly child: ChildProcess;
  /** What it said, line by line. */
  readonly said: readonly string[];
  /** Settles when it has said so many lines more than now, or has ended. */
  heard(lines: number): Promise<void>;
  /** Kills it; answers when it is gone and all that it said is here. */
  kill(): Promise<void>;
}

/** Starts a program of Node and listens to it. */
export function listening(program: string, ...args: readonly string[]): Running {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    said.push(...lines);
  });
  const closed = once(child, 'close');
  return {
    child,
    said,
    async heard(lines) {
      const enough = said.length + lines;
      while (said.length < enough && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), closed]);
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
