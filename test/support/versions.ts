// The text of the tables, whose hash is in the list of versions, and the line for that list.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storedResources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { computedFields } from '../../src/engine/index.ts';
import { JOURNAL_TABLES } from '../../src/engine/store/journal/journal.ts';
import { POSTGRES } from '../../src/engine/store/postgres/dialect.ts';
import { OWN_TABLES } from '../../src/engine/store/postgres/migrate.ts';
import { turnOf } from '../../src/engine/store/postgres/site-of.ts';
import { statementsOf } from '../../src/engine/store/schema/ddl.ts';
import { schemaOf } from '../../src/engine/store/schema/tables.ts';
import { DATABASE, newestOf } from '../../src/engine/store/schema/versions.ts';
import { instantKey } from '../../src/engine/store/sql/rows.ts';
import { ddlOf, sqliteSchema } from '../../src/engine/store/sqlite/dialect.ts';
import { textKey, treeKey } from '../../src/text/text-key.ts';

/** Characters of the first Unicode versions: what becomes of them is promised never to change, so that every Node agrees. */
const TEXTS = [
  ...[
    'Ann',
    'A-z 09~',
    'Ärger',
    'STRASSE',
    'Straße',
    'ẞ',
    'ﬁnn',
    'Ａｂ１',
    'A\u030a',
    '\u212b',
    'Ⅷ',
    '②',
    '㎏',
    'x²',
    '…',
  ],
  ...[
    'ΟΔΟΣ',
    'Σ',
    'İ',
    'I',
    'ı',
    'Öztürk',
    'ЁЖ',
    '각',
    '\u1100\u1161\u11a8',
    'ｶﾞ',
    'ש\u05c1',
    '\u00a0',
    '\u{1d400}',
    '😀',
  ],
];
const DATES = [
  ...['2026-02-28', '2026-02-28T09:30:00', '2026-02-28T09:30:00Z', '2026-02-28T09:30:00+00:00'],
  ...['2026-02-28T23:30:00.125-03:00', '2026-03-01T00:30:00+05:30', '2026-03-01T00:30:00.12345678+14:00'],
  ...['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'],
];
const STEPS = [
  ['', 1, 'Ärzte', 'a'],
  ['above', null, null, 'b'],
  ['above', -1, 'Ⅷ', 'c'],
] as const;

/** The tables of the database, and what the rules of its keys make of these values. */
export const databaseText = (resources: readonly Resource[] = storedResources): string =>
  `${ddlOf(sqliteSchema(resources, computedFields))}\n${keyLines().join('\n')}\n`;

/** The tables of a database on a server, a statement a line, since only the line of the next version is made of them. */
export const serverText = (resources: readonly Resource[] = storedResources): string =>
  `${[...statementsOf(schemaOf(resources, computedFields, POSTGRES), []), ...OWN_TABLES].map(asLine).join(';\n')};\n`;

const asLine = (statement: string): string => statement.replaceAll('\n', '\t');
const fromLine = (line: string): string => line.replaceAll('\t', '\n');

export const journalText = (): string => `${JOURNAL_TABLES.join(';\n\n')};\n`;

function keyLines(): readonly string[] {
  const line = (rule: string, value: unknown, key: string): string =>
    `-- ${rule} ${JSON.stringify(value)}: ${JSON.stringify(key)}`;
  return [
    ...TEXTS.map((text) => line('text key', text, textKey(text))),
    ...DATES.map((date) => line('instant key', date, instantKey(date))),
    ...STEPS.map(([above, rank, name, id]) =>
      line('tree key', [above, rank, name, id], treeKey(above, rank, name, id)),
    ),
  ];
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The text of a version as it was when its line was added; undefined where it has not been written yet. */
export function keptText(kind: string, number: number): string | undefined {
  const file = fileURLToPath(new URL(`../snapshots/schema/${kind}-${number}.sql`, import.meta.url));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** A line for the list of versions, and what of the tables on a server it does not say. */
export interface NextLine {
  readonly line: string;
  readonly onServer: readonly string[];
  /** Tables and columns that go or change. */
  readonly byHand: readonly string[];
}

/** The line of a database with these tables, which follows the newest one of the list. */
export function nextLine(resources: readonly Resource[] = storedResources): NextLine {
  const { number } = newestOf(DATABASE);
  const { added, byHand } = differences(keptText('server', number) ?? serverText(), serverText(resources));
  const turn = `ALTER TABLE site_writer RENAME COLUMN ${turnOf(number)} TO ${turnOf(number + 1)}`;
  const onServer = [turn, ...added];
  return { line: lineOf(number + 1, databaseText(resources), onServer), onServer, byHand };
}

/** The line of a version, as the list has it. */
export function lineOf(number: number, text: string, onServer: readonly string[]): string {
  const statements = onServer.map((sql) => `\n    ${/['\n]/.test(sql) ? `\`${sql}\`` : `'${sql}'`},`);
  const list = statements.length > 0 ? `[${statements.join('')}\n  ]` : '[]';
  return `{\n  number: ${number},\n  sha256: '${sha256(text)}',\n  onServer: ${list},\n},`;
}

/** How tables on a server differ: the SQL that adds what is new, and what nobody can tell from the tables. */
function differences(before: string, now: string): { added: readonly string[]; byHand: readonly string[] } {
  const [was, is] = [statementsIn(before), statementsIn(now)];
  const names = [...is.keys()];
  const gone = [...was].filter(([name, statement]) => is.get(name) !== statement);
  const isTable = (statement: string): boolean => statement.startsWith('CREATE TABLE');
  const indexes = gone.filter(([, statement]) => !isTable(statement)).map(([name]) => `DROP INDEX ${name}`);
  const added = names.flatMap((name) => {
    const [old, statement] = [was.get(name), is.get(name) ?? ''];
    if (old === statement) return [];
    if (old === undefined || !isTable(statement)) return [statement];
    const columns = [...linesIn(old).keys()];
    return [...linesIn(statement)]
      .filter(([column]) => !columns.includes(column))
      .map(([, line]) => `ALTER TABLE ${name} ADD ${line}`);
  });
  const byHand = gone
    .filter(([, statement]) => isTable(statement))
    .flatMap(([name, statement]) => {
      const lines = [...linesIn(is.get(name) ?? '').values()];
      return [...linesIn(statement).values()].filter((line) => !lines.includes(line)).map((line) => `${name}: ${line}`);
    });
  return { added: [...indexes, ...added], byHand };
}

/** What makes tables and indexes, by their names as they stand there. */
const statementsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/;\n*/)
      .filter((statement) => statement !== '')
      .map(fromLine)
      .map((statement) => [/^CREATE (?:UNIQUE )?\w+ ([^ ]+)/.exec(statement)?.[1] ?? '', statement]),
  );

/** The columns of a table by their names, and its other lines by themselves. */
const linesIn = (statement: string): ReadonlyMap<string, string> =>
  new Map(
    [...statement.matchAll(/^ {2}(.*?),?$/gm)].map(([, line = '']) => [
      /^(?:PRIMARY|FOREIGN) /.test(line) ? line : (line.split(' ')[0] ?? ''),
      line,
    ]),
  );
