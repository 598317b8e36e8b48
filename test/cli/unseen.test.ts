// Records that no address of a remote service shows by their ID alone: with their owner they are found, and without it
// nothing is taken for new.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const env = { PM_PASSWORD: PASSWORD };
const pm = usingPm(async (one) => {
  await company(one);
  await one('comments create --department Sales --body Hello').prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string) => pm(`${line} -p prod`, { env });

const file = (...lines: readonly string[]): string => {
  writeFileSync(join(pm.home, 'rows.csv'), `${lines.join('\n')}\n`);
  return 'rows.csv';
};

describe('on an endpoint of pm', () => {
  let comment = '';
  beforeEach(async () => {
    await serve(pm);
    comment = String((await pm('comments list --department Sales -o json -p local').rows())[0]?.ID);
  });
  const bodies = async () =>
    (await pm('comments list --department Sales -o json -p local').rows()).map((one) => one.Body);

  it('an import changes a comment by its ID and the owner of its row, in either case', async () => {
    const rows = file('ID,Department,Body', `${comment.toUpperCase()},Sales,Changed`);
    await remote(`import comments ${rows} --key ID --yes`).says('1 update');
    expect(await bodies()).toEqual(['Changed']);
    await remote('undo --yes').says('1 update');
    expect(await bodies()).toEqual(['Hello']);
  });

  it.each(['upsert', 'update', 'skip'])('an import that names no owner is refused, mode %s', async (mode) => {
    const before = pm.dump();
    const rows = file('ID,Body', `${comment},Changed`);
    await remote(`import comments ${rows} --key ID --yes --mode ${mode}`).fails(
      7,
      'line 2 cannot be matched: the service does not show whether there is a comment with this ID',
      'a column department or individual',
    );
    expect(pm.dump()).toEqual(before);
  });

  it('is read, changed, deleted and brought back where its owner is named', async () => {
    const named = `${comment} --department Sales`;
    await remote(`comments get ${comment}`).fails(2, 'only for one owner', '--department <ref>');
    await remote(`comments get ${named}`).prints('Hello');
    await remote(`comments get ${comment} --department Labs`).fails(6, 'there is no comment');
    await remote(`comments update ${named} --body Changed`).prints('Changed');
    await remote(`comments delete ${named} --yes`).says('1 delete');
    expect(await bodies()).toEqual([]);
    await remote(`comments undelete ${named}`).says('1 undelete');
    expect(await bodies()).toEqual(['Changed']);
  });

  it('a membership is changed by its ID and one of its ends, or by both ends alone', async () => {
    const [member] = await pm('department-members list --department EMEA -o json -p local').rows();
    await remote(`department-members update ${member?.ID} --title X`).fails(2, '--department <ref>');
    await remote(`department-members update ${member?.ID} --individual bob --title X`).prints('X');
    await remote('department-members update --individual bob --department EMEA --title Y').prints('Y');
    await remote(`department-members get ${member?.ID} --individual bob -o json`).prints('"Y"');
  });

  it('a membership is read by its ID and its department; where an update names another department, its individual is asked for', async () => {
    const [member] = await pm('department-members list --department EMEA -o json -p local').rows();
    await remote(`department-members get ${member?.ID} --department EMEA -o json`).prints(String(member?.ID));
    await remote(`department-members get ${member?.ID} --department Labs`).fails(6, 'there is no department member');
    for (const way of ['', ' -n']) {
      const { err } = await remote(`department-members update ${member?.ID} --department Labs${way}`).fails(
        2,
        'name the owner',
      );
      expect(err).toContain('Say so with --individual <ref>.');
    }
    await remote(`department-members update ${member?.ID} --department Labs --individual bob`).says('1 update');
    await remote(`department-members get --individual bob --department Labs -o json`).prints(String(member?.ID));
  });

  it('an owner among the flags of an update chooses among records', async () => {
    await pm('comments create --department Labs --body Hello -p local').prints();
    const where = ['--where', "Body = 'Hello'", '--yes', '-p', 'prod'];
    const update = ['comments', 'update', '--department', 'Sales', '--body', 'Changed', ...where];
    await pm(update, { env }).says('1 update');
    expect(await bodies()).toEqual(['Changed']);
    await pm(['department-members', 'update', '--department', 'EMEA', '--title', 'X', ...where], { env }).fails(
      2,
      'needs to know whose: --individual <ref>\n',
    );
  });

  it('a right on the site is found by its ID alone', async () => {
    await pm('permissions set bob allow read site Local -p local').prints();
    const id = await pm('permissions list -o id -p local').id();
    await remote(`permissions update ${id} --update-state Allow -o json`).prints('"UpdateState": 1');
  });

  it('an import by ID makes no right on the site of one that it cannot look up', async () => {
    await pm('permissions set bob allow read department Sales -p local').prints();
    const id = await pm('permissions list --department Sales -o id -p local').id();
    const before = pm.dump();
    const states = 'CreateState,ReadState,UpdateState,DeleteState,DelegateState';
    const rows = file(`ID,Principal,${states}`, `${id},bob,1,1,1,1,1`);
    await remote(`import permissions ${rows} --key ID --yes`).fails(
      7,
      'line 2 cannot be matched',
      'a column individual',
    );
    expect(pm.dump()).toEqual(before);
    const owned = file(`ID,RowID,Principal,${states}`, `${id},name:Sales,bob,1,1,1,1,1`);
    await remote(`import permissions ${owned} --key ID --yes`).says('1 update');
  });

  it('an import that names an owner of which nothing is listed is told that it may be deleted', async () => {
    await pm('individuals delete bob --yes -p local').says('1 delete');
    const id = await pm('individuals get bob --deleted 2 -o id -p local').id();
    const rows = file('ID,Individual,Body', `${comment},${id},Changed`);
    await remote(`import comments ${rows} --key ID --yes`).fails(7, 'not of this one, which may be deleted');
  });

  it('an import of new rows alone asks for none of it', async () => {
    const rows = file('Department,Body', 'Sales,Again');
    await remote(`import comments ${rows} --mode create --yes`).says('1 create');
    expect(await bodies()).toContain('Again');
  });

  it('an import changes a membership by its ID and its two ends, and an undo takes it back', async () => {
    const list = 'department-members list --department EMEA -o json -p local';
    const [member] = await pm(list).rows();
    const rows = file('ID,Individual,Department,Title', `${member?.ID},bob,EMEA,Chief`);
    await remote(`import department-members ${rows} --key ID --yes`).says('1 update');
    expect(await pm(list).rows()).toMatchObject([{ Title: 'Chief' }]);
    await remote('undo --yes').says('1 update');
    expect(await pm(list).rows()).toEqual([member]);
  });

  it('an import finds a right about children where the service lists it', async () => {
    const states = 'CreateState,ReadState,UpdateState,DeleteState,DelegateState';
    const rows = file(`RowID,Principal,ChildType,${states}`, `name:Sales,ann,7,0,1,0,0,0`);
    await remote(`import permissions ${rows} --yes`).says('1 create');
    await remote(`import permissions ${rows} --yes`).says('Nothing to change');
  });
});

describe('on a service that gives IDs of its own', () => {
  const COMMENT = 'aaaaaaaa-0000-4000-8000-000000000001';
  const OWNER = 'cccccccc-0000-4000-8000-000000000003';
  let fake: FakeServer;
  beforeEach(async () => {
    fake = await fakeServer();
    onTestFinished(() => fake.close());
    await pm(`profiles add prod --url ${fake.url} --user admin`).says('Added');
    fake.does((heard, response) => {
      const isList = heard.url.includes(`/${OWNER}/comments`);
      const list = json([{ ID: COMMENT.toUpperCase(), AncestorID: OWNER.toUpperCase(), Body: 'Hello' }]);
      const answer = heard.url.endsWith('/me') ? json(ME) : isList ? list : says(404, '{}');
      (heard.method === 'GET' ? answer : json(JSON.parse(heard.body || '{}')))(heard, response);
    });
  });
  const writes = () => fake.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method);

  it('nothing is made that may be there', async () => {
    await remote(`import comments ${file('ID,Body', `${COMMENT},Changed`)} --key ID --yes`).fails(
      7,
      'cannot be matched',
    );
    expect(writes()).toEqual([]);
  });

  it('a comment is changed where its owner is named', async () => {
    await remote(`comments update ${COMMENT} --department ${OWNER} --body Changed`).prints('Changed');
    expect(writes()).toEqual(['PUT']);
  });

  it('a change without the owner says what to name', async () => {
    await remote(`comments update ${COMMENT} --body Changed`).fails(2, 'only for one owner', '--department <ref>');
    expect(writes()).toEqual([]);
  });
});
