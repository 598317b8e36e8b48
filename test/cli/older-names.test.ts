// was: in the files of a site: what names a record as it was called before, or where it was, means that record, by check and by apply.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const at = (path: string): string => join(pm.home, 'site', path);
const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(at(path), change(readFileSync(at(path), 'utf8')));
const beside = (was: string) => (text: string) => `was: ${was}\n${text}`;
const DEPARTMENTS = 'departments/local';
const moved = (was: string): void => {
  mkdirSync(at(`${DEPARTMENTS}/labs`));
  renameSync(at(`${DEPARTMENTS}/sales/emea.yaml`), at(`${DEPARTMENTS}/labs/emea.yaml`));
  edit(`${DEPARTMENTS}/labs/emea.yaml`, beside(was));
};
const renamed = (path: string, from: string, to: string, was: string): void =>
  edit(path, (text) => beside(was)(text).replace(`Name: ${from}\n`, `Name: ${to}\n`));

/** What is edited in the folder, by what others in it name as it was. */
const EDITS: Readonly<Record<string, () => void>> = {
  'a department that was moved, by its path': () => moved('Local/Sales/EMEA'),
  'a department that was moved, by a part of its path': () => moved('Sales/EMEA'),
  'a department that was moved, by its name alone': () => moved('EMEA'),
  'a department that was moved, by path:': () => moved('path:Local/Sales/EMEA'),
  'a department of another name': () => renamed(`${DEPARTMENTS}/sales/emea.yaml`, 'EMEA', 'Europe', 'EMEA'),
  'one of another name, by its path': () =>
    renamed(`${DEPARTMENTS}/sales/emea.yaml`, 'EMEA', 'Europe', 'Local/Sales/EMEA'),
  'one below a department of another name': () =>
    renamed(`${DEPARTMENTS}/sales.yaml`, 'Sales', 'Market', 'Local/Sales'),
  'one of another name below a department of another name': () => {
    renamed(`${DEPARTMENTS}/sales.yaml`, 'Sales', 'Market', 'Sales');
    renamed(`${DEPARTMENTS}/sales/emea.yaml`, 'EMEA', 'Europe', 'EMEA');
  },
  'a person of another user name': () =>
    edit('individuals/ann.yaml', (text) => beside('ann')(text.replace('UserName: ann', 'UserName: zoe'))),
};

beforeEach(async () => {
  await pm('export --dir site').says();
});

describe('a folder in which others name a record as it was', () => {
  it.each(Object.keys(EDITS))('is taken by check, by a dry run, and when it was applied: %s', async (edited) => {
    EDITS[edited]?.();
    await pm('check site').says('and no fault.');
    await pm('apply site -n').says('update');
    await pm('apply site --yes').says('Undo: pm undo ');
    await pm('apply site --yes').says('Nothing to change.');
    const { PrimaryOrganizationID, PrimaryReportsTo } = await pm('individuals get bob -o json').row();
    const [emea] = (await pm('departments list -o json').rows()).filter(({ Name }) => /EMEA|Europe/.test(String(Name)));
    expect(PrimaryOrganizationID).toBe(emea?.ID);
    const [ann] = await pm(`individuals list --where "FirstName = 'Ann'" -o json`).rows();
    expect(PrimaryReportsTo).toBe(ann?.ID);
  });

  it.each(['Local/Labs/EMEA', 'Local/Sales/APAC', 'Nowhere/Sales/EMEA'])(
    'is refused alike by both where it names no such place: %s',
    async (path) => {
      renamed(`${DEPARTMENTS}/sales/emea.yaml`, 'EMEA', 'Europe', 'Local/Sales/EMEA');
      edit('individuals/bob.yaml', (text) => text.replace('Local/Sales/EMEA', path));
      const fault = ['individuals/bob.yaml:', `there is no department "${path}"`];
      await pm.refuses('check site', 7, ...fault);
      await pm.refuses('apply site -n', 7, ...fault);
    },
  );

  it('is refused where two departments were called so', async () => {
    moved('Local/Sales/EMEA');
    renamed(`${DEPARTMENTS}/sales.yaml`, 'Sales', 'Market', 'Local/EMEA');
    edit('individuals/bob.yaml', (text) => text.replace('Local/Sales/EMEA', 'EMEA'));
    edit(`${DEPARTMENTS}/labs/emea.yaml`, (text) => text.replace('Name: EMEA', 'Name: Europe'));
    await pm.refuses('check site', 7, 'there is no department "EMEA"');
  });

  it('means the record that has the name now, where there is one', async () => {
    moved('Local/Sales/EMEA');
    await pm('apply site --yes').says('Undo: pm undo ');
    const id = await pm('departments create --name EMEA --rank 4 --parent Sales -o id').id();
    await pm('apply site --yes').says('1 update');
    expect(await pm('individuals get bob -o json').row()).toMatchObject({ PrimaryOrganizationID: id });
  });
});

describe('a project that another department has', () => {
  const project = (department: string): void =>
    edit('projects/move.yaml', (text) => text.replace(/^AncestorID: .*/m, `AncestorID: ${department}`));

  beforeEach(async () => {
    await pm('projects create --department Sales --name Move --phase Work --description "To the harbour"').prints();
    await pm('export --dir site --overwrite').says();
  });

  it('is no second one, with was: and without, and is made there when the old one is deleted', async () => {
    project('Local/Labs');
    const fault = 'projects/move.yaml:1 is new, but there is a "Move" already, below "Sales"';
    await pm('apply site -n').fails(
      7,
      fault,
      'Its AncestorID cannot change: write the old one, or delete the other project',
    );
    edit('projects/move.yaml', beside('Local/Sales/Move'));
    await pm('apply site -n').fails(7, fault);
    await pm('projects delete Move --yes').prints();
    await pm('apply site --yes').says('1 create');
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('may be a second one where the file of the other one is there', async () => {
    writeFileSync(at('projects/second.yaml'), readFileSync(at('projects/move.yaml'), 'utf8'));
    project('Local/Labs');
    await pm('apply site --yes').says('1 create');
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('asks for the older name of its department, which has another one', async () => {
    edit(`${DEPARTMENTS}/sales.yaml`, (text) => text.replace('Name: Sales\n', 'Name: Market\n'));
    project('Local/Market');
    await pm('apply site -n').fails(7, 'projects/move.yaml:1', 'in its own file: was: Sales');
    edit(`${DEPARTMENTS}/sales.yaml`, beside('Sales'));
    await pm('apply site --yes').says('update');
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('has no fault of its own where its department has one', async () => {
    await pm('departments update Sales --focus "The harbours of the south"').prints();
    await pm('departments delete EMEA --yes').prints();
    await pm('export --dir site --overwrite').says();
    edit(`${DEPARTMENTS}/sales.yaml`, (text) => text.replace('Name: Sales\n', 'Name: Market\n'));
    for (const path of ['projects/move.yaml', 'individuals/ann.yaml'])
      edit(path, (text) => text.replace('Local/Sales', 'Local/Market'));
    const { err } = await pm('apply site -n').fails(7, 'differs from "Sales" in its name alone');
    expect(err).not.toContain('projects/move.yaml');
  });
});

describe('a department that has another name, and no was:', () => {
  const named = (path: string, from: string, to: string): void =>
    edit(path, (text) => text.replace(`Name: ${from}\n`, `Name: ${to}\n`));

  it('is no second one: what it was called is asked for, and the hint works', async () => {
    await pm('departments update EMEA --focus "The harbours of the south"').prints();
    await pm('export --dir site --overwrite').says();
    named(`${DEPARTMENTS}/sales/emea.yaml`, 'EMEA', 'Europe');
    await pm('apply site -n').fails(7, 'differs from "EMEA" in its name alone', 'was: EMEA');
    edit(`${DEPARTMENTS}/sales/emea.yaml`, beside('EMEA'));
    await pm('apply site -n').says('update');
  });

  it('has the word in its own file, and none below it', async () => {
    named(`${DEPARTMENTS}/sales.yaml`, 'Sales', 'Market');
    await pm('apply site -n').fails(7, 'there is a "EMEA" already, below "Sales"', 'in its own file: was: Sales');
    edit(`${DEPARTMENTS}/sales.yaml`, beside('Sales'));
    expect(await pm('apply site -n -o json').rows()).toMatchObject([
      { Field: 'Name', Before: 'Sales', After: 'Market' },
    ]);
  });
});
