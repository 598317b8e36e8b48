// --edit: one record in the user's editor, which a small script plays.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/cli/input/edit.ts';
import { inDialog } from '../support/dialog.ts';
import { type CommandResult, pmIn } from '../support/pm.ts';
import { onTerminal } from '../support/terminal.ts';
import { screenOf } from '../support/terminal-lines.ts';

const root = mkdtempSync(join(tmpdir(), "pm's editor "));
const home = join(root, 'home');
const pm = pmIn(() => home);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the editor was shown, each time it was opened. */
let shown: readonly string[] = [];
const script = join(root, 'editor.cjs');
const log = join(root, 'shown.json');
const edits = join(root, 'edits.json');
writeFileSync(
  script,
  `const fs = require('node:fs');
const [, , ...args] = process.argv;
const file = args.at(-1);
const shown = fs.existsSync(${JSON.stringify(log)}) ? JSON.parse(fs.readFileSync(${JSON.stringify(log)})) : [];
const text = fs.readFileSync(file, 'utf8');
fs.writeFileSync(${JSON.stringify(log)}, JSON.stringify([...shown, text]));
const edits = JSON.parse(fs.readFileSync(${JSON.stringify(edits)}))[shown.length] ?? {};
if (edits === 'fail') process.exit(3);
const changed = Object.entries(edits).reduce((now, [name, value]) => now.replace(new RegExp('^' + name + ':.*', 'm'), name + ': ' + value), text);
fs.writeFileSync(file, changed);
if (args.length !== 2 || args[0] !== 'an argument') process.exit(4);
`,
);
const EDITOR = `'${process.execPath}' "${script}" 'an argument'`;

type Edit = Readonly<Record<string, string>> | 'fail';

/** Runs pm on a terminal; each time the editor is opened it makes the next edits, and in the end none. */
async function edited(
  line: readonly string[],
  made: readonly Edit[],
  { editor = EDITOR, run = inDialog }: { readonly editor?: string; readonly run?: typeof onTerminal } = {},
): Promise<CommandResult> {
  rmSync(log, { force: true });
  writeFileSync(edits, JSON.stringify(made));
  const result = await run([...line, '--edit'], home, [], { PATH: process.env.PATH ?? '', EDITOR: editor });
  shown = existsSync(log) ? (JSON.parse(readFileSync(log, 'utf8')) as string[]) : [];
  return { ...result, out: screenOf(result.out).join('\n') };
}

const first = (): string => shown[0] ?? '';
/** The file that an error names. Throws where it names none: tests remove the folder around it. */
function keptIn(out: string): string {
  const file = /kept\s+in (.*?\.yaml)/s.exec(out)?.[1];
  if (file === undefined) throw new Error(`no file is named in: ${out}`);
  return file.replace('\n', '');
}

describe('a record in the editor', () => {
  beforeAll(async () => {
    await pm('departments create --name Sales --rank 1 --parent Local').prints();
    await pm('departments create --name Paint --rank 2 --parent Local').prints();
  });
  beforeEach(async () => {
    await pm('departments update Sales --focus Selling --clear EmotionalGoal').prints();
  });

  it('shows every field that can be set, with what it means, and references by name', async () => {
    const { exit, out } = await edited(['departments', 'update', 'Sales'], [{ Focus: 'Selling more' }]);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining('1 update') });
    expect(first()).toMatch(/^# The department Sales\.\n/);
    expect(first()).toContain(
      '\n# Its name. One line, without blanks around it. (required, at most 100 characters)\nName: Sales\n',
    );
    expect(first()).toMatch(/# What it is part of: .* \(department, by name or ID\)\nParentID: Local\n/);
    expect(first()).toMatch(/\nEmotionalGoal:\n/);
    expect(first()).not.toMatch(/^(ID|SiteID|Picture|RankPath):/m);
    expect(await pm('departments get Sales --fields Focus -o tsv').prints()).toBe('Focus\nSelling more\n');
  });

  it('takes a text for what its field says: a number stays a text, a name is looked up, nothing empties', async () => {
    const made = { Focus: '', EmotionalGoal: '007', ParentID: 'Paint' };
    expect((await edited(['departments', 'update', 'Sales'], [made])).exit).toBe(0);
    const rows = await pm('departments get Sales -o json').row();
    expect(rows).toMatchObject({ Focus: null, EmotionalGoal: '007' });
    expect(rows.ParentID).toBe(await pm('departments get Paint -o id').id());
    await pm('departments update Sales --parent Local').prints();
  });

  it('changes nothing where nothing is changed, and says so', async () => {
    const { exit, out } = await edited(['departments', 'update', 'Sales'], []);
    expect({ exit, out }).toEqual({ exit: 0, out: 'Nothing was changed.' });
    const made = await edited(['departments', 'create'], []);
    expect({ exit: made.exit, out: made.out }).toEqual({ exit: 0, out: 'Nothing was changed.' });
  });

  it('opens again with every fault at the top, and what was typed below', async () => {
    const made = await edited(
      ['departments', 'create', '--focus', 'Boats'],
      [{ Name: 'Hull', Rank: 'one', ParentID: 'Sale' }, { Rank: '5', ParentID: 'Nowhere' }, { ParentID: 'Sales' }],
    );
    expect(made).toMatchObject({ exit: 0, out: expect.stringContaining('1 create') });
    expect(shown).toHaveLength(3);
    expect(first()).toMatch(/^# A new department\.\n[^!]*\nFocus: Boats\n/s);
    expect(shown[1]).toMatch(
      /^#! ParentID cannot be found: there is no department "Sale" \(Did you mean Sales\?\)\n#! Rank is "one", not a whole number/,
    );
    expect(shown[1]).toContain('\nName: Hull\n');
    expect(shown[2]).toMatch(/^#! ParentID cannot be found: there is no department "Nowhere" .*\n#! Correct it/);
    expect(await pm('departments get Sales/Hull --fields Rank,Focus -o tsv').prints()).toBe('Rank\tFocus\n5\tBoats\n');
  });

  it('opens again where the rules refuse it, and keeps what was typed where it is given up', async () => {
    const { exit, out } = await edited(
      ['individuals', 'create', '--primary-organization', 'Sales', '--primary-reports-to', 'me'],
      [{ FirstName: 'Nora', LastName: 'Holm', Email: 'nora@x.org', PrimaryTitle: 'Guide', UserName: 'admin' }],
    );
    expect({ exit, out }).toMatchObject({ exit: 7, out: expect.stringContaining('UserName') });
    expect(shown[1]).toMatch(/^#! UserName .*\n/);
    const file = keptIn(out);
    expect(readFileSync(file, 'utf8')).toContain('FirstName: Nora');
    rmSync(join(file, '..'), { recursive: true });
  });

  it('says which member is missing, which is none, and what is no YAML', async () => {
    const told = await edited(['departments', 'create'], [{ Name: 'X\nSize: 5' }, { Name: '"X' }]);
    expect(told.exit).toBe(2);
    expect(shown[1]).toMatch(/^#! Size is not a field that can be set here .*\n#! Rank is required\n/);
    expect(shown[2]).toMatch(/^#! this is not YAML: /);
    rmSync(join(keptIn(told.out), '..'), { recursive: true });
  });

  it('is edited on a real terminal', { tags: 'terminal' }, async () => {
    const made = [{ Focus: 'Boats' }];
    const { exit, out } = await edited(['departments', 'update', 'Sales'], made, { run: onTerminal });
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining('1 update') });
  });

  it('rehearses with -n', async () => {
    const { out } = await edited(['departments', 'update', 'Sales', '-n'], [{ Focus: 'Less' }]);
    expect(out).toContain('dry run: nothing is changed');
    expect(await pm('departments get Sales --fields Focus -o tsv').prints()).toBe('Focus\nSelling\n');
  });

  it('is for one record, a terminal and an editor', async () => {
    await pm('departments update Sales --edit').fails(2, '--edit needs a terminal', '--from <file>');
    const none = await edited(['departments', 'update', 'Sales'], [], { editor: '' });
    expect(none).toMatchObject({ exit: 2, out: expect.stringContaining('neither VISUAL nor EDITOR names one') });
    const many = await edited(['departments', 'update', 'Sales', 'Paint'], []);
    expect(many).toMatchObject({ exit: 2, out: expect.stringContaining('--edit changes one record') });
  });

  it('tells of an editor that fails, or is none', async () => {
    const failing = await edited(['departments', 'update', 'Sales'], ['fail']);
    expect(failing).toMatchObject({ exit: 2, out: expect.stringContaining('it ended with 3') });
    const missing = await edited(['departments', 'update', 'Sales'], [], { editor: 'no-such-editor --wait' });
    expect(missing).toMatchObject({ exit: 2, out: expect.stringContaining('there is no such program') });
  });
});

describe('the editor is started', () => {
  const FILE = '/tmp/a b/x.yaml';
  it.each([
    ['vi', ['vi', FILE]],
    ['code --wait', ['code', '--wait', FILE]],
    [`"/opt/my editor/ed" -x 'a b'`, ['/opt/my editor/ed', '-x', 'a b', FILE]],
    ['my\\ ed --line=1', ['my ed', '--line=1', FILE]],
    ["emacsclient -a ''", ['emacsclient', '-a', '', FILE]],
  ])('without a shell where its words are plain: %s', (editor, wanted) => {
    const [command, args, shell] = callOf(editor, FILE, 'linux');
    expect([command, ...args]).toEqual(wanted);
    expect(shell).toBe(false);
  });

  it.each(['~/bin/ed', '$HOME/ed', 'LANG=C vi', 'vi "', 'a; b', '`x`'])(
    'by a shell where only that can read it, with the file as an argument: %s',
    (editor) => {
      expect(callOf(editor, FILE, 'linux')).toEqual(['sh', ['-c', `${editor} "$@"`, editor, FILE], false]);
    },
  );
});
