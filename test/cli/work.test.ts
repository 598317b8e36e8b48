// Tasks, metrics, their values and archives on the command line.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const json = async (line: string): Promise<unknown> => JSON.parse(await pm(`${line} -o json`).prints());

it('a task names those who are to do it with commas between them', async () => {
  await pm('tasks create --individual ann --name Call --responsible ann,bob').prints();
  const [ann, bob] = [await json('individuals get ann'), await json('individuals get bob')] as { ID: string }[];
  const ids = [ann?.ID, bob?.ID];
  expect(await json('tasks get Call')).toMatchObject({ Responsible: ids });
  expect(await json('tasks list --individual ann --jmespath [].Responsible')).toEqual([ids]);
  await pm('tasks get Call -o csv --fields Responsible').prints(ids.join(' '));
  await pm('tasks get Call -o yaml').prints(/Responsible:\n {2}- /);
  await pm('tasks get Call -o xml').prints(`<d2p1:guid>${bob?.ID}</d2p1:guid>`);
  await pm('tasks update Call --priority high').prints();
  expect(await json('tasks get Call')).toMatchObject({ Responsible: ids, Priority: 3 });
  expect(await json('tasks all --individual bob')).toMatchObject([{ Name: 'Call' }]);
  await pm('tasks create --individual ann --name Write --responsible ann,nobody').fails(6, 'nobody');
});

it('a task is completed, and open again, by its name', async () => {
  await pm('tasks create --individual ann --name Call').prints();
  expect(await json('tasks toggle-completed Call')).toMatchObject({ EndDateActual: expect.stringMatching(/^\d{4}-/) });
  expect(await json('tasks toggle-completed Call')).toMatchObject({ EndDateActual: null });
});

it('a task is made for each of several, or for none in a dry run', async () => {
  const line = 'tasks create-separate --individual ann --name Read --responsible ann,bob';
  await pm(`${line} --dry-run`).prints(/create-separate|createSeparate/);
  await pm('tasks list').prints();
  expect(await json('tasks list')).toEqual([]);
  expect(await json(line)).toMatchObject([{ Name: 'Read' }, { Name: 'Read' }]);
  expect(await json('tasks list --individual ann')).toHaveLength(2);
});

it('tasks are listed of one owner at a time', async () => {
  await pm('tasks list --individual ann --dialog 0f8fad5b-d9cb-469f-a165-70867728950e').fails(2, 'only one of');
});

it('a snapshot of a department keeps the values of its metrics', async () => {
  await pm('metrics create --department Sales --rank 1 --name Orders --description "What was ordered"').prints();
  await pm('metric-values create --metric Orders --date 2026-03-31 --value 7').prints();
  await pm('archives take --department Sales --name "2026 Q1" --comment Quarter').prints(/2026 Q1/);
  await pm('metric-values create --metric Orders --date 2026-04-30 --value 8').prints();
  expect(await json('archives list --department Sales')).toMatchObject([{ Name: 'Sales', ArchiveName: '2026 Q1' }]);
  expect(await json('archives get "2026 Q1"')).toMatchObject({ ArchiveComment: 'Quarter' });
  expect(await json('metric-values list --metric Orders --archive "2026 Q1"')).toMatchObject([{ Value: 7 }]);
  expect(await json('metric-values list --metric Orders --start-date 2026-04-01')).toMatchObject([{ Value: 8 }]);
  await pm('archives take --name x').fails(2, 'of what');
  await pm('archives create').fails(2);
});
