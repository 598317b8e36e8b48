// What is done beside the ordinary verbs is a job too: taken back where that can be, and otherwise it is said.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('security-groups create --group Drivers').prints();
});
const members = async () =>
  (await pm('security-groups members Drivers -o json').rows()).map(({ UserName }) => UserName);
const newest = async () => (await pm('jobs list --limit 1 -o json').rows())[0];

it('takes out of a group whom the job has put in, and nobody else', async () => {
  await pm('security-groups add-member Drivers ann').says('Undo: pm undo ');
  await pm('security-groups add-member Drivers ann bob').says('ann belongs to the group already.');
  await pm('undo').prints();
  expect(await members()).toEqual(['ann']);
});

it('puts back whom the job has taken out', async () => {
  await pm('security-groups add-member Drivers ann').prints();
  await pm('security-groups delete-member Drivers ann').says('Undo: pm undo ');
  await pm('undo').prints();
  expect(await members()).toEqual(['ann']);
});

it('says what cannot be taken back, and keeps it as a job all the same', async () => {
  await pm('archives take --individual ann --name Then').says('An undo cannot take this back.');
  const job = await newest();
  expect(job).toMatchObject({ Title: 'archives take', Done: 1 });
  const why = ['archives take, can be undone', 'An undo cannot take this back.'];
  await pm.refuses(`undo ${job?.Job}`, 7, ...why);
});

it('keeps no secret of a token in its job', async () => {
  const { Token } = await pm('tokens create -o json').row();
  expect(await newest()).toMatchObject({ Title: 'tokens create', Done: 1 });
  expect(JSON.stringify(pm.dump())).not.toContain(String(Token));
  const [made] = await pm('tokens list -o json').rows();
  await pm(`tokens revoke ${String(made?.ID)}`).says('Revoked');
  await pm('tokens list').says('No tokens.');
});
