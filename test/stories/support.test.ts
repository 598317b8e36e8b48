// The day of somebody in support, who answers questions about people on a terminal of 80 columns.
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/text/columns.ts';
import { usingStory } from '../support/story.ts';
import { PM, playedOnTerminal } from '../support/terminal.ts';

const story = usingStory({ user: 'sam', columns: 80 });

describe('somebody in support', () => {
  it('comes after the others have worked', async () => {
    story.at('2026-03-30T09:00:00Z');
    await story.runs('pm seed --sample small');
    await story.runs('pm individuals update ylva.sandstrom --is-admin true -o none');
    story.at('2026-03-30T15:00:00Z');
    for (const line of [
      'individuals update klara.svoboda --primary-title Chemist',
      'accountabilities delete "Readable wiring" --individual klara.svoboda --yes',
      'departments update "Battery Laboratory" --focus "Cells that last"',
    ])
      await story.runs(`pm ${line} -o none --as ylva.sandstrom`);
    story.at('2026-03-31T08:00:00Z');
  });

  it('finds who is asked about', async () => {
    await story.fails(2, 'pm individuals search svob');
    await story.follows('pm find svob', 'pm find <text>');
    await story.fails(6, 'pm individuals show svoboda');
    await story.follows('pm individuals show klara.svoboda', 'klara.svoboda');
    await story.fails(2, 'pm individuals show klara.svoboda --where "Name = \'x\'"');
  });

  it('says who reports to whom', async () => {
    await story.runs('pm individuals list --where "Manager = \'zofia.luczak\'"');
    await story.runs('pm individuals list --group-by Manager --limit 3');
    await story.runs('pm show zofia.luczak@example.com');
    await story.fails(6, 'pm individuals tree zofia.lucsak');
    await story.follows('pm individuals tree zofia.luczak', 'zofia.luczak');
  });

  it('says what was changed, and by whom', async () => {
    await story.runs('pm history klara.svoboda --since -1d');
    await story.fails(2, 'pm log --user ylva.sandstrom');
    await story.follows('pm log --who ylva.sandstrom --limit 4', '--who');
    await story.fails(2, 'pm log --since monday');
    await story.follows('pm log --since -1d --limit 6', '-7d');
    await story.runs('pm jobs list');
  });

  it('says what somebody may do, and why', async () => {
    await story.fails(2, 'pm can klara.svoboda edit department Engineering');
    await story.follows('pm can klara.svoboda update department Enginering', 'update', 6);
    await story.follows('pm can klara.svoboda update department Engineering --why', 'Engineering', 5);
  });

  it('compares two people', async () => {
    await story.fails(2, 'pm individuals compare klara.svoboda haeun.seo');
    await story.follows('pm individuals diff klara.svoboda haeun.seo', 'pm individuals diff');
  });
});

story.isPinned('support');

/** No line of many is longer than the terminal is wide. */
function fits(screen: string): void {
  const lines = screen.split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
}

it.each(['individuals list', 'individuals show klara.svoboda', 'history individuals klara.svoboda'])(
  'no line is longer than 80 columns: %s',
  async (line) => fits(await story.runs(`pm ${line}`)),
);

describe('on a terminal of 80 columns', { tags: 'terminal' }, () => {
  it('no line is longer', async () => {
    const args = ['log', '--who', 'ylva.sandstrom'];
    const argv = ['sh', '-c', 'stty cols 80; exec "$@"', 'sh', process.execPath, PM, ...args];
    const { out, exit } = await playedOnTerminal(argv, story.home, [], { PM_COLOR: 'never' });
    expect(exit).toBe(0);
    fits(out.replaceAll('\r', ''));
  });
});
