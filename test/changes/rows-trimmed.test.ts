// Blanks around the names and keys of a file are trimmed and counted; all other texts keep theirs.
import { describe, expect, it } from 'vitest';
import type { Row, Value } from '../../src/contract/resource.ts';
import { run, take } from '../support/intake.ts';
import { newSite, type TestSite } from '../support/site.ts';

const NBSP = '\u00a0';

/** The values as an older program may have stored them. */
const letIn = ({ engine, id }: TestSite, individual: Value | undefined, values: Row): Promise<unknown> =>
  engine.store.transaction((writer) => writer.update('individual', id, String(individual), values));

describe('a cell with blanks around it', () => {
  it('is a name without them: it finds who is there', async () => {
    const { ada } = await newSite();
    const klara = await ada.make('individual', { UserName: 'klara', PrimaryTitle: 'Lead' });
    const rows = ['UserName;PrimaryTitle', `${NBSP}klara ;\u200bHead of lab\t`];
    const { changes, tally } = await take(ada, 'individual', rows);
    expect(changes).toMatchObject([{ operation: 'update', id: klara.ID, patch: { PrimaryTitle: 'Head of lab' } }]);
    expect(tally).toMatchObject({ trimmed: 2, creates: 0 });
  });

  it.each(['UserDefined1', 'userdefined1'])('is a key without them, also one that is no name: %s', async (key) => {
    const { ada } = await newSite();
    const klara = await ada.make('individual', { UserDefined1: '00012' });
    const rows = ['UserDefined1;Suffix;UserDefined2', '00012 ;Jr; kept '];
    const { changes, tally } = await take(ada, 'individual', rows, { key: [key] });
    expect(changes).toMatchObject([{ id: klara.ID, patch: { Suffix: 'Jr', UserDefined2: ' kept ' } }]);
    expect(tally.trimmed).toBe(1);
  });

  it('names another record without them', async () => {
    const { ada } = await newSite();
    const { changes, tally, said } = await take(ada, 'accountability', [
      'Individual,Name,Rank,Description',
      `ada\u200b,${NBSP}Budget,1, of all `,
    ]);
    expect(said).toEqual([]);
    expect(changes).toMatchObject([{ body: { AncestorID: ada.id, Name: 'Budget', Description: ' of all ' } }]);
    expect(tally.trimmed).toBe(2);
  });

  it('says nothing where there is nothing else', async () => {
    const { ada } = await newSite();
    const { changes, tally } = await take(ada, 'individual', ['UserName;Prefix', `ada;${NBSP}\u200b`]);
    expect(changes).toEqual([]);
    expect(tally).toMatchObject({ trimmed: 0, unchanged: 1 });
  });

  it('is a fault where the blank is within the name and is no blank of a line', async () => {
    const { ada } = await newSite();
    const { faults } = await take(ada, 'individual', ['UserName;Prefix', '"ada";"a\tb "']);
    const message = 'holds the character U+0009 at position 2, which no name may have: "a\\tb"';
    expect(faults).toMatchObject([{ line: 2, column: 'Prefix', message, hint: 'Write it without that.' }]);
  });

  it('names nobody with the text of the file, whose signs are seen', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName;Suffix', ` klara${NBSP};Jr`], { mode: 'update' });
    expect(said).toEqual(['line 2: names no existing individual: UserName " klara\\u00a0"']);
  });

  it('is one with its neighbour that has none', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName;Suffix', 'ada;Jr', 'ada ;Sr']);
    expect(said).toEqual(['line 3: has the same UserName as line 2, and other values']);
  });
});

describe('a record of an older program with blanks around its name', () => {
  it('is found by them, and keeps them', async () => {
    const site = await newSite();
    const klara = await site.ada.make('individual', { UserName: 'klara', PrimaryTitle: 'Lead' });
    await letIn(site, klara.ID, { UserName: 'klara ', LastName: ' Svoboda' });
    const rows = ['UserName;LastName;Suffix', 'klara ; Svoboda;Jr'];
    const { changes, tally } = await take(site.ada, 'individual', rows);
    expect(changes).toMatchObject([{ operation: 'update', id: klara.ID }]);
    expect(changes[0]?.patch).toEqual({ Suffix: 'Jr' });
    expect(tally).toMatchObject({ trimmed: 0, creates: 0 });
    await run(site.ada, 'individual', rows);
    expect(await site.ada.get('individual', klara.ID)).toMatchObject({ UserName: 'klara ', Suffix: 'Jr' });
  });

  it('keeps in it what no new name may have, and how long it is', async () => {
    const site = await newSite();
    const klara = await site.ada.make('individual', { UserName: 'klara' });
    const odd = { FirstName: 'a\u202eb ', LastName: 'x'.repeat(60) };
    await letIn(site, klara.ID, { UserName: 'k\tlara ', ...odd });
    const header = 'UserName;FirstName;LastName;Suffix';
    const { changes, said } = await take(site.ada, 'individual', [
      header,
      `"k\tlara ";${odd.FirstName};${odd.LastName};Jr`,
    ]);
    expect(said).toEqual([]);
    expect(changes).toMatchObject([{ id: klara.ID }]);
    expect(changes[0]?.patch).toEqual({ Suffix: 'Jr' });
    const other = await take(site.ada, 'individual', [header, `"k\tlara";${odd.FirstName}!;${odd.LastName}x;Jr`]);
    expect(other.said).toEqual([
      'line 2, column UserName: holds the character U+0009 at position 2, which no name may have: "k\\tlara"',
      'line 2, column FirstName: holds the character U+202E at position 2, which no name may have: "a\\u202eb !"',
      'line 2, column LastName: is 61 characters long; the limit is 50',
    ]);
  });

  it('comes after the one without them', async () => {
    const site = await newSite();
    const odd = await site.ada.make('individual', { UserName: 'odd' });
    await letIn(site, odd.ID, { UserName: 'klara ' });
    const klara = await site.ada.make('individual', { UserName: 'klara' });
    const { changes } = await take(site.ada, 'individual', ['UserName;Suffix', 'klara ;Jr']);
    expect(changes).toMatchObject([{ id: klara.ID }]);
  });

  it('loses them where the file has none', async () => {
    const site = await newSite();
    const klara = await site.ada.make('individual', { UserName: 'klara' });
    await letIn(site, klara.ID, { LastName: 'Svoboda ' });
    const { changes } = await take(site.ada, 'individual', ['UserName;LastName', 'klara;Svoboda']);
    expect(changes[0]?.patch).toEqual({ LastName: 'Svoboda' });
  });
});
