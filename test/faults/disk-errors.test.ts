// A disk that fails at one call of an import: the command says so, or was not troubled; it is done once in the end.
import { beforeAll, describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { PM } from '../support/terminal.ts';
import { broughtToEnd, importing, inTurns, isSound, jobsIn, made, usingGround, wanted } from './ground.ts';
import { type Point, pointsOf, runUntil } from './tracing.ts';

const ROWS = 5;
const LANES = 3;
/** Each so manieth call is tried. */
const STEP = inLong(12, 1);
const ground = usingGround();

describe.each(['EIO', 'ENOSPC'])('%s at a call of an import', { tags: 'strace' }, (error) => {
  let file = '';
  let points: readonly Point[] = [];
  beforeAll(async () => {
    file = ground.colors(ROWS);
    const all = await pointsOf([PM, ...importing(file)], ground.home());
    points = all.filter((_, at) => at % STEP === 0);
  });

  it('is told with the right exit code, and all is done once afterwards', async () => {
    const seen = await inTurns(points, LANES, async (point) => {
      const home = ground.home();
      const { exit, err } = await runUntil(point, `error=${error}`, [PM, ...importing(file)], home);
      const done = jobsIn(home).at(-1)?.counts.done ?? 0;
      const wrong = [
        [0, 9, 10].includes(exit) ? '' : `exit ${exit}`,
        exit === 0 || /hint: /.test(err) ? '' : 'no hint',
        /\n\s+at /.test(err) ? err : '',
        exit === 0 && done !== ROWS ? 'not done' : '',
        isSound(home) ? '' : 'not sound',
        done === made(home).length ? '' : 'records and marks differ',
      ].filter((fault) => fault !== '');
      await broughtToEnd(home, file);
      return { ...point, exit, wrong, atTheEnd: made(home) };
    });
    expect(seen.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(seen.map(({ atTheEnd }) => atTheEnd)).toEqual(points.map(() => wanted(ROWS)));
    expect(seen.some(({ exit }) => exit === 10)).toBe(true);
  });
});
