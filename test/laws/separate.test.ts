// Changes of tasks that are not ordinary are made alike by whatever answers.
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { ENGINE, REMOTES } from '../support/backends.ts';
import { refuses } from '../support/refuses.ts';

const { individual, organization, task } = contract;

async function gathered(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe.each([ENGINE, ...REMOTES])('%s', (_name, begin) => {
  const opens = begin();

  it('makes a task for each who is responsible, and answers them all', async () => {
    const session = await opens();
    const [department] = await gathered(session.list(organization.operations.list));
    const ines = await session.call(individual.operations.create, {
      body: {
        FirstName: 'Ines',
        LastName: 'Moreau',
        Email: 'ines@example.org',
        UserEmail: 'ines@example.org',
        UserName: 'ines',
        PrimaryOrganizationID: department?.ID,
        PrimaryTitle: 'Engineer',
        PrimaryReportsTo: session.me.id,
        ParentID: null,
      },
    });
    const body = { AncestorID: session.me.id, Name: 'Read it', Responsible: `${ines.ID} ${session.me.id}` };
    const made = await gathered(session.list(task.operations.createSeparate, { body }));
    expect(made.map(({ Name, Responsible }) => [Name, Responsible])).toEqual([
      ['Read it', ines.ID],
      ['Read it', session.me.id],
    ]);
    const nobody = { ...body, Responsible: null };
    const refused = gathered(session.list(task.operations.createSeparate, { body: nobody }));
    await refuses(refused).with('invalid', 'Responsible names nobody');
    expect(await gathered(session.list(task.operations.list))).toHaveLength(2);
  });

  it('completes a task, and opens it again', async () => {
    const session = await opens();
    const body = { AncestorID: session.me.id, Name: 'Call', Responsible: [session.me.id] };
    const made = await session.call(task.operations.create, { body });
    expect(made.Responsible).toBe(session.me.id);
    const toggle = () => session.call(task.operations.toggleCompleted, { params: { id: String(made.ID) } });
    expect(await toggle()).toMatchObject({ EndDateActual: '2026-05-13' });
    expect(await toggle()).toMatchObject({ EndDateActual: null });
  });
});
