// The text of the tables, whose hash is in the list of versions.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storedResources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { computedFields } from '../../src/engine/index.ts';
import { JOURNAL_TABLES } from '../../src/engine/store/journal/journal.ts';
import { instantKey } from '../../src/engine/store/sql/rows.ts';
import { ddlOf, sqliteSchema } from '../../src/engine/store/sqlite/layout.ts';
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
