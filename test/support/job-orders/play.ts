// Commands on jobs in any order, with kills, beside other programs; and what must be true after each of them.
import { hostname } from 'node:os';
import { rowsUnknown } from '../../../src/changes/jobs/state.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import { Died } from '../mortal.ts';
import { seeded } from '../seeded.ts';
import { checkAll } from './check.ts';
import { choicesOf, picked } from './choice.ts';
import { commandsOf, type Ground, type Sequence } from './commands.ts';
import { CAN_FAIL, changeOutside, KINDS, type Known, subjectsOf } from './subjects.ts';
import { type Answer, B, type Cell, type Heads, R, tableFor, U } from './table.ts';

/** One sequence of commands. `cells` counts what was reached. Throws an error that tells the steps where something is wrong. */
export async function playOrders(ground: Ground, seed: number, cells: Map<Cell, number>): Promise<void> {
  const known: Known[] = [];
  const sequence = { ...ground, profile: `orders ${seed}`, random: seeded(seed), known, steps: [] };
  const play = newPlay(sequence, seed, cells);
  try {
    for (let step = 0; step < 12; step++) {
      await play.step();
      await play.check();
    }
    await play.end();
    await play.check();
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${sequence.steps.join('\n')}`, { cause: error });
  }
}

interface Play {
  /** A new job, a change by somebody else, or a command on a job. */
  step(): Promise<void>;
  /** Everything that is not finished is finished. */
  end(): Promise<void>;
  check(): Promise<void>;
}

function newPlay(sequence: Sequence, seed: number, cells: Map<Cell, number>): Play {
  const { session, jobs, engine, profile, random, known, steps } = sequence;
  const table = tableFor(session.local ? 'embedded' : 'service');
  const commands = commandsOf(sequence);
  const choices = choicesOf(table, known, cells, random);
  const heads = (): Promise<Heads> => jobs.heads(profile);
  let made = 0;

  async function newJob(): Promise<void> {
    const onError = random() < 0.3 ? 'rollback' : 'continue';
    const kind = picked(onError === 'rollback' && random() < 0.5 ? CAN_FAIL : KINDS, random) ?? 'create';
    const names = Array.from({ length: 2 + Math.floor(random() * 3) }, () => `${seed} ${++made}`);
    const subjects = await subjectsOf(engine, kind, names);
    await answerOf(() => commands.plan(kind, subjects, `import ${++made}`, onError));
  }

  async function edit(): Promise<void> {
    const updates = known.filter(({ kind, isRepeated }) => kind === 'update' && !isRepeated);
    const subject = picked(picked(updates, random)?.subjects ?? [], random);
    if (subject && (await changeOutside(engine, subject))) steps.push(`  edit ${subject.name}`);
  }

  async function command(): Promise<void> {
    const all = await heads();
    const chosen = random() < 0.5 ? choices.rarest(all) : choices.any(all);
    if (!chosen) return;
    const { name, head } = chosen;
    const isHeld = random() < 0.08;
    const state = isHeld ? 'running' : table.stateOf(all, head);
    const wanted = table.expected(all, head, state, name);
    steps.push(`  ${name} ${head.id.slice(0, 4)} (${state}, ${JSON.stringify(head.counts)})`);
    const other = { pid: process.ppid, host: hostname() };
    if (isHeld) await jobs.lock(head.id, other);
    const answer = await answerOf(() => commands.on[name](head));
    if (isHeld) await jobs.release(head.id, other);
    if (answer === 'died') return;
    // Of several reasons to refuse it, one is told.
    const isFine = answer === wanted || (wanted === B && answer !== undefined);
    if (!isFine)
      throw new Error(`${name} of a job that is ${state}: ${answer ?? 'done'}, and the table says ${wanted ?? 'done'}`);
    const cell: Cell = `${state}: ${name}`;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }

  async function answerOf(work: () => Promise<unknown>): Promise<Answer | 'died'> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof Died) {
        steps.push('    died');
        // Its locks are those of this process, which lives on.
        for (const { id } of await heads()) await jobs.release(id, { pid: process.pid, host: hostname() });
        return 'died';
      }
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'not_found' && steps.at(-1)?.includes('settle')) return R;
      if ([R, U, B].includes(error.code)) return error.code;
      throw error;
    }
  }

  return {
    step() {
      const turn = random();
      if (known.length === 0 || turn < 0.2) return newJob();
      return turn < 0.25 ? edit() : command();
    },
    async end() {
      for (const head of await heads()) {
        const state = table.stateOf(await heads(), head);
        if (state === 'planning' || state === 'planned') await jobs.delete([head.id]);
      }
      // Undos go first: their jobs wait for them.
      // What the first resume learns of the service, the second one needs; what it cannot find out is settled.
      for (const { id } of [...(await heads()), ...(await heads())]) {
        const now = await jobs.head(id);
        if (!now || table.stateOf(await heads(), now) === 'being undone' || now.counts.undone) continue;
        await commands.finish(id);
        if (rowsUnknown((await jobs.head(id)) ?? now) > 0) await commands.on.settle(now);
      }
      for (const { id, counts } of await heads()) if (!counts.undone) await commands.finish(id);
      const open = (await heads()).filter(({ state }) => state !== 'ended');
      if (open.length > 0) throw new Error(`not ended: ${JSON.stringify(open)}`);
    },
    check: async () => checkAll(engine, jobs, await heads(), known),
  };
}
