// Jobs that --journal keeps in a folder of their own: the commands that are printed about them run as printed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const KEPT = "-p prod --journal 'my jobs'";
const pm = usingPm(async (one) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string) => pm(line, { env: { PM_PASSWORD: PASSWORD } });

beforeEach(async () => {
  await serve(pm);
  writeFileSync(join(pm.home, 'rows.csv'), 'Name,Focus\nSales,money\n');
});

/** The command behind these words. */
const printed = (text: string, words: string): string =>
  new RegExp(`${words}pm (.*)$`, 'm').exec(text)?.[1] ?? `nothing behind ${words}`;

const imported = () => remote(`import departments rows.csv --key Name --yes ${KEPT}`).says('Undo: ');

it('the way back, and what an error says to do next', async () => {
  const undo = printed((await imported()).err, 'Undo: ');
  expect(undo).toMatch(new RegExp(`^undo \\w{8} ${KEPT}$`));
  await remote(`${undo} --yes`).says('1 update');
  const { err } = await remote(`${undo} --yes`).fails(7, 'is undone already');
  await remote(`${printed(err, 'To do it again: ')} --yes`).says('1 update');
});

it('where there is no such job, and where one is shown', async () => {
  const job = printed((await imported()).err, 'Undo: ').split(' ')[1];
  const { err } = await remote(`jobs show ffffffff ${KEPT}`).fails(6, 'there is no job');
  await remote(printed(err.replace(/ shows.*/, ''), 'hint: ')).prints(job ?? '');
  const shown = await remote(`jobs show ${job} ${KEPT}`).says('Its rows: ');
  await remote(printed(shown.err, 'Its rows: ')).prints('done');
});

it('the way back from a folder of files', async () => {
  await pm('departments update Sales --focus money').prints();
  await pm('export --dir site departments -p local').says();
  await pm('departments update Sales --focus less').prints();
  const { err } = await remote(`apply site --yes ${KEPT}`).says('Undo: ');
  await remote(`${printed(err, 'Undo: ')} --yes`).says('1 update');
});
