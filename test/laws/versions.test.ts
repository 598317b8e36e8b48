// Files of every version of the tables exist somewhere, so that no version is ever changed; a change makes a new one.
import { describe, expect, it } from 'vitest';
import { turnOf } from '../../src/engine/store/postgres/site-of.ts';
import { DATABASE, JOURNAL, newestOf } from '../../src/engine/store/schema/versions.ts';
import { trial, withoutName, withPhone } from '../support/next-version.ts';
import { databaseText, journalText, keptText, lineOf, nextLine, serverText, sha256 } from '../support/versions.ts';

const { line, byHand } = nextLine();
const KINDS = [
  { name: 'DATABASE', kind: DATABASE, prefix: 'database', text: databaseText(), line },
  {
    ...{ name: 'JOURNAL', kind: JOURNAL, prefix: 'journal', text: journalText() },
    line: lineOf(newestOf(JOURNAL).number + 1, journalText(), []),
  },
];

/** What to do where tables or keys are not those of the newest version. */
const adviceFor = (name: string, wanted: string): string =>
  `the tables or their keys changed: add this to ${name} in src/engine/store/schema/versions.ts, and run
npm run snapshots -- test/laws/versions.test.ts
${wanted}
${byHand.length > 0 ? `It says nothing of what is gone or changed: see Changes there, and say it on the server, too.\n${byHand.join('\n')}` : ''}`;

describe.each(KINDS)('the versions of $name', ({ name, kind, prefix, text, line: wanted }) => {
  const { versions } = kind;
  const newest = newestOf(kind);
  const numbers = versions.map(({ number }) => number);

  it('end with the tables and keys of today', async () => {
    const advice = adviceFor(name, wanted);
    if (newest.sha256 !== sha256(text)) expect(text, advice).toBe(keptText(prefix, newest.number));
    expect(newest.sha256, advice).toBe(sha256(text));
    await expect(text).toMatchFileSnapshot(`../snapshots/schema/${prefix}-${newest.number}.sql`);
  });

  it('are numbered one after the other', () => {
    expect(numbers).toEqual(numbers.map((_, i) => Number(numbers[0]) + i));
  });

  it('are what they were when they were added', () => {
    const kept = numbers.slice(0, -1).map((number) => sha256(keptText(prefix, number) ?? ''));
    expect(kept, 'put back the files of test/snapshots/schema, or the lines').toEqual(
      versions.slice(0, -1).map(({ sha256: hash }) => hash),
    );
  });
});

describe('the tables of a database on a server', () => {
  const { number, sha256: hash } = newestOf(DATABASE);

  it('are those that its version had when it was added', async () => {
    const kept = keptText('server', number) ?? serverText();
    expect(serverText(), adviceFor('DATABASE', line)).toBe(kept);
    await expect(serverText()).toMatchFileSnapshot(`../snapshots/schema/server-${number}.sql`);
  });

  // Until the tables of today have their line, the trial would be told beside what is missing.
  it.runIf(hash === sha256(databaseText()))('get what is new by the line that is printed for it', () => {
    const { line: printed, onServer, byHand: left } = nextLine([...withPhone, trial]);
    expect(left).toEqual([]);
    const [turn, ...changes] = onServer;
    expect(turn).toBe(`ALTER TABLE site_writer RENAME COLUMN ${turnOf(number)} TO ${turnOf(number + 1)}`);
    expect(changes, adviceFor('DATABASE', line)).toEqual([
      'ALTER TABLE "individual" ADD "Phone" TEXT COLLATE "C"',
      'ALTER TABLE "individual" ADD "AssistantID" TEXT COLLATE "C"',
      'ALTER TABLE "individual" ADD FOREIGN KEY ("SiteID", "AssistantID") REFERENCES "individual" ("SiteID", "ID")',
      expect.stringMatching(/^CREATE TABLE "trial" \(/),
      expect.stringMatching(/^CREATE INDEX "trial_by_IndividualID" ON "trial" /),
    ]);
    const head = `{\n  number: ${number + 1},\n  sha256: '${sha256(databaseText([...withPhone, trial]))}',\n  onServer: [\n    '${turn}',\n`;
    expect(printed.slice(0, head.length)).toBe(head);
    for (const change of changes) expect(printed).toContain(change);
  });

  it('that lose an index lose it by that line, and what else goes or changes is named', () => {
    const { onServer, byHand: left } = nextLine(withoutName);
    expect(onServer.slice(1)).toContain('DROP INDEX "coreValue_by_Name"');
    expect(onServer.filter((sql) => /DROP (?:COLUMN|TABLE)/.test(sql))).toEqual([]);
    expect(left).toEqual(['"coreValue": "Name" TEXT COLLATE "C"', '"coreValue": "Name$" TEXT COLLATE "C"']);
  });
});
