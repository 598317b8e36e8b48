// pm explain: what a resource or a field is, by which rules, and where that is known from.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

describe('pm explain', () => {
  it('takes a field as a word of its own, and what people call it', async () => {
    const one = await pm('explain individuals.PrimaryTitle').prints('PrimaryTitle');
    expect(await pm('explain individuals PrimaryTitle').prints()).toBe(one);
    await pm.refuses('explain individuals title', 2, 'Did you mean', 'PrimaryTitle');
  });

  it('lists the fields of a resource with rule, limit, flag and source', async () => {
    const rows = await pm('explain individuals -o json').rows();
    expect(rows.find((row) => row.Field === 'LastName')).toMatchObject({
      Type: 'text',
      Rule: 'required',
      Max: 50,
      Flag: '--last-name',
      Source: 'document',
    });
  });

  it.each(['individuals', 'individual', 'Individual'])('knows a resource as %s', async (name) => {
    await pm(`explain ${name}`).prints('PrimaryReportsTo');
  });

  it('says what the resource is', () =>
    pm('explain accountabilities').says('What an individual answers for.', 'ListItem'));

  it('describes one field, in any case', async () => {
    expect(await pm('explain individuals.username -o json').row()).toMatchObject({ Field: 'UserName', Max: 255 });
  });

  it('lists the operations with their addresses and sources', async () => {
    const rows = await pm('explain colors --operations -o json').rows();
    expect(rows).toContainEqual({
      Command: 'colors create',
      Method: 'POST',
      Path: '/colors',
      Labels: 'Admin',
      Source: 'document',
    });
  });

  it('refuses what it does not know with the nearest name', async () => {
    await pm.refuses('explain individuls', 2, 'no resource "individuls"', 'pm explain individuals?');
    await pm.refuses('explain individuals.UserNam', 2, 'no field UserNam', 'pm explain individuals.UserName?');
    await pm.refuses('explain individuals.delete', 2, 'no field delete', 'pm explain individuals --operations');
    await pm.refuses('explain', 2, 'pm explain needs <what>');
  });
});
