// The first hours of somebody who has just installed pm, and brings the words of other programs.
import { describe, it } from 'vitest';
import { usingStory } from '../support/story.ts';

const story = usingStory({ user: 'nora', columns: 80 });

describe('a newcomer', () => {
  it('asks what this is, and gets a first list', async () => {
    await story.runs('pm');
    await story.fails(2, 'pm users list');
    await story.follows('pm individuals list');
    await story.runs('pm whoami');
  });

  it('fills the empty site with the sample', async () => {
    await story.fails(2, 'pm seed');
    await story.follows('pm seed --sample small', '--sample');
    await story.follows('pm individuals tree');
    await story.runs('pm seed --sample small');
  });

  it('finds somebody', async () => {
    await story.fails(2, 'pm individuals search strauss');
    await story.follows('pm find strauss', 'pm find <text>');
    await story.fails(6, 'pm individuals get klara');
    await story.follows('pm individuals show klara.svoboda', 'klara.svoboda');
    await story.fails(2, 'pm individuals list --filter "LastName = \'Svoboda\'"');
    await story.follows('pm individuals list --where "LastName = \'Svoboda\'"', '--where');
  });

  it('makes a mistake, and takes it back', async () => {
    await story.fails(7, 'pm undo');
    await story.fails(2, 'pm individuals update klara.svoboda --title Boss');
    await story.follows('pm individuals update klara.svoboda --primary-title Boss', '--primary-title');
    await story.follows('pm undo', 'pm undo');
    await story.fails(12, 'pm individuals delete klara.svoboda');
    await story.follows('pm individuals delete klara.svoboda --yes', '--yes');
    await story.fails(6, 'pm individuals get klara.svoboda');
    await story.follows('pm individuals undelete klara.svoboda -o none', 'pm individuals undelete klara.svoboda');
  });

  it('makes a department', async () => {
    await story.fails(2, 'pm departments add Lab');
    await story.follows('pm departments create --name Lab --parent Engeneering', 'pm departments create', 6);
    await story.follows(
      'pm departments create --name Lab --parent Engineering --fields Name,DisplayRank',
      'Engineering',
    );
    await story.runs('pm departments tree');
  });

  it('reads the help', async () => {
    await story.fails(2, 'pm help undoing');
    await story.follows('pm help changes', 'changes');
    await story.fails(2, 'pm explain individuals title');
    await story.follows('pm explain individuals PrimaryTitle', 'PrimaryTitle');
    await story.runs('pm individuals create -h');
  });

  it('takes the guided walk', async () => {
    await story.runs('pm demo');
  });
});

story.isPinned('newcomer');
