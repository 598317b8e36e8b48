// Who reads lists on PostgreSQL takes turns: each has a share, and who is slow makes room for others.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listTurns, type Turn, type TurnSizes } from '../../src/engine/store/postgres/list-turns.ts';
import { refuses } from '../support/refuses.ts';

const NEVER = 2 ** 30;

const turns = (sizes: Partial<TurnSizes> = {}) =>
  listTurns({ most: 3, mostOfOne: 2, waitMs: NEVER, pageMs: NEVER, ...sizes });

/** A turn that is waited for. `hasBegun` answers when all that could begin has begun. */
function asked(turn: Promise<Turn>) {
  let begun = false;
  void turn.then(() => {
    begun = true;
  });
  return { turn, hasBegun: async () => new Promise<boolean>((resolve) => setImmediate(() => resolve(begun))) };
}

const pausedUntilLost = (turn: Turn): Promise<void> =>
  new Promise((resolve) => {
    turn.pause(resolve);
  });

describe('a reader of lists', () => {
  it('has no more turns at one time than its share, and the next one when one of them ends', async () => {
    const begin = turns();
    const first = await begin('ada');
    await begin('ada');
    const third = asked(begin('ada'));
    expect(await third.hasBegun()).toBe(false);
    first.end();
    first.end();
    await third.turn;
    expect(await asked(begin('ada')).hasBegun()).toBe(false);
  });

  it('does not wait behind one whose share is used up', async () => {
    const begin = turns();
    await Promise.all([begin('ada'), begin('ada')]);
    void begin('ada');
    await begin('bob');
  });

  it('waits where all turns are taken, and is refused where none ends in time', async () => {
    const begin = turns({ waitMs: 1 });
    await Promise.all([begin('ada'), begin('ada'), begin('bob')]);
    await refuses(begin('cy')).with('overloaded');
  });
});

describe('a slow reader', () => {
  it('loses its turn to who waits already, and to who comes later', async () => {
    const begin = turns({ pageMs: 0 });
    const [slow, other] = await Promise.all([begin('ada'), begin('ada'), begin('bob')]);
    const third = begin('cy');
    await pausedUntilLost(slow);
    await third;
    const lost = pausedUntilLost(other);
    await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([begin('dan'), lost]);
    slow.end();
    other.end();
    expect(await asked(begin('eve')).hasBegun()).toBe(false);
  });

  it('is one who takes nearly as long for each page, and not one who once took long', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const lossesOf = async (pauses: readonly number[]): Promise<number> => {
      const begin = turns({ pageMs: 1_000 });
      const [turn] = await Promise.all([begin('ada'), begin('bob'), begin('cy')]);
      void begin('dan').catch(() => undefined);
      let losses = 0;
      for (const pause of pauses) {
        turn.pause(() => losses++);
        vi.advanceTimersByTime(pause);
        turn.resume();
      }
      return losses;
    };
    return Promise.all([
      expect(lossesOf([900, 50, 50, 50, 50, 50])).resolves.toBe(0),
      expect(lossesOf(Array.from({ length: 50 }, () => 90))).resolves.toBe(0),
      expect(lossesOf([900, 900])).resolves.toBe(1),
      expect(lossesOf([300, 300, 300, 300, 300, 300])).resolves.toBe(1),
    ]);
  });

  it('keeps it while nobody waits, and once it has come back for more', async () => {
    const begin = turns({ pageMs: 0 });
    const [slow] = await Promise.all([begin('ada'), begin('ada')]);
    let isLost = false;
    slow.pause(() => {
      isLost = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    await begin('bob');
    slow.resume();
    expect(await asked(begin('cy')).hasBegun()).toBe(false);
    expect(isLost).toBe(false);
  });

  it('makes no room for one whose share others of its own use up, and does for its own next list', async () => {
    const begin = turns({ pageMs: 0 });
    const [one] = await Promise.all([begin('ada'), begin('ada')]);
    const slow = await begin('bob');
    let isLost = false;
    slow.pause(() => {
      isLost = true;
    });
    const third = asked(begin('ada'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await third.hasBegun()).toBe(false);
    expect(isLost).toBe(false);
    await pausedUntilLost(one);
    await third.turn;
  });
});
