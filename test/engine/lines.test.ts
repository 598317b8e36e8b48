// Lines of history say for which row of which job they were written, and are read as they were written, or not at all.
import { expect, it, onTestFinished } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { refuses } from '../support/refuses.ts';
import { newSite, type TestSite } from '../support/site.ts';
import { newJob } from './job-fixture.ts';

const JOB = 'b0000000-0000-4000-8000-000000000001';
const OTHER_JOB = 'b0000000-0000-4000-8000-000000000002';

function localOf({ ada }: TestSite) {
  if (!ada.session.local) throw new Error('the engine has local doors');
  return ada.session.local;
}

const begun = async (site: TestSite, ...jobs: readonly string[]): Promise<void> => {
  for (const job of jobs) await localOf(site).jobs.begin(newJob(job, { site: site.ada.session.me.site }));
};

function inFile(site: TestSite, sql: string): void {
  const database = openDatabase(site.engine.file);
  onTestFinished(() => void database.close());
  database.exec(sql);
}

const coach = async (site: TestSite, Name: string, cause?: { job: string; row: number }) => {
  const { session } = site.ada;
  const body = { AncestorID: session.me.id, Name, Rank: 1, Description: 'x' };
  return session.call(contract.accountability.operations.create, { body, ...(cause ? { cause } : {}) });
};

const causes = async (site: TestSite, limit: number) =>
  (await localOf(site).history.since(undefined, limit)).map(({ job, row }) => [job, row]);

it('name the job and the row of their call, and nothing where a call has none', async () => {
  const site = await newSite();
  await begun(site, JOB, OTHER_JOB);
  await coach(site, 'a', { job: JOB, row: 7 });
  await coach(site, 'b', { job: OTHER_JOB, row: 7 });
  await coach(site, 'c');
  site.at('2020-01-01T00:00:00Z');
  await coach(site, 'd', { job: JOB, row: 8 });
  expect(await causes(site, 4)).toEqual([
    [JOB, 8],
    [undefined, undefined],
    [OTHER_JOB, 7],
    [JOB, 7],
  ]);
});

it('name the job for all records that one row changes', async () => {
  const site = await newSite();
  await begun(site, JOB);
  const sales = await site.ada.make('organization');
  const ines = await site.ada.make('individual');
  const { update } = contract.individual.operations;
  const body = { ...ines, PrimaryOrganizationID: sales.ID };
  await site.ada.session.call(update, { params: { id: String(ines.ID) }, body, cause: { job: JOB, row: 1 } });
  const lines = (await localOf(site).history.since(undefined, 50)).filter(({ job }) => job === JOB);
  expect(new Set(lines.map(({ resource }) => resource))).toEqual(new Set(['individual', 'organizationMember']));
  expect(new Set(lines.map(({ row }) => row))).toEqual(new Set([1]));
});

it('still name a job that is forgotten', async () => {
  const site = await newSite();
  const { jobs } = localOf(site);
  await begun(site, JOB);
  await jobs.seal(JOB);
  await jobs.start(JOB, {});
  await coach(site, 'a', { job: JOB, row: 1 });
  await jobs.delete([JOB]);
  expect(await jobs.head(JOB)).toBeUndefined();
  expect(await jobs.heads()).toEqual([]);
  expect(await causes(site, 1)).toEqual([[JOB, 1]]);
});

it.each([
  ['the values before', `UPDATE line SET Before = replace(Before, '"Rank":1', '"Rank":2')`],
  ['the time', 'UPDATE line SET At = At + 1'],
  ['the kind of change', 'UPDATE line SET What = 1 WHERE What = 2'],
  ['the row of the job', 'UPDATE line SET Row = 3 WHERE Job IS NOT NULL'],
  ['who did it', "UPDATE line_name SET Name = replace(Name, '-4', '-5') WHERE Number IN (SELECT Caller FROM line)"],
])('are refused where %s is not as it was written, and the records can still be read', async (_, sql) => {
  const site = await newSite();
  await begun(site, JOB);
  const { ID } = await coach(site, 'a', { job: JOB, row: 1 });
  await site.ada.change('accountability', ID, { Rank: 2 });
  await site.ada.change('accountability', ID, { Rank: 1 });
  await site.ada.change('accountability', ID, { Rank: 2 });
  inFile(site, sql);
  const { history } = localOf(site);
  await refuses(history.since(undefined, 10)).with('storage', 'The history in', 'is damaged', 'put a backup');
  await refuses(history.of('accountability', String(ID))).with('storage', `accountability ${ID}`);
  expect(await site.ada.get('accountability', ID)).toMatchObject({ Rank: 2 });
});

it('of a resource that is none any more are shown as they are', async () => {
  const site = await newSite();
  await coach(site, 'a');
  inFile(
    site,
    `INSERT INTO line_name (Name) VALUES ('badge');
    INSERT INTO line (Site, At, Caller, Resource, ID, What, Before)
    SELECT Site, At, Caller, (SELECT Number FROM line_name WHERE Name = 'badge'), '7', 2, '{"Shape":"round"}' FROM line LIMIT 1`,
  );
  const [line] = await localOf(site).history.since(undefined, 1);
  expect(line).toMatchObject({ resource: 'badge', id: '7', what: 'update', before: { Shape: 'round' } });
});

it('of a membership in a group stand for themselves, and among those of the group', async () => {
  const site = await newSite();
  const group = await site.ada.make('securityGroup');
  const body = { Group: group.ID, Individual: site.ada.id };
  const { addMember, deleteMember } = contract.securityGroup.operations;
  for (const operation of [addMember, addMember, deleteMember]) await site.ada.session.call(operation, { body });
  const id = `${group.ID}/${site.ada.id}`;
  expect(await localOf(site).history.of('securityGroup', String(group.ID))).toMatchObject([
    { resource: 'securityGroup', what: 'create' },
    { resource: 'groupMember', what: 'create', id },
    { resource: 'groupMember', what: 'remove', id },
  ]);
});
