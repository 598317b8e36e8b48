// A password in a file goes to the service and to nobody else.
import { describe, expect, it } from 'vitest';
import { run, take } from '../support/intake.ts';
import { jobsOf } from '../support/job.ts';
import { newSite } from '../support/site.ts';

const SECRET = 'tr0ub4dor&3!';
const NEW = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo,Password';
const BOB = `bob,Bob,Best,bob@example.org,Clerk,Test,ada,${SECRET}`;

describe('a password', () => {
  it('is set for new individuals and for those that are there', async () => {
    const { ada, engine } = await newSite();
    expect(await run(ada, 'individual', [NEW, BOB])).toMatchObject({ counts: { done: 1 } });
    await engine.backend.open({ login: 'bob', password: SECRET });
    expect(await run(ada, 'individual', ['UserName,Password', 'bob,another password'])).toMatchObject({
      counts: { done: 1 },
    });
    await engine.backend.open({ login: 'bob', password: 'another password' });
  });

  it('is handed to the planner, with the file that it stands in, and is in no plan', async () => {
    const { ada } = await newSite();
    const { changes } = await take(ada, 'individual', [NEW, BOB]);
    expect(changes).toMatchObject([
      { line: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), body: { Password: SECRET } },
    ]);
    const job = await jobsOf(ada.session).plan(...changes);
    const rows = await job.rows();
    expect(rows).toMatchObject([{ secret: { members: ['Password'], line: 2 } }]);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('is in no fault, its own or another one of its row', async () => {
    const { ada } = await newSite();
    const bad = `${SECRET}\u0001`;
    const { error, said } = await take(ada, 'individual', [
      'UserName,Password,IsAdmin,PrimaryReportsTo',
      `bob,${bad},perhaps,zzz`,
      `ada,${SECRET},perhaps,zzz`,
    ]);
    expect(said[0]).toBe('line 2, column Password: cannot be used');
    expect(said).toHaveLength(6);
    expect(JSON.stringify([error?.message, error?.faults, error?.found])).not.toContain(SECRET);
  });

  it('that is a number in its file is one, too', async () => {
    const { ada } = await newSite();
    const { changes } = await take(ada, 'individual', '[{"UserName":"ada","Password":12345}]', { name: 'rows.json' });
    expect(changes).toMatchObject([{ patch: { Password: '12345' } }]);
  });
});
