// For somebody at the top reports to itself: --top says which words of a file mean that, and all rows with such words are one fault.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

const HEADING = 'UserName,FirstName,LastName,Email,Title,Department,Manager';

/** The command line that imports people t0, t1 … with these managers. */
function managers(words: readonly string[], flags: string): string {
  const rows = words.map((word, at) => `t${at},T${at},Top,t${at}@example.org,Clerk,Sales,${word}`);
  writeFileSync(join(pm.home, 'people.csv'), `${[HEADING, ...rows].join('\n')}\n`);
  return `import individuals people.csv --yes ${flags}`;
}

const reportsToItself = async (login: string): Promise<boolean> => {
  const { ID, PrimaryReportsTo } = await pm(`individuals get ${login} -o json`).row();
  return ID === PrimaryReportsTo;
};

const WORDS = ['', 'XX', 'xx', 'N/A', '#N/A', 'NULL', '-', 'self'];

describe('words for nobody in place of a manager', () => {
  it('are one fault of the file, with one remedy', async () => {
    const { err } = await pm(managers(WORDS, '')).fails(7);
    expect(err).toContain('7 such rows: 3, 4 "xx", 5 "N/A"');
    expect(err).toContain('line 2, column Manager is required');
    expect(err.match(/For somebody at the top/g)).toHaveLength(1);
    expect(err).toContain('--top usual');
  });

  it('mean the top with --top usual, which is said with the number of their cells', async () => {
    await pm(managers(WORDS, '--top usual')).says(
      '8 creates',
      'read as at the top: XX (1 cell), xx (1 cell)',
      'blank (1 cell)',
    );
    for (const at of WORDS.keys()) expect(await reportsToItself(`t${at}`)).toBe(true);
  });

  it('are only those that are named', async () => {
    await pm(managers(['Board of Directors', '0', 'ann'], "--top '0,board of directors'".replaceAll("'", '"'))).says(
      '3 creates',
    );
    expect([await reportsToItself('t0'), await reportsToItself('t1'), await reportsToItself('t2')]).toEqual([
      true,
      true,
      false,
    ]);
    await pm.refuses(managers(['', 'ann', 'ann', 'XX'], '--top 0'), 7, 'column Manager');
  });

  it('of another kind are named in the remedy of an unknown person', () =>
    pm.refuses(managers(['Board of Directors'], ''), 7, 'there is no individual', "--top 'Board of Directors'"));

  it('are no numbers of people: --top would put those who report to one at the top', async () => {
    const { err } = await pm.refuses(managers(['90001', 'E-17'], ''), 7, "--ref 'Manager=<column>'");
    expect(err).not.toContain('--top 9');
    await pm.refuses(managers(['0'], ''), 7, "--top '0'");
  });

  it('are none where somebody may be called so: --top would put those who report to that person at the top', async () => {
    const { err } = await pm.refuses(managers(['Schmidt'], ''), 7, 'For somebody at the top, write itself.');
    expect(err).not.toContain('--top');
  });

  it('are not meant by a person whose last name stands first, of the site or of the file', async () => {
    const { err } = await pm.refuses(managers(['SMITH Ann'], ''), 7, 'Did you mean Ann Smith?');
    expect(err).not.toContain('--top');
    await pm.refuses(managers(['ann', 'TOP T0'], ''), 7, 'Did you mean T0 Top (t0), line 2?');
  });

  it.each(['Ann Smith - Head of sales', 'Ann Smith/the boss', 'Ann Smith (Sales)'])(
    'are not meant by a text that begins with the name of a person: %s',
    async (word) => {
      const { err } = await pm.refuses(managers([word], ''), 7, 'Did you mean Ann Smith?');
      expect(err).not.toContain('--top');
    },
  );

  it('are not meant by a person who is near in spelling: that name is the only remedy', async () => {
    const { err } = await pm.refuses(managers(['Ann Smit'], ''), 7, 'Did you mean Ann Smith?');
    expect(err).not.toContain('--top');
    const { err: ofRows } = await pm.refuses(managers(['ann', 'T0 Topp'], ''), 7, 'Did you mean T0 Top (t0), line 2?');
    expect(ofRows).not.toContain('--top');
  });
});

describe('a blank manager', () => {
  it('means the top for new people, also where there is no such column', async () => {
    const line = managers([''], '--top blank');
    writeFileSync(
      join(pm.home, 'people.csv'),
      'UserName,FirstName,LastName,Email,Title,Department\nzoe,Z,Roe,z@example.org,Clerk,Sales\n',
    );
    await pm(line).says('1 create', 'read as at the top: blank (1 cell)');
    expect(await reportsToItself('zoe')).toBe(true);
  });

  it('leaves people who are there below their managers', async () => {
    writeFileSync(join(pm.home, 'people.csv'), 'UserName,Manager\nbob,\n');
    await pm('import individuals people.csv --yes --top usual').says('1 unchanged');
    expect(await reportsToItself('bob')).toBe(false);
  });

  it('is the one of a cell that --null reads as blank', async () => {
    await pm(managers(['TBD'], '--null tbd --top blank')).says('1 create');
    expect(await reportsToItself('t0')).toBe(true);
  });
});

it('a person who is called so is that one without --top', async () => {
  await pm('individuals update ann --user-name na').prints();
  await pm(managers(['na'], '')).says('1 create');
  expect(await reportsToItself('t0')).toBe(false);
});
