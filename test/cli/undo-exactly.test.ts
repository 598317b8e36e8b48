// What an undo brings back exactly: dates of a toggled task, no parent, values that the service writes otherwise.
import { expect, it } from 'vitest';
import { resources } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async (run) => {
  await run('departments create --name Yard --rank 1').prints();
  await run('project-phases create --name Build --rank 1').prints();
});

it('every operation that is not ordinary says in the contract how it is undone, or that it is not', () => {
  const silent = resources.flatMap(({ name, operations }) =>
    Object.values(operations)
      .filter(({ verb, writes }) => writes && (verb === 'special' || verb === 'local'))
      .filter(({ reverse = '' }) => reverse !== 'none' && !(reverse in operations))
      .map((operation) => `${name} ${operation.name}`),
  );
  expect(silent).toEqual([]);
});

it('a task that was toggled is completed on the day on which it was, not today', async () => {
  const project = await pm('projects create --department Yard --name Hull --phase Build -o id').id();
  const task = await pm(
    `tasks create --project ${project} --name Paint --rank 1 --end-date-actual 2024-11-08 -o id`,
  ).id();
  const ended = async () => (await pm(`tasks get ${task} -o json`).row()).EndDateActual;
  const before = await ended();
  await pm(`tasks toggle-completed ${task}`).prints();
  expect(await ended()).toBeNull();
  const undo = (await pm('undo --yes -o json').row()).Job;
  expect(await ended()).toBe(before);
  await pm(`undo ${undo} --yes`).prints();
  expect(await ended()).toBeNull();
});

it('a task that was completed by a toggle and changed since is left alone', async () => {
  const project = await pm('projects create --department Yard --name Hull --phase Build -o id').id();
  const task = await pm(`tasks create --project ${project} --name Paint --rank 1 -o id`).id();
  await pm(`tasks toggle-completed ${task}`).prints();
  const job = (await pm('jobs list -o json').rows())[0]?.Job;
  await pm(`tasks update ${task} --end-date-actual 2024-01-02`).prints();
  await pm(`undo ${job} --yes`).fails(3, 'has changed since');
});

it('a metric and a project are at the top again', async () => {
  for (const [resource, flags] of [
    ['metrics', '--department Yard --rank 1 --description x'],
    ['projects', '--department Yard --phase Build'],
  ]) {
    const above = await pm(`${resource} create ${flags} --name above -o id`).id();
    const below = await pm(`${resource} create ${flags} --name below -o id`).id();
    await pm([`${resource}`, 'update', below, '--parent', above]).prints();
    expect(await pm([`${resource}`, 'get', below, '-o', 'json']).row()).toMatchObject({ ParentID: above });
    await pm('undo --yes').prints();
    expect(await pm([`${resource}`, 'get', below, '-o', 'json']).row()).toMatchObject({ ParentID: null });
  }
});

it('a day that is stored as midnight of its zone goes back, and is not said to be ignored', async () => {
  const [period] = (await pm('periods list -o json').rows()).slice(-1);
  const { err } = await pm(['periods', 'update', String(period?.ID), '--set', 'EndDate=2030-03-30T05:00:00+03:00']);
  expect(err).not.toContain('ignored');
  await pm('undo --yes').prints();
  expect((await pm(`periods get ${period?.ID} -o json`).row()).EndDate).toBe(period?.EndDate);
});
