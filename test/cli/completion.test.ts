// Completion: what Tab is answered, from the table that the build makes and from local files, and where the script is put.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complete, inReadline, openLineOf, recordNames, type WordsTable } from '../../src/cli/completion/complete.ts';
import { makeTable } from '../../src/cli/completion/make-table.ts';
import { filesUnder, importsIn, loadedBy, textOf } from '../laws/imports.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async (run) => {
  await run('seed --sample small').prints();
});
const work = mkdtempSync(join(tmpdir(), 'pm-complete-'));
const file = join(work, 'table.json');
let table: WordsTable;
beforeAll(async () => {
  table = await makeTable(new URL('../../src/cli/help', import.meta.url).pathname);
  writeFileSync(file, JSON.stringify(table));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** The words that are offered where the last one is being written. */
function offered(...words: readonly string[]): readonly string[] {
  const argv = ['zsh', ...words.slice(0, -1), `=${words.at(-1)}`];
  return complete(argv, { PM_HOME: pm.home }, file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

/** The signs at which readline breaks words, as bash has them. */
const BREAKS = ' \t\n"\'@><=;|&(:';
const inBash = (line: string): string => complete(['bash', line, BREAKS], { PM_HOME: pm.home }, file);

it('no record makes the scripts offer files', async () => {
  await pm('core-values create --name :files --rank 1').prints();
  await pm('core-values create --name :first --rank 2').prints();
  expect(offered('core-values', 'get', ':fi')).toEqual([':first']);
});

describe('what is offered', () => {
  it('are commands, and the verbs of each', () => {
    expect(offered('ind')).toEqual(['individuals', 'indicators']);
    expect(offered('individuals', '')).toEqual(expect.arrayContaining(['list', 'create', 'get', 'tree']));
    expect(offered('person', '')).toEqual([]);
    expect(offered('organization', 'u')).toEqual(['update', 'undelete']);
    expect(offered('jobs', 're')).toEqual(['resume', 'retry', 'report']);
  });

  it('are flags, of the command first', () => {
    expect(offered('individuals', 'update', '--prim')).toEqual([
      '--primary-organization',
      '--primary-title',
      '--primary-reports-to',
    ]);
    expect(offered('individuals', 'list', '--out')).toEqual(['--out', '--output']);
    expect(offered('openapi', '--out')).toEqual([]);
    // The form of its value, yyyy-mm-dd, is no flag.
    expect(offered('individuals', 'update', '--hire')).toEqual(['--hire-date']);
  });

  it('are the values of a flag, behind a blank and behind =', () => {
    expect(offered('permissions', 'create', '--read-state', '')).toEqual(['not-set', 'allow', 'deny']);
    expect(offered('-o', 'j')).toEqual(['json']);
    expect(offered('individuals', 'list', '--output=x')).toEqual(['--output=xlsx', '--output=xml']);
    expect(offered('import', 'individuals', 'x.csv', '--mode', 'up')).toEqual(['upsert', 'update']);
    expect(offered('individuals', 'create', '--is-admin', '')).toEqual(['true', 'false']);
  });

  it('are names of records', () => {
    expect(offered('departments', 'get', 'hull')).toEqual(['Hull Design', 'Hull Shop']);
    expect(offered('individuals', 'list', '--department', 'Serv')).toEqual(['Service | Spare Parts']);
    expect(offered('individuals', 'list', '--department=Serv')).toEqual(['--department=Service | Spare Parts']);
    expect(offered('individuals', 'get', 'amara')).toEqual(['amara.okafor']);
    expect(offered('individuals', 'get', 'Annika W')).toEqual(['Annika Weiß']);
    expect(offered('individuals', 'get', 'amara.okafor', 'luis')).toEqual(['luis.ferreira']);
    expect(offered('individuals', 'get', 'name:Annika W')).toEqual(['name:Annika Weiß']);
    expect(offered('security-groups', 'add-member', 'Aud')).toEqual(['Auditors']);
    expect(offered('security-groups', 'add-member', 'Auditors', 'luis')).toEqual(['luis.ferreira']);
    expect(offered('--as', 'luis')).toEqual(['luis.ferreira']);
  });

  it('are deleted records for an undelete, and live ones else', () => {
    expect(offered('departments', 'undelete', '')).toEqual(['Diesel Workshop']);
    expect(offered('departments', 'get', 'Diesel')).toEqual([]);
  });

  it('are jobs, profiles and topics', async () => {
    await pm('departments update Engineering --rank 7').prints();
    const [job = {}] = await pm('jobs list -o json').rows();
    expect(offered('undo', '')).toEqual([String(job.ID).slice(0, 8)]);
    await pm('profiles add prod --url https://pm.example.com').says();
    expect(offered('-p', '')).toEqual(['local', 'prod']);
    expect(offered('help', 'ex')).toEqual(['exit-codes']);
  });

  it('are resources for an import, and files where none is called so', () => {
    expect(offered('import', 'indi')).toEqual(['individuals', 'indicators']);
    expect(offered('import', 'hr.')).toEqual(offered('each', 'hr.'));
    expect(offered('plan', 'hr.')).toEqual(offered('each', 'hr.'));
  });

  it('is the command behind -- of pm each', () => {
    expect(offered('each', 'people.csv', '--', 'individuals', 'upd')).toEqual(['update']);
  });

  it('are no local names where a remote service is meant', async () => {
    await pm('profiles add prod --url https://pm.example.com').says();
    expect(offered('departments', 'get', '-p', 'prod', 'Hull')).toEqual([]);
    await pm('profiles use prod').says();
    expect(offered('departments', 'get', 'Hull')).toEqual([]);
    expect(offered('departments', 'get', '--profile=local', 'Hull')).toEqual(['Hull Design', 'Hull Shop']);
  });

  it('is nothing without a site, and no file is made', () => {
    const home = join(work, 'empty');
    expect(complete(['zsh', 'departments', 'get', '='], { PM_HOME: home }, file)).toBe('');
    expect(complete(['zsh', '='], { PM_HOME: home }, join(work, 'no-table.json'))).toBe('');
    expect(existsSync(home)).toBe(false);
  });

  it('leaves no file beside the database', () => {
    const before = readdirSync(pm.home).sort();
    offered('departments', 'get', 'hull');
    expect(readdirSync(pm.home).sort()).toEqual(before);
  });

  it('finds every resource that has names in its table', () => {
    expect(Object.keys(table.names).length).toBeGreaterThan(15);
    for (const names of Object.values(table.names)) recordNames(names, 'x', { PM_HOME: pm.home });
  });
});

describe('a line of bash', () => {
  it.each([
    ['pm departments get Ser', 'Service\\ \\|\\ Spare\\ Parts\n'],
    ['pm departments get name:Ser', 'Service\\ \\|\\ Spare\\ Parts\n'],
    ['pm departments get "Ser', 'Service | Spare Parts\n'],
    ["pm departments get 'Ser", 'Service | Spare Parts\n'],
    ['pm departments get name:"Ser', 'Service | Spare Parts\n'],
    ['pm individuals get Annika\\ W', 'Annika\\ Weiß\n'],
    ['echo x | pm projects get Fer', 'Ferry\\ 12:\\ Silent\\ Crossing\n'],
    ['pm projects get "Ferry 12: S', 'Ferry 12: Silent Crossing\n'],
    ['pm projects get Ferry\\ 12:\\ S', '\\ Silent\\ Crossing\n'],
    ['pm individuals list --department=Hull\\ D', 'Hull\\ Design\n'],
    ['pm import individuals ', ':files\n'],
    ['pm departments get nothing-like-it', ''],
  ])('%s', (line, answer) => {
    expect(inBash(line)).toBe(answer);
  });

  it('is read with its quotes', () => {
    expect(openLineOf(`pm a 'b c' "d \\"e" f\\ g`)).toMatchObject({
      words: ['pm', 'a', 'b c', 'd "e'],
      open: { text: 'f g' },
    });
    expect(openLineOf('pm ')).toMatchObject({ words: ['pm'], open: { text: '', quote: '' } });
    expect(openLineOf(`pm "it's`)).toMatchObject({ words: ['pm'], open: { text: "it's", quote: '"' } });
  });

  it('gets a quote, a dollar and a backslash as they are meant', () => {
    const open = (line: string) => openLineOf(line).open;
    expect(inReadline("o'neil $x", open('pm o'), BREAKS)).toBe("o\\'neil\\ \\$x");
    expect(inReadline("o'neil $x", open("pm 'o"), BREAKS)).toBe("o'\\''neil $x");
    expect(inReadline('a "b" $x', open('pm "a'), BREAKS)).toBe('a \\"b\\" \\$x');
  });
});

describe('the answer to Tab', () => {
  it('loads neither the contract nor the parser of commands', () => {
    const sources = filesUnder('src').filter((name) => name.endsWith('.ts'));
    const loaded = loadedBy(
      ['src/cli/completion/complete.ts'],
      sources.flatMap((name) => importsIn(name, textOf(name))),
    );
    const names = [...loaded.keys()];
    expect(names).toContain('src/cli/profiles/home.ts');
    expect(names.filter((name) => /^commander$|^zod|contract\/(index|resources)|cli\/program/.test(name))).toEqual([]);
  });
});

it('PowerShell itself escapes names, which may hold any of its five quotes', async () => {
  const script = await pm('completion powershell').prints('EscapeSingleQuotedStringContent($value)');
  expect(script).not.toMatch(/\.Replace\("'"/);
});

describe('pm completion install', () => {
  const install = (words: string, shell = '/bin/bash') =>
    pm(`completion install ${words}`, { env: { HOME: pm.home, SHELL: shell } });

  it('puts the script where the shell looks, and says where', async () => {
    const place = join(pm.home, '.local/share/bash-completion/completions/pm');
    await install('').says(`Written: ${place}`, '~/.bashrc');
    expect(readFileSync(place, 'utf8')).toBe(await pm('completion bash').prints('complete -F _pm pm'));
    await install('', '/usr/bin/fish').says(join(pm.home, '.config/fish/completions/pm.fish'));
    await install('--shell zsh').says(join(pm.home, '.local/share/zsh/site-functions/_pm'), 'fpath=');
    await install('--shell powershell').says('pm-completion.ps1', '$PROFILE');
  });

  it('may be run again, and writes nothing with -n', async () => {
    await install('-n').says('Would write: ');
    expect(existsSync(join(pm.home, '.local'))).toBe(false);
    await install('').says('Written: ');
    await install('').says('is there already');
  });

  it('renews its own older script, and no file of others', async () => {
    const place = join(pm.home, '.config/fish/completions/pm.fish');
    await install('--shell fish').says('Written: ');
    writeFileSync(place, '# Completion of pm for fish.\n# of an older pm');
    await install('--shell fish').says('Written: ');
    writeFileSync(place, '# mine');
    await install('--shell fish').fails(2, 'the file exists already', '--overwrite');
    await install('--shell fish --overwrite').says('Written: ');
  });

  it('asks for the shell where none is known', () =>
    install('', '/bin/tcsh').fails(2, '$SHELL names no shell that pm completes', '--shell bash|zsh|fish|powershell'));
});
