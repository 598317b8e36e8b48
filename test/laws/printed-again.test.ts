// What pm prints of records to be used again is read again, and changes nothing: one record, an export by names, and the names
// under which people are shown.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async (one) => {
  await one('seed --sample small').prints();
});

/** An archive is taken, and no file makes one. */
const takesRows = resources.filter(
  ({ name, operations: { create, update, get } }) => create && update && get && name !== 'archive',
);
const FORMS = ['json', 'yaml', 'ndjson', 'csv', 'tsv'] as const;

describe('records of', () => {
  it.each(takesRows.map(({ command }) => command))('%s are as they were', async (command) => {
    await pm(`export ${command} --names --out all.csv --overwrite`).says();
    const rows = readFileSync(join(pm.home, 'all.csv'), 'utf8').trim().split('\n').slice(1);
    expect(rows, `src/sites/samples/small.jsonl has no ${command}: add one, and a deleted one`).not.toEqual([]);
    await pm(`import ${command} all.csv -n --exit-code`).says();
    await pm(`export ${command} --out ids.ndjson --overwrite`).says();
    await pm(`import ${command} ids.ndjson -n --exit-code`).says();
    const [first = '{}'] = readFileSync(join(pm.home, 'ids.ndjson'), 'utf8').split('\n');
    const { ID = null } = JSON.parse(first) as { ID?: string | number | null };
    // Colors and members of teams are told apart without one.
    if (ID === null) return;
    for (const form of FORMS) {
      writeFileSync(join(pm.home, `one.${form}`), await pm(`${command} get ${ID} -o ${form}`).prints());
      await pm(`import ${command} one.${form} -n --exit-code`).says();
    }
  });
});

describe('people', () => {
  it('are found as lists and the tree show them', async () => {
    const people = await pm('individuals list -o json').rows();
    const lines = (await pm('individuals tree').prints())
      .split('\n')
      .flatMap((line) => /[\p{L}].*? \([^()]+\)/u.exec(line) ?? []);
    expect(lines.length).toBe(people.length);
    for (const name of [...lines.slice(0, 8), ...people.slice(0, 8).map((row) => String(row.FullOrderedName))])
      await pm(['individuals', 'get', name, '-o', 'id']).prints();
  });
});
