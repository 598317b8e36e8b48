// The words of the program: turns of phrase that people had to read twice do not come back, in messages and in comments.
import { describe, expect, it } from 'vitest';
import { type Words, wordsIn, wordsOfSources } from '../../scripts/messages.js';

/** What stands where a plain sentence could, and the plain one. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/(?<!\b[Tt]here )\bis no (?!longer|data|difference)\w/, 'is not a …'],
  [/\bthat (?:is|are|it|they) there already\b|that there is already|names? no [^.;]* that is there/, 'existing'],
  [/which no (?:calendar|clock)|which is no day|the number of no day/, 'which is not a real date'],
  [/No row decides|whatever the rows say/, 'No permission decides'],
  [/(?:nobody|somebody|one)['’]s own/, 'name the owner'],
  [/fields? of (?:Organization|ListItem|Individual)\b/, 'a field of departments, accountabilities, individuals'],
  [/\bcalled so\b|what is called otherwise|as what its rows are/, 'have this name'],
  [/was not looked at|looks what is wrong|said so\b/, 'was not checked'],
  [/what is in flight|Give the command (?:once more|again)|all the same/, 'Run the command again'],
  [/it is not known what became|it cannot be seen|is done only where/, 'pm does not know what became'],
  [/\bgo(?:es)? on behind|\bstands behind|whose year is cut/, 'continues after'],
  [/[Nn]othing takes|are gone for good, or|nothing of it was done|[Nn]obody has agreed/, 'cannot be undone'],
  [/otherwise than wanted|which was to stay|none of the service/, 'not as asked'],
  [/\bMend\b|\bheeds?\b|than is sound|\bLeave \S+ away\b|\bor make .* anew\b/, 'Correct it'],
  [/\b(?:tokens that are|no longer) good\b|From when on/, 'valid, expires'],
  [/with one administrator, \{|what is kept is|; kept is/, 'the user name of its administrator is …; pm keeps …'],
];

const COMMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b[Uu]ndefined where\b/, 'undefined if'],
  [/\b[Ww]hat (?!becomes)[^.,;]{1,40} is what\b/, 'name the thing'],
  [/, and cuts it into most|What is plain begins|fails as that did|which has to give way/, 'name the thing'],
  [/what the (?:first|next) one left|what names an individual to|is what the number says/, 'name the thing'],
];

const shown = (file: string, list: readonly Words[], rules: typeof MESSAGES): readonly string[] =>
  list.flatMap(({ line, text }) =>
    rules.filter(([turn]) => turn.test(text)).map(([, instead]) => `${file}:${line} ${text}  →  ${instead}`),
  );

const sources = wordsOfSources();

describe('the reader of messages', () => {
  it('reads texts whole, however they are put together, and comments', () => {
    const lines = [
      '// One.',
      "f('a b' + `c $" + '{d(e)} f`);',
      "const sql = 'SELECT a FROM b';",
      '/** Two',
      ' * lines. */',
      '',
    ];
    const read = wordsIn(lines.join('\n'));
    expect(read.texts).toEqual([{ line: 2, text: 'a bc {d(e)} f' }]);
    expect(read.comments.map(({ text }) => text.trim())).toEqual(['One.', '* Two lines.']);
  });

  it('reads the texts inside of others', () => {
    const read = wordsIn(
      ["const a = 'x ' + (b ? 'one two' : '') + `y`;", "const c = { d: 'three four' } as const;"].join('\n'),
    );
    expect(read.texts.map(({ text }) => text)).toContain('one two');
    expect(read.texts.map(({ text }) => text)).toContain('three four');
  });

  it('finds them in all sources', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.flatMap(({ texts }) => texts).length).toBeGreaterThan(2000);
  });
});

describe('the words of the program', () => {
  it('are plain in messages', () => {
    expect(sources.flatMap(({ file, texts }) => shown(file, texts, MESSAGES))).toEqual([]);
  });

  it('are plain in comments', () => {
    expect(sources.flatMap(({ file, comments }) => shown(file, comments, COMMENTS))).toEqual([]);
  });
});
