// A job of CI that keeps a site as the files in git say: no home directory, no terminal, the same steps again and again.
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveProcess } from '../support/server-process.ts';
import { usingStory } from '../support/story.ts';
import { PM, spawned } from '../support/terminal.ts';

const story = usingStory({ user: 'runner', env: { CI: 'true' } });

const DEPARTMENTS = 'Name,Parent,Rank\nDepot,Local,1\nTrack,Local,2\n';
const people = (department: string, title = 'Driver'): string =>
  [
    'User name,First name,Last name,E-mail,Title,Department,Manager',
    `ines.pena,Inês,Peña,ines@example.org,${title},${department},runner`,
    'omer.celik,Ömer,Çelik,omer@example.org,Fitter,Track,ines.pena',
    '',
  ].join('\n');

/** The object that a line prints; nothing else is on stdout. */
const object = async (line: string): Promise<unknown> => JSON.parse(await story.runs(line));

describe('a job of CI', () => {
  it('says where its files are, since it has no home directory', async () => {
    const env = { HOME: '/dev/null', PM_HOME: '', CI: 'true' };
    const { out, err, exit } = await spawned(process.execPath, [PM, 'whoami', '-p', 'local'], '', '', env);
    story.tells('pm whoami -p local', `${out}${err}`, exit);
    expect(exit).toBe(10);
    await story.follows('pm whoami -p local', 'PM_HOME=<folder>');
  });

  it('makes the site what the folder says', async () => {
    story.writes('site/departments.csv', DEPARTMENTS);
    story.writes('site/people.csv', people('Depott'));
    await story.fails(2, 'pm apply site --yes');
    await story.follows('pm apply site --yes -p local', '-p local', 7);
    story.writes('site/people.csv', people('Depot'));
    await story.fails(11, 'pm apply site -n --exit-code -p local');
    expect(await object('pm apply site --yes -p local -o json')).toMatchObject({ Done: 4 });
    expect(await object('pm apply site --yes -p local -o json')).toMatchObject({ Done: 0, Unchanged: 4 });
    await story.runs('pm apply site -n --exit-code -p local -o none');
  });

  it('repeats steps that are done already', async () => {
    story.sets({ PM_PROFILE: 'local', PM_OUTPUT: 'jsn' });
    await story.fails(2, 'pm individuals list');
    story.sets({ PM_OUTPUT: 'json' });
    for (const step of ['individuals delete omer.celik --yes', 'individuals undelete omer.celik'])
      for (const Deleted of Array<boolean>(2).fill(step.includes('delete omer.celik --yes')))
        expect(await object(`pm ${step} --fields UserName,Deleted`)).toMatchObject({ Deleted });
  });

  it('reads errors as data', async () => {
    story.sets({ PM_ERRORS: 'json' });
    await story.fails(6, 'pm individuals get omar.celik');
    await story.follows('pm individuals get omer.celik --fields UserName,PrimaryTitle', 'omer.celik');
    await story.fails(2, 'pm individuals list --field UserName');
    await story.follows('pm individuals list --fields UserName', '--fields');
    story.sets({ PM_ERRORS: undefined });
  });

  it('does the same on a service', async () => {
    const PM_PASSWORD = 'Correct-horse-1';
    story.writes('secret', `${PM_PASSWORD}\n`);
    await story.runs('pm passwd runner --new-password-file secret');
    const server = await serveProcess(PM, story.home, 'runner');
    onTestFinished(() => server.kill('SIGTERM'));
    story.sets({ PM_PROFILE: undefined, PM_URL: server.url, PM_USER: 'runner' });
    await story.fails(4, 'pm whoami --fields Profile,UserName');
    story.sets({ PM_PASSWORD });
    await story.follows('pm whoami --fields Profile,UserName', 'PM_PASSWORD');
    await story.runs('pm apply site -n --exit-code');
    story.writes('site/people.csv', people('Depot', 'Instructor'));
    await story.fails(11, 'pm apply site -n --exit-code --fields Name,Field,Before,After');
    expect(await object('pm apply site --yes')).toMatchObject({ Done: 1 });
    expect(await object('pm apply site --yes')).toMatchObject({ Done: 0 });
    await story.fails(6, 'pm individuals get omar.celik');
    await story.runs('pm undo --yes -o none');
  });
});

story.isPinned('ci');
