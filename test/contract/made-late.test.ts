// The fields and operations of a resource are made when they are first asked for: a command needs those of a few resources.
import { beforeEach, expect, it, vi } from 'vitest';

const made: string[] = [];
vi.mock(import('../../src/contract/resource.ts'), async (original) => {
  const { defineResource, ...rest } = await original();
  const noting = <T>(what: string, make: () => T) => {
    return () => {
      made.push(what);
      return make();
    };
  };
  return {
    ...rest,
    defineResource: (d) =>
      defineResource({
        ...d,
        fields: noting(`fields of ${d.name}`, d.fields),
        operations: noting(`operations of ${d.name}`, d.operations),
      }),
  };
});
beforeEach(() => {
  made.length = 0;
});

it('loads what reads and changes records without those of any resource', async () => {
  await import('../../src/cli/program.ts');
  await import('../../src/cli/resource-command.ts');
  await import('../../src/cli/commands/read.ts');
  await import('../../src/cli/commands/write.ts');
  await import('../../src/cli/backend.ts');
  await import('../../src/engine/store/sqlite/store.ts');
  expect(made).toEqual([]);
});

it('makes each once', async () => {
  const { contract } = await import('../../src/contract/index.ts');
  const { period } = contract;
  expect(period.fields).toBe(period.fields);
  expect(period.operations).toBe(period.operations);
  expect({ ...period }.fields).toBe(period.fields);
  expect(made).toEqual(['fields of period', 'operations of period']);
});
