// Which rows may be in flight beside each other.
import { describe, expect, it } from 'vitest';
import { accessOf, newScheduler } from '../../src/changes/run/remote/run.ts';
import type { PlannedRow } from '../../src/contract/jobs.ts';

const [A, B, C] = [1, 2, 3].map((one) => `a0000000-0000-4000-8000-00000000000${one}`) as [string, string, string];

const create = (id: string, AncestorID: string): PlannedRow => ({
  ...{ number: 1, resource: 'accountability', operation: 'create', id, body: { Name: 'x', AncestorID } },
});
const update = (id: string, patch: Record<string, unknown>, resource = 'accountability'): PlannedRow => ({
  ...{ number: 1, resource, operation: 'update', id, patch },
});
const remove = (id: string): PlannedRow => ({ number: 1, resource: 'organization', operation: 'delete', id });
/** A new record whose address names its owner. */
const below = (id: string, individualID: string): PlannedRow => ({
  ...{ number: 1, resource: 'task', operation: 'create', id, params: { individualID } },
});
const naming = (id: string, Responsible: unknown): PlannedRow => ({
  ...{ number: 1, resource: 'task', operation: 'create', id, body: { Responsible } },
});

/** Begins all rows, none of which ends by itself; answers how many are in flight. */
async function inFlight(limit: number, rows: readonly PlannedRow[], alone = false): Promise<number> {
  const lanes = newScheduler(limit);
  let begun = 0;
  for (const row of rows) {
    const beginning = lanes.begin(accessOf(row, alone), () => {
      begun++;
      return new Promise(() => undefined);
    });
    await Promise.race([beginning, new Promise((resolve) => setImmediate(resolve))]);
  }
  return begun;
}

describe('rows', () => {
  it('are in flight beside each other, up to the limit', async () => {
    expect(await inFlight(4, [create(A, C), create(B, C)])).toBe(2);
    expect(await inFlight(1, [create(A, C), create(B, C)])).toBe(1);
  });

  it.each<[string, PlannedRow, PlannedRow]>([
    ['change the same record', update(A, { Name: '1' }), update(A.toUpperCase(), { Name: '2' })],
    ['name a record that the other one makes', create(A, C), create(B, A)],
    ['name a record that the other one deletes', create(A, C), remove(C)],
    ['are made below a record that the other one deletes', below(A, C.toUpperCase()), remove(C)],
    ['name several records of which the other one deletes one', naming(A, `${B} ${C}`), remove(C)],
    ['name several records, as a list, of which the other one deletes one', naming(A, [B, C]), remove(C)],
    [
      'change texts that must be unique',
      update(A, { UserName: 'x' }, 'individual'),
      update(B, { UserName: 'y' }, 'individual'),
    ],
  ])('wait for each other where they %s', async (_name, one, other) => {
    expect(await inFlight(4, [one, other])).toBe(1);
    expect(await inFlight(4, [other, one])).toBe(1);
  });

  it('of one owner wait for each other where new ones are told apart by what is there', async () => {
    expect(await inFlight(4, [create(A, C), create(B, C)], true)).toBe(1);
    expect(await inFlight(4, [create(A, C), create(B, A.replace('a', 'b'))], true)).toBe(2);
  });

  it('go on when those before them have ended', async () => {
    const lanes = newScheduler(4);
    const done: string[] = [];
    for (const Name of ['1', '2', '3'])
      await lanes.begin(accessOf(update(A, { Name }), false), async () => void done.push(Name));
    await lanes.idle();
    expect(done).toEqual(['1', '2', '3']);
  });
});
