// Words of other programs lead to the line of pm that does the same; a hint that leads astray is worse than none.
import { beforeAll, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

describe('a command of another program', () => {
  it.each([
    ['users', 'To list: pm individuals list'],
    ['users list', 'To list: pm individuals list'],
    ['user add ann', 'To make one: pm individuals create [flags]'],
    ['people', 'pm individuals list'],
    ['employees rm ann', 'To delete: pm individuals delete <id or name>'],
    ['org', 'pm departments list'],
    ['orgs', 'pm departments list'],
    ['teams', 'pm departments list'],
    ['groups', 'pm security-groups list'],
    ['roles', 'pm basic-roles list'],
    ['goals', 'pm commitments list'],
    ['list individuals', 'To list: pm individuals list'],
    ['ls departments', 'To list: pm departments list'],
    ['get users', 'pm individuals get <id or name>'],
    ['delete user ann', 'pm individuals delete <id or name>'],
    ['create individuals', 'pm individuals create'],
    ['edit departments Sales', 'pm departments update <id or name>'],
    ['ls', 'To list: pm <resource> list'],
    ['rm', 'To delete: pm <resource> delete <id or name>'],
    ['search ann', 'Write: pm find <text>'],
    ['compare q4.csv', 'pm import <resource> <file> -n'],
    ['compare ann bob', 'pm individuals diff <one> <other>, or, for a file, pm import'],
    ['who-can', 'pm can --who <action> <what>'],
    ['auth', 'pm login'],
    ['status', 'pm doctor'],
    ['dump', 'pm export --dir <folder>'],
    ['revert', 'pm undo'],
    ['audit', 'pm log'],
    ['settings', 'pm config list'],
    ['password', 'pm passwd <who>'],
    ['job', 'Did you mean: pm jobs?'],
    ['profile', 'Did you mean: pm profiles?'],
  ])('leads on: %s', async (line, hint) => {
    await pm.refuses(line, 2, 'there is no command', hint);
  });

  it('leads on in pm help, too', () => pm.refuses('help users', 2, 'no help on "users"', 'pm individuals list'));

  it.each(['kubectl', 'frobnicate', 'x'])('that means nothing gets no guess: %s', async (line) => {
    await pm.refuses(line, 2, 'pm --help lists the commands.');
  });
});

describe('a verb of another program', () => {
  it.each([
    ['individuals rm ann', 'pm individuals has no verb "rm"', 'To delete: pm individuals delete <id or name>'],
    ['individuals remove ann', 'no verb', 'pm individuals delete'],
    ['individuals del ann', 'no verb', 'pm individuals delete'],
    ['individuals add', 'no verb', 'pm individuals create'],
    ['individuals new', 'no verb', 'pm individuals create'],
    ['individuals edit ann', 'no verb', 'pm individuals update'],
    ['individuals set ann', 'no verb', 'pm individuals update'],
    ['individuals ls', 'no verb', 'pm individuals list'],
    ['individuals search ann', 'no verb', 'To search: pm find <text>'],
    ['individuals history ann', 'no verb', 'To see what happened to one: pm history <id or name>'],
    ['individuals filter x', 'no verb', 'To filter: pm individuals list --where <filter>'],
    ['individuals describe ann', 'no verb', 'pm individuals get'],
    ['comments show x', 'no verb', 'pm comments get'],
    ['individuals restore ann', 'no verb', 'pm individuals undelete'],
    ['profiles new x', 'no verb', 'pm profiles add'],
    ['profiles get x', 'no verb', 'pm profiles show'],
    ['tokens rm x', 'no verb', 'pm tokens revoke'],
    ['jobs undo 3f2a', 'pm jobs has no verb "undo"', 'To take a job back: pm undo <job>'],
    ['individuals undo ann', 'no verb', 'pm undo <job>'],
  ])('leads on: %s', async (line, ...told) => {
    await pm.refuses(line, 2, ...told);
  });

  it.each([
    ['individuals list roe', 'For one: pm individuals get <id or name>. To search: pm find <text>.'],
    ['departments create Labs', 'Write: pm departments create --name <text>'],
    ['individuals create roe', 'Write: pm individuals create --user-name <text>'],
    ['security-groups create Carers', 'Write: pm security-groups create --group <text>'],
    ['tokens create roe', 'pm tokens create --help'],
    ['tokens list roe', 'pm tokens list --help'],
    ['jobs list 3f2a', 'For one: pm jobs show <id or name>'],
  ])('that is followed by a name where none stands leads on: %s', async (line, hint) => {
    await pm.refuses(line, 2, 'too many arguments', hint);
  });

  it('leads to no verb that the command has not', () =>
    pm.refuses('periods rm 2026', 2, "unknown command 'rm'", 'pm periods --help shows how it is written.'));
});

describe('a flag of another program', () => {
  it.each([
    ['individuals list --json', '-o json'],
    ['individuals list --csv', '-o csv'],
    ['individuals list -f json', '-o <format>'],
    ['individuals list --format json', '-o json'],
    ['individuals list --query "[].Name"', '--jmespath <expression>'],
    ['individuals create --query x', 'Write --jmespath <expression>'],
    ['individuals list --filter x', '--where <filter>'],
    ['individuals list --columns Name', '--fields <names>'],
    ['individuals list --sort-by Name', '--sort <fields>'],
    ['individuals list --top 3', '--limit <n>'],
    ['individuals list --page 2', 'a list comes whole'],
    ['individuals list --all', 'all are listed'],
    ['individuals delete --all', '--where <filter> or IDs'],
    ['individuals delete ann --force', '-y, or --confirm'],
    ['individuals delete ann --what-if', '-n, or --dry-run'],
    ['individuals list --verbose', '--curl'],
    ['individuals list -v', '--curl'],
    ['individuals list --no-color', '--color never'],
    ['individuals list --url http://x', '-p <profile>'],
    ['individuals create --title Boss', '--primary-title <text>'],
    ['individuals create --manager ann', '--primary-reports-to <ref>'],
    ['individuals create --department Sales', '--primary-organization <ref>'],
    ['individuals create --organization Sales', '--primary-organization <ref>'],
    ['individuals create --name Ann', '--first-name <text> --last-name <text>'],
    ['individuals create --mail a@b', '--email <text>'],
    ['security-groups create --name G', '--group <text>'],
    ['comments create --text x', '--body <text>'],
    ['individuals list --since -1d', '--where "Updated >= -7d"'],
    ['individuals list --until 2026-01-01', '--where "Updated < 2026-11-01"'],
    ['log --after -1d', '--since -7d'],
    ['jobs list --until 2026-01-01', '--where "Created < 2026-11-01"'],
    ['jobs list --since -1d', '--where "Created >= -7d"'],
    ['log --before 2026-01-01', '--until <when>'],
    ['log --individual ann', 'pm history individuals <ref>'],
    ['log --department Sales', 'pm history departments <ref>'],
    ['can --user ann', '--as <user>'],
    ['individuals update ann --file x.json', '--from <file>'],
    ['individuals list --timezone UTC', '--tz <zone>'],
    ['--json individuals list', '-o json'],
    ['--filter x individuals list', '--where <filter>'],
  ])('leads on: %s', async (line, hint) => {
    await pm.refuses(line, 2, 'unknown option', hint);
  });

  it('works as the hint writes it', async () => {
    await pm('log --where "At < 2026-11-01"').prints();
    await pm('log --since -7d').prints();
    await pm('log --since yesterday').prints();
    await pm('history departments Local').prints();
    await pm('jobs list --where "Created < 2026-11-01"').prints();
    await pm('jobs list --where "Created >= -7d"').prints();
    await pm('individuals list --where "Updated < 2026-11-01"').prints();
  });

  it('that is the end of flags of pm names them', async () => {
    await pm.refuses('commitments create --date 2026-01-01', 2, 'Did you mean --due-date?');
    await pm.refuses('periods create --date 2026-01-01', 2, 'Did you mean --start-date or --end-date?');
  });

  it.each(['individuals list --sit x', 'individuals list --whre x'])(
    'that is a slip of the finger gets the nearest: %s',
    async (line) => {
      await pm.refuses(line, 2, /Did you mean --(site|where)\?/);
    },
  );

  it.each(['--since', '--watch', '--output-dir', '--role', '--zzz'])(
    'that means nothing there gets no guess: %s',
    async (flag) => {
      await pm.refuses(`departments create ${flag} x`, 2, 'pm departments create --help shows its flags.');
    },
  );
});

describe('what is plain without a hint', () => {
  let version = '';
  beforeAll(async () => {
    version = await pm('--version').prints(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(['version', '-v', '-V'])('pm %s prints the version', async (line) => {
    expect(await pm(line).prints()).toBe(version);
  });

  it('pm individuals help is the help of individuals', async () => {
    expect(await pm('individuals help').prints()).toBe(await pm('individuals --help').prints());
    expect(await pm('individuals help list').prints()).toBe(await pm('individuals list --help').prints());
    expect(await pm('jobs help retry').prints()).toBe(await pm('jobs retry --help').prints());
  });

  it.each(['Individuals list', 'individuals List', 'INDIVIDUALS LIST', '-q Individuals List', 'Jobs List'])(
    'letter case does not count: %s',
    async (line) => {
      await pm(line).prints();
    },
  );
});
